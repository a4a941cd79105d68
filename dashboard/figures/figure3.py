"""The paper's Figure 3: one violin of all orders a set, with the methods marked on each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.measure import Measure
from core.orders.over_samples import OverDraws
from core.orders.ranking import Place
from core.statistics.noise import rounded
from core.task_set import FloatArray
from dashboard import text, theme
from dashboard.figures import marks
from dashboard.figures.orders_by_draw import fewer

SHIFTS = {"SeqMT": -0.28, "Semantic": -0.14, "Random": 0.0, "Diversity": 0.14, "Lowest bound": 0.28}
"""Where beside the middle of its violin a method stands, so that whiskers do not hide each other."""


@dataclass(frozen=True, eq=False)
class Column:
    """The orders of one run by their mean test error in per cent, and the methods to mark."""

    label: str
    values: FloatArray
    places: tuple[Place, ...]
    draws: int
    measure: Measure = "error"

    def of(self, label: str) -> Place | None:
        """A marked place."""
        return next((place for place in self.places if place.label == label), None)


def info(runs: dict[str, OverDraws]) -> tuple[Column, ...]:
    """A column a run, by its name on screen."""
    return tuple(
        Column(label, 100.0 * over.errors.mean(axis=0), over.places, over.draws, over.measure)
        for label, over in runs.items()
    )


def title(columns: tuple[Column, ...]) -> str:
    """On how many sets SeqMT's mean is below that of a random order."""
    both = [(column.of("SeqMT"), column.of("Random")) for column in columns]
    told = [(a.test_error or 0.0, b.test_error or 0.0) for a, b in both if a is not None and b is not None]
    better = sum(rounded(seqmt) < rounded(random) for seqmt, random in told)
    return f"SeqMT {fewer(columns[0].measure)} than a random order can expect in {better} of {len(told)} runs"


def figure(columns: tuple[Column, ...], dark: bool) -> go.Figure:
    """Violins side by side; symbols with one standard error over the draws."""
    ink = theme.ink(dark)
    chart = theme.blank(dark, 480)
    for k, column in enumerate(columns):
        if float(np.ptp(column.values)) > 1e-6:
            chart.add_trace(
                go.Violin(
                    y=column.values, x=np.full(len(column.values), k), width=0.9, points=False, spanmode="hard",
                    line={"color": ink.complexity, "width": 1.5}, fillcolor=marks.faint(ink.complexity),
                    meanline={"visible": True}, hoverinfo="skip", showlegend=False, name=f"orders {k}",
                )
            )  # fmt: skip
    for label, shift in SHIFTS.items():
        found = [(k, place) for k, column in enumerate(columns) if (place := column.of(label)) is not None]
        if not found:
            continue
        errors = [100.0 * (place.test_error or 0.0) for _, place in found]
        halves = [
            0.0 if place.whisker is None else 100.0 * place.whisker.high - error
            for (_, place), error in zip(found, errors, strict=True)
        ]
        chart.add_trace(
            go.Scatter(
                x=[k + shift for k, _ in found], y=errors, mode="markers", name=label,
                marker=marks.marker(label, dark, label in marks.BOLD),
                error_y={"type": "data", "array": halves, "color": marks.colour(label, dark), "thickness": 1.5},
                hovertemplate=f"<b>{label}</b> %{{y:.2f}}\u00a0%<extra></extra>",
            )
        )  # fmt: skip
    chart.update_xaxes(
        tickvals=list(range(len(columns))),
        ticktext=[text.chart(text.short(column.label, 34)) for column in columns],
        range=[-0.6, len(columns) - 0.4],
        showgrid=False,
        zeroline=False,
    )
    chart.update_yaxes(title=f"mean {text.error_name(columns[0].measure)} of the orders (%)", zeroline=False)
    return chart


def table(columns: tuple[Column, ...]) -> pd.DataFrame:
    """A row a run: its orders and the methods, in per cent."""
    rows = []
    for column in columns:
        row: dict[str, object] = {"run": column.label, "draws": column.draws, "orders": len(column.values)}
        row |= {
            "best order": column.values.min(),
            "mean order": column.values.mean(),
            "worst order": column.values.max(),
        }
        row |= {p.label: 100.0 * p.test_error for p in column.places if p.test_error is not None and p.label in SHIFTS}
        rows.append(row)
    return pd.DataFrame(rows)
