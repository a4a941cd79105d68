"""Bound against test error for every order: does the bound choose well here?"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from core.orders.orders_by_draw import LOWEST
from core.statistics.noise import rounded
from dashboard import text, theme
from dashboard.figures import orders, plot
from dashboard.figures.orders import Spread


def title(found: Spread, C: str = "") -> str:
    """The finding, as far as the interval of the rank correlation bears it.

    `C` in words, as the same orders may agree at one C and not at another.
    """
    noise, errors, error = found.noise, found.orders.test_errors, text.error_name(found.orders.measure)
    if len(found.orders.bounds) < 3 and errors is not None:
        first, second = np.argsort(found.orders.bounds, kind="stable")
        difference = rounded(errors[first] - errors[second])
        said = "the same" if difference == 0 else "the lower" if difference < 0 else "the higher"
        return f"Two orders are too few for a rank correlation: that of the lower bound has {said} {error} on this draw"
    if noise is None or noise.correlation is None:
        same = error if errors is not None and np.ptp(rounded(errors)) == 0 else "bound"
        return f"Does the bound choose well here? All orders have the same {same}, so nothing can be told"
    where, kind = "on this draw", "rank correlation"
    if noise.draws > 1:
        where, kind = f"over {noise.draws} draws", "mean of the draws' rank correlations"
    at = f"{where}, at {C}" if C else where
    said = f"{kind} {text.number(noise.correlation, 2)}"
    if noise.interval is None:
        return f"Does the bound choose well {at}? {said}"
    low, high = noise.interval.low, noise.interval.high
    said = f"({said}, 95\u00a0% interval {text.number(low, 2)} to {text.number(high, 2)})"
    if not noise.differ:
        return f"Nobody can tell whether the bound chooses well {at}, as orders cannot be told apart {said}"
    if low > 0:
        return f"Lower bounds go with lower {error}s {at} {said}"
    if high < 0:
        return f"The bound misleads {at}: lower bounds go with higher {error}s {said}"
    return f"The bound tells good orders from bad ones no better than chance {at} {said}"


def greedy_words(found: Spread, rank: int | None) -> str:
    """How well greedy search finds a low bound, by the rank of SeqMT's, and what the lowest bound is worth."""
    said, count = "", len(found.orders.bounds)
    among = f"all {count:,} orders" if found.orders.complete else f"the {count:,} orders tried"
    if rank == 1:
        said = f"No order among {among} has a lower bound than SeqMT's greedy choice."
    elif rank is not None:
        said = f"SeqMT's greedy choice is number {rank:,} by bound: "
        said += f"{rank - 1:,} of {among} {'has' if rank == 2 else 'have'} a lower one."
    places = {place.label: place.test_error for place in found.places}
    lowest, greedy = places.get(LOWEST, places.get(orders.FOUND)), places.get("SeqMT")
    if lowest is not None and greedy is not None:
        which = "the lowest bound" if LOWEST in places else "the lowest bound found by a search"
        said += f" The order of {which} has a {found.error} of {text.percent(lowest)}, SeqMT {text.percent(greedy)}."
    return said.strip()


def figure(found: Spread, dark: bool, height: int = 470) -> go.Figure:
    """One dot per order; the marked places as symbols with their names."""
    errors, y_range = found.values, {}
    hover = f"bound %{{x:.4f}}<br>{text.error_name(found.orders.measure)} %{{y:.2f}}\u00a0%"
    marks = []
    shown = [place for place in found.places if place.test_error is not None]
    for place in sorted(shown, key=lambda place: place.label in orders.BOLD):  # the last one is on top
        sure = place.label in (*orders.BOLD, LOWEST, orders.FOUND)
        marks.append(
            plot.dots(
                [place.bound],
                [found.value(place)],
                orders.marker(place.label, dark),
                f"<b>{text.chart(place.label)}</b><br>{hover}",
                name=place.label,
                showlegend=True,
                error_y=orders.whisker(place, dark) if sure else None,
            )
        )
    if np.ptp(errors) == 0:  # Plotly would go as far below 0 as above
        y_range = {"range": [max(errors[0] - 1.0, -0.05), errors[0] + 1.0]}
    return theme.figure(
        dark,
        height,
        [orders.dots(found.orders.bounds, errors, dark, 0.5, hover), *marks],
        xaxis={"title": "bound on half the expected error (Theorem 1)", "zeroline": False},
        yaxis={"title": f"{found.error} (%)", "zeroline": False, **y_range},
        legend={"font": {"size": 13}},
    )
