"""One palette and one Plotly template for every figure, in light and in dark.

`task_colours(names, groups)` gives a task the same colour on every page. `template(dark)` is the base of all figures
(fonts for a projector, quiet grid). `ink(dark)` are the named colours that figures use. Figures take `dark: bool`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go

FONT = '"Source Sans", "Source Sans Pro", "Helvetica Neue", Arial, sans-serif'
FONT_SIZE = 15

HUES: tuple[str, ...] = ("#0072b2", "#d55e00", "#009e73", "#b5509a", "#a67c00", "#3593c6", "#7a5cd0", "#6b7785")
"""Okabe and Ito's colours, adjusted so that each stands out from a white and from a black background."""
LUMINANCES = (0.29, 0.13)
"""Of the lightest and the darkest shade of a hue: they have a contrast of 3 or more with the paper in both themes."""


@dataclass(frozen=True, slots=True)
class Ink:
    """The colours of one theme, by what they mean; text colours meet WCAG AA on `paper`."""

    paper: str
    text: str
    muted: str
    grid: str
    line: str
    error: str
    complexity: str
    constant: str
    chosen: str
    other: str
    positive: str
    negative: str
    helps: str
    hurts: str
    neutral: str


LIGHT = Ink(
    paper="#ffffff", text="#1c2733", muted="#52606d", grid="#e4e8ec", line="#9aa5b1",
    error="#d55e00", complexity="#0072b2", constant="#8a94a0", chosen="#1c2733", other="#c3ccd5",
    positive="#0072b2", negative="#d55e00", helps="#00785a", hurts="#b8430a", neutral="#f4f5f7",
)  # fmt: skip
DARK = Ink(
    paper="#0f1620", text="#eef2f6", muted="#aab6c3", grid="#26313d", line="#5c6a79",
    error="#ef8a47", complexity="#4fa8dd", constant="#8593a1", chosen="#ffffff", other="#3b4855",
    positive="#4fa8dd", negative="#ef8a47", helps="#2fb893", hurts="#ef8a47", neutral="#1a2430",
)  # fmt: skip


def ink(dark: bool) -> Ink:
    """The named colours of the theme."""
    return DARK if dark else LIGHT


def task_colours(names: Iterable[str], groups: Mapping[str, str] | None = None) -> dict[str, str]:
    """A colour for every task, by its place in the set: one hue per group with one shade per task, or one hue per task.

    More tasks than hues begin the hues anew in another shade, so colour is never the only sign.
    """
    tasks = list(names)
    if groups and 1 < len(set(groups.values())) <= len(HUES):
        kinds = list(dict.fromkeys(groups[name] for name in tasks))
        members = {kind: [name for name in tasks if groups[name] == kind] for kind in kinds}
        shades = {kind: _shades(HUES[k], len(members[kind])) for k, kind in enumerate(kinds)}
        return {name: shades[groups[name]][members[groups[name]].index(name)] for name in tasks}
    rounds = 1 + (len(tasks) - 1) // len(HUES)
    by_hue = [_shades(hue, rounds) for hue in HUES]
    return {name: by_hue[k % len(HUES)][k // len(HUES)] for k, name in enumerate(tasks)}


def _shades(hue: str, count: int) -> list[str]:
    """That many shades of a hue, light to dark, each of which stands out from both papers; for one the hue itself."""
    if count == 1:
        return [hue]
    lightest, darkest = LUMINANCES
    return [_with_luminance(hue, lightest + (darkest - lightest) * k / (count - 1)) for k in range(count)]


def _with_luminance(hue: str, wanted: float) -> str:
    """The hue mixed with white or black until it is as light as wanted."""
    towards = "#ffffff" if _luminance(hue) < wanted else "#000000"
    low, high = 0.0, 1.0
    for _ in range(12):
        share = (low + high) / 2
        enough = (_luminance(faded(towards, share, hue)) >= wanted) == (towards == "#ffffff")
        low, high = (low, share) if enough else (share, high)
    return faded(towards, high, hue)


def diverging(dark: bool) -> list[tuple[float, str]]:
    """Green-blue below 0 (helps), paper at 0, orange above (hurts); told apart by colour-blind eyes, too."""
    colours = ink(dark)
    return [(0.0, colours.helps), (0.5, colours.neutral), (1.0, colours.hurts)]


def sequential(dark: bool) -> list[tuple[float, str]]:
    """From the paper (low) to blue (high)."""
    if dark:
        return [(0.0, "#16202b"), (0.5, "#1f6ea3"), (1.0, "#bfe3fb")]
    return [(0.0, "#f3f8fc"), (0.5, "#5aa9d6"), (1.0, "#083d66")]


def greys(dark: bool) -> list[tuple[float, str]]:
    """Ink on paper, for images: 0 is paper."""
    colours = ink(dark)
    return [(0.0, colours.neutral), (1.0, colours.text)]


def colour_at(scale: Sequence[tuple[float, str]], share: float) -> str:
    """The colour at that place of a colour scale, as Plotly draws it."""
    places, colours = zip(*scale, strict=True)
    mixed = [np.interp(share, places, own) for own in zip(*map(channels, colours), strict=True)]
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


def colour_bar(title: str, **more: Any) -> dict[str, Any]:
    """The key of a colour scale."""
    bar = {"thickness": 12, "outlinewidth": 0, "tickfont": {"size": 12}, "tickangle": 0, "exponentformat": "none"}
    return bar | {"title": {"text": title, "side": "right", "font": {"size": 13}}} | more


@cache
def template(dark: bool) -> go.layout.Template:
    """What all figures share."""
    colours = ink(dark)
    axis = {
        "gridcolor": colours.grid,
        "linecolor": colours.line,
        "zerolinecolor": colours.line,
        "zerolinewidth": 1,
        "ticks": "",
        "automargin": True,
        "title": {"font": {"size": FONT_SIZE, "color": colours.muted}, "standoff": 10},
        "tickfont": {"size": FONT_SIZE - 1, "color": colours.text},
    }
    return go.layout.Template(
        layout={
            "font": {"family": FONT, "size": FONT_SIZE, "color": colours.text},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "colorway": list(HUES),
            "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
            "xaxis": axis,
            "yaxis": axis,
            "hoverlabel": {
                "font": {"family": FONT, "size": FONT_SIZE, "color": colours.text},
                "bgcolor": colours.neutral,
                "bordercolor": colours.line,
                "align": "left",
            },
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.01, "x": 0, "title": {"text": ""}},
            "colorscale": {"sequential": sequential(dark), "diverging": diverging(dark)},
            "dragmode": False,
            "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": colours.muted, "activecolor": colours.text},
        }
    )


def figure(dark: bool, height: int, traces: Iterable[Mapping[str, Any]] = (), **layout: Any) -> go.Figure:
    """A figure in the theme; its title is shown above it by the page, so that it can wrap.

    Traces and layout are plain mappings, which Plotly checks once.
    """
    return go.Figure(data=list(traces), layout={"template": template(dark), "height": height} | layout)


LEAST_LARGE = 18
"""Pixels that text on a slide has at least."""


def enlarged(figure: go.Figure) -> go.Figure:
    """A copy for the projector: larger type, marks and lines; it takes the height it is given."""
    grown = _grown(figure.to_plotly_json(), "")
    grown["layout"]["height"] = None
    grown["layout"]["margin"] = {side: room * 1.3 for side, room in grown["layout"].get("margin", {}).items()}
    return go.Figure(grown, skip_invalid=True)


def _grown(part: Any, name: str) -> Any:
    """The part with sizes of fonts and markers and widths of lines made larger, by the name of what holds them."""
    if isinstance(part, Mapping):
        inner = {key: _grown(value, key) for key, value in part.items()}
        if name.endswith("font") and "size" in inner:
            inner["size"] = max(LEAST_LARGE, round(1.35 * inner["size"]))
        elif name == "marker" and "size" in inner:
            inner["size"] = (1.5 * np.asarray(inner["size"])).tolist()
        elif name == "line" and isinstance(inner.get("width"), (int, float)):
            inner["width"] = 1.5 * inner["width"]
        elif name == "colorbar" and inner.get("lenmode") == "pixels":
            inner["len"] = 1.5 * inner["len"]
        return inner
    if isinstance(part, (list, tuple)) and name != "colorscale":
        return [_grown(one, name) for one in part] if part and isinstance(part[0], Mapping) else part
    return part


def faded(colour: str, share: float, paper: str) -> str:
    """That share of the colour on the paper; opaque, as legends show no transparency."""
    parts = zip(channels(colour), channels(paper), strict=True)
    return "#" + "".join(f"{round(share * own + (1 - share) * under):02x}" for own, under in parts)


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of '#rrggbb'."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def text_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    return "#ffffff" if contrast("#ffffff", colour) >= contrast("#000000", colour) else "#000000"


def contrast(first: str, second: str) -> float:
    """WCAG 2 contrast ratio of two hex colours."""
    high, low = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [channel / 255 for channel in channels(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
