"""Where a line <w, x> = 0 of the plane meets the sides of a square, for drawings that are not Plotly's."""

from __future__ import annotations

import numpy as np

from core.task_set import FloatArray

Segment = tuple[float, float, float, float]


def in_square(weights: FloatArray, reach: float) -> Segment | None:
    """The part of w1 x + w2 y + b = 0 inside [-reach, reach]², from end to end; None if the line passes by."""
    w1, w2, b = (float(part) for part in weights)
    ends: list[tuple[float, float]] = []
    for side in (-reach, reach):
        if abs(w2) > 1e-12:
            ends.append((side, -(w1 * side + b) / w2))
        if abs(w1) > 1e-12:
            ends.append((-(w2 * side + b) / w1, side))
    inside = sorted({(round(x, 9), round(y, 9)) for x, y in ends if max(abs(x), abs(y)) <= reach + 1e-9})
    if len(inside) < 2 or np.allclose(inside[0], inside[-1]):
        return None
    return (*inside[0], *inside[-1])
