"""How many points each task has, by class and part."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.task_set import TaskSet
from dashboard import text, theme

PARTS = ("training +1", "training −1", "test +1", "test −1")


def table(task_set: TaskSet) -> pd.DataFrame:
    """Points of each class in both parts of every task, with what is known of the task."""
    rows = []
    for task in task_set.tasks:
        test = np.array([]) if task.y_test is None else task.y_test
        counts = [int(np.sum(y == label)) for y in (task.y, test) for label in (1.0, -1.0)]
        rows.append({"task": task.name, **dict(zip(PARTS, counts, strict=True))})
    frame = pd.DataFrame(rows)
    if task_set.semantic_order is not None:
        frame["semantic rank"] = [task_set.semantic_order.index(name) + 1 for name in task_set.names]
    if task_set.groups is not None:
        frame["group"] = [task_set.groups[name] for name in task_set.names]
    return frame


def title(frame: pd.DataFrame) -> str:
    """The finding: equal or unequal sizes, balanced or not."""
    size = frame[PARTS[0]] + frame[PARTS[1]]
    share = frame[PARTS[0]] / size
    sizes = f"{size.min():,} training points each" if size.min() == size.max() else (
        f"from {size.min():,} to {size.max():,} training points"
    )  # fmt: skip
    if bool(((share > 0.45) & (share < 0.55)).all()):
        return f"Tasks have {sizes}, half of them positive"
    low, high = text.percent(share.min(), 0), text.percent(share.max(), 0)
    return f"Tasks have {sizes}, {low if low == high else f'{low} to {high}'} of them positive"


def figure(frame: pd.DataFrame, dark: bool) -> go.Figure:
    """Stacked bars, a bar a task."""
    ink = theme.ink(dark)
    n = len(frame)
    chart = theme.blank(dark, int(max(208, 118 + 26 * min(n, 20) + 13 * max(n - 20, 0))))
    looks = ((ink.positive, 1.0), (ink.negative, 1.0), (ink.positive, 0.4), (ink.negative, 0.4))
    for part, (colour, share) in zip(PARTS, looks, strict=True):
        if not frame[part].any():
            continue
        chart.add_trace(
            go.Bar(
                y=np.arange(n),
                x=frame[part].to_numpy(),
                orientation="h",
                name=part,
                marker={"color": theme.faded(colour, share, ink.paper), "line": {"width": 0}},
                customdata=[text.chart(name) for name in frame["task"]],
                hovertemplate=f"%{{customdata}}<br>{part}: %{{x}} points<extra></extra>",
            )
        )
    chart.update_yaxes(
        tickvals=np.arange(n),
        ticktext=[text.chart(text.short(name)) for name in frame["task"]],
        range=[n - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
        tickfont={"size": 14 if n <= 25 else 10},
    )
    chart.update_xaxes(title="points")
    legend = {"traceorder": "normal", "y": 1.0, "yref": "container", "yanchor": "top"}  # two rows fit above the bars
    chart.update_layout(barmode="stack", bargap=0.3, margin={"t": 58}, legend=legend)
    return chart
