"""Drawing points without putting any of them back, so that tasks and their two parts never share one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from core.errors import CurriculabError
from core.task_set import FloatArray, Task
from data.recipes import machine_levels
from data.sources.source import Sizes

IntArray = npt.NDArray[np.int64]
LEVELS = machine_levels.LEVELS


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
        return np.array(taken, dtype=np.int64)


def balanced_task(name: str, X: FloatArray, X_test: FloatArray) -> Task:
    """A task whose parts hold as many positives as negatives, the positives first, as in the authors' files."""
    y, y_test = (np.repeat([1.0, -1.0], len(part) // 2) for part in (X, X_test))
    return Task(name, X, y, X_test, y_test)


def task_from_pools(
    name: str, X: FloatArray, pools: Pools, positive: Sequence[Hashable], negative: Sequence[Hashable], sizes: Sizes
) -> Task:
    """A balanced task: `positive` classes against `negative` ones, each side in equal parts of its classes."""
    taken = [pools.take(side, count, name) for count in sizes for side in (positive, negative)]
    return balanced_task(name, X[np.concatenate(taken[:2])], X[np.concatenate(taken[2:])])


def level_tasks(
    rng: np.random.Generator, X: FloatArray, classes: IntArray, levels: IntArray, chosen: Sequence[int], sizes: Sizes
) -> tuple[Task, ...]:
    """A task for each chosen class and level: its images against equally many of the other classes.

    Other chosen classes are among the negatives, too, so all positives are taken before any negative. No image is
    in two tasks or in both parts of one.
    """
    pools = Pools(rng, list(zip(classes.tolist(), levels.tolist(), strict=True)))
    names = {(one, level): f"{one} {word}" for one in chosen for level, word in enumerate(LEVELS)}
    positive = {kind: [pools.take([kind], count, name) for count in sizes] for kind, name in names.items()}
    taken = np.isin(np.arange(len(classes)), np.concatenate([part for parts in positive.values() for part in parts]))
    pools = Pools(rng, [None if gone else one for one, gone in zip(classes.tolist(), taken, strict=True)])
    tasks = []
    for kind, name in names.items():
        others = [int(one) for one in np.unique(classes) if one != kind[0]]
        both = zip(positive[kind], sizes, strict=True)
        parts = [np.concatenate([part, pools.take(others, count, name)]) for part, count in both]
        tasks.append(balanced_task(name, X[parts[0]], X[parts[1]]))
    return tuple(tasks)
