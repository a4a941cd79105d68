"""Drawing points without putting any of them back, so that tasks and their two parts never share one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from core.errors import CurriculabError
from core.task_set import FloatArray, Task
from data.sources.source import Sizes

IntArray = npt.NDArray[np.intp]


class Pools:
    """The points of each class in random order; whatever is taken is gone. Points of class None are never taken."""

    def __init__(self, rng: np.random.Generator, classes: Sequence[Hashable]) -> None:
        self._rng = rng
        members: dict[Hashable, list[int]] = {}
        for index, name in enumerate(classes):
            members.setdefault(name, []).append(index)
        self._left = {name: rng.permutation(indices).tolist() for name, indices in members.items()}

    def take(self, classes: Sequence[Hashable], count: int, task: str) -> IntArray:
        """`count` points of the classes in equal parts; what does not divide goes to classes drawn by lot."""
        share, rest = divmod(count, len(classes))
        lucky = set(self._rng.permutation(len(classes))[:rest].tolist())
        taken: list[int] = []
        for k, name in enumerate(classes):
            need = share + (k in lucky)
            left = self._left.get(name, [])
            if need > len(left):
                raise CurriculabError(
                    f"task {task!r} needs {need} more points of class {name!r} but {len(left)} are left; "
                    "ask for smaller sizes"
                )
            taken += left[len(left) - need :]
            del left[len(left) - need :]
        return np.array(taken, dtype=np.intp)


def labels(count: int) -> FloatArray:
    """`count` times +1, then `count` times -1: positives first, as in the authors' files."""
    return np.repeat([1.0, -1.0], count)


def task_from_pools(
    name: str,
    X: FloatArray,
    pools: Pools,
    positive: Sequence[Hashable],
    negative: Sequence[Hashable],
    sizes: Sizes,
) -> Task:
    """A balanced task: `positive` classes against `negative` ones, each side in equal parts of its classes."""
    drawn = [pools.take(side, count, name) for count in sizes for side in (positive, negative)]
    train, test = np.concatenate(drawn[:2]), np.concatenate(drawn[2:])
    return Task(name, X[train], labels(sizes.train), X[test], labels(sizes.test))
