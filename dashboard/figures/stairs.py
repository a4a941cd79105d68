"""What curricula have cost after every step: the running sums of their criteria, a line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.learn import Learned
from core.task_set import FloatArray
from dashboard import text, theme


@dataclass(frozen=True, eq=False, slots=True)
class Stairs:
    """By name: the sum of the criteria after each step, and the tasks in order."""

    sums: Mapping[str, FloatArray]
    orders: Mapping[str, tuple[str, ...]]


def info(learned: Mapping[str, Learned]) -> Stairs:
    """From what was learned."""
    sums = {name: np.cumsum([step.chosen.criterion for step in one.steps]) for name, one in learned.items()}
    return Stairs(sums, {name: one.order for name, one in learned.items()})


def table(found: Stairs) -> pd.DataFrame:
    """A row a step."""
    columns: dict[str, object] = {"step": range(1, 1 + len(next(iter(found.sums.values()))))}
    for name, sums in found.sums.items():
        columns[f"{name}: task"] = found.orders[name]
        columns[f"{name}: sum"] = sums
    return pd.DataFrame(columns)


def figure(found: Stairs, labels: Mapping[str, str], dark: bool) -> go.Figure:
    """Lines with a marker a step; dash and symbol tell them apart as well as colour, names lean to have room."""
    ink = theme.ink(dark)
    chart = theme.blank(dark, 400)
    styles = (("circle", "solid", ink.error), ("square", "dash", ink.complexity))
    for (name, sums), (symbol, dash, colour) in zip(found.sums.items(), styles, strict=False):
        chart.add_trace(
            go.Scatter(
                x=np.arange(1, len(sums) + 1),
                y=sums,
                mode="lines+markers",
                name=text.chart(name),
                text=[text.chart(labels[task]) for task in found.orders[name]],
                line={"color": colour, "width": 3, "dash": dash},
                marker={"symbol": symbol, "size": 11, "color": colour},
                hovertemplate="%{text}: %{y:.3f} so far<extra></extra>",
                cliponaxis=False,
            )
        )
        for step, (task, total) in enumerate(zip(found.orders[name], sums, strict=True), start=1):
            above = all(total >= other[step - 1] for other in found.sums.values())
            chart.add_annotation(
                x=step, y=total, text=text.chart(labels[task]), textangle=-35, showarrow=False,
                xanchor="left" if above else "right", yanchor="bottom" if above else "top",
                xshift=-4 if above else 4, yshift=8 if above else -8, font={"size": 13, "color": ink.text},
            )  # fmt: skip
    steps = max(len(sums) for sums in found.sums.values())
    chart.update_xaxes(title="step", tickvals=list(range(1, steps + 1)), range=[0.05, steps + 0.9])
    highest = max(float(sums[-1]) for sums in found.sums.values())
    chart.update_yaxes(title="sum of the criteria so far", range=[-0.18 * highest, 1.2 * highest])
    chart.update_layout(margin={"t": 44})
    return chart
