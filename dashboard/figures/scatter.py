"""The data as points: the plane itself, a panel a task, or a projection of all tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.curriculum.steps import Candidate
from core.statistics.projection import Projection, scores_on_grid
from core.task_set import FloatArray, TaskSet
from dashboard import text, theme

Box = tuple[float, float, float, float]


class Preparation(NamedTuple):
    """How the learner sees a point of the plane."""

    normalize: bool
    bias: bool


SYMBOLS = {1.0: "circle", -1.0: "x-thin"}
WORDS = {1.0: "positive (+1)", -1.0: "negative (−1)"}


def boundary(
    weights: FloatArray, box: Box, prepared: Preparation, colour: str, name: str, dash: str = "solid", **more: Any
) -> go.Contour:
    """The line <w, x> = 0; a curve where points are scaled to length 1 and have a bias."""
    xs, ys, scores = scores_on_grid(weights, box, prepared.normalize, prepared.bias)
    return go.Contour(
        x=xs,
        y=ys,
        z=scores,
        contours={"start": 0, "end": 0, "size": 1, "coloring": "none"},
        line={"color": colour, "width": 3, "dash": dash, "smoothing": 0},
        showscale=False,
        hoverinfo="skip",
        name=name,
        **more,
    )


def bent(prepared: Preparation) -> str:
    """Why lines are not straight, where they are not."""
    curved = prepared.normalize and prepared.bias
    return " Lines are bent because every point is scaled to length 1 before it is judged." if curved else ""


def box_of(task_set: TaskSet) -> Box:
    """The range of both features over all training points, with a margin."""
    points = np.vstack([dense(task.X) for task in task_set.tasks])
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.08 * np.maximum(high - low, 1e-9)
    low, high = low - margin, high + margin
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def dense(X: object) -> FloatArray:
    """Features as a plain array."""
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X)


def points(X: FloatArray, y: FloatArray, label: float, dark: bool, size: int, legend: bool, name: str) -> go.Scatter:
    """The points of one class."""
    ink = theme.ink(dark)
    own = X[y == label]
    colour = ink.positive if label > 0 else ink.negative
    return go.Scatter(
        x=own[:, 0],
        y=own[:, 1],
        mode="markers",
        name=WORDS[label],
        legendgroup=WORDS[label],
        showlegend=legend,
        marker={
            "symbol": SYMBOLS[label],
            "size": size,
            "color": colour,
            "line": {"width": 2 if label < 0 else 0.5, "color": colour if label < 0 else ink.paper},
        },
        hovertemplate=f"{text.chart(name)}<br>{WORDS[label]}<br>(%{{x:.2f}}, %{{y:.2f}})<extra></extra>",
    )


def _panels(count: int) -> tuple[int, int]:
    """Columns and rows of so many panels."""
    columns = min(count, 3 if count in (5, 6, 9) else 4)
    return columns, -(-count // columns)


def planes_height(count: int) -> int:
    """Of `planes`, with so many panels."""
    return max(300, 80 + 170 * _panels(count)[1])


def planes(
    task_set: TaskSet,
    names: Sequence[str],
    weights: Mapping[str, FloatArray],
    prepared: Preparation,
    dark: bool,
    line: str = "learned alone",
) -> go.Figure:
    """A panel a task with its points and, where there are weights, the line <w, x> = 0, named `line`."""
    columns, rows = _panels(len(names))
    chart = make_subplots(
        rows,
        columns,
        subplot_titles=[text.chart(text.short(name, 20 if columns < 4 else 14)) for name in names],
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.03,
        vertical_spacing=0.24 / rows,
    )
    ink = theme.ink(dark)
    box = box_of(task_set)
    for k, name in enumerate(names):
        task = task_set[name]
        place = {"row": k // columns + 1, "col": k % columns + 1}
        for label in (1.0, -1.0):
            chart.add_trace(points(dense(task.X), task.y, label, dark, 8, k == 0, name), **place)
        if name in weights:
            drawn = boundary(weights[name], box, prepared, ink.text, line, showlegend=k == 0)
            chart.add_trace(drawn, **place)
    more = 26 if weights else 0  # the name of the line may begin a second row of the legend
    chart.update_layout(template=theme.template(dark), height=planes_height(len(names)) + more, margin={"t": 64 + more})
    chart.update_layout(legend={"y": 1.0, "yref": "container", "yanchor": "top"})
    chart.update_annotations(font={"size": 14, "color": ink.text})
    chart.update_xaxes(range=box[:2], showticklabels=False, zeroline=False)
    chart.update_yaxes(range=box[2:], showticklabels=False, zeroline=False)
    return chart


def axis_names(task_set: TaskSet) -> tuple[str, str]:
    """Both axes of the plane, for charts."""
    names = task_set.feature_names or ("first feature", "second feature")
    return text.chart(text.short(names[0])), text.chart(text.short(names[1]))


def step_plane(
    task_set: TaskSet, picked: Candidate, learned: Mapping[str, FloatArray], prepared: Preparation, dark: bool
) -> go.Figure:
    """The picked candidate's points, its line, its source's line and, faintly, those of the tasks learned so far."""
    ink = theme.ink(dark)
    chart = theme.blank(dark, 460)
    box = box_of(task_set)
    task = task_set[picked.task]
    for k, (name, weights) in enumerate(learned.items()):
        if name != picked.source:
            faint = boundary(weights, box, prepared, ink.line, "learned before", "dot", showlegend=k == 0)
            faint.line.width = 1.5
            chart.add_trace(faint)
    for label in (1.0, -1.0):
        chart.add_trace(points(dense(task.X), task.y, label, dark, 11, True, picked.task))
    if picked.source is not None:
        source = f"source: {text.chart(text.short(picked.source))}"
        chart.add_trace(boundary(picked.source_weights, box, prepared, ink.muted, source, "dash", showlegend=True))
    own = f"candidate: {text.chart(text.short(picked.task))}"
    chart.add_trace(boundary(picked.weights, box, prepared, ink.text, own, showlegend=True))
    first, second = axis_names(task_set)
    chart.update_xaxes(range=box[:2], title=first)
    chart.update_yaxes(range=box[2:], title=second)
    chart.update_layout(margin={"t": 44})
    return chart


def projected(
    found: Projection, names: Sequence[str], colours: Mapping[str, str], dark: bool, height: int
) -> go.Figure:
    """All tasks in two principal components: colour is the task, symbol the class."""
    chart = theme.blank(dark, height)
    ink = theme.ink(dark)
    for k, name in enumerate(names):
        for label in (1.0, -1.0):
            own = found.points[(found.task == k) & (found.y == label)]
            chart.add_trace(
                go.Scatter(
                    x=own[:, 0],
                    y=own[:, 1],
                    mode="markers",
                    name=text.chart(text.short(name, 20)),
                    legendgroup=str(k),
                    showlegend=label > 0 and len(names) <= 12,
                    marker={
                        "symbol": SYMBOLS[label],
                        "size": 8,
                        "color": colours[name],
                        "opacity": 0.85,
                        "line": {"width": 2 if label < 0 else 0.5, "color": colours[name] if label < 0 else ink.paper},
                    },
                    hovertemplate=f"{text.chart(name)}<br>{WORDS[label]}<extra></extra>",
                )
            )
    for update, axis, share in (
        (chart.update_xaxes, "first", found.explained[0]), (chart.update_yaxes, "second", found.explained[1])
    ):  # fmt: skip
        update(title=f"{axis} principal component ({text.percent(share, 0)} of variance)", showticklabels=False)
    return chart


def projection_table(found: Projection, names: Sequence[str]) -> pd.DataFrame:
    """The projected points."""
    return pd.DataFrame(
        {
            "task": [names[k] for k in found.task],
            "label": found.y.astype(int),
            "first component": found.points[:, 0],
            "second component": found.points[:, 1],
        }
    )


def points_table(task_set: TaskSet) -> pd.DataFrame:
    """The training points of a set in the plane."""
    x, y = task_set.feature_names or ("x", "y")
    x, y = (x, y) if len({x, y, "task", "label"}) == 4 else ("x", "y")
    return pd.DataFrame(
        {
            "task": [task.name for task in task_set.tasks for _ in range(task.n_points)],
            "label": np.concatenate([task.y for task in task_set.tasks]).astype(int),
            x: np.concatenate([dense(task.X)[:, 0] for task in task_set.tasks]),
            y: np.concatenate([dense(task.X)[:, 1] for task in task_set.tasks]),
        }
    )
