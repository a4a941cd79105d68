"""A matrix of tasks against tasks as a heatmap, with the numbers in it where they fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from core.task_set import FloatArray
from dashboard import text, theme

BoolArray = npt.NDArray[np.bool_]
MOST_NUMBERS = 15
"""Columns up to which the cells show their numbers."""


def figure(
    values: FloatArray,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    hover: Sequence[Sequence[str]],
    row_title: str,
    column_title: str,
    colour_title: str,
    dark: bool,
    ends: tuple[float, float] | None = None,
    diverging: float | None = None,
    reverse: bool = False,
    number: str = "{:.0f}",
    scale: float = 1.0,
    mark: tuple[int, int] | None = None,
    sign: str = "★",
    picked: tuple[int, int] | None = None,
    zeros: bool = True,
    pale: BoolArray | None = None,
) -> go.Figure:
    """`values[i, j]` in row i, column j; the colours go from the lowest to the highest, or between `ends`; `diverging`
    is the value at both ends of a scale around 0.

    `hover` are escaped texts, `mark` gets a frame and a `sign`, `picked` a dotted frame; NaN cells stay empty. Numbers
    are shown times `scale`, without `zeros` not where the value is 0; `reverse` turns the colours around. Where `pale`,
    a quarter of the colour is left and the number is in brackets.
    """
    n_rows, n_columns = values.shape
    colours = theme.ink(dark)
    chart = theme.blank(dark, height(n_rows))
    numbers = n_columns <= MOST_NUMBERS and n_rows <= 2 * MOST_NUMBERS
    faint = np.zeros(values.shape, dtype=np.bool_) if pale is None else pale
    cells = [
        [
            (f"{sign} " if (i, j) == mark else "")
            + (_number(value * scale, number, bool(faint[i, j])) if zeros or value != 0 else "")
            for j, value in enumerate(row)
        ]
        for i, row in enumerate(values)
    ]
    coloured = np.where(faint, values / 4, values)
    colourscale = theme.diverging(dark) if diverging else theme.sequential(dark)
    if diverging:
        ends = (-diverging, diverging)
    low, high = ends or (float(np.nanmin(values)), float(np.nanmax(values)))
    if reverse:
        colourscale = [(1.0 - place, colour) for place, colour in reversed(colourscale)]
    chart.add_trace(
        go.Heatmap(
            z=coloured * scale,
            zmin=low * scale,
            zmax=high * scale,
            colorscale=colourscale,
            xgap=2 if n_columns <= 30 else 0,
            ygap=2 if n_rows <= 30 else 0,
            hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
            hoverongaps=False,
            colorbar=theme.colour_bar(colour_title, len=1.0),
        )
    )
    if numbers:
        chart.add_trace(
            _numbers(coloured, cells, colourscale, (low, high), 14 if n_columns <= 8 else 11 if n_columns <= 12 else 10)
        )
    for cell, dash in ((mark, "solid"), (picked, "dot")):
        if cell is not None:
            chart.add_shape(
                type="rect",
                x0=cell[1] - 0.5, x1=cell[1] + 0.5, y0=cell[0] - 0.5, y1=cell[0] + 0.5,
                line={"color": colours.chosen, "width": 3, "dash": dash},
            )  # fmt: skip
    chart.update_xaxes(
        tickvals=np.arange(n_columns),
        ticktext=[text.chart(text.short(name, 16)) for name in columns],
        tickangle=-45 if n_columns > 3 else 0,
        title=column_title,
        showgrid=False,
        zeroline=False,
        tickfont={"size": 13 if n_columns <= 20 else 10},
        range=[-0.5, n_columns - 0.5],
    )
    chart.update_yaxes(
        tickvals=np.arange(n_rows),
        ticktext=[text.chart(text.short(name, 16)) for name in rows],
        range=[n_rows - 0.5, -0.5],
        title=row_title,
        showgrid=False,
        zeroline=False,
        tickfont={"size": 13 if n_rows <= 20 else 10},
    )
    return chart


def _numbers(
    values: FloatArray,
    text: Sequence[Sequence[str]],
    colourscale: Sequence[tuple[float, str]],
    ends: tuple[float, float],
    size: int,
) -> go.Scatter:
    """The numbers over their cells, each black or white: Plotly's own choice is too faint on middle shades."""
    low, high = ends
    shares = (np.nan_to_num(values) - low) / max(high - low, 1e-300)
    colours = [theme.text_on(theme.colour_at(colourscale, float(share))) for share in shares.ravel()]
    rows, columns = np.indices(values.shape)
    return go.Scatter(
        x=columns.ravel(),
        y=rows.ravel(),
        mode="text",
        text=[cell for row in text for cell in row],
        textfont={"size": size, "color": colours},
        hoverinfo="skip",
        showlegend=False,
        cliponaxis=False,
        name="numbers",
    )


def _number(value: float, form: str, in_brackets: bool) -> str:
    """The number of a cell; what rounds to zero is a plain 0."""
    if np.isnan(value):
        return ""
    shown = form.format(value)
    if shown.strip("+-0.") == "":
        return "0"
    shown = shown.replace("-", "−")
    return f"({shown})" if in_brackets else shown


def height(n_rows: int) -> int:
    """Enough for every row's label."""
    return int(min(max(150 + 30 * n_rows, 230), 150 + 450 if n_rows <= 15 else 150 + 14 * n_rows + 240))
