"""Orders of interest over draws: a violin each, a dot a draw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.measure import Measure
from core.orders.over_samples import LOWEST, RANDOM, OverDraws
from core.statistics.noise import rounded
from core.statistics.t_test import standard_error, t_interval
from core.task_set import FloatArray
from dashboard import text, theme
from dashboard.figures import marks

LEAST = 5
"""Draws from which on a violin is drawn; fewer are dots."""


@dataclass(frozen=True, eq=False)
class Interest:
    """Mean test errors in per cent of each order of interest, one value per draw; `overlap` as in `OverDraws`."""

    errors: dict[str, FloatArray]
    overlap: float | None = None
    measure: Measure = "error"

    @property
    def draws(self) -> int:
        """How many there are."""
        return len(next(iter(self.errors.values())))

    @property
    def title(self) -> str:
        """On how many draws SeqMT does better than a random order can expect, and whether that could be chance."""
        differences = rounded(self.errors["SeqMT"] - self.errors[RANDOM])
        if not differences.any():
            return f"SeqMT and a random order have the same {text.error_name(self.measure)} on all {self.draws} draws"
        said = f"SeqMT {fewer(self.measure)} than a random order can expect on {np.sum(differences < 0)} of"
        likely = t_interval(differences, self.overlap)
        chance = ", which could be chance" if likely is None or 0.0 in likely else ""
        return f"{said} {text.counted(self.draws, 'draw')}{chance}"


def fewer(measure: Measure) -> str:
    """Of a learner whose error is lower: balanced errors are no counts of mistakes."""
    return "makes fewer mistakes" if measure == "error" else "has a lower balanced error"


def info(found: OverDraws, more: dict[str, FloatArray]) -> Interest:
    """The methods, a random order, the lowest bound, the best and the worst order, and `more` (yours, the picked)."""
    means = found.errors.mean(axis=0)
    errors = {name: values[0] for name, values in found.methods.items()}
    errors[RANDOM] = found.random[0]
    if found.complete:
        errors[LOWEST] = found.lowest[0]
    errors |= {"Best": found.errors[:, means.argmin()], "Worst": found.errors[:, means.argmax()]} | more
    return Interest({name: 100.0 * rounded(values) for name, values in errors.items()}, found.overlap, found.measure)


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
                marker=marks.marker(label, dark, label in marks.BOLD),
                error_x=_standard_error(errors, found.overlap, dark),
                hovertemplate=f"<b>{label}</b>: mean of {len(errors)} draws %{{x:.2f}}\u00a0%<extra></extra>",
            )
        )  # fmt: skip
    chart.update_xaxes(
        title=f"mean {text.error_name(found.measure)} of each draw (%)", rangemode="tozero" if not rows else "normal"
    )
    marks.name_rows(chart, heights, [f"{label}  <b>{errors.mean():.1f}\u00a0%</b>" for label, errors in rows])
    chart.update_yaxes(range=[0.4, len(rows) + 0.6], showgrid=False, zeroline=False, fixedrange=True)
    return chart


def _standard_error(errors: FloatArray, overlap: float | None, dark: bool) -> dict[str, object] | None:
    if (half := standard_error(errors, overlap)) is None:
        return None
    return {"type": "data", "array": [half], "color": theme.ink(dark).text, "thickness": 2, "width": 4}
