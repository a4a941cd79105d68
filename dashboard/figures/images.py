"""Images: examples of every task's data, and the weights that a candidate learned."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from PIL import Image
from plotly.subplots import make_subplots

from core.curriculum.steps import Candidate
from core.task_set import FloatArray, TaskSet
from dashboard import theme
from dashboard.figures import plot
from dashboard.figures.scatter import dense

MOST_FEATURES = 15
GAP = 0.04
"""Between two images of weights, as a share of the figure."""
SIDE = 28
"""Pixels on each side of a tile at most; larger images are thinned out."""

_CLEAR = 255  # the shade that stands for no tile


@dataclass(frozen=True, eq=False, slots=True)
class Tiles:
    """`images[i, k]` of task i: first examples of the positive class, then as many of the negative one.

    Whole numbers from 0 to 255, one row per row of pixels; NaN where a class has too few.
    """

    names: tuple[str, ...]
    images: FloatArray


def tiles(task_set: TaskSet, names: Sequence[str], each: int = 5) -> Tiles:
    """The first `each` training images of each class, grey values scaled to 0 ... 255 over all that is shown."""
    assert task_set.image_shape is not None
    step = max(1, -(-max(task_set.image_shape) // SIDE))
    pixels = np.full((len(names), 2, each, *task_set.image_shape), np.nan)
    for row, name in enumerate(names):
        task = task_set[name]
        for column, label in enumerate((1.0, -1.0)):
            examples = dense(task.X[np.flatnonzero(task.y == label)[:each]])
            pixels[row, column, : len(examples)] = examples.reshape(len(examples), *task_set.image_shape)
    low, high = np.nanmin(pixels), np.nanmax(pixels)
    shades = np.round(255.0 * (pixels[..., ::step, ::step] - low) / max(high - low, 1e-300))
    return Tiles(tuple(names), shades.reshape(len(names), 2 * each, *shades.shape[3:]))


def tiles_table(found: Tiles, task_set: TaskSet) -> pd.DataFrame:
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
    """One array of all tiles, one row per task; NaN between them."""
    n, count, high, wide = found.images.shape
    gap, middle = max(1, high // 8), max(2, wide // 2)
    apart = np.pad(found.images, ((0, 0), (0, 0), (0, gap), (0, gap)), constant_values=np.nan)
    whole = apart.swapaxes(1, 2).reshape(n * (high + gap), count * (wide + gap))
    left, right = np.hsplit(whole, 2)
    return np.hstack([left, np.full((len(whole), middle), np.nan), right])[:-gap, :-gap]


def picture(found: Tiles, dark: bool) -> str:
    """The mosaic as an address that holds it: a PNG, ink on paper, nothing between the tiles.

    As numbers, all tiles of the default set would be 1.6 MB, and the browser would be busy with them for a second.
    """
    whole = mosaic(found)
    shades = np.where(np.isnan(whole), _CLEAR, np.fmin(whole, _CLEAR - 1)).astype(np.uint8)
    block = max(1, SIDE // found.images.shape[2])
    drawn = Image.fromarray(shades.repeat(block, axis=0).repeat(block, axis=1), "P")
    colours = [theme.colour_at(theme.greys(dark), shade / 255) for shade in range(256)]
    drawn.putpalette([part for colour in colours for part in theme.channels(colour)])
    buffer = io.BytesIO()
    drawn.save(buffer, "PNG", transparency=_CLEAR, compress_level=4)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def tiles_figure(found: Tiles, dark: bool, height: int) -> go.Figure:
    """All tiles as one picture."""
    high, wide = mosaic(found).shape
    n = len(found.names)
    at = (np.arange(n) + 0.5) * (high + 1) / n - 1
    whole = {"source": picture(found, dark), "sizex": wide, "sizey": high, "sizing": "stretch", "layer": "above"}
    sides = {"tickvals": np.array([0.23, 0.77]) * wide, "ticktext": ["the task (+1)", "the others (−1)"]}
    return theme.figure(
        dark,
        height,
        images=[whole | {"xref": "x", "yref": "y", "x": -0.5, "y": -0.5}],
        xaxis=plot.PLAIN | sides | {"side": "top", "range": [-0.5, wide - 0.5]},
        yaxis=plot.rows(plot.names(found.names, 20), tickvals=at, range=[high - 0.5, -0.5]),
    )


def weight_parts(candidate: Candidate, bias: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Source weights, change and new weights, without the bias."""
    end = -1 if bias else None
    source, new = candidate.source_weights[:end], candidate.weights[:end]
    return source, new - source, new


def weight_table(candidate: Candidate, bias: bool, names: Sequence[str] | None = None) -> pd.DataFrame:
    """All weights, features by name, or counted from 1 where they have none."""
    source, change, new = weight_parts(candidate, bias)
    features = list(names) if names else np.arange(1, len(new) + 1)
    return pd.DataFrame({"feature": features, "source weight": source, "change": change, "new weight": new})


def largest_weight(candidate: Candidate, bias: bool) -> float:
    """The largest of all weights before, between and after: the end of their scale."""
    return float(np.max(np.abs(weight_parts(candidate, bias))))


def weight_images(candidate: Candidate, bias: bool, shape: tuple[int, int], dark: bool) -> go.Figure:
    """Three images on one scale around 0: blue speaks for the positive class, orange against it."""
    source, task = plot.names((candidate.source or "", candidate.task), 18)
    titles = ("no source: zeros" if candidate.source is None else f"source: {source}", "+ change", f"= {task}")
    shown = dict(zip(titles, weight_parts(candidate, bias), strict=True))
    return weights_beside(shown, shape, dark, max(largest_weight(candidate, bias), 1e-12))


def weights_beside(shown: Mapping[str, FloatArray], shape: tuple[int, int], dark: bool, most: float) -> go.Figure:
    """Images of weights by their titles, in a row on one scale from -`most` to `most`."""
    ink, last = theme.ink(dark), len(shown)
    chart = make_subplots(1, last, horizontal_spacing=GAP, subplot_titles=list(shown))
    look = {
        "type": "heatmap", "zmin": -most, "zmax": most,
        "colorscale": [(0.0, ink.negative), (0.5, ink.neutral), (1.0, ink.positive)],
        "colorbar": theme.colour_bar("weight", lenmode="pixels", len=190),
        "hovertemplate": "row %{y}, column %{x}: %{z:.3f}<extra></extra>",
    }  # fmt: skip
    for k, values in enumerate(shown.values(), start=1):
        chart.add_trace(look | {"z": values.reshape(shape), "showscale": k == last}, 1, k)
        chart.update_yaxes(autorange="reversed", scaleanchor=f"x{k}", col=k)
    bare = plot.PLAIN | {"showticklabels": False, "constrain": "domain"}
    chart.update_xaxes(bare).update_yaxes(bare).update_annotations(font={"size": 15, "color": ink.text})
    return chart.update_layout(template=theme.template(dark), height=330, margin={"t": 40})


def weight_features(candidate: Candidate, bias: bool, dark: bool, names: Sequence[str] | None = None) -> go.Figure:
    """The features whose weight moved most, from the source's (ring) to the new one (dot)."""
    ink = theme.ink(dark)
    source, change, new = weight_parts(candidate, bias)
    moved = np.argsort(-np.abs(change), kind="stable")[:MOST_FEATURES]
    n = len(moved)
    all_names = names or [f"feature {k + 1}" for k in range(len(new))]
    shown = [all_names[k] for k in moved]

    def marks(name: str, values: FloatArray, symbol: str) -> plot.Trace:
        marker = {"symbol": symbol, "size": 11, "color": ink.complexity, "line": {"width": 2}}
        hover = f"%{{customdata}}<br>{name} %{{x:.4f}}"
        look = {"name": name, "showlegend": True, "customdata": plot.names(shown, None)}
        return plot.dots(values[moved], np.arange(n), marker, hover, **look)

    return theme.figure(
        dark,
        120 + 26 * n,
        [
            *(plot.line([source[feature], new[feature]], [k, k], ink.line, 2) for k, feature in enumerate(moved)),
            marks("source weight", source, "circle-open"),
            marks("new weight", new, "circle"),
        ],
        xaxis={"title": "weight", "zeroline": True},
        yaxis=plot.rows(plot.names(shown)),
        margin={"t": 40},
    )
