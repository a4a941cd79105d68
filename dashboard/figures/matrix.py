"""A matrix of tasks against tasks as a heatmap, with the numbers in it where they fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from core.tasks import FloatArray
from dashboard import theme, words

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
    diverging: float | None = None,
    reverse: bool = False,
    number: str = "{:.0f}",
    scale: float = 1.0,
    mark: tuple[int, int] | None = None,
    picked: tuple[int, int] | None = None,
    square: bool = True,
) -> go.Figure:
    """`values[i, j]` in row i, column j; `diverging` is the value at both ends of a scale around 0.

    `hover` are escaped texts, `mark` gets a frame and a star, `picked` a dotted frame; NaN cells stay empty. Numbers
    are shown times `scale`; `reverse` turns the colours around.
    """
    n_rows, n_columns = values.shape
    colours = theme.ink(dark)
    chart = theme.blank(dark, height(n_rows))
    numbers = n_columns <= MOST_NUMBERS and n_rows <= 2 * MOST_NUMBERS
    text = [
        [("★ " if (i, j) == mark else "") + _number(value * scale, number) for j, value in enumerate(row)]
        for i, row in enumerate(values)
    ]
    colourscale = theme.diverging(dark) if diverging else theme.sequential(dark)
    if reverse:
        colourscale = [(1.0 - place, colour) for place, colour in reversed(colourscale)]
    chart.add_trace(
        go.Heatmap(
            z=values * scale,
            zmin=-diverging * scale if diverging else None,
            zmax=diverging * scale if diverging else None,
            colorscale=colourscale,
            xgap=2 if n_columns <= 30 else 0,
            ygap=2 if n_rows <= 30 else 0,
            text=text if numbers else None,
            texttemplate="%{text}" if numbers else None,
            textfont={"size": 14 if n_columns <= 8 else 11},
            hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
            hoverongaps=False,
            colorbar={
                "title": {"text": colour_title, "side": "right"},
                "thickness": 12,
                "outlinewidth": 0,
                "len": 1.0,
                "tickfont": {"size": 12},
                "exponentformat": "none",
            },
        )
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
        ticktext=[words.chart(words.short(name, 16)) for name in columns],
        tickangle=-45 if n_columns > 3 else 0,
        title=column_title,
        showgrid=False,
        zeroline=False,
        tickfont={"size": 13 if n_columns <= 20 else 10},
        range=[-0.5, n_columns - 0.5],
    )
    chart.update_yaxes(
        tickvals=np.arange(n_rows),
        ticktext=[words.chart(words.short(name, 16)) for name in rows],
        range=[n_rows - 0.5, -0.5],
        title=row_title,
        showgrid=False,
        zeroline=False,
        tickfont={"size": 13 if n_rows <= 20 else 10},
    )
    return chart


def _number(value: float, form: str) -> str:
    """The number of a cell; what rounds to zero is a plain 0."""
    if np.isnan(value):
        return ""
    shown = form.format(value)
    return "0" if shown.strip("+-0.") == "" else shown


def height(n_rows: int) -> int:
    """Enough for every row's label."""
    return int(min(max(150 + 30 * n_rows, 230), 150 + 450 if n_rows <= 15 else 150 + 14 * n_rows + 240))
