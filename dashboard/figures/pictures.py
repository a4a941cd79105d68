"""Figures that several pages, lessons or a report show, each with the words that belong to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.curriculum.learn import Learned
from core.curriculum.steps import Step
from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.measure import Measure
from core.statistics.patterns import Patterns
from core.task_set import FloatArray, TaskSet
from dashboard import text, theme
from dashboard.figures import by_draw, candidates, compare, forest, images, patterns, plot, scatter
from dashboard.figures import orders as orders_figure
from dashboard.figures.by_draw import Draws
from dashboard.figures.plot import Picture
from data.published import PAPER, published_for


def draws(found: Draws, key: str, title: str, dark: bool) -> Picture:
    """Ways of learning over the draws."""
    means = "; ".join(f"{name}: mean {mean}" for name, mean in by_draw.written(found).items())
    return Picture(
        by_draw.figure(found, dark),
        key,
        title,
        "Every dot is one fresh draw of the same kind of tasks; up and down within a row means nothing. The diamond is "
        "the mean over the draws. Further left is better.",
        f"{found.quantity} over {found.count} draws. {means}.",
        by_draw.table(found),
    )


def lanes(task_set: TaskSet, learned: Learned, key: str, dark: bool, title: str = "") -> Picture:
    """What was learned from what."""
    found, labels = forest.info(learned), text.shorts(task_set.names)
    colours = theme.task_colours(task_set.names, task_set.groups)
    starts = list(learned.sources.values()).count(None)
    return Picture(
        forest.figure(found, labels, colours, dark),
        key,
        title or f"{text.counted(starts, 'start')} from nothing; all else continues",
        "Time runs along the steps. A line joins a task to the one it started from, wider where the weights moved "
        "further; a diamond is a start from nothing."
        + (" The number is the test error in per cent." if found.has_test else ""),
        "; ".join(f"{task} from {text.source_words(source)}" for task, source in learned.sources.items()),
        forest.table(found),
    )


def panels(
    task_set: TaskSet,
    key: str,
    title: str,
    dark: bool,
    names: Sequence[str] = (),
    weights: Mapping[str, FloatArray] | None = None,
    line: str = "",
) -> Picture:
    """Tasks in the plane, all if none is named, each with the line of its weights where there is one."""
    names, preparation = names or task_set.names, scatter.Preparation(task_set.normalize == "l2", task_set.bias)
    return Picture(
        scatter.planes(task_set, names, weights or {}, preparation, dark, line),
        key,
        title,
        "One panel per task, all on the same axes. Circles are the positive class, crosses the negative one"
        f"{'; a line is where the learner changes its mind' if weights else ''}.",
        f"Points of the tasks {text.listed(names, 8)} in the plane.",
        scatter.points_table(task_set),
    )


def tiles(
    task_set: TaskSet, names: Sequence[str], key: str, title: str, dark: bool, height: int, each: int = 5
) -> Picture:
    """The first images of each class of these tasks."""
    found = images.tiles(task_set, names, each)
    return Picture(
        images.tiles_figure(found, dark, height),
        key,
        title,
        "One row per task: the first training images of the positive class on the left, of the negative class on the "
        "right. Darker (in the dark theme: lighter) is a larger value.",
        f"Example images of both classes of {text.counted(len(names), 'task')}: {text.listed(names, 6)}.",
        images.tiles_table(found, task_set),
    )


def bars(
    step: Step, labels: Mapping[str, str], key: str, title: str, dark: bool, most: int = candidates.MOST_BARS
) -> Picture:
    """The candidates of a step, at most so many."""
    return Picture(
        candidates.figure(candidates.info(step, most), labels, dark),
        key,
        title,
        "One bar per candidate, best on top. Hatched orange: the error term. Blue: the complexity term. ★ is the "
        "shortest.",
        f"Stacked bars of {len(step.candidates)} candidates; {step.chosen.task} is chosen.",
        candidates.table(step),
    )


def methods(results: Results, measure: Measure, dark: bool) -> Picture:
    """The paper's Figure 2."""
    bars = compare.info(results, published_for(results.settings.source), measure)
    title, error = compare.title(bars), text.error_name(measure)
    paper = f" Diamonds are the paper's own figures ({PAPER})." if any(bar.published for bar in bars) else ""
    return Picture(
        compare.figure(bars, dark),
        "methods",
        title,
        f"A bar is the mean over repeats of the mean {error} over tasks, the whisker one standard error of that mean"
        f"{compare.shared_rows(results)}. Best and Worst (grey) are picked among fixed orders by their test error, so "
        f"nobody could use them.{paper}",
        f"Bars of the mean {error} of {len(bars)} methods. {title}.",
        compare.table(bars),
    )


def paired(results: Results, base: str, measure: Measure, dark: bool) -> Picture | None:
    """Every method against a baseline; None while no other has a repeat in common with it."""
    found = results.against(base, measure)
    if not found:
        return None
    title = compare.baseline_title(found)
    return Picture(
        compare.baseline_figure(found, dark, measure),
        "paired",
        title,
        f"Each dot is a method's {text.error_name(measure)} minus the baseline's on the same draws; left of 0 is "
        f"better. {compare.reading(found)} Where methods do not differ, at most 5\u00a0% of runs call any of them "
        "clearly better or worse.",
        f"Differences of {len(found)} methods from {NAMES[found[0].baseline]}. {title}.",
        compare.baseline_table(found),
    )


def tasks(results: Results, measure: Measure, dark: bool) -> Picture:
    """Where the means come from."""
    found, error = compare.tasks(results, measure), text.error_name(measure)
    return Picture(
        plot.matrix(found, dark),
        "per-task",
        compare.tasks_title(results, measure),
        f"Mean {error} over the repeats, in per cent, of each task under each method.",
        f"Table of {error}s of {len(results.methods)} methods on {len(results.tasks)} tasks.",
        found.frame("method"),
    )


def orders(results: Results, dark: bool) -> Picture | None:
    """All fixed orders over the repeats, as the paper's Figure 3; None where they were not tried."""
    spread = by_draw.run_orders(results)
    if spread is None:
        return None
    which = "All" if spread.orders.complete else "A random sample of"
    noise = "" if spread.noise is None else f"\n\n{orders_figure.noise_details(spread.noise)}"
    return Picture(
        orders_figure.figure(spread, dark),
        "fixed-orders",
        spread.title,
        f"{which} {len(spread.values)} fixed orders, the same in each repeat: every dot is one, by its {spread.error} "
        "over the repeats. Rows above are the methods' means with one standard error; a method's order may differ from "
        f"repeat to repeat.{noise}",
        f"Violin of the {spread.error}s of {len(spread.values)} orders. {spread.title}.",
        by_draw.run_orders_table(results),
    )


def transfers(found: Patterns, dark: bool) -> Picture:
    """How often each task was learned from each other."""
    title = patterns.transfers_title(found)
    return Picture(
        plot.matrix(patterns.transfers(found), dark),
        "transfers",
        title,
        "The task of the column was learned from the source of the row in that share of the repeats. Columns add up to "
        "100\u00a0%: the last row counts the repeats in which the task had no source.",
        title,
        patterns.transfers_table(found),
    )


def companions(found: Patterns, dark: bool) -> Picture:
    """How often two tasks were in one subsequence."""
    matrix, title = patterns.companions(found), patterns.companions_title(found)
    return Picture(
        plot.matrix(matrix, dark),
        "companions",
        title,
        "The share of repeats in which two tasks were in the same subsequence. Tasks are sorted so that companions "
        "stand beside each other: blocks are tasks that belong together.",
        title,
        matrix.frame("task"),
    )


def positions(found: Patterns, labels: Mapping[str, str], colours: Mapping[str, str], dark: bool) -> Picture:
    """When one sequence learned each task."""
    title = patterns.positions_title(found)
    return Picture(
        patterns.positions(found, labels, colours, dark),
        "positions",
        title,
        "One dot per repeat, at the step at which it learned the task; the bar is the mean. One sequence keeps all "
        "tasks together, so there are no companions to show.",
        title,
        patterns.ends_table(found),
    )


def ends(found: Patterns, labels: Mapping[str, str], dark: bool) -> Picture:
    """How often each task started and ended a subsequence."""
    title = patterns.ends_title(found)
    return Picture(
        patterns.ends(found, labels, dark),
        "ends",
        title,
        "How often the task had no source (starts, plain bars), and how often nothing was learned from it (ends, "
        "striped bars). A task that is alone does both.",
        title,
        patterns.ends_table(found),
    )
