"""What a report says: of a stored run, or of one task set learned once by each way of ordering."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.curriculum.learn import CSetting, Learned, Problem
from core.curriculum.methods import METHODS
from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.fitting.cross_validation import Progress
from core.measure import Measure
from core.orders.all_orders import every_order
from core.orders.ranking import place
from core.statistics.data_checks import unequal
from core.statistics.patterns import patterns, stability
from dashboard import text, theme
from dashboard.figures import by_draw, candidates, class_balance, compare, curricula, forest, orders, plot
from dashboard.figures import patterns as drawn
from dashboard.reports.page import Section, page
from data.published import PAPER, published_for
from data.runs.export import SUBSEQUENCES, shown
from data.runs.run import source_title
from data.runs.store import Run

LEARNED = ("seqmt", "multiseqmt", "treemt")
MOST_STEPS = 30
MOST_TASKS = 5
"""Tasks up to which all orders are tried for a report: 120."""


def run_report(run: Run, results: Results) -> str:
    """The report of a run as one HTML document."""
    sections = [Section("Settings", facts=_facts(run))]
    if results.methods:
        sections += _methods(run, results)
        for method in SUBSEQUENCES:
            if method in results.methods:
                sections += _subsequences(results, method)
    return page(f"Curriculab run {run.id}: {run.title}", sections)


def run_shown(run: Run, results: Results) -> None:
    """Make all that is made of a run, to know that it can be."""
    shown(run, results)
    run_report(run, results)


def _facts(run: Run) -> dict[str, str]:
    settings = run.settings
    state = (
        f"finished {run.finished[:19]} UTC" if run.finished else f"{run.done_in_all} of {run.total} pieces done so far"
    )
    return {
        "Task set": run.title,
        "State": f"begun {run.begun[:19]} UTC, {state}",
        "Methods": ", ".join(NAMES[method] for method in settings.methods),
        "Repeats": f"{settings.repeats}; repeat k uses seed {settings.seed} + k, and {run.split}",
        "C": f"{settings.C}",
        **_measure(settings.measure),
        "Preparation": f"normalize {settings.normalize or 'as the set asks'}, bias "
        + {None: "as the set asks", True: "appended", False: "none"}[settings.bias],
        "δ, solver": f"{settings.delta:g}, {settings.solver}",
        "Data (SHA-256)": run.digest,
        "Versions": ", ".join(f"{name} {number}" for name, number in run.versions.items()),
    }


def _measure(measure: Measure) -> dict[str, str]:
    return {} if measure == "error" else {"Measure": "balanced error"}


def _methods(run: Run, results: Results) -> list[Section]:
    published = published_for(run.settings.source)
    bars = compare.info(results, published)
    paper = f" Diamonds: {PAPER}." if any(bar.published for bar in bars) else ""
    measure = run.settings.measure
    error = text.error_name(measure)
    majority = f" {class_balance.results_words(results, measure)}".rstrip()
    sections = [
        Section(
            compare.title(bars),
            f"Bars are means over repeats of the mean {error} over tasks, whiskers one standard error of the mean"
            f"{compare.shared_rows(results)}.{majority}{paper} Best and Worst are picked by test error, so they are no "
            "methods one could use.",
            compare.figure(bars, dark=False),
            compare.table(bars),
        )
    ]
    baseline = "seqmt" if "seqmt" in results.methods else results.methods[0]
    pairs = results.against(baseline)
    if pairs:
        sections.append(
            Section(
                compare.baseline_title(pairs),
                f"Differences of {error}s on the same draws. {compare.reading(pairs)}",
                compare.baseline_figure(pairs, False, measure),
                compare.baseline_table(pairs),
            )
        )
    sections.append(
        Section(
            compare.tasks_title(results),
            f"Mean {error} of each task, in per cent.",
            plot.matrix(compare.tasks(results), False),
            compare.tasks(results).frame("method"),
        )
    )
    spread = by_draw.run_orders(results)
    if spread is not None:
        kind = "All" if spread.orders.complete else "A random sample of"
        sections.append(
            Section(
                spread.title,
                f"{kind} {len(spread.values)} fixed orders, each the same in all "
                f"{text.counted(len(results.walks), 'repeat')}.",
                orders.figure(spread, dark=False),
                by_draw.run_orders_table(results),
            )
        )
    return sections


def _subsequences(results: Results, method: str) -> list[Section]:
    forests = [{task: one.sources[task] for task in one.order} for one in results.of(method)]
    found = patterns(forests, results.tasks)
    labels = text.shorts(results.tasks)
    steady = stability(forests, results.tasks)
    return [
        Section(
            f"{NAMES[method]}: {drawn.transfers_title(found)}",
            "How often the task of a column was learned from the source of a row, in per cent of the repeats. "
            + ("" if steady is None else drawn.stable_words(steady, found.repeats, results.overlap is None)),
            plot.matrix(drawn.transfers(found), False),
            drawn.transfers_table(found),
        ),
        Section(
            f"{NAMES[method]}: {drawn.ends_title(found)}",
            "How often each task began a subsequence, and how often nothing was learned from it.",
            drawn.ends(found, labels, dark=False),
        ),
        Section(
            f"{NAMES[method]}: {drawn.companions_title(found)}",
            "How often two tasks stood in the same subsequence.",
            plot.matrix(drawn.companions(found), False),
        ),
    ]


def set_report(problem: Problem, digest: str, C: CSetting, delta: float, progress: Progress | None = None) -> str:
    """One task set, learned once by SeqMT, with its steps, by MultiSeqMT and TreeMT, as one HTML document.

    `digest` is that of the set as it was given, which the problem has prepared.
    """
    parts = iter(_parts(progress, len(LEARNED) + 1))
    task_set = problem.task_set
    labels = text.shorts(task_set.names)
    colours = theme.task_colours(task_set.names, task_set.groups)
    facts = {
        "Task set": source_title(f"{task_set.name}?{task_set.recipe}" if task_set.recipe else task_set.name),
        "Tasks": ", ".join(
            f"{task.name} ({task.n_points} training, {text.counted(task.n_test, 'test point')})"
            for task in task_set.tasks
        ),
        "C": f"{C}",
        **_measure(problem.measure),
        "Seed": f"{problem.seed}",
        "δ, solver": f"{delta:g}, {problem.solver}",
        "Data (SHA-256)": digest,
    }
    sections = [Section("Settings", facts=facts)]
    for method in LEARNED:
        learned = problem.learn(method, C, delta=delta, progress=next(parts))
        found = forest.info(learned)
        bound = learned.bound
        error = "" if learned.mean_test_error is None else f"; mean test error {text.percent(learned.mean_test_error)}"
        beside = f" {class_balance.learned_words(learned)}" if unequal(task_set) else ""
        said = "" if bound is None else f"bound {bound.value:.3f} on half the expected error{text.vacuous(bound.value)}"
        sections.append(
            Section(
                f"{METHODS[method]}: {said}{error}",
                "A lane a subsequence, from the first step to the last. The colour of a task is its test error, the "
                f"width of a line the distance moved from its source.{beside}",
                forest.figure(found, labels, colours, False),
                forest.table(found),
                alt=f"{METHODS[method]} learns {', '.join(learned.order)}",
            )
        )
        if method == "seqmt":
            sections += [*_steps(learned, labels), *_violin(problem, learned, C, delta, next(parts))]
    return page(f"Curriculab: {task_set.name}", sections)


def _steps(learned: Learned, labels: Mapping[str, str]) -> Iterator[Section]:
    """A section a step, all on one scale, then the bound as it grew."""
    shown = [candidates.info(step) for step in learned.steps[:MOST_STEPS]]
    room = candidates.frame(shown, labels)
    name = METHODS[learned.method]
    for number, (step, found) in enumerate(zip(learned.steps, shown, strict=False), start=1):
        chosen = step.chosen
        yield Section(
            f"{name}, step {number} of {len(learned.steps)}: {text.quoted(chosen.task)} "
            f"from {text.source_words(chosen.source and text.quoted(chosen.source))}",
            "A bar a candidate: its error term plus its complexity term. The method takes the lowest sum (★)."
            if number == 1
            else "",
            candidates.figure(found, labels, False, room=room),
            candidates.table(step),
            alt=f"Step {number} chooses {chosen.task}, criterion {chosen.criterion:.3f}",
        )
    if learned.curriculum is not None and learned.bound is not None:
        yield Section(
            f"{name}: the bound grows to {learned.bound.value:.2f}{text.vacuous(learned.bound.value)}",
            "Theorem 1 bounds half the expected error over all tasks; above ½ it says nothing about the error.",
            curricula.bound_figure(learned.curriculum, len(learned.steps), labels, False),
            curricula.bound_table(learned.curriculum),
        )


def _violin(
    problem: Problem, learned: Learned, C: CSetting, delta: float, progress: Progress | None = None
) -> Iterator[Section]:
    """All orders, where they are few enough, with the learned one marked."""
    task_set = problem.task_set
    if not 2 <= len(task_set) <= MOST_TASKS or learned.bound is None:
        return
    tried = every_order(
        task_set,
        C=C,
        seed=problem.seed,
        delta=delta,
        solver=problem.solver,
        measure=problem.measure,
        progress=progress,
    )
    name = METHODS[learned.method]
    own = place(tried, name, tuple(learned.order), learned.bound.value, learned.mean_error)
    spread = orders.Spread(tried, (own,))
    yield Section(
        spread.title,
        f"Every dot is one of all {len(tried.orders)} orders of the tasks; {name}'s is marked.",
        orders.figure(spread, False),
        orders.table(spread),
    )


def _parts(progress: Progress | None, count: int) -> list[Progress | None]:
    """The progress of each of several equal parts of the work."""

    def part(index: int) -> Progress | None:
        return None if progress is None else lambda done, total: progress(index * total + done, count * total)

    return [part(index) for index in range(count)]
