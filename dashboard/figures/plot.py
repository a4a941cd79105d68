"""What figures are made of: dots, lines, bars and violins, axes with names, and the heat map of every matrix."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import plotly.graph_objects as go

from core.task_set import FloatArray
from dashboard import text, theme

Trace = dict[str, Any]
PLAIN: Trace = {"showgrid": False, "zeroline": False}
"""An axis of names."""
ON_TOP: Trace = {"y": 1.0, "yref": "container", "yanchor": "top"}
"""A legend that may need two rows above the plot."""
MOST_NUMBERS = 15
"""Columns up to which the cells of a matrix show their numbers."""


def dots(x: Any, y: Any, marker: Mapping[str, Any], hover: str = "", **more: Any) -> Trace:
    """Markers, left out of the legend unless `showlegend` says otherwise."""
    shown = {"x": x, "y": y, "mode": "markers", "marker": marker, "hovertemplate": hover + "<extra></extra>"}
    return shown | {"showlegend": False} | more


def line(x: Any, y: Any, colour: str, width: float, dash: str = "solid", **more: Any) -> Trace:
    """A line without hover, left out of the legend unless `showlegend` says otherwise."""
    shown = {"x": x, "y": y, "mode": "lines", "line": {"color": colour, "width": width, "dash": dash}}
    return shown | {"hoverinfo": "skip", "showlegend": False} | more


def words(x: Any, y: Any, said: Sequence[str], font: Trace, **more: Any) -> Trace:
    """Words in place of markers, without hover."""
    shown = {"x": x, "y": y, "mode": "text", "text": said, "textfont": font, "cliponaxis": False}
    return shown | {"hoverinfo": "skip", "showlegend": False} | more


def bars(values: Any, marker: Mapping[str, Any], hover: str, **more: Any) -> Trace:
    """Horizontal bars, the first on top where the rows are `rows(names)`."""
    shown = {"type": "bar", "orientation": "h", "x": values, "y": np.arange(len(values)), "marker": marker}
    return shown | {"hovertemplate": hover + "<extra></extra>"} | more


def hatched(colour: Any, shape: str, dark: bool) -> Trace:
    """The marker of bars that stripes tell apart as well as colour."""
    pattern = {"shape": shape, "fillmode": "overlay", "fgcolor": theme.ink(dark).paper, "size": 6}
    return {"color": colour, "pattern": pattern}


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


def note(x: float, y: float, said: str, colour: str, size: int, **more: Any) -> Trace:
    """Words at a place of the plot."""
    font = {"size": size, "color": colour}
    return {"x": x, "y": y, "text": said, "font": font, "showarrow": False} | more


def whiskers(up: Any, colour: str, down: Any = None, **more: Any) -> Trace:
    """How far values reach to either side; as far down as up where nothing else is said."""
    return {"type": "data", "array": up, "color": colour} | ({} if down is None else {"arrayminus": down}) | more


def names(labels: Iterable[str], most: int | None = text.MOST) -> list[str]:
    """Names for axes and hovers, escaped; cut to `most` characters, or whole."""
    return [text.chart(label if most is None else text.short(label, most)) for label in labels]


def plain(labels: Sequence[str], most: int = 16) -> list[str]:
    """Short names for axes, escaped; two that would look the same get a number."""
    short = text.shorts(labels, most)
    return [text.chart(short[label]) for label in labels]


def rows(labels: Sequence[str], **more: Any) -> Trace:
    """A vertical axis of names, the first on top; in small type where they are many."""
    n = len(labels)
    size = {"tickfont": {"size": 14 if n <= 25 else 10}}
    return PLAIN | {"tickvals": np.arange(n), "ticktext": labels, "range": [n - 0.5, -0.5]} | size | more


def name_margin(names: Sequence[str]) -> Trace:
    """Room for names at the left: a picture that is saved is plotted before they are measured."""
    longest = max(len(re.sub("<.*?>", "", part)) for name in names for part in name.split("<br>"))
    return {"l": 20 + 7.5 * longest}


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its words; `figure_card` says what each of them is."""

    chart: go.Figure
    key: str
    title: str
    read: str
    alt: str
    table: pd.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class Matrix:
    """`values[i, j]` of row i and column j, NaN where there is none, and how they are written.

    The colours go from the lowest value to the highest, or between `ends`, around 0 where `diverging`; `low_is_strong`
    turns them around. Numbers are shown times `scale`, none where the value is 0 unless `zeros`. Where `pale`, a
    quarter of the colour is left and the number is in brackets. `mark` gets a frame and a `sign`, `picked` a dotted
    frame.
    """

    values: FloatArray
    row_names: Sequence[str]
    column_names: Sequence[str]
    said: Callable[[int, int], str]
    """What the hover says of row i and column j."""
    axes: tuple[str, str]
    """Titles of the rows and of the columns."""
    unit: str
    """What the colours mean."""
    number: str = "{:.0f}"
    scale: float = 1.0
    ends: tuple[float, float] | None = None
    diverging: bool = False
    low_is_strong: bool = False
    zeros: bool = True
    pale: npt.NDArray[np.bool_] | None = None
    mark: tuple[int, int] | None = None
    sign: str = "★"
    picked: tuple[int, int] | None = None

    @property
    def numbers(self) -> list[str]:
        """What stands in every cell, row by row."""
        cells = np.ndindex(self.values.shape)
        return [(f"{self.sign} " if (i, j) == self.mark else "") + self._number(i, j) for i, j in cells]

    def _number(self, i: int, j: int) -> str:
        value = float(self.values[i, j])
        if np.isnan(value) or (value == 0 and not self.zeros):
            return ""
        shown = self.number.format(value * self.scale)
        if shown.strip("+-0.") == "":
            return "0"
        shown = shown.replace("-", "−")
        return shown if self.pale is None or not self.pale[i, j] else f"({shown})"

    def frame(self, corner: str) -> pd.DataFrame:
        """The values, one row per row; `corner` is the column of their names."""
        frame = pd.DataFrame(self.values, columns=list(self.column_names))
        frame.insert(0, corner, list(self.row_names), allow_duplicates=True)
        return frame


def matrix(found: Matrix, dark: bool) -> go.Figure:
    """A heat map with the numbers in it where they fit."""
    n_rows, n_columns = found.values.shape
    z = found.values if found.pale is None else np.where(found.pale, found.values / 4, found.values)
    low, high = found.ends or (float(np.nanmin(found.values)), float(np.nanmax(found.values)))
    scale = theme.diverging(dark) if found.diverging else theme.sequential(dark)
    if found.low_is_strong:
        scale = [(1.0 - place, colour) for place, colour in reversed(scale)]
    hover = [[found.said(i, j) for j in range(n_columns)] for i in range(n_rows)]
    heat = {
        "type": "heatmap", "z": z * found.scale, "zmin": low * found.scale, "zmax": high * found.scale,
        "colorscale": scale, "colorbar": theme.colour_bar(found.unit, len=1.0), "hoverongaps": False,
        "xgap": 2 if n_columns <= 30 else 0, "ygap": 2 if n_rows <= 30 else 0,
        "hovertext": hover, "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip
    traces = [heat]
    if n_columns <= MOST_NUMBERS and n_rows <= 2 * MOST_NUMBERS:
        # Each number is black or white: Plotly's own choice is too faint on middle shades.
        shares = (np.nan_to_num(z) - low) / max(high - low, 1e-300)
        inks = [theme.text_on(theme.colour_at(scale, float(share))) for share in shares.ravel()]
        font = {"size": 14 if n_columns <= 8 else 11 if n_columns <= 12 else 10, "color": inks}
        at_rows, at_columns = np.indices(z.shape)
        traces.append(words(at_columns.ravel(), at_rows.ravel(), found.numbers, font, name="numbers"))
    frames = [(cell, dash) for cell, dash in ((found.mark, "solid"), (found.picked, "dot")) if cell is not None]
    columns = rows(plain(found.column_names), range=[-0.5, n_columns - 0.5], title=found.axes[1])
    return theme.figure(
        dark,
        int(min(max(150 + 30 * n_rows, 230), 600 if n_rows <= 15 else 390 + 14 * n_rows)),
        traces,
        shapes=[frame((x - 0.5, x + 0.5), (y - 0.5, y + 0.5), theme.ink(dark).chosen, dash) for (y, x), dash in frames],
        xaxis=columns | {"tickangle": -45 if n_columns > 3 else 0, "tickfont": {"size": 13 if n_columns <= 20 else 10}},
        yaxis=rows(plain(found.row_names), title=found.axes[0], tickfont={"size": 13 if n_rows <= 20 else 10}),
    )


def frame(x: tuple[float, float], y: tuple[float, float], colour: str, dash: str, **more: Any) -> Trace:
    """A rectangle around what is chosen or picked."""
    shown = {"type": "rect", "x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1]}
    return shown | {"line": {"color": colour, "width": 3, "dash": dash}} | more
