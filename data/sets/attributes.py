"""Attributes of the ten digits as tasks: the paper's second experiment in small."""

from __future__ import annotations

import numpy as np

from core.tasks import FloatArray, Task
from data.sets.drawing import Pools, task_from_pools
from data.sets.levels import IntArray
from data.sets.source import Sizes

# Which digits have an attribute is a matter of definition: of the usual printed shapes.
DIGIT_ATTRIBUTES: dict[str, tuple[int, ...]] = {
    "even": (0, 2, 4, 6, 8),
    "5 or more": (5, 6, 7, 8, 9),
    "has a loop": (0, 6, 8, 9),
    "straight strokes": (1, 4, 7),
    "loop on top": (8, 9),
    "loop below": (6, 8),
    "prime": (2, 3, 5, 7),
    "multiple of 3": (0, 3, 6, 9),
    "open to the left": (2, 3, 5, 7, 9),
    "round below": (0, 3, 5, 6, 8),
}


def attribute_tasks(rng: np.random.Generator, X: FloatArray, classes: IntArray, sizes: Sizes) -> tuple[Task, ...]:
    """A task for each attribute: the digits that have it against those that do not, in equal parts."""
    pools = Pools(rng, classes.tolist())
    return tuple(
        task_from_pools(name, X, pools, digits, [d for d in range(10) if d not in digits], sizes)
        for name, digits in DIGIT_ATTRIBUTES.items()
    )
