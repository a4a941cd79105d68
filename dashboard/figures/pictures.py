"""Figures that several pages show, each with the words that belong to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from core.curriculum.learn import Learned
from core.curriculum.steps import Step
from core.task_set import FloatArray, TaskSet
from dashboard import text, theme
from dashboard.figures import by_draw, candidates, forest, images, scatter
from dashboard.figures.by_draw import Draws


@dataclass(frozen=True, eq=False)
class Picture:
    """What `figure_card.figure` shows: a figure with the words that belong to it."""

    chart: go.Figure
    key: str
    title: str
    read: str
    alt: str
    table: pd.DataFrame | None = None


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
