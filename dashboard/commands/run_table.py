"""The tables that `compare` and `runs show` print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dashboard.commands.terminal_table import plain, printable, table
from dashboard.text import error_name

if TYPE_CHECKING:
    from core.experiments.summary import Average, Results
    from data.runs.store import Run


def run_lines(run: Run, results: Results) -> Iterator[str]:
    """What the run was, its means, its paired differences, and Best and Worst."""
    settings = run.settings
    state = "finished" if run.finished else f"{run.done_in_all} of {run.total} pieces done"
    yield f"run {run.id}: {printable(run.full_title, 300)}, {state}"
    repeats = "1 repeat" if settings.repeats == 1 else f"{settings.repeats} repeats"
    by = ", by balanced error" if settings.measure == "balanced" else ""
    yield f"C {settings.C}, {repeats} from seed {settings.seed}{by}; {run.split}"
    if run.stopped:
        yield f"stopped: {printable(run.stopped, 300)}"
    if not results.methods:
        return
    yield ""
    yield means(run, results)
    from dashboard.figures.class_balance import results_words

    if said := results_words(results, settings.measure):
        yield plain(said)
    yield ""
    yield from differences(results)
    if results.walks:
        yield ""
        yield from fixed_orders(results)


def sets_table(finished: Sequence[tuple[Run, Results]]) -> str:
    """A row a run: the spread of its fixed orders where they were walked, then every method's mean test error."""
    from core.experiments.experiment import NAMES

    methods = [m for m in NAMES if any(m in results.methods for _, results in finished)]
    methods = [m for m in methods if m not in ("best", "worst")]
    headings = ["run", "task set", "best order %", "mean order %", "worst order %", *(NAMES[m] for m in methods)]
    rows = []
    for run, results in finished:
        orders = results.order_means
        spread = [f"{100 * value:.2f}" for value in (orders.min(), orders.mean(), orders.max())] if len(orders) else []
        errors = [percent(results.average(m))[0] if m in results.methods else "-" for m in methods]
        rows.append([str(run.id), printable(run.full_title, 60), *(spread or ["-"] * 3), *errors])
    return table(headings, rows, right=[0, *range(2, len(headings))])


def means(run: Run, results: Results) -> str:
    """A row a method: mean test error with its standard error, beside the paper's where there is one."""
    from core.experiments.experiment import NAMES
    from data.published import published_for

    published = published_for(run.settings.source)
    balanced = run.settings.measure == "balanced" or (results.unequal and "balanced" in results.measures)
    headings = ["method", "test error %", "± s.e.", *(["balanced %", "± s.e."] if balanced else [])]
    headings += ["repeats", "seconds"] + (["paper %", "± s.e."] if published else [])
    rows = []
    for method in results.methods:
        average = results.average(method, "error")
        beside = percent(results.average(method, "balanced")) if balanced else ()
        row = [NAMES[method], *percent(average), *beside, str(average.count), f"{results.seconds(method).mean:.2f}"]
        if published:
            theirs = published.get(NAMES[method])
            row += ["", ""] if theirs is None else [f"{theirs.mean:.2f}", f"{theirs.standard_error:.2f}"]
        rows.append(row)
    return table(headings, rows, right=range(1, len(headings)))


def percent(average: Average) -> tuple[str, str]:
    """Mean and standard error in per cent."""
    spread = average.standard_error
    return f"{100 * average.mean:.2f}", "-" if spread is None else f"{100 * spread:.2f}"


def differences(results: Results) -> Iterator[str]:
    """Every method against SeqMT, or against the first where SeqMT was not run."""
    from core.experiments.experiment import NAMES

    baseline = "seqmt" if "seqmt" in results.methods else results.methods[0]
    found = results.against(baseline)
    if not found:
        return
    corrected = ["for looking at all methods (Holm)"] if sum(pair.interval is not None for pair in found) > 1 else []
    corrected += ["for repeats that share rows (Nadeau and Bengio)"] if results.overlap is not None else []
    said = f", corrected {' and '.join(corrected)}" if corrected else ""
    of = "balanced error " if results.settings.measure == "balanced" else ""
    yield f"{of}minus {NAMES[baseline]} on the same draws, in percentage points; Student's t{said}"
    rows = []
    for pair in found:
        span = pair.interval
        interval = "-" if span is None else f"{100 * span.low:+.2f} to {100 * span.high:+.2f}"
        p = "-" if pair.p_value is None else f"{pair.p_value:.2g}"
        rows.append([NAMES[pair.method], f"{100 * pair.difference:+.2f}", interval, p, pair.verdict])
    yield table(("method", "difference", "interval", "p", "verdict"), rows, right=range(1, 4))


def fixed_orders(results: Results) -> Iterator[str]:
    """The best and the worst of all fixed orders."""
    walk, means = results.walks[0], results.order_means
    tried = f"all {len(means)} orders" if walk.complete else f"a random sample of {len(means)} orders"
    error = error_name(results.settings.measure)
    yield f"of {tried}, the same in every repeat, by mean {error} over {len(results.walks)} repeats:"
    for word, method, mean in (("best ", "best", means.min()), ("worst", "worst", means.max())):
        order = " > ".join(printable(task) for task in results.picked_order(method))
        yield f"  {word} {100 * mean:.2f} %  {order}"
