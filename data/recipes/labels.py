"""What is positive: either of two values, one value against the rest, or a number above a threshold."""

from __future__ import annotations

import numpy as np

from core.task_set import FloatArray
from data.limits import FormatError
from data.recipes.recipe import Recipe, RecipeError
from data.tables.column import Column
from data.task_names import listed, written

MANY = 10
"""Different numbers from which on a column of numbers is split at a threshold."""


def file_signs(column: Column, file: str) -> tuple[FloatArray, str]:
    """The labels of a task-set file as +1 and -1, and which is which: the greater of two is positive."""
    if column.kind in ("date", "other"):
        raise FormatError(f"{file}: the labels are dates or lists; use two numbers or words")
    if column.n_missing:
        raise FormatError(f"{file}: a label is empty; fill in every label")
    count, values = len(column.values or column.texts), column.values or column.texts[:4]
    if not count and column.numbers is not None:
        distinct = np.unique(column.numbers)
        count, values = len(distinct), tuple(written(float(number)) for number in distinct[:4])
    shown = [repr(value if len(value) <= 20 else f"{value[:17]}...") for value in values[:4]]
    if count == 1:
        raise FormatError(f"{file}: every label is {shown[0]}; a task needs both classes")
    if column.classes is None or count != 2:
        raise FormatError(
            f"{file}: there are {count:,} different labels ({', '.join(shown)}{', ...' * (count > 4)}); "
            "keep two, or make a task of each label against the rest"
        )
    found = signs(column, Recipe())[0]
    if values == ("-1", "1"):
        return found, "Labels are -1 and +1, as they are."
    return found, f"Label {shown[1]} is the positive class (+1) and {shown[0]} the negative class (-1)."


def is_measured(column: Column) -> bool:
    """Whether it is split at a threshold unless a value is named: many numbers, or some with fractions."""
    if column.numbers is None:
        return False
    few = range(1, 3) if not column.whole else range(1, MANY + 1)
    return len(column.values) not in few


def median(column: Column) -> float:
    """The threshold that is offered."""
    assert column.numbers is not None
    return float(np.nanmedian(column.numbers))


def signs(column: Column, recipe: Recipe) -> tuple[FloatArray, str]:
    """The labels of a column as +1, -1 and 0 (none) by the recipe's `positive` or `above`, and which is which."""
    name = column.name[:40]
    if column.kind == "empty":
        raise RecipeError.of_column("label", name, f"is no label: {column.note or 'it is empty'}")
    if column.kind == "date" or (column.classes is None and column.numbers is None):
        why = "holds dates or free text; choose a column with few values as label"
        raise RecipeError.of_column("label", name, why)
    if recipe.above is not None or (not recipe.positive and is_measured(column)):
        if column.numbers is None:
            why = f"holds words, so nothing is above {recipe.above:g}; name a value"
            raise RecipeError.of_column("label", name, why)
        threshold = median(column) if recipe.above is None else recipe.above
        found = np.where(column.missing, 0.0, np.where(column.numbers > threshold, 1.0, -1.0))
        said = f"Positive is {name!r} above {written(threshold)}{' (its median)' if recipe.above is None else ''}."
        for sign, where in ((1.0, "above"), (-1.0, "at or below")):
            if not np.any(found == sign):
                why = f"no cell of {name!r} is {where} {written(threshold)}; choose another threshold"
                raise RecipeError("label", why)
        return found, said
    assert column.classes is not None
    codes, values = column.classes
    if len(values) < 2:
        shown = f"every cell of {name!r} is {values[0][:20]!r}" if values else f"column {name!r} is empty"
        raise RecipeError("label", f"{shown}; a label needs two values")
    place = positive_place(column, recipe.positive)
    rest = repr(values[1 - place][:20]) if len(values) == 2 else f"any of {len(values) - 1} other values"
    found = np.where(codes < 0, 0.0, np.where(codes == place, 1.0, -1.0))
    return found, (f"Positive is {values[place][:20]!r} in {name!r}, negative is {rest}.")


def positive_place(column: Column, positive: str) -> int:
    """Which value is positive: the one named, else the greater of two, else the most common of several."""
    values = column.values
    if not positive:
        return 1 if len(values) == 2 else int(column.counts.argmax())
    if positive in values:
        return values.index(positive)
    folded = [value.casefold() for value in values]
    if positive.casefold() in folded:
        return folded.index(positive.casefold())
    if column.numbers is not None:
        try:
            return values.index(written(float(positive)))
        except ValueError:
            pass
    raise RecipeError(
        "label", f"no cell of {column.name[:40]!r} is {positive[:20]!r}; its values are {listed(values, 6)}"
    )
