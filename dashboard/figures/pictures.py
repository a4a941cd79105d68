"""Figures that several pages, lessons or a report show, each with the words that belong to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.curriculum.learn import Learned
from core.curriculum.steps import Step
from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.measure import Measure
from core.task_set import FloatArray, TaskSet
from dashboard import text, theme
from dashboard.figures import candidates, compare, forest, images, plot, scatter
from dashboard.figures.plot import Picture
from data.published import PAPER, published_for


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
    wider = ", wider as the repeats split the same rows anew and so share most of them" if results.overlap else ""
    paper = f" Diamonds are the paper's own figures ({PAPER})." if any(bar.published for bar in bars) else ""
    return Picture(
        compare.figure(bars, dark),
        "methods",
        title,
        f"A bar is the mean over repeats of the mean {error} over tasks, the whisker one standard error of that mean"
        f"{wider}. Best and Worst (grey) are picked among fixed orders by their test error, so "
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
