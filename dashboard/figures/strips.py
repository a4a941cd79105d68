"""Values in a row: a violin, a dot for each, and the symbols of named orders and methods, alike in all figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.orders.over_samples import LOWEST
from core.orders.ranking import Place
from core.task_set import FloatArray
from dashboard import theme
from dashboard.figures import plot
from dashboard.figures.plot import Trace

FOUND = "Lowest bound found"
"""Of a search that does not see every order."""
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


def varies(values: FloatArray) -> bool:
    """Whether a violin can be shown: a density of equal values cannot."""
    return bool(np.ptp(values) > 1e-9 * max(1.0, float(np.max(np.abs(values)))))


def violin(values: FloatArray, at: float, own: str, upright: bool = False, **more: Any) -> Trace:
    """Wide where many values are."""
    red, green, blue = theme.channels(own)
    places = np.full(len(values), at)
    shown = {"type": "violin", "x": values, "y": places, "orientation": "h", "points": False, "spanmode": "hard"}
    if upright:
        shown |= {"x": places, "y": values, "orientation": "v"}
    look = {"line": {"color": own, "width": 1.5}, "fillcolor": f"rgba({red},{green},{blue},0.16)"}
    return shown | look | {"hoverinfo": "skip", "showlegend": False} | more


def jitter(count: int, reach: float) -> FloatArray:
    """Aside from the middle of a row, so that equal values can be told apart."""
    return np.random.default_rng(0).uniform(-reach, reach, count)


def orders(x: FloatArray, y: FloatArray, dark: bool, opacity: float, hover: str) -> Trace:
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


def name_margin(names: Sequence[str]) -> Trace:
    """Room for names at the left: a picture that is saved is plotted before they are measured."""
    longest = max(len(re.sub("<.*?>", "", part)) for name in names for part in name.split("<br>"))
    return {"l": 20 + 7.5 * longest}
