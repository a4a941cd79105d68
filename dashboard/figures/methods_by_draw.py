"""Ways of learning over many draws of one set: a row a way, a dot a draw, a diamond for the mean."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.task_set import FloatArray
from dashboard import text, theme

NARROW = 24
"""Characters of an axis title that fit beside the names of the ways on a phone."""


@dataclass(frozen=True, eq=False, slots=True)
class Draws:
    """A value a draw for each way, in one unit; `quantity` names the axis."""

    values: Mapping[str, FloatArray]
    quantity: str

    @property
    def count(self) -> int:
        """How many draws."""
        return len(next(iter(self.values.values())))

    def lower(self, first: str, second: str) -> int:
        """In how many draws the first way has the lower value."""
        return int(np.sum(self.values[first] < self.values[second] - 1e-9))

    @property
    def lowest(self) -> str:
        """The way with the lowest mean."""
        return min(self.values, key=lambda name: float(np.mean(self.values[name])))


def table(found: Draws) -> pd.DataFrame:
    """A row a draw."""
    return pd.DataFrame({"draw": range(found.count), **found.values})


def figure(found: Draws, dark: bool) -> go.Figure:
    """Dots beside each other in a row, so that equal values can be counted."""
    ink = theme.ink(dark)
    names = list(found.values)
    title = textwrap.wrap(found.quantity, NARROW)
    chart = theme.blank(dark, 90 + 20 * len(title) + 62 * len(names))
    spread = np.random.default_rng(0).uniform(-0.2, 0.2, found.count)
    for row, (name, values) in enumerate(found.values.items()):
        chart.add_trace(
            go.Scatter(
                x=values,
                y=row + spread,
                mode="markers",
                name=text.chart(name),
                showlegend=False,
                marker={"size": 9, "color": ink.complexity, "opacity": 0.6},
                customdata=np.arange(found.count),
                hovertemplate="draw %{customdata}: %{x:.3g}<extra></extra>",
            )
        )
    means = [float(np.mean(values)) for values in found.values.values()]
    chart.add_trace(
        go.Scatter(
            x=means,
            y=list(range(len(names))),
            mode="markers",
            name="mean over the draws",
            showlegend=False,
            marker={"symbol": "diamond", "size": 16, "color": ink.error, "line": {"width": 1.5, "color": ink.paper}},
            hovertemplate="mean %{x:.3g}<extra></extra>",
        )
    )
    labels = [f"{text.chart(name)}<br><b>◆ {shown}</b>" for name, shown in zip(names, written(found), strict=True)]
    chart.update_xaxes(title="<br>".join(title), rangemode="tozero" if min(means) >= 0 else "normal", zeroline=True)
    chart.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=labels,
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return chart


def written(found: Draws) -> list[str]:
    """The means as people read them, all with the same decimals."""
    means = [float(np.mean(values)) for values in found.values.values()]
    return [text.number(mean, 1 if max(map(abs, means)) >= 2 else 3) for mean in means]
