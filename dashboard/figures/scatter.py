"""The data as points: the plane itself, one panel per task, or a projection of all tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.curriculum.steps import Candidate
from core.statistics.projection import Projection, scores_on_grid
from core.task_set import FloatArray, Task, TaskSet
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Trace

Box = tuple[float, float, float, float]
"""Left, right, bottom and top."""
Segment = tuple[float, float, float, float]
"""From (x, y) to (x, y)."""


class Preparation(NamedTuple):
    """How the learner sees a point of the plane."""

    normalize: bool
    bias: bool


SYMBOLS = {1.0: "circle", -1.0: "x-thin"}
WORDS = {1.0: "positive (+1)", -1.0: "negative (−1)"}


def boundary(
    weights: FloatArray, box: Box, prepared: Preparation, name: str, line: Mapping[str, Any], **more: Any
) -> Trace:
    """The line <w, x> = 0; a curve where points are scaled to length 1 and have a bias."""
    xs, ys, scores = scores_on_grid(weights, box, prepared.normalize, prepared.bias)
    shown = {"type": "contour", "x": xs, "y": ys, "z": scores, "name": name}
    shown |= {"line": {"width": 3, "dash": "solid", "smoothing": 0, **line}}
    contours = {"start": 0, "end": 0, "size": 1, "coloring": "none"}
    return shown | {"contours": contours, "showscale": False, "hoverinfo": "skip"} | more


def in_square(weights: FloatArray, reach: float) -> Segment | None:
    """The part of w1 x + w2 y + b = 0 inside [-reach, reach]², from end to end; None if the line passes by."""
    w1, w2, b = (float(part) for part in weights)
    ends: list[tuple[float, float]] = []
    for side in (-reach, reach):
        if abs(w2) > 1e-12:
            ends.append((side, -(w1 * side + b) / w2))
        if abs(w1) > 1e-12:
            ends.append((-(w2 * side + b) / w1, side))
    inside = sorted({(round(x, 9), round(y, 9)) for x, y in ends if max(abs(x), abs(y)) <= reach + 1e-9})
    if len(inside) < 2 or np.allclose(inside[0], inside[-1]):
        return None
    return (*inside[0], *inside[-1])


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


def points(X: FloatArray, label: float, colour: str, size: int, paper: str, **more: Any) -> Trace:
    """The points of one class: dots for the positive one, crosses for the other."""
    line = {"width": 2, "color": colour} if label < 0 else {"width": 0.5, "color": paper}
    marker = {"symbol": SYMBOLS[label], "size": size, "color": colour, "line": line}
    return plot.dots(X[:, 0], X[:, 1], marker, **more)


def task_points(task: Task, dark: bool, size: int, legend: bool) -> list[Trace]:
    """Both classes of a task's training points."""
    ink, X = theme.ink(dark), dense(task.X)
    return [
        points(
            X[task.y == label], label, colour, size, ink.paper,
            hover=f"{text.chart(task.name)}<br>{WORDS[label]}<br>(%{{x:.2f}}, %{{y:.2f}})",
            name=WORDS[label], legendgroup=WORDS[label], showlegend=legend,
        )
        for label, colour in ((1.0, ink.positive), (-1.0, ink.negative))
    ]  # fmt: skip


def _panels(count: int) -> tuple[int, int]:
    """In how many columns and rows that many panels stand."""
    columns = min(count, 3 if count in (5, 6, 9) else 4)
    return columns, -(-count // columns)


def planes_height(count: int) -> int:
    """The pixels that `planes` takes for that many panels."""
    return max(300, 80 + 170 * _panels(count)[1])


def planes(
    task_set: TaskSet,
    names: Sequence[str],
    weights: Mapping[str, FloatArray],
    prepared: Preparation,
    dark: bool,
    line: str = "learned alone",
) -> go.Figure:
    """One panel per task with its points and, where there are weights, the line <w, x> = 0, named `line`."""
    columns, rows = _panels(len(names))
    chart = make_subplots(
        rows,
        columns,
        subplot_titles=plot.names(names, 20 if columns < 4 else 14),
        shared_xaxes="all",
        shared_yaxes="all",
        horizontal_spacing=0.03,
        vertical_spacing=0.24 / rows,
    )
    ink, box = theme.ink(dark), box_of(task_set)
    for k, name in enumerate(names):
        traces = task_points(task_set[name], dark, 8, k == 0)
        if name in weights:
            traces.append(boundary(weights[name], box, prepared, line, {"color": ink.text}, showlegend=k == 0))
        for trace in traces:
            chart.add_trace(trace, k // columns + 1, k % columns + 1)
    more = 26 if weights else 0  # the name of the line may begin a second row of the legend
    look = {"template": theme.template(dark), "margin": {"t": 64 + more}, "legend": plot.ON_TOP}
    chart.update_layout(look, height=planes_height(len(names)) + more)
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
    ink, box = theme.ink(dark), box_of(task_set)
    source, task = plot.names((picked.source or "", picked.task))
    look: dict[str, object] = {"color": ink.line, "dash": "dot", "width": 1.5}
    before = [weights for name, weights in learned.items() if name != picked.source]
    traces = [
        boundary(weights, box, prepared, "learned before", look, showlegend=k == 0) for k, weights in enumerate(before)
    ]
    traces += task_points(task_set[picked.task], dark, 11, True)
    if picked.source is not None:
        look = {"color": ink.muted, "dash": "dash"}
        traces.append(boundary(picked.source_weights, box, prepared, f"source: {source}", look, showlegend=True))
    look = {"color": ink.text}
    traces.append(boundary(picked.weights, box, prepared, f"candidate: {task}", look, showlegend=True))
    first, second = axis_names(task_set)
    return theme.figure(
        dark,
        460,
        traces,
        xaxis={"range": box[:2], "title": first},
        yaxis={"range": box[2:], "title": second},
        margin={"t": 44},
    )


def projected(
    found: Projection, names: Sequence[str], colours: Mapping[str, str], dark: bool, height: int
) -> go.Figure:
    """All tasks in two principal components: colour is the task, symbol the class."""
    traces = []
    for k, name in enumerate(names):
        for label in (1.0, -1.0):
            own = found.points[(found.task == k) & (found.y == label)]
            shown = points(
                own, label, colours[name], 8, theme.ink(dark).paper, hover=f"{text.chart(name)}<br>{WORDS[label]}",
                name=text.chart(text.short(name, 20)), legendgroup=str(k), showlegend=label > 0 and len(names) <= 12,
            )  # fmt: skip
            shown["marker"]["opacity"] = 0.85
            traces.append(shown)

    def axis(which: str, share: float) -> Trace:
        title = f"{which} principal component ({text.percent(share, 0)} of variance)"
        return {"title": title, "showticklabels": False}

    first, second = found.explained
    return theme.figure(dark, height, traces, xaxis=axis("first", first), yaxis=axis("second", second))


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
