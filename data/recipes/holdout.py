"""Test data: by a column, or a share of every class of every task; and taking fewer points of large tasks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from data.recipes.errors import RecipeError
from data.recipes.members import Members
from data.tables.column import BoolArray, Column, IntArray

TRAIN = frozenset(("train", "training", "learn", "0", "false", "no"))
TEST = frozenset(("test", "testing", "held out", "holdout", "1", "true", "yes"))


def by_column(column: Column) -> BoolArray:
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
    return _drawn(members, ((positive, n_positive), (negative, n_negative)), rng)


def equal_classes(members: Members, rng: np.random.Generator) -> Members:
    """As many points of the larger class as the smaller has; points of one class alone stay as they are."""
    positive, negative = (np.flatnonzero(members.y == sign) for sign in (1.0, -1.0))
    n = min(len(positive), len(negative))
    if not n or len(positive) == len(negative):
        return members
    return _drawn(members, ((positive, n), (negative, n)), rng)


def _drawn(members: Members, parts: Sequence[tuple[IntArray, int]], rng: np.random.Generator) -> Members:
    """So many of each of these points, in the order that they had."""
    kept = np.sort(np.concatenate([rng.choice(points, n, replace=False) for points, n in parts]))
    return Members(members.name, members.rows[kept], members.y[kept])
