"""Every order by its mean test error: the paper's Figure 3, with the named methods marked."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.orders.all_orders import Orders
from core.orders.ranking import OrderNoise, Place
from core.task_set import FloatArray
from dashboard import text, theme
from dashboard.figures import plot, strips


@dataclass(frozen=True, eq=False)
class Spread:
    """The orders and the places to mark; by test error in percent, or by bound without test data.

    `noise` says what of the spread is more than chance, and on how many draws; None while orders are still walked.
    """

    orders: Orders
    places: tuple[Place, ...]
    noise: OrderNoise | None = None

    @property
    def by_bound(self) -> bool:
        """Whether there is no test data, so that the bound alone can be shown."""
        return self.orders.test_errors is None

    @property
    def values(self) -> FloatArray:
        """What the orders are spread over."""
        errors = self.orders.test_errors
        return self.orders.bounds if errors is None else 100.0 * errors

    def value(self, place: Place) -> float:
        """A place on the same scale."""
        return place.bound if place.test_error is None else 100.0 * place.test_error

    @property
    def error(self) -> str:
        """How the orders' error is called."""
        return f"mean {text.error_name(self.orders.measure)}"

    @property
    def quantity(self) -> str:
        """The axis in words, with its unit."""
        draws = 1 if self.noise is None else self.noise.draws
        error = f"{self.error} (%)" if draws == 1 else f"{self.error} over {draws} draws (%)"
        return "bound (Theorem 1)" if self.by_bound else error

    @property
    def flat(self) -> bool:
        """Whether all orders are equal."""
        return not strips.varies(self.values)

    def written(self, value: float) -> str:
        """A value as people read it."""
        return f"{value:.3f}" if self.by_bound else f"{value:.1f}\u00a0%"

    @property
    def title(self) -> str:
        """The finding, as far as the data bear it."""
        count, what = len(self.values), "bound" if self.by_bound else self.error
        noise = self.noise
        where = "On this draw" if noise is None or noise.draws == 1 else f"Over {noise.draws} draws"
        if self.flat:
            return f"{where} the order makes no difference: all {count} have the same {what}"
        low, high = (self.written(float(pick(self.values))) for pick in (np.min, np.max))
        if noise is None:
            nothing = text.vacuous(float(np.min(self.values))) if self.by_bound else ""
            return f"{where} orders have a {what} from {low} to {high}{nothing}"
        if not noise.differ:
            return f"{where} orders cannot be told apart: {low} to {high}, which chance could make"
        gap = f"{max(100.0 * noise.gap, 0.0):.1f} points"
        if noise.draws == 1:
            return f"{where} the order moves the {what} from {low} to {high}; {gap} of that hold on other test points"
        greedy = next((place for place in self.places if place.label == "SeqMT"), None)
        said = f"{where} the worst order loses {gap} against the best"
        return said if greedy is None else f"{said}; SeqMT is {standing(greedy)}"


def noise_words(noise: OrderNoise, error: str = "mean test error") -> str:
    """Whether orders differ at all, for a student; then what one test point weighs."""
    p = noise.tested.p_value
    often = "less than once in a thousand times" if p < 0.001 else f"{100 * p:.1f}\u00a0% of the time"
    what = "the same test points" if noise.draws == 1 else f"{noise.draws} draws"
    if noise.differ:
        said = f"**Yes, orders differ** on {what}: if all orders were equally good, chance would do as much {often}."
    else:
        said = (
            f"**Nobody can tell whether orders differ** on {what}: if all were equally good, chance would do as much "
        )
        said += f"{often}."
    if noise.point is not None:
        said += f" One test point more or less moves a {error} by {100 * noise.point:.2f} points."
    return said


def noise_details(noise: OrderNoise) -> str:
    """The test behind `noise_words`, for the fold-out."""
    tested = noise.tested
    name = "Cochran's Q on the test points" if noise.test == "Cochran" else "Friedman's test over the draws"
    chosen = "test points" if noise.draws == 1 else "draws"
    held = "the mean of 100 random halves" if noise.draws == 1 else "each draw in turn"
    p = "< 0.0001" if tested.p_value < 1e-4 else f"= {tested.p_value:.4f}"
    shared = " The draws split the same rows anew, so each counts for less." if noise.overlap is not None else ""
    return (
        f"{name}: χ² = {tested.statistic:.1f}, p {p}, with {tested.freedom:.1f} degrees of freedom (Box's correction: "
        f"orders that begin alike err alike). Best and worst are picked by the {chosen} they are shown with, which "
        f"flatters them: on {chosen} that did not choose them they are {100 * noise.gap:.1f} points apart "
        f"({held}).{shared}"
    ).replace("-", "−")


def standing(place: Place) -> str:
    """'better than 90 % of orders': those that are clearly worse, ties left out; never a rounded 0 or 100."""
    if place.beaten <= 0 and place.ahead <= 0:
        return "as good as all orders"
    if place.label in ("Best", "Worst"):
        return f"the {place.label.lower()} of them"
    if place.beaten <= 0:
        return "better than none of the orders"
    if place.ahead <= 0:
        return "as good as the best order" if place.beaten < 100 else "better than all orders shown"
    shown = f"{math.floor(place.beaten)}" if place.beaten >= 1 else f"{max(place.beaten, 0.1):.1f}"
    return f"better than {shown}\u00a0% of orders"


def table(found: Spread) -> pd.DataFrame:
    """The marked places."""
    whiskers = [place.whisker for place in found.places]
    low, high = ("95 % from", "to") if found.noise is None or found.noise.draws == 1 else ("minus s.e.", "plus s.e.")
    return pd.DataFrame(
        {
            "mark": [place.label for place in found.places],
            found.error: [place.test_error for place in found.places],
            low: [None if whisker is None else whisker.low for whisker in whiskers],
            high: [None if whisker is None else whisker.high for whisker in whiskers],
            "bound": [place.bound for place in found.places],
            "better than % of orders": [place.beaten for place in found.places],
            "order": [_order_words(place) for place in found.places],
        }
    )


def _order_words(place: Place) -> str:
    if place.order:
        return " > ".join(place.order)
    return "mean over the orders" if place.label == "Random" else "its own on every draw"


def orders_table(orders: Orders) -> pd.DataFrame:
    """One row per order."""
    columns: dict[str, object] = {"bound": orders.bounds}
    if orders.test_errors is not None:
        columns[f"mean {text.error_name(orders.measure)}"] = orders.test_errors
    if not np.isnan(orders.C).all():
        columns["C"] = orders.C
    columns["order"] = [" > ".join(orders.named(row)) for row in range(len(orders.orders))]
    return pd.DataFrame(columns)


def height(found: Spread) -> int:
    """Of the figure: room for a row a mark."""
    return 250 + 34 * len(found.places)


def figure(found: Spread, dark: bool, highlight: Sequence[str] = strips.BOLD) -> go.Figure:
    """A violin with a jittered strip of all orders over it, and a row above it for every marked place."""
    ink, values = theme.ink(dark), found.values
    # Those that are equal but for rounding stay as they are listed.
    rows = sorted(found.places, key=lambda place: round(found.value(place), 9))
    heights = [1.15 + 0.42 * (len(rows) - 1 - k) for k in range(len(rows))]
    mean = {"visible": True}
    violin = strips.violin(values, 0.0, ink.complexity, width=1.5, meanline=mean, name="density")
    hover = f"{'bound' if found.by_bound else found.error.removeprefix('mean ')} %{{x:.4g}}"
    dots = strips.orders(values, strips.jitter(len(values), 0.3), dark, 0.55, hover)
    marks, lines, notes = [], [], []
    for place, at in zip(rows, heights, strict=True):
        bold, x = place.label in highlight, found.value(place)
        marks.append(_mark(found, place, at, dark, bold))
        colour = {"color": strips.colour(place.label, dark), "width": 1.5 if bold else 1, "dash": "dot"}
        lines.append({"type": "line", "x0": x, "x1": x, "y0": -0.3, "y1": at, "line": colour})
        left = x > (float(np.min(values)) + float(np.max(values))) / 2  # its words go towards the middle
        short = re.sub(" (of orders|orders shown|order)$", "", standing(place))  # a phone is narrow; the hover has all
        side = {"xanchor": "right", "xshift": -4} if left else {"xanchor": "left", "xshift": 4}
        words = f"<b>{short}</b>" if bold else short
        hiding = {"bgcolor": ink.paper, "borderpad": 0}  # the lines of the rows above
        notes.append(plot.note(x, at, words, ink.text, 13, yshift=13, **side, **hiding))
    ends = [] if found.by_bound else [100.0 * end for p in rows if p.whisker for end in (p.whisker.low, p.whisker.high)]
    low, high = (float(pick([*values, *map(found.value, rows), *ends])) for pick in (np.min, np.max))
    room = max(high - low, 1e-3 if found.by_bound else 1.0)
    edge = low - 0.05 * room if found.by_bound else max(low - 0.05 * room, -0.05 * room)  # no error is below 0
    names = [f"{len(values):,} orders", *(f"{p.label}  <b>{found.written(found.value(p))}</b>" for p in rows)]
    return theme.figure(
        dark,
        height(found),
        [dots, *marks] if found.flat else [violin, dots, *marks],
        shapes=lines,
        annotations=notes,
        xaxis={"title": found.quantity, "range": [edge, high + 0.05 * room], "zeroline": False},
        yaxis=plot.PLAIN
        | {
            "tickvals": [0.0, *heights],
            "ticktext": names,
            "range": [-0.85, 1.05 + 0.42 * len(rows)],
            "fixedrange": True,
        },
        margin=strips.name_margin(names),
    )


def _mark(found: Spread, place: Place, at: float, dark: bool, bold: bool) -> plot.Trace:
    """A symbol over its value with its whisker."""
    x = found.value(place)
    said = f"{found.written(x)}{whisker_words(place, found.noise)}<br>{standing(place)}"
    return plot.dots(
        [x],
        [at],
        strips.marker(place.label, dark, bold),
        "%{hovertext}",
        hovertext=[f"<b>{place.label}</b> {said}"],
        error_x=None if found.by_bound else strips.whisker(place, dark),
        name=place.label,
        cliponaxis=False,
    )


def whisker_words(place: Place, noise: OrderNoise | None) -> str:
    """How sure a test error is, to follow it."""
    whisker = place.whisker
    if whisker is None or place.test_error is None:
        return ""
    if noise is not None and noise.draws > 1:
        return f" ± {100 * (whisker.high - place.test_error):.1f} (standard error over {noise.draws} draws)"
    return (
        f" (95\u00a0% interval {100 * whisker.low:.1f} to {100 * whisker.high:.1f}\u00a0% over this draw's test points)"
    )


def steps(order: Sequence[str], labels: Mapping[str, str]) -> str:
    """An order for the screen, plain text."""
    return " → ".join(labels[name] for name in order)
