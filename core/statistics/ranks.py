"""Ranks with ties shared, and Spearman's correlation. SciPy's own live in a module that takes a second to load."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.features import FloatArray


def average_ranks(values: npt.ArrayLike, axis: int = -1) -> FloatArray:
    """1 for the least value along the axis, n for the greatest; equal values share the mean of their places."""
    rows = np.moveaxis(np.asarray(values, dtype=np.float64), axis, -1)
    n = rows.shape[-1]
    order = np.argsort(rows, axis=-1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=-1)
    changes = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*rows.shape[:-1], 1), dtype=bool)
    begins, ends = np.concatenate([edge, changes], axis=-1), np.concatenate([changes, edge], axis=-1)
    places = np.arange(n)
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, places, n - 1)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, 1.0 + (first + last) / 2.0, axis=-1)
    return np.moveaxis(ranks, -1, axis)


def rank_correlation(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    """Spearman's rank correlation; None where one side is constant or there are fewer than 3 values."""
    a, b = average_ranks(first), average_ranks(second)
    if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])
