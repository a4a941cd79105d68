"""A small picture of a task set for the sidebar."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.features import is_sparse
from core.task_set import FloatArray, TaskSet
from dashboard import theme

Picture = npt.NDArray[np.uint8]
MOST_TASKS = 6
_SIDE = 48


def picture(task_set: TaskSet, dark: bool) -> Picture | None:
    """A positive image of some tasks, or the points of some tasks in the plane, side by side; None for other sets."""
    picked = np.unique(np.linspace(0, len(task_set) - 1, MOST_TASKS).astype(int))
    tasks = [task_set.tasks[k] for k in picked]
    if any(is_sparse(task.X) for task in tasks):
        return None
    if task_set.image_shape is not None:
        shape = task_set.image_shape
        tiles = [_image(task.X[np.flatnonzero(task.y > 0)[0]].reshape(shape), dark) for task in tasks]
    elif task_set.n_features == 2:
        everything = np.vstack([task.X for task in tasks])
        tiles = [_plane(task.X, task.y, everything, dark) for task in tasks]
    else:
        return None
    height, width, _ = tiles[0].shape
    gap = np.full((height, max(1, width // 12), 3), _channels(theme.ink(dark).paper), np.uint8)
    return np.hstack([part for tile in tiles for part in (tile, gap)][:-1])


def _image(values: FloatArray, dark: bool) -> Picture:
    """An image from background to text colour, each pixel drawn as a block."""
    ink = theme.ink(dark)
    low, high = float(values.min()), float(values.max())
    share = (values - low) / (high - low if high > low else 1.0)
    colours = _channels(ink.paper) + share[..., None] * (_channels(ink.text) - _channels(ink.paper))
    block = max(1, _SIDE // max(values.shape))
    return np.repeat(np.repeat(colours, block, axis=0), block, axis=1).astype(np.uint8)


def _plane(X: FloatArray, y: FloatArray, everything: FloatArray, dark: bool) -> Picture:
    """Points as small squares in the colours of their labels."""
    ink = theme.ink(dark)
    tile = np.full((_SIDE, _SIDE, 3), _channels(ink.paper), np.uint8)
    low, spread = everything.min(axis=0), np.maximum(np.ptp(everything, axis=0), 1e-12)
    places = ((X - low) / spread * (_SIDE - 4)).astype(int)
    for (column, row), label in zip(places, y, strict=True):
        top = _SIDE - 4 - row
        tile[top : top + 3, column : column + 3] = _channels(ink.positive if label > 0 else ink.negative)
    return tile


def _channels(colour: str) -> FloatArray:
    return np.array(theme.channels(colour), dtype=np.float64)
