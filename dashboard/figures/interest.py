"""Orders of interest over draws: a violin each, a dot a draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.draws_of_orders import LOWEST, RANDOM, OverDraws
from core.tasks import FloatArray
from dashboard import theme
from dashboard.figures import marks

LEAST = 5
"""Draws from which on a violin is drawn; fewer are dots."""


@dataclass(frozen=True, eq=False)
class Interest:
    """Mean test errors in per cent of each order of interest, a value a draw."""

    errors: dict[str, FloatArray]

    @property
    def draws(self) -> int:
        """How many there are."""
        return len(next(iter(self.errors.values())))

    @property
    def title(self) -> str:
        """On how many draws SeqMT does better than a random order can expect: a count, which needs no test."""
        seqmt, random = self.errors["SeqMT"], self.errors[RANDOM]
        better = int(np.sum(seqmt < random - 1e-9))
        return f"SeqMT makes fewer mistakes than a random order can expect on {better} of {self.draws} draws"


def info(found: OverDraws, more: dict[str, FloatArray]) -> Interest:
    """The methods, a random order, the lowest bound, the best and the worst order, and `more` (yours, the picked)."""
    means = found.errors.mean(axis=0)
    errors = {name: values[0] for name, values in found.methods.items()}
    errors[RANDOM] = found.random[0]
    if found.complete:
        errors[LOWEST] = found.lowest[0]
    errors |= {"Best": found.errors[:, means.argmin()], "Worst": found.errors[:, means.argmax()]} | more
    return Interest({name: 100.0 * values for name, values in errors.items()})


def table(found: Interest) -> pd.DataFrame:
    """A row a draw, a column an order; test errors in per cent."""
    return pd.DataFrame({"draw": np.arange(1, found.draws + 1)} | found.errors)


def figure(found: Interest, dark: bool, height: int) -> go.Figure:
    """A row an order, sorted by its mean: a violin over the draws, a dot a draw, the mean as its symbol."""
    ink = theme.ink(dark)
    chart = theme.blank(dark, height)
    rows = sorted(found.errors.items(), key=lambda item: round(float(item[1].mean()), 9))
    heights = [float(len(rows) - k) for k in range(len(rows))]
    draw = np.arange(1, found.draws + 1)
    for (label, errors), at in zip(rows, heights, strict=True):
        own = marks.colour(label, dark) if label in marks.BOLD else ink.complexity
        if found.draws >= LEAST and float(np.ptp(errors)) > 1e-6:
            chart.add_trace(
                go.Violin(
                    x=errors, y=np.full(len(errors), at), orientation="h", width=0.85, points=False, spanmode="hard",
                    line={"color": own, "width": 1}, fillcolor=marks.faint(own), hoverinfo="skip", showlegend=False,
                    name=f"{label} violin",
                )
            )  # fmt: skip
        chart.add_trace(
            go.Scatter(
                x=errors, y=at + np.linspace(-0.16, 0.16, len(errors)), mode="markers", name=f"{label} draws",
                marker={"size": 6, "color": own, "opacity": 0.55}, showlegend=False, customdata=draw,
                hovertemplate=f"{label}, draw %{{customdata}}: %{{x:.1f}}\u00a0%<extra></extra>",
            )
        )  # fmt: skip
        chart.add_trace(
            go.Scatter(
                x=[float(errors.mean())], y=[at], mode="markers", name=label, showlegend=False,
                marker=marks.marker(label, dark, label in marks.BOLD), error_x=_standard_error(errors, dark),
                hovertemplate=f"<b>{label}</b>: mean of {len(errors)} draws %{{x:.2f}}\u00a0%<extra></extra>",
            )
        )  # fmt: skip
    chart.update_xaxes(title="mean test error of each draw (%)", rangemode="tozero" if not rows else "normal")
    marks.name_rows(chart, heights, [f"{label}  <b>{errors.mean():.1f}\u00a0%</b>" for label, errors in rows])
    chart.update_yaxes(range=[0.4, len(rows) + 0.6], showgrid=False, zeroline=False, fixedrange=True)
    return chart


def _standard_error(errors: FloatArray, dark: bool) -> dict[str, object] | None:
    if len(errors) < 2:
        return None
    half = float(np.std(errors, ddof=1)) / float(np.sqrt(len(errors)))
    return {"type": "data", "array": [half], "color": theme.ink(dark).text, "thickness": 2, "width": 4}
