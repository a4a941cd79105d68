"""Which rows are test data, and what is drawn by lot: test rows, equal classes, at most so many points of a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.task_set import FloatArray
from data.recipes.members import Members, TaskRows
from data.recipes.recipe import Recipe, RecipeError
from data.tables.column import BoolArray, Column, IntArray
from data.tables.table import SPLIT_WORDS
from data.task_names import counted

TEST_WORDS = SPLIT_WORDS | {
    "learn": False, "0": False, "false": False, "no": False,
    "held out": True, "holdout": True, "1": True, "true": True, "yes": True,
}  # fmt: skip
"""What a column that is chosen as test column may say, and whether it means test data."""


class Sampler:
    """Draws the rows of one plan, one after the other from one generator, and remembers those that it left out."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.rng = np.random.default_rng([recipe.draw, seed] if seed else recipe.draw)
        self.most = recipe.most - recipe.most % 2 * recipe.balance  # an even number where classes are equal
        self._recipe = recipe
        self._outnumbering: list[IntArray] = []
        self._spared: list[IntArray] = []

    def fewer(self, found: Members, most: int) -> Members:
        """Equal classes if asked for, and then at most so many points."""
        even = self._equal_classes(found) if self._recipe.balance else found
        fewer = self._at_most(even, most)
        self._outnumbering.append(np.setdiff1d(found.rows, even.rows))
        self._spared.append(np.setdiff1d(even.rows, fewer.rows))
        return fewer

    def fewer_of_both(self, train: Members, test: Members | None) -> TaskRows:
        """The same for rows that are split already: training and test points together are limited, in proportion."""
        train = self.fewer(train, 0)
        if test is None or not len(test.rows):
            return TaskRows(self.fewer(train, self.most), None)
        test = self.fewer(test, 0)
        total = len(train.rows) + len(test.rows)
        if not self.most or total <= self.most:
            return TaskRows(train, test)
        step = 1 + self._recipe.balance
        n_test = max(step, round(self.most * len(test.rows) / total / step) * step)
        return TaskRows(self.fewer(train, self.most - n_test), self.fewer(test, n_test))

    def split(self, found: Members) -> TaskRows:
        """The recipe's share of each class held out."""
        held = held_out(found.y, self._recipe.test, self.rng)
        return TaskRows(found.part(~held), found.part(held) if held.any() else None)

    def left_out(self, used: Sequence[IntArray]) -> list[str]:
        """How much was left out by lot, and what for; rows are counted where they are points of several tasks."""
        said = []
        for dropped, purpose in (
            (self._outnumbering, "the training and the test data of every task have equal classes"),
            (self._spared, f"no task has more than {counted(self._recipe.most, 'point')}"),
        ):
            if points := sum(map(len, dropped)):
                gone = len(np.setdiff1d(np.concatenate(dropped), np.concatenate(used)))
                shared = f"{counted(gone, 'row')} ({counted(points, 'point')} of tasks that share rows)"
                what = counted(points, "point") if gone == points else shared
                said.append(f"{what}, drawn by lot, so that {purpose}.")
        return said

    def _at_most(self, found: Members, most: int) -> Members:
        """At most so many points, each class in its proportion but with at least two."""
        if not most or len(found.rows) <= most:
            return found
        least = min(2, most // 2)
        wanted = min(max(round(most * found.positive / len(found.rows)), least), most - least)
        positive = min(max(wanted, most - (len(found.y) - found.positive)), found.positive)
        return found.part(some_of_each(found.y, {1.0: positive, -1.0: most - positive}, self.rng))

    def _equal_classes(self, found: Members) -> Members:
        """As many points of the larger class as the smaller has; points of one class alone stay as they are."""
        n = found.smaller
        if n in (0, len(found.y) / 2):
            return found
        return found.part(some_of_each(found.y, {1.0: n, -1.0: n}, self.rng))


def some_of_each(y: FloatArray, counts: Mapping[float, int], rng: np.random.Generator) -> BoolArray:
    """So many points of each class, by lot."""
    chosen = np.zeros(len(y), dtype=bool)
    for label, count in counts.items():
        chosen[rng.choice(np.flatnonzero(y == label), count, replace=False)] = True
    return chosen


def held_out(y: FloatArray, share: float, rng: np.random.Generator) -> BoolArray:
    """That share of each class, by lot: at least one point unless the share is 0, and at least one point stays."""
    sizes = {label: int(np.sum(y == label)) for label in (1.0, -1.0)}
    return some_of_each(y, {k: min(max(round(share * n), 1), n - 1) for k, n in sizes.items() if share and n > 1}, rng)


def test_rows(column: Column) -> BoolArray:
    """The test rows that a column with `train` and `test` (or yes and no) names; rows without either are training."""
    is_test = [TEST_WORDS.get(value.casefold()) for value in column.values]
    odd = [value for value, known in zip(column.values, is_test, strict=True) if known is None]
    if odd or column.classes is None or set(is_test) != {False, True}:
        found = f"holds {odd[0][:20]!r}" if odd else "does not name both"
        raise RecipeError.of_column("test", column.name, f"{found}; a test column says train or test in each row")
    return np.array([*is_test, False], dtype=bool)[column.classes[0]]


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
