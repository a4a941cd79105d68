"""What a report says: of a stored run, or of one task set learned once by each way of ordering."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from core.curriculum.learn import CSetting, Learned, Problem
from core.curriculum.methods import METHODS
from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.fitting.cross_validation import Progress, part_of
from core.measure import Measure
from core.orders.all_orders import every_order
from core.orders.ranking import place_learned
from core.statistics.data_checks import unequal
from core.statistics.patterns import patterns, stability
from dashboard import text
from dashboard.figures import by_draw, candidates, class_balance, curricula, orders, pictures
from dashboard.figures import patterns as pattern_figures
from dashboard.figures.plot import Picture
from dashboard.reports.page import page
from data.runs.export import SUBSEQUENCES, shown
from data.runs.run import source_title
from data.runs.store import Run

LEARNED = ("seqmt", "multiseqmt", "treemt")
MOST_STEPS = 30
MOST_TASKS = 5
"""Tasks up to which all orders are tried for a report: 120."""


def run_report(run: Run, results: Results) -> str:
    """The report of a run as one HTML document."""
    shown = _methods(run, results) if results.methods else []
    for method in SUBSEQUENCES:
        if method in results.methods:
            shown += _subsequences(results, method)
    return page(f"Curriculab run {run.id}: {run.title}", _facts(run), shown)


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


def _methods(run: Run, results: Results) -> list[Picture]:
    measure = run.settings.measure
    means = pictures.methods(results, measure, False)
    others = (
        pictures.paired(results, results.baseline, measure, False),
        pictures.tasks(results, measure, False),
        by_draw.run_orders(results, False),
    )
    return [
        _with(means, class_balance.results_words(results, measure)),
        *(picture for picture in others if picture is not None),
    ]


def _subsequences(results: Results, method: str) -> list[Picture]:
    forests = [one.forest for one in results.of(method)]
    found, steady = patterns(forests, results.tasks), stability(forests, results.tasks)
    stable = "" if steady is None else pattern_figures.stable_words(steady, found.repeats, results.overlap is None)
    return [
        _with(pattern_figures.transfers(found, False), stable, NAMES[method]),
        _with(pattern_figures.ends(found, text.shorts(results.tasks), False), "", NAMES[method]),
        _with(pattern_figures.companions(found, False), "", NAMES[method]),
    ]


def _with(picture: Picture, more: str, method: str = "") -> Picture:
    """A picture as it is on its page, with `more` to say and perhaps with the method it is of."""
    title = f"{method}: {picture.title}" if method else picture.title
    return replace(picture, title=title, read=f"{picture.read} {more}".strip())


def set_report(problem: Problem, digest: str, C: CSetting, delta: float, progress: Progress | None = None) -> str:
    """One task set, learned once by SeqMT, with its steps, by MultiSeqMT and TreeMT, as one HTML document.

    `digest` is that of the set as it was given, which the problem has prepared.
    """
    parts = (part_of(progress or (lambda done, total: None), k, len(LEARNED) + 1) for k in range(len(LEARNED) + 1))
    task_set = problem.task_set
    labels = text.shorts(task_set.names)
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
    shown: list[Picture] = []
    for method in LEARNED:
        learned = problem.learn(method, C, delta=delta, progress=next(parts))
        bound = learned.bound
        error = "" if learned.mean_test_error is None else f"; mean test error {text.percent(learned.mean_test_error)}"
        said = "" if bound is None else f"bound {bound.value:.3f} on half the expected error{text.vacuous(bound.value)}"
        lanes = pictures.lanes(task_set, learned, method, False, f"{METHODS[method]}: {said}{error}")
        shown.append(_with(lanes, class_balance.learned_words(learned) if unequal(task_set) else ""))
        if method == "seqmt":
            shown += [*_steps(learned, labels), *_violin(problem, learned, C, delta, next(parts))]
    return page(f"Curriculab: {task_set.name}", facts, shown)


def _steps(learned: Learned, labels: Mapping[str, str]) -> Iterator[Picture]:
    """One section per step, all on one scale, then the bound as it grew."""
    shown = [candidates.info(step) for step in learned.steps[:MOST_STEPS]]
    room = candidates.frame(shown, labels)
    name = METHODS[learned.method]
    for number, (step, found) in enumerate(zip(learned.steps, shown, strict=False), start=1):
        source = text.source_words(step.chosen.source and text.quoted(step.chosen.source))
        yield Picture(
            candidates.figure(found, labels, False, room=room),
            f"step-{number}",
            f"{name}, step {number} of {len(learned.steps)}: {text.quoted(step.chosen.task)} from {source}",
            "One bar per candidate: its error term plus its complexity term. The method takes the lowest sum (★)."
            if number == 1
            else "",
            f"Step {number} chooses {step.chosen.task}, criterion {step.chosen.criterion:.3f}",
            candidates.table(step),
        )
    if learned.curriculum is not None and learned.bound is not None:
        title = f"{name}: the bound grows to {learned.bound.value:.2f}{text.vacuous(learned.bound.value)}"
        yield Picture(
            curricula.bound_figure(learned.curriculum, len(learned.steps), labels, False),
            "bound",
            title,
            "Theorem 1 bounds half the expected error over all tasks; above ½ it says nothing about the error.",
            title,
            curricula.bound_table(learned.curriculum),
        )


def _violin(problem: Problem, learned: Learned, C: CSetting, delta: float, progress: Progress) -> Iterator[Picture]:
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
    own = place_learned(tried, name, learned)
    spread = orders.Spread(tried, (own,))
    yield Picture(
        orders.figure(spread, False),
        "orders",
        spread.title,
        f"Every dot is one of all {len(tried.orders)} orders of the tasks; {name}'s is marked.",
        spread.title,
        orders.table(spread),
    )
