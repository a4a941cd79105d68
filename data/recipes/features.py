"""Which columns are features, and why others are not; words become one feature for each value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.statistics.data_checks import unlike_sizes
from core.task_set import FloatArray
from data.limits import MAX_FEATURES
from data.recipes.recipe import Recipe, RecipeError
from data.tables.column import BoolArray, Column, IntArray
from data.tables.table import Table
from data.task_names import listed


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """A column that could be features: whether it is, and why not or what was doubtful."""

    column: Column
    on: bool
    why: str
    possible: bool = True

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features that it gives: one for numbers, one for each word (of two words, the last)."""
        if self.column.numbers is not None:
            return (self.name,)
        values = self.column.values
        return tuple(f"{self.name}={value}" for value in (values[1:] if len(values) == 2 else values))


def choices(table: Table, recipe: Recipe) -> tuple[Choice, ...]:
    """Every column that has no other use, as feature or not."""
    for name in (*recipe.keep, *recipe.drop):
        if name not in table:
            raise RecipeError("features", f"there is no column {name[:40]!r} to keep or drop; check its name")
    found = []
    for column in table.columns:
        if column.name in recipe.used:
            continue
        if table.pixels is not None:
            found.append(Choice(column, False, "the pixels are the features", False))
            continue
        why, possible = column.doubt
        if column.name in recipe.drop:
            found.append(Choice(column, False, "dropped", possible))
            continue
        kept = column.name in recipe.keep
        if kept and not possible:
            raise RecipeError.of_column("features", column.name, f"cannot be a feature: {why}")
        found.append(Choice(column, kept or not why, why, possible))
    return tuple(found)


def check_features(table: Table, on: tuple[Choice, ...]) -> tuple[str, ...]:
    """The features' names, or what to do if there are none or too many."""
    if table.pixels is not None and table.image_shape is not None:
        return tuple(f"pixel {i + 1},{j + 1}" for i in range(table.image_shape[0]) for j in range(table.image_shape[1]))
    names = tuple(name for choice in on for name in choice.features)
    if not names:
        raise RecipeError(
            "features", "no column is left for features; a task needs at least one column of numbers or of a few words"
        )
    if len(names) > MAX_FEATURES:
        raise RecipeError("features", f"{len(names):,} features are more than {MAX_FEATURES:,}; drop columns of words")
    return names


def choosable(table: Table) -> str:
    """The columns that could be task or label, for the end of a sentence: neither empty nor dates, ids or free text."""
    names = [c.name for c in table.columns if len(c.values) > 1 or (c.numbers is not None and not c.distinct)]
    names = [name for name in names if not table[name].counts_rows and table[name].kind != "date"]
    return f"one of {listed(names, 12)}" if len(names) > 1 else f"{names[0][:40]!r}" if names else "another table"


def complete(table: Table, on: tuple[Choice, ...]) -> BoolArray:
    """The rows without an empty cell among the features."""
    whole = np.ones(table.rows, dtype=bool)
    for choice in on:
        if choice.column.n_missing:
            whole &= ~choice.column.missing
    return whole


def matrix(table: Table, on: tuple[Choice, ...], rows: IntArray) -> FloatArray:
    """The features of these rows; NaN where a cell is empty."""
    if table.pixels is not None:
        return table.pixels[rows]
    blocks: list[FloatArray] = []
    for choice in on:
        if choice.column.numbers is not None:
            blocks.append(choice.column.numbers[rows][:, None])
            continue
        assert choice.column.codes is not None
        codes = choice.column.codes[rows]
        hot = (codes[:, None] == np.arange(len(choice.column.texts))).astype(np.float64)
        hot[codes < 0] = np.nan
        blocks.append(hot[:, 1:] if hot.shape[1] == 2 else hot)
    return np.hstack(blocks)


def unlike_scales(on: tuple[Choice, ...]) -> tuple[str, str, float] | None:
    """The columns of the largest and the smallest numbers and their ratio, where that is a thousandfold or more."""
    sizes = {}
    for choice in on:
        numbers = choice.column.numbers
        if numbers is not None:
            filled = numbers[~choice.column.missing] if choice.column.n_missing else numbers
            largest = float(np.abs(filled).max(initial=0.0))
            sizes[choice.name] = largest and largest * float(np.sqrt(np.mean((filled / largest) ** 2)))
    found, names = unlike_sizes(np.array(list(sizes.values()))), list(sizes)
    return None if found is None else (names[found[0]], names[found[1]], found[2])
