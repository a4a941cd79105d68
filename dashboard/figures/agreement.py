"""Bound against test error for every order: does the bound choose well here?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.analysis.all_orders import Orders
from core.analysis.ranking import Place
from dashboard import text as words
from dashboard import theme
from dashboard.figures.orders import SYMBOLS

BOLD = ("SeqMT", "Yours", "Picked")
CLEAR = 0.3
"""A rank correlation from here on counts as a tendency."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """All orders with both values, their rank correlation, the marked places and SeqMT's rank by bound."""

    orders: Orders
    places: tuple[Place, ...]
    correlation: float | None
    greedy_rank: int | None

    @property
    def title(self) -> str:
        """The finding."""
        rho = self.correlation
        if rho is None:
            return "Does the bound choose well here? All orders are equal, so nothing can be told"
        said = f"(rank correlation {rho:.2f})".replace("-", "−")
        if rho >= CLEAR:
            return f"The bound chooses well here: lower bounds go with lower test errors {said}"
        if rho <= -CLEAR:
            return f"The bound misleads here: lower bounds go with higher test errors {said}"
        return f"The bound says little about the test error of an order here {said}"

    @property
    def greedy_words(self) -> str:
        """How well greedy search finds a low bound."""
        if self.greedy_rank is None:
            return ""
        count = len(self.orders.bounds)
        among = f"all {count:,} orders" if self.orders.complete else f"the {count:,} orders tried"
        if self.greedy_rank == 1:
            return f"No order among {among} has a lower bound than SeqMT's greedy choice."
        lower = self.greedy_rank - 1
        return f"SeqMT's greedy choice is number {self.greedy_rank:,} by bound: {lower:,} of {among} have a lower one."


def figure(found: Agreement, dark: bool) -> go.Figure:
    """A dot an order; the marked places as symbols with their names."""
    ink = theme.ink(dark)
    orders = found.orders
    errors = np.zeros(0) if orders.test_errors is None else orders.test_errors
    chart = theme.blank(dark, 470)
    chart.add_trace(
        go.Scattergl(
            x=orders.bounds,
            y=100.0 * errors,
            mode="markers",
            customdata=np.arange(len(errors)),
            name="orders",
            marker={"size": 6 if len(errors) <= 1500 else 4, "color": ink.complexity, "opacity": 0.5},
            selected={"marker": {"opacity": 0.5}},
            unselected={"marker": {"opacity": 0.5}},
            showlegend=False,
            hovertemplate="bound %{x:.4f}<br>test error %{y:.2f} %<br>click for its order<extra></extra>",
        )
    )
    shown = [place for place in found.places if place.test_error is not None]
    for place in sorted(shown, key=lambda place: place.label in BOLD):  # the last drawn is on top
        bold = place.label in BOLD
        chart.add_trace(
            go.Scatter(
                x=[place.bound],
                y=[100.0 * (place.test_error or 0.0)],
                mode="markers",
                name=place.label,
                marker={
                    "symbol": SYMBOLS.get(place.label, "circle"),
                    "size": 15 if bold else 12,
                    "color": ink.error if bold else ink.text,
                    "line": {"width": 1, "color": ink.paper},
                },
                hovertemplate=f"<b>{words.chart(place.label)}</b><br>bound %{{x:.4f}}<br>test error %{{y:.2f}} %"
                "<extra></extra>",
            )
        )
    chart.update_xaxes(title="bound on half the expected error (Theorem 1)", zeroline=False)
    chart.update_yaxes(title="mean test error (%)", zeroline=False)
    if errors.size and np.ptp(errors) == 0:  # Plotly would go as far below 0 as above
        chart.update_yaxes(range=[max(100.0 * errors[0] - 1.0, -0.05), 100.0 * errors[0] + 1.0])
    chart.update_layout(legend={"font": {"size": 13}})
    return chart
