"""Which rows belong to which task, no row to two unless that is asked for; and which tasks are left out, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.task_set import FloatArray
from data.assembly import LEAST
from data.recipes.recipe import Recipe
from data.tables.column import BoolArray, Column, IntArray
from data.task_names import fewer_than, listed

NO_POINTS = "no training points are left"
ONE_POINT = "one point makes no task, since half of a class is positive in its own task and half negative in others"
ALONE = "no other class has points left to stand against"


@dataclass(frozen=True, eq=False, slots=True)
class Members:
    """The rows of one task and their labels."""

    name: str
    rows: IntArray
    y: FloatArray

    @property
    def positive(self) -> int:
        """How many rows are positive."""
        return int(np.sum(self.y > 0))

    @property
    def smaller(self) -> int:
        """How many rows the smaller class has."""
        return min(self.positive, len(self.y) - self.positive)

    def part(self, kept: IntArray | BoolArray) -> Members:
        """Some of them, by their places."""
        return Members(self.name, self.rows[kept], self.y[kept])


class TaskRows(NamedTuple):
    """A task by the rows of its table."""

    train: Members
    test: Members | None

    @property
    def name(self) -> str:
        """The task's name."""
        return self.train.name


def by_code(codes: IntArray, names: Sequence[str], signs: FloatArray, rows: IntArray) -> list[Members]:
    """A task for each name, perhaps with no rows: those whose code is its place; rows without a label are in none."""
    rows = rows[(codes[rows] >= 0) & (signs[rows] != 0)]
    rows = rows[np.argsort(codes[rows], kind="stable")]
    starts = np.searchsorted(codes[rows], np.arange(len(names) + 1))
    parts = [rows[a:b] for a, b in pairwise(starts)]
    return [Members(name, part, signs[part]) for name, part in zip(names, parts, strict=True)]


def one_against_rest(column: Column, rows: IntArray, shared: bool, rng: np.random.Generator) -> list[Members]:
    """For each class a task: its points against as many of the other classes, in equal parts where they have enough.

    Unless `shared`, no point is in two tasks (the paper's protocol): half of a class is positive in its own task, the
    other half is there for the others to draw their negatives from.
    """
    assert column.classes is not None
    codes, values = column.classes
    pools = [rng.permutation(rows[codes[rows] == k]) for k in range(len(values))]
    sizes = np.array([len(pool) for pool in pools])
    if shared:
        others = np.where(np.eye(len(sizes), dtype=bool), 0, sizes)
        positives = sizes
        counts = [shares(0 * sizes, high, min(int(n), int(high.sum()))) for n, high in zip(sizes, others, strict=True)]
        taken = [[rng.choice(pool, n, replace=False) for pool, n in zip(pools, row, strict=True)] for row in counts]
    else:
        positives, table = disjoint_counts(sizes)
        ends = positives + np.cumsum(table, axis=0)
        taken = [
            [pool[end - n : end] for pool, n, end in zip(pools, *row, strict=True)]
            for row in zip(table, ends, strict=True)
        ]
    found = []
    for value, pool, n, parts in zip(values, pools, positives, taken, strict=True):
        members = np.concatenate([pool[:n], *parts])
        if len(members):
            found.append(Members(value, members, np.repeat([1.0, -1.0], [n, len(members) - n])))
    return found


def disjoint_counts(sizes: IntArray) -> tuple[IntArray, IntArray]:
    """How many points of each class are its own task's positives, and a task × class table of negatives.

    A task has as many negatives as positives, none of its own class; no class gives more than its other half.
    The tasks draw one after the other, the neediest first, and leave so many points that all later ones can.
    """
    spare = -(-sizes // 2)
    positives = np.minimum(sizes // 2, spare.sum() - spare)
    pools = sizes - positives
    need = positives.copy()
    counts = np.zeros((len(sizes), len(sizes)), dtype=np.int64)
    for k in np.argsort(-need, kind="stable"):
        wanted, total = int(need[k]), int(pools.sum())
        need[k] = 0
        # whoever comes later must still find its negatives outside its own class
        low = np.where(need > 0, np.maximum(0, need + wanted + pools - total), 0)
        high = pools.copy()
        low[k] = high[k] = 0
        counts[k] = shares(np.minimum(low, high), high, wanted)
        pools = pools - counts[k]
    return positives, counts


def shares(low: IntArray, high: IntArray, wanted: int) -> IntArray:
    """`wanted` points in equal parts, no part below `low` or above `high`; what does not divide goes to the first."""
    a, b = 0, int(high.max(initial=0))
    while a < b:  # the greatest level that does not give too many
        middle = (a + b + 1) // 2
        a, b = (middle, b) if int(np.clip(middle, low, high).sum()) <= wanted else (a, middle - 1)
    parts = np.clip(a, low, high)
    more = np.flatnonzero((parts < high) & (parts <= a))[: max(wanted - int(parts.sum()), 0)]
    parts[more] += 1
    return np.asarray(parts, dtype=np.int64)


def exclusions(parts: Iterable[TaskRows], recipe: Recipe) -> dict[str, str]:
    """Why tasks are left out, by their names: asked for, or without enough training points of both classes."""
    found = {}
    for train, test in parts:
        y = train.y if test is None else np.concatenate([train.y, test.y])
        if train.name in recipe.without:
            found[train.name] = "left out as asked"
        elif not len(train.y):
            found[train.name] = NO_POINTS
        elif abs(y.sum()) == len(y):
            are = "its only point is" if len(y) == 1 else f"all its {len(y):,} points are"
            found[train.name] = f"{are} {'positive' if y[0] > 0 else 'negative'}"
        elif train.smaller < recipe.least:
            found[train.name] = fewer_than(recipe.least)
    return found


def taskless(label: Column, rows: IntArray, found: Iterable[Members]) -> dict[str, str]:
    """Why no task comes of some classes, by their names."""
    assert label.classes is not None
    codes, values = label.classes
    counts = np.bincount(codes[rows][codes[rows] >= 0], minlength=len(values))
    have = {members.name for members in found}
    why = (NO_POINTS, ONE_POINT, ALONE)
    return {value: why[min(n, 2)] for value, n in zip(values, counts, strict=True) if value not in have}


def by_reason(one: str, several: str, reasons: Mapping[str, str]) -> list[str]:
    """A sentence for each reason with the tasks or classes that it is about."""
    found: dict[str, list[str]] = {}
    for name, why in reasons.items():
        found.setdefault(why, []).append(name)
    return [f"{one if len(names) == 1 else several} {listed(names)}: {why}." for why, names in found.items()]


def small_tasks(tasks: Iterable[TaskRows]) -> list[str]:
    """The tasks that are kept though cross-validation refuses them."""
    small = [task.name for task in tasks if task.train.smaller < LEAST]
    has = "Task {} has" if len(small) == 1 else "Tasks {} have"
    return [f"{has.format(listed(small))} {fewer_than(LEAST)}: choose a fixed C."] if small else []
