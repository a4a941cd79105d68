"""How a named order or method is marked in every figure of orders: its symbol, its colour, its whisker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.orders.over_samples import LOWEST
from core.orders.ranking import Place
from dashboard import theme

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


def marker(label: str, dark: bool, bold: bool) -> dict[str, Any]:
    """The symbol of a place."""
    return {
        "symbol": SYMBOLS.get(label, "circle"),
        "size": 15 if bold else 12,
        "color": colour(label, dark),
        "line": {"width": 1, "color": theme.ink(dark).paper},
    }


def whisker(place: Place, strong: str) -> dict[str, Any] | None:
    """How far its test error is sure, in per cent."""
    if place.whisker is None or place.test_error is None:
        return None
    error = place.test_error
    return {
        "type": "data",
        "array": [100.0 * (place.whisker.high - error)],
        "arrayminus": [100.0 * (error - place.whisker.low)],
        "color": strong,
        "thickness": 1.5,
        "width": 4,
    }


def name_rows(chart: go.Figure, at: Sequence[float], names: Sequence[str]) -> None:
    """Names at the left, with the room that they need: a picture that is saved is drawn before they are measured."""
    longest = max(len(re.sub("<.*?>", "", name)) for name in names)
    chart.update_yaxes(tickvals=list(at), ticktext=list(names))
    chart.update_layout(margin={"l": 20 + 7.5 * longest})


def faint(colour: str) -> str:
    """A colour to fill with."""
    return "rgba({},{},{},0.16)".format(*(int(colour[k : k + 2], 16) for k in (1, 3, 5)))
