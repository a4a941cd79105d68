"""Bound against test error for every order: does the bound choose well here?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from core.orders.all_orders import Orders
from core.orders.over_samples import LOWEST
from core.orders.ranking import OrderNoise, Place
from core.statistics.noise import rounded
from dashboard import text, theme
from dashboard.figures import orders as order_marks
from dashboard.figures import plot


@dataclass(frozen=True, eq=False)
class Agreement:
    """All orders with both values, how surely they agree, the marked places and SeqMT's rank by bound.

    `C` in words, as the same orders may agree at one C and not at another.
    """

    orders: Orders
    places: tuple[Place, ...]
    noise: OrderNoise | None
    greedy_rank: int | None
    C: str = ""

    @property
    def error(self) -> str:
        """How the orders' error is called."""
        return text.error_name(self.orders.measure)

    @property
    def title(self) -> str:
        """The finding, as far as the interval of the rank correlation bears it."""
        noise, errors = self.noise, self.orders.test_errors
        if len(self.orders.bounds) < 3 and errors is not None:
            first, second = np.argsort(self.orders.bounds, kind="stable")
            difference = rounded(errors[first] - errors[second])
            said = "the same" if difference == 0 else "the lower" if difference < 0 else "the higher"
            return (
                "Two orders are too few for a rank correlation: that of the lower bound has "
                f"{said} {self.error} on this draw"
            )
        if noise is None or noise.correlation is None:
            same = self.error if errors is not None and np.ptp(rounded(errors)) == 0 else "bound"
            return f"Does the bound choose well here? All orders have the same {same}, so nothing can be told"
        where, kind = "on this draw", "rank correlation"
        if noise.draws > 1:
            where, kind = f"over {noise.draws} draws", "mean of the draws' rank correlations"
        at = f"{where}, at {self.C}" if self.C else where
        said = f"{kind} {text.number(noise.correlation, 2)}"
        if noise.interval is None:
            return f"Does the bound choose well {at}? {said}"
        low, high = noise.interval.low, noise.interval.high
        said = f"({said}, 95\u00a0% interval {text.number(low, 2)} to {text.number(high, 2)})"
        if not noise.differ:
            return f"Nobody can tell whether the bound chooses well {at}, as orders cannot be told apart {said}"
        if low > 0:
            return f"Lower bounds go with lower {self.error}s {at} {said}"
        if high < 0:
            return f"The bound misleads {at}: lower bounds go with higher {self.error}s {said}"
        return f"The bound tells good orders from bad ones no better than chance {at} {said}"

    @property
    def greedy_words(self) -> str:
        """How well greedy search finds a low bound, and what the lowest bound is worth."""
        said, count = "", len(self.orders.bounds)
        among = f"all {count:,} orders" if self.orders.complete else f"the {count:,} orders tried"
        if self.greedy_rank == 1:
            said = f"No order among {among} has a lower bound than SeqMT's greedy choice."
        elif self.greedy_rank is not None:
            lower = self.greedy_rank - 1
            said = f"SeqMT's greedy choice is number {self.greedy_rank:,} by bound: "
            said += f"{lower:,} of {among} {'has' if lower == 1 else 'have'} a lower one."
        places = {place.label: place.test_error for place in self.places}
        lowest, greedy = places.get(LOWEST, places.get(order_marks.FOUND)), places.get("SeqMT")
        if lowest is not None and greedy is not None:
            which = "the lowest bound" if LOWEST in places else "the lowest bound found by a search"
            said += f" The order of {which} has a mean {self.error} of {text.percent(lowest)}, "
            said += f"SeqMT {text.percent(greedy)}."
        return said.strip()


def figure(found: Agreement, dark: bool, height: int = 470) -> go.Figure:
    """One dot per order; the marked places as symbols with their names."""
    orders, y_range = found.orders, {}
    assert orders.test_errors is not None
    errors = 100.0 * orders.test_errors
    hover = f"bound %{{x:.4f}}<br>{found.error} %{{y:.2f}}\u00a0%"
    marks = []
    shown = [place for place in found.places if place.test_error is not None]
    for place in sorted(shown, key=lambda place: place.label in order_marks.BOLD):  # the last one is on top
        sure = place.label in (*order_marks.BOLD, LOWEST, order_marks.FOUND)
        marks.append(
            plot.dots(
                [place.bound],
                [100.0 * (place.test_error or 0.0)],
                order_marks.marker(place.label, dark),
                f"<b>{text.chart(place.label)}</b><br>{hover}",
                name=place.label,
                showlegend=True,
                error_y=order_marks.whisker(place, dark) if sure else None,
            )
        )
    if np.ptp(errors) == 0:  # Plotly would go as far below 0 as above
        y_range = {"range": [max(errors[0] - 1.0, -0.05), errors[0] + 1.0]}
    return theme.figure(
        dark,
        height,
        [order_marks.dots(orders.bounds, errors, dark, 0.5, hover), *marks],
        xaxis={"title": "bound on half the expected error (Theorem 1)", "zeroline": False},
        yaxis={"title": f"mean {found.error} (%)", "zeroline": False, **y_range},
        legend={"font": {"size": 13}},
    )
