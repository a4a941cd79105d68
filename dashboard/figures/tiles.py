"""The data as images: a row a task, examples of both classes."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import plotly.graph_objects as go
from PIL import Image

from core.features import is_sparse
from core.task_set import FloatArray, Task, TaskSet
from dashboard import text, theme

SIDE = 28
"""Pixels a side of a tile at most; larger images are thinned out."""

_CLEAR = 255  # the shade that stands for no tile


@dataclass(frozen=True, eq=False, slots=True)
class Tiles:
    """`images[row][k]`: first examples of the positive class, then as many of the negative one (None: too few)."""

    names: tuple[str, ...]
    images: tuple[tuple[npt.NDArray[np.uint8] | None, ...], ...]
    each: int


def info(task_set: TaskSet, names: Sequence[str], each: int = 5) -> Tiles:
    """The first `each` training images of each class, grey values scaled to 0 ... 255 over all that is shown."""
    assert task_set.image_shape is not None
    rows = [_examples(task_set[name], each) for name in names]
    seen = np.concatenate([rows_of for pair in rows for rows_of in pair])
    low, high = float(seen.min()), float(seen.max())
    step = max(1, -(-max(task_set.image_shape) // SIDE))

    def picture(values: FloatArray) -> npt.NDArray[np.uint8]:
        image = values.reshape(task_set.image_shape)[::step, ::step]
        return np.round(255.0 * (image - low) / max(high - low, 1e-300)).astype(np.uint8)

    images = tuple(
        tuple(picture(part[k]) if k < len(part) else None for part in pair for k in range(each)) for pair in rows
    )
    return Tiles(tuple(names), images, each)


def _examples(task: Task, each: int) -> tuple[FloatArray, FloatArray]:
    parts = []
    for label in (1.0, -1.0):
        rows = task.X[np.flatnonzero(task.y == label)[:each]]
        parts.append(rows.toarray() if is_sparse(rows) else np.asarray(rows))
    return parts[0], parts[1]


def table(found: Tiles, task_set: TaskSet) -> pd.DataFrame:
    """What each row shows."""
    tasks = [task_set[name] for name in found.names]
    return pd.DataFrame(
        {
            "task": found.names,
            "positive images": [int(np.sum(task.y == 1)) for task in tasks],
            "negative images": [int(np.sum(task.y == -1)) for task in tasks],
        }
    )


def mosaic(found: Tiles) -> FloatArray:
    """One array of all tiles, a row a task; NaN between them."""
    first = next(image for row in found.images for image in row if image is not None)
    high, wide = first.shape
    gap, middle = max(1, high // 8), max(2, wide // 2)
    width = 2 * found.each * (wide + gap) - gap + middle
    whole = np.full((len(found.images) * (high + gap) - gap, width), np.nan)
    for r, row in enumerate(found.images):
        for k, image in enumerate(row):
            if image is not None:
                left = k * (wide + gap) + (middle if k >= found.each else 0)
                whole[r * (high + gap) : r * (high + gap) + high, left : left + wide] = image
    return whole


def picture(found: Tiles, dark: bool) -> str:
    """The mosaic as an address that holds it: a PNG, ink on paper, nothing between the tiles.

    As numbers, all tiles of the default set would be 1.6 MB, and the browser would be busy with them for a second.
    """
    whole = mosaic(found)
    blank = np.isnan(whole)
    shades = np.minimum(np.nan_to_num(whole), _CLEAR - 1).astype(np.uint8)
    shades[blank] = _CLEAR
    block = max(1, SIDE // next(len(image) for row in found.images for image in row if image is not None))
    drawn = Image.fromarray(shades.repeat(block, axis=0).repeat(block, axis=1), "P")
    colours = [theme.colour_at(theme.greys(dark), shade / 255) for shade in range(256)]
    drawn.putpalette([part for colour in colours for part in theme.channels(colour)])
    buffer = io.BytesIO()
    drawn.save(buffer, "PNG", transparency=_CLEAR, compress_level=4)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def figure(found: Tiles, dark: bool, height: int) -> go.Figure:
    """All tiles as one picture."""
    whole = mosaic(found)
    n = len(found.names)
    pitch = (whole.shape[0] + 1) / n
    chart = theme.blank(dark, height)
    high, wide = whole.shape
    chart.add_layout_image(
        source=picture(found, dark), xref="x", yref="y", x=-0.5, y=-0.5, sizex=wide, sizey=high, sizing="stretch",
        layer="above",
    )  # fmt: skip
    chart.update_xaxes(
        tickvals=np.array([0.23, 0.77]) * wide,
        ticktext=["the task (+1)", "the others (−1)"],
        side="top",
        showgrid=False,
        zeroline=False,
        range=[-0.5, wide - 0.5],
    )
    chart.update_yaxes(
        tickvals=(np.arange(n) + 0.5) * pitch - 1,
        ticktext=[text.chart(text.short(name, 20)) for name in found.names],
        range=[high - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    return chart
