"""A task-set file as a source: its points are split into training and test points anew for every seed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from core.errors import SettingsError, TaskError
from core.features import IntArray, row_keys
from core.task_set import Features, FloatArray, Task, TaskSet
from data.assembly import with_least
from data.recipes.sampler import held_out, share_of_rows, some_of_each
from data.sources.source import SHARE, Source, story_of
from data.tables.column import BoolArray

ATTEMPTS = 20
"""How often points are split again because a small task was left with one class or with no test points."""


@dataclass(frozen=True, eq=False, slots=True)
class FileSource(Source):
    """The points of given tasks, split anew for every seed; `SHARE` is held out of tasks without test data."""

    task_set: TaskSet = field(repr=False)

    @classmethod
    def of(cls, task_set: TaskSet, name: str = "") -> FileSource:
        """The source of a task set that was read."""
        name = name or task_set.name
        return cls(name, story_of(task_set, Path(name).name), task_set, digest=task_set.digest)

    @property
    def key(self) -> str:
        """By contents."""
        return self.digest

    @property
    def sentence(self) -> str:
        """How a repeat gets its split."""
        with_test = sum(bool(task.n_test) for task in self.task_set.tasks)
        again = "training and test points are pooled and split anew, as many of each class in each part as in the file"
        if _shared_rows(self.task_set) is not None:
            return "in every repeat all points are split anew; a point of several tasks is test data of all or of none"
        held = f"{100 * SHARE:.0f} % of each class are held out for testing"
        if with_test == len(self.task_set):
            return f"in every repeat each task's {again}"
        if not with_test:
            return f"the file has no test data, so in every repeat {held}"
        return f"in every repeat the {again}; of tasks without test data, {held}"

    def sample(self, seed: int) -> TaskSet:
        """All points split anew: training and test data are pooled, where there are both."""
        if (rows := _shared_rows(self.task_set)) is not None:
            held = sum(task.n_test for task in self.task_set.tasks) / sum(map(len, rows))
            return _split_rows(self.task_set, rows, held if self.task_set.has_test else SHARE, seed)
        rng = np.random.default_rng([seed, 1])
        tasks = tuple(_split_again(task, rng) if task.n_test else task for task in self.task_set.tasks)
        return with_test_split(replace(self.task_set, tasks=tasks), seed=seed)

    def as_given(self, seed: int) -> TaskSet:
        """The tasks as the file has them."""
        return self.task_set

    def with_least(self, least: int) -> tuple[Source, tuple[str, ...]]:
        """Without the tasks that have fewer training points of a class, before or after a share is held out of them."""
        kept, said = with_least(self.task_set, least)
        if all(task.n_test or task.smaller_class > 1 for task in kept.tasks):  # else holding out refuses, and says so
            split, more = with_least(with_test_split(kept), least)  # whose sizes depend on no seed
            kept, said = kept.subset(split.names), (*said, *more)
        return (self if len(kept) == len(self.task_set) else replace(self, task_set=kept, digest=kept.digest)), said


def with_test_split(task_set: TaskSet, share: float = SHARE, seed: int = 0) -> TaskSet:
    """Hold out `share` of each class of every task that has no test data; at least one point of each class stays
    on both sides. Tasks that have test data keep it.
    """
    if not 0.0 < share < 1.0:
        raise SettingsError(f"the share held out for testing is {share:g}; use a number between 0 and 1")
    if not any(task.n_test for task in task_set.tasks) and (rows := _shared_rows(task_set)) is not None:
        return _split_rows(task_set, rows, share, seed)
    rng = np.random.default_rng(seed)
    tasks = tuple(task if task.n_test else _split(task, share, rng) for task in task_set.tasks)
    return replace(task_set, tasks=tasks)


def _split(task: Task, share: float, rng: np.random.Generator) -> Task:
    if task.smaller_class < 2:
        label = -task.larger_class
        raise TaskError(
            f"task {task.name!r} has one point of class {label:+.0f}; holding out test data needs at least two"
        )
    return _divided(task, held_out(task.y, share, rng))


def _split_again(task: Task, rng: np.random.Generator) -> Task:
    """As many training points of each class as before, of all points."""
    return _divided(task, ~some_of_each(_pooled(task)[1], {k: int(np.sum(task.y == k)) for k in (1.0, -1.0)}, rng))


def _divided(task: Task, held: BoolArray) -> Task:
    """All points of a task, with these as its test data."""
    X, y = _pooled(task)
    ids = (None, None) if task.ids is None or task.n_test else (task.ids[~held], task.ids[held])
    return Task(task.name, X[~held], y[~held], X[held], y[held], *ids)


def _pooled(task: Task) -> tuple[Features, FloatArray]:
    """Training and test points together."""
    import scipy.sparse as sp

    if task.X_test is None or task.y_test is None:
        return task.X, task.y
    sparse = isinstance(task.X, sp.csr_array) or isinstance(task.X_test, sp.csr_array)
    X: Features = sp.csr_array(sp.vstack([task.X, task.X_test])) if sparse else np.vstack([task.X, task.X_test])
    return X, np.concatenate([task.y, task.y_test])


def _shared_rows(task_set: TaskSet) -> tuple[IntArray, ...] | None:
    """For every task the numbers of its pooled points, equal points having one number, where tasks share any.

    Where the points of a task repeat each other so often, or with the other label, that features are merely coarse,
    equal points are alike by chance and not shared.
    """
    number: dict[bytes, int] = {}
    rows: list[IntArray] = []
    repeated = opposite = 0
    for X, y in map(_pooled, task_set.tasks):
        own = np.array([number.setdefault(key, len(number)) for key in row_keys(X)])
        times, sums = np.bincount(own)[own], np.bincount(own, weights=y)[own]
        repeated += int(np.sum(times > 1))
        opposite += int(np.sum(np.abs(sums) < times))
        rows.append(own)
    points = sum(map(len, rows))
    in_tasks = np.bincount(np.concatenate([np.unique(own) for own in rows]))
    coarse = repeated > 0.5 * points or opposite > 0.25 * points
    return None if coarse or in_tasks.max() < 2 else tuple(rows)


def _split_rows(task_set: TaskSet, rows: tuple[IntArray, ...], share: float, seed: int) -> TaskSet:
    """Every point is test data of all its tasks or of none, so that no task is tested on what another has learned."""
    count = 1 + max(int(own.max()) for own in rows)
    pooled = [_pooled(task) for task in task_set.tasks]
    strata = []
    for own, (_, y) in zip(rows, pooled, strict=True):
        codes = np.zeros(count, dtype=np.int64)
        codes[own] = y
        strata.append(codes)
    for attempt in range(ATTEMPTS):
        held = share_of_rows(np.arange(count), strata, count, share, np.random.default_rng([seed, 2, attempt]))
        tests = [held[own] for own in rows]
        if all(out.any() and len(set(y[~out])) == 2 for out, (_, y) in zip(tests, pooled, strict=True)):
            tasks = tuple(_divided(task, out) for task, out in zip(task_set.tasks, tests, strict=True))
            return replace(task_set, tasks=tasks)
    raise TaskError(f"the tasks of {task_set.name!r} share points of which too few can be held out; take more points")
