"""Where a table begins: the row that names the columns, below titles and empty rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

_SEARCHED = 30


def header_row(rows: Sequence[Sequence[object]], width: int) -> tuple[int, list[str], tuple[str, ...]]:
    """The first row of data, the columns' names, and what was assumed.

    The header is the first row as wide as the table whose cells are words, mostly different; if numbers come before
    any such row, there is none and the columns are counted.
    """
    for k, row in enumerate(rows[:_SEARCHED]):
        cells = [_text(cell) for cell in row][:width]
        filled = [cell for cell in cells if cell]
        if len(row) < width or len(filled) < max(1, 0.5 * width) or (width > 1 and len(filled) == 1):
            continue
        if any(_is_number(cell) for cell in filled) and not _names_numbers(filled, rows[k + 1 :], width):
            return (
                k,
                [f"column {j + 1}" for j in range(width)],
                (
                    *_above(k),
                    "No row names the columns, so they are counted.",
                ),
            )
        names = cells + [""] * (width - len(cells))
        return k + 1, names, _above(k)
    return 0, [f"column {j + 1}" for j in range(width)], ("No row names the columns, so they are counted.",)


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
