"""A table as a person has it: named columns, the first rows as they are written, and what was assumed in reading.

Here, too: the row that names the columns, below titles and empty rows; and the names that make a table a task set.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from core.task_set import FloatArray
from data.limits import FormatError, check_shape
from data.tables.column import Column, IntArray, as_number, column_of
from data.task_names import counted, listed, set_name, shown_file, written

HEAD = 8
"""Rows that are kept as they are written, to be shown."""
LONGEST = 80
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


@dataclass(frozen=True, eq=False)
class Table:
    """Rows and columns of one file; pictures come with `pixels`, a row of grey values for each.

    `headings` are the columns' names as the file has them, empty where it names none; `fault` is what is wrong with the
    first row that was left out; `about` is what a file that we wrote says of its task set (see `assembly.about_line`).
    """

    filename: str
    columns: tuple[Column, ...]
    rows: int
    head: tuple[tuple[str, ...], ...]
    said: tuple[str, ...]
    digest: str = ""
    headings: tuple[str, ...] = ()
    fault: str = ""
    about: str = ""
    decimal_comma: bool = False
    sheets: tuple[str, ...] = ()
    pixels: FloatArray | None = None
    image_shape: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        """What a task set made of it is called."""
        return set_name(self.filename)

    @property
    def file(self) -> str:
        """The file for a sentence."""
        return shown_file(self.filename)

    @property
    def size(self) -> str:
        """Its rows and columns, or its pictures, for a sentence."""
        if self.pixels is not None:
            return counted(self.rows, "picture")
        return f"a table of {counted(self.rows, 'row')} and {counted(len(self.columns), 'column')}"

    @property
    def nbytes(self) -> float:
        """About what it takes in memory."""
        return (0 if self.pixels is None else self.pixels.nbytes) + 8.0 * self.rows * len(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, each once."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {column.name: k for k, column in enumerate(self.columns)}

    @cached_property
    def ids(self) -> IntArray | None:
        """A number for every row, equal where rows are equal in every column; None of pictures, whose names differ."""
        if self.pixels is not None:
            return None
        found = np.zeros(self.rows, dtype=np.int64)
        for column in self.columns:
            cells = column.codes if column.numbers is None else column.numbers
            if cells is not None:
                codes = pd.factorize(cells)[0].astype(np.int64) + 1
                found = pd.factorize(found * (int(codes.max()) + 1) + codes)[0].astype(np.int64)
            if int(found.max()) + 1 == self.rows:
                break
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._place

    def __getitem__(self, name: str) -> Column:
        if name not in self._place:
            raise FormatError(f"{self.file} has no column {name[:40]!r}; its columns are {listed(self.names, 8)}")
        return self.columns[self._place[name]]


def table_of(frame: pd.DataFrame, filename: str, said: Iterable[str] = (), decimal_comma: bool = False) -> Table:
    """The table of a data frame; its columns are told apart even where two have one name."""
    file = shown_file(filename)
    check_table(file, len(frame), map(str, frame.columns))
    if not len(frame) or not frame.shape[1]:
        raise FormatError(
            f"{file} has {counted(len(frame), 'row')} and {counted(frame.shape[1], 'column')}; "
            "a table needs some of both"
        )
    names, renamed = unique_names(frame.columns)
    columns = tuple(
        column_of(name, cells, decimal_comma) for name, (_, cells) in zip(names, frame.items(), strict=True)
    )
    notes = (f"Column {column.name[:40]!r}: {column.note}." for column in columns if column.note)
    head = tuple(tuple(map(shown_cell, row)) for row in frame.iloc[:HEAD].itertuples(index=False, name=None))
    return Table(
        filename,
        columns,
        len(frame),
        head,
        (*said, *renamed, *notes),
        headings=tuple(str(name).strip() for name in frame.columns),
        decimal_comma=decimal_comma,
    )


def check_table(file: str, rows: int, names: Iterable[str]) -> None:
    """Refuse a table of too many rows or features; a task, a label and a split are none."""
    folded = [name.strip().casefold() for name in names]
    others = sum(not set(words).isdisjoint(folded) for words in MEANINGS.values())
    check_shape(file, rows, max(len(folded) - others, 1))


def unique_names(given: Iterable[Hashable]) -> tuple[list[str], tuple[str, ...]]:
    """A name for every column: blank ones are counted, repeated ones numbered; and a sentence if that was needed."""
    names: list[str] = []
    changed = []
    taken: set[str] = set()
    for k, label in enumerate(given):
        name = " ".join(str(label).split()) if label is not None else ""
        if not name or name.casefold().startswith("unnamed:") or name == "nan":
            name = f"column {k + 1}"
        base, count = name, 2
        while name in taken:
            name, count = f"{base} ({count})", count + 1
        if name != base:
            changed.append(name)
        taken.add(name)
        names.append(name)
    return names, ((f"Columns with the same name are called {listed(changed, 3)}.",) if changed else ())


def shown_cell(cell: object) -> str:
    """A cell as text of one line."""
    if cell is None or cell is pd.NaT or (isinstance(cell, float) and np.isnan(cell)) or cell is pd.NA:
        return ""
    text = written(float(cell)) if isinstance(cell, float) else " ".join(str(cell).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


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
    return not all(math.isnan(as_number(text, decimal_comma)) for decimal_comma in (False, True))
