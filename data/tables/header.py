"""The row that names a table's columns, below titles and empty rows; and the names that make a table a task set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

MEANINGS = {
    "task": ("task", "tasks", "task_name", "task name"),
    "label": ("label", "labels", "y", "target", "class"),
    "split": ("split", "part", "subset"),
}
"""What the columns of a task set are called; the first word of each goes before the others."""
INDEX_NAMES = ("unnamed: 0", "__index_level_0__", "")
"""What pandas calls a column that only counts the rows."""
SPLIT_WORDS = {"train": False, "training": False, "test": True, "testing": True}
"""What stands in the column split, and whether it means test data."""
_SEARCHED = 30


def names_a_task_set(names: Iterable[str]) -> bool:
    """Whether these are the names of a task and a label column, under any accepted name, among others."""
    folded = {name.strip().casefold() for name in names}
    return all(folded & set(MEANINGS[meaning]) for meaning in ("task", "label"))


def header_row(rows: Sequence[Sequence[object]], width: int) -> tuple[int, list[str], tuple[str, ...]]:
    """The first row of data, the columns' names, and what was assumed.

    The header is the first row as wide as the table whose cells are words, mostly different, or which names a task and
    a label; if numbers come before any such row, there is none, and the names are empty.
    """
    uncounted = "No row names the columns, so they are counted."
    for k, row in enumerate(rows[:_SEARCHED]):
        cells = [_text(cell) for cell in row][:width]
        filled = [cell for cell in cells if cell]
        if names_a_task_set(filled):
            return k + 1, cells + [""] * (width - len(cells)), _above(k)
        if len(row) < width or len(filled) < max(1, 0.5 * width) or (width > 1 and len(filled) == 1):
            continue
        if any(map(_is_number, filled)) and not _names_numbers(filled, rows[k + 1 :], width):
            return k, [""] * width, (*_above(k), uncounted)
        return k + 1, cells, _above(k)
    return 0, [""] * width, (uncounted,)


def _above(k: int) -> tuple[str, ...]:
    if not k:
        return ()
    rows = "the row above it is" if k == 1 else f"the {k} rows above it are"
    return (f"The column names are in row {k + 1}; {rows} left out.",)


def _names_numbers(filled: list[str], below: Sequence[Sequence[object]], width: int) -> bool:
    """Whether a row with numbers in it still looks like names, as `0, 1, ..., 63, class` or `id, 2019, 2020` do."""
    numbers = [cell for cell in filled if _is_number(cell)]
    if any(not cell.isdecimal() for cell in numbers) or len(set(filled)) < len(filled):
        return False
    counted = [int(cell) for cell in numbers]
    in_a_row = all(b - a == 1 for a, b in pairwise(counted))
    has_words = len(numbers) < len(filled)
    if not in_a_row or not (has_words or len(counted) > 2):
        return False
    # data below whose words stand in the same columns as words here would make this a row of data
    for row in below[:5]:
        for j, cell in enumerate(list(row)[:width]):
            if j < len(filled) and not _is_number(filled[j]) and _is_number(_text(cell)):
                return True
    return len(counted) > 2


def _text(cell: object) -> str:
    return "" if cell is None else " ".join(str(cell).split())


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return text.strip().casefold() not in ("nan", "inf", "-inf", "infinity")
