"""Which rows belong to which task, and which of them are test data; no row is in two tasks unless that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.task_set import FloatArray
from data.recipes.recipe import RecipeError
from data.tables.column import BoolArray, Column, IntArray

TRAIN = frozenset(("train", "training", "learn", "0", "false", "no"))
TEST = frozenset(("test", "testing", "held out", "holdout", "1", "true", "yes"))


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
    """A task a class: its points against as many of the other classes, in equal parts where they have enough.

    Unless `shared`, no point is in two tasks (the paper's protocol): half of a class is positive in its own task, the
    other half is there for the others to draw their negatives from.
    """
    assert column.classes is not None
    codes, values = column.classes
    pools = [rng.permutation(rows[codes[rows] == k]) for k in range(len(values))]
    sizes = np.array([len(pool) for pool in pools])
    if shared:
        positives = sizes
        counts = np.array(
            [
                shares(
                    0 * sizes,
                    np.where(np.arange(len(sizes)) == k, 0, sizes),
                    min(int(sizes[k]), int(sizes.sum() - sizes[k])),
                )
                for k in range(len(sizes))
            ]
        )
        taken = [[rng.choice(pool, n, replace=False) for pool, n in zip(pools, row, strict=True)] for row in counts]
    else:
        positives, counts = disjoint_counts(sizes)
        left = [pool[p:] for pool, p in zip(pools, positives, strict=True)]
        taken = []
        for row in counts:
            taken.append([pool[:n] for pool, n in zip(left, row, strict=True)])
            left = [pool[n:] for pool, n in zip(left, row, strict=True)]
    found = []
    for k, value in enumerate(values):
        own, others = pools[k][: positives[k]], np.concatenate(taken[k])
        y = np.repeat([1.0, -1.0], [len(own), len(others)])
        if len(own) + len(others):
            found.append(Members(value, np.concatenate([own, others]), y))
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


def test_rows(column: Column) -> BoolArray:
    """The test rows that a column with `train` and `test` (or yes and no) names; rows without either are training."""
    words = [value.casefold() for value in column.values]
    odd = [value for value, word in zip(column.values, words, strict=True) if word not in TRAIN | TEST]
    if odd or column.classes is None or not set(words) & TEST or not set(words) & TRAIN:
        found = f"holds {odd[0][:20]!r}" if odd else "does not name both"
        raise RecipeError("test", f"column {column.name[:40]!r} {found}; a test column says train or test in each row")
    is_test = np.array([*(word in TEST for word in words), False])
    return np.asarray(is_test[column.classes[0]])


def share_of(members: Members, share: float, rng: np.random.Generator) -> BoolArray:
    """Which of a task's points are held out: that share of each class, at least one, and at least one stays."""
    held = np.zeros(len(members.rows), dtype=bool)
    for sign in (1.0, -1.0):
        points = np.flatnonzero(members.y == sign)
        if len(points) > 1:
            count = min(max(round(share * len(points)), 1), len(points) - 1)
            held[rng.choice(points, count, replace=False)] = True
    return held


def share_of_rows(
    rows: IntArray, strata: Sequence[IntArray], n: int, share: float, rng: np.random.Generator
) -> BoolArray:
    """Test rows for tasks that share rows: a row is test data of all its tasks or of none.

    Rows are sorted by their labels and then every 1/share-th is taken, so that each label gives about that share.
    """
    order = rng.permutation(rows)
    for codes in reversed(strata):
        order = order[np.argsort(codes[order], kind="stable")]
    steps = np.floor((np.arange(len(order)) + rng.random()) * share)
    held = np.zeros(n, dtype=bool)
    held[order[1:][np.diff(steps) > 0]] = True
    return held


def permuted(held: BoolArray, rows: IntArray, strata: Sequence[IntArray], rng: np.random.Generator) -> BoolArray:
    """Other test rows, by lot: of every combination of the strata's codes as many as `held` has."""
    again = held.copy()
    members: dict[tuple[int, ...], list[int]] = {}
    for row in rows.tolist():
        members.setdefault(tuple(int(codes[row]) for codes in strata), []).append(row)
    for group in members.values():
        again[group] = rng.permutation(held[group])
    return again


def at_most(members: Members, most: int, rng: np.random.Generator) -> Members:
    """At most so many points, each class in its proportion but with at least two."""
    if not most or len(members.rows) <= most:
        return members
    positive, negative = (np.flatnonzero(members.y == sign) for sign in (1.0, -1.0))
    least = min(2, most // 2)
    wanted = min(max(round(most * len(positive) / len(members.rows)), least), most - least)
    n_positive = min(wanted, len(positive))
    n_negative = min(most - n_positive, len(negative))
    chosen = [rng.choice(positive, n_positive, replace=False), rng.choice(negative, n_negative, replace=False)]
    return members.part(np.sort(np.concatenate(chosen)))


def equal_classes(members: Members, rng: np.random.Generator) -> Members:
    """As many points of the larger class as the smaller has; points of one class alone stay as they are."""
    positive, negative = (np.flatnonzero(members.y == sign) for sign in (1.0, -1.0))
    n = min(len(positive), len(negative))
    if not n or len(positive) == len(negative):
        return members
    return members.part(np.sort(np.concatenate([rng.choice(side, n, replace=False) for side in (positive, negative)])))
