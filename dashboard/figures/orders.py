"""Every order by its mean test error: the paper's Figure 3, with the named methods marked, alike in all figures."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.orders.all_orders import Orders
from core.orders.orders_by_draw import LOWEST
from core.orders.ranking import OrderNoise, Place
from core.task_set import FloatArray
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Trace

FOUND = "Lowest bound found"
"""The label of the lowest bound by a search that does not see every order."""
SYMBOLS = {
    "SeqMT": "star",
    "Semantic": "square",
    "Random": "diamond",
    "Diversity": "x",
    LOWEST: "triangle-down",
    FOUND: "triangle-down-open",
    "Best": "triangle-left",
    "Worst": "triangle-right",
    "Yours": "hexagon2",
    "Picked": "circle-open-dot",
}
BOLD = ("SeqMT", "Yours", "Picked")


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
        return not plot.varies(self.values)

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
    often = "less than once in a thousand times" if p < 0.001 else f"{text.percent(p)} of the time"
    what = "the same test points" if noise.draws == 1 else f"{noise.draws} draws"
    sure, equal = (
        ("Yes, orders differ", "all orders") if noise.differ else ("Nobody can tell whether orders differ", "all")
    )
    said = f"**{sure}** on {what}: if {equal} were equally good, chance would do as much {often}."
    if noise.point is not None:
        said += f" One test point more or less moves a {error} by {100 * noise.point:.2f} points."
    return said


def noise_details(noise: OrderNoise) -> str:
    """The test behind `noise_words`, for the fold-out."""
    tested = noise.tested
    name = "Cochran's Q on the test points" if noise.draws == 1 else "Friedman's test over the draws"
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
    low, high = ("95 % from", "to") if found.noise is None or found.noise.draws == 1 else ("minus s.e.", "plus s.e.")
    return pd.DataFrame(
        {
            "mark": [place.label for place in found.places],
            found.error: [place.test_error for place in found.places],
            low: [place.whisker and place.whisker.low for place in found.places],
            high: [place.whisker and place.whisker.high for place in found.places],
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


def colour(label: str, dark: bool) -> str:
    """Orange for SeqMT, purple for yours, ink for all else; the symbols tell them apart as well."""
    ink = theme.ink(dark)
    return {"SeqMT": ink.error, "Yours": theme.HUES[3]}.get(label, ink.text)


def marker(label: str, dark: bool, bold: bool | None = None) -> Trace:
    """The symbol of a place; `bold` if nothing else is said for those in `BOLD`."""
    large = label in BOLD if bold is None else bold
    line = {"width": 1, "color": theme.ink(dark).paper}
    return {
        "symbol": SYMBOLS.get(label, "circle"), "size": 15 if large else 12, "color": colour(label, dark), "line": line
    }  # fmt: skip


def whisker(place: Place, dark: bool) -> Trace | None:
    """How far its test error is sure, in per cent."""
    if place.whisker is None or place.test_error is None:
        return None
    up, down = (100.0 * abs(end - place.test_error) for end in (place.whisker.high, place.whisker.low))
    return plot.whiskers([up], colour(place.label, dark), [down], thickness=1.5, width=4)


def dots(x: FloatArray, y: FloatArray, dark: bool, opacity: float, hover: str) -> Trace:
    """A dot for every order, which can be clicked for its row."""
    same = {"marker": {"opacity": opacity}}
    return plot.dots(
        x,
        y,
        {"size": 6 if len(x) <= 1500 else 4, "color": theme.ink(dark).complexity, "opacity": opacity},
        f"{hover}<br>click for its order",
        type="scattergl",
        customdata=np.arange(len(x)),
        name="orders",
        selected=same,
        unselected=same,
    )


def height(found: Spread) -> int:
    """The pixels that `figure` takes: room for one row per mark."""
    return 250 + 34 * len(found.places)


def figure(found: Spread, dark: bool, highlight: Sequence[str] = BOLD) -> go.Figure:
    """A violin with a jittered strip of all orders over it, and a row above it for every marked place."""
    ink, values = theme.ink(dark), found.values
    # Those that are equal but for rounding stay as they are listed.
    rows = sorted(found.places, key=lambda place: round(found.value(place), 9))
    heights = [1.15 + 0.42 * (len(rows) - 1 - k) for k in range(len(rows))]
    violin = plot.violin(values, 0.0, ink.complexity, width=1.5, meanline={"visible": True}, name="density")
    aside = np.random.default_rng(0).uniform(-0.3, 0.3, len(values))  # so that equal values can be told apart
    hover = f"{'bound' if found.by_bound else found.error.removeprefix('mean ')} %{{x:.4g}}"
    marks, lines, notes = [], [], []
    for place, at in zip(rows, heights, strict=True):
        bold, x = place.label in highlight, found.value(place)
        marks.append(_mark(found, place, at, dark, bold))
        look = {"color": colour(place.label, dark), "width": 1.5 if bold else 1, "dash": "dot"}
        lines.append({"type": "line", "x0": x, "x1": x, "y0": -0.3, "y1": at, "line": look})
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
    ticks = {"tickvals": [0.0, *heights], "ticktext": names}
    return theme.figure(
        dark,
        height(found),
        [*([] if found.flat else [violin]), dots(values, aside, dark, 0.55, hover), *marks],
        shapes=lines,
        annotations=notes,
        xaxis={"title": found.quantity, "range": [edge, high + 0.05 * room], "zeroline": False},
        yaxis=plot.PLAIN | ticks | {"range": [-0.85, 1.05 + 0.42 * len(rows)], "fixedrange": True},
        margin=plot.name_margin(names),
    )


def _mark(found: Spread, place: Place, at: float, dark: bool, bold: bool) -> Trace:
    """A symbol over its value with its whisker."""
    x = found.value(place)
    said = f"{found.written(x)}{whisker_words(place, found.noise)}<br>{standing(place)}"
    return plot.dots(
        [x],
        [at],
        marker(place.label, dark, bold),
        "%{hovertext}",
        hovertext=[f"<b>{place.label}</b> {said}"],
        error_x=None if found.by_bound else whisker(place, dark),
        name=place.label,
        cliponaxis=False,
    )


def whisker_words(place: Place, noise: OrderNoise | None) -> str:
    """How sure a test error is, to follow it."""
    sure = place.whisker
    if sure is None or place.test_error is None:
        return ""
    if noise is not None and noise.draws > 1:
        return f" ± {100 * (sure.high - place.test_error):.1f} (standard error over {noise.draws} draws)"
    return f" (95\u00a0% interval {100 * sure.low:.1f} to {text.percent(sure.high)} over this draw's test points)"


def steps(order: Sequence[str], labels: Mapping[str, str]) -> str:
    """An order for the screen, plain text."""
    return " → ".join(labels[name] for name in order)
