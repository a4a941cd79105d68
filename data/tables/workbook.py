"""Excel workbooks (.xlsx) from strangers: judged as ZIP before they are opened; formulas are their stored values."""

from __future__ import annotations

import datetime
import io
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from data.files import Archive
from data.limits import FormatError, check_shape, max_cells
from data.tables.table import Table, header_row, table_of
from data.task_names import counted, listed, shown_file

MAX_SHEET_CELLS = 5_000_000
"""Cells of a sheet, empty ones within its rectangle included: each becomes an object."""
MAX_RATIO = 300
_PLACE = re.compile(rb"""<(?:\w+:)?(?:c|row)\s(?:[^<>]*?\s)?r\s*=\s*["']\s*([A-Za-z]{0,8})(\d{1,20})""")

_UNCALCULATED = re.compile(
    rb"""<(?:\w+:)?c\s(?:[^<>]*\s)?r\s*=\s*["']\s*([A-Za-z]{1,8})\d[^<>]*>\s*"""
    rb"""<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f\s*>)\s*"""
    rb"""(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v\s*>\s*</(?:\w+:)?v\s*>)?\s*</(?:\w+:)?c\s*>"""
)
"""A cell with a formula but no value: a program wrote it that does not calculate."""
NEVER_CALCULATED = "its formulas were never calculated, so it is empty; open the workbook in Excel and save it"


def read_workbook(data: bytes, archive: Archive, file: str, filename: str, sheet: str = "") -> Table:
    """The table of one sheet: the named one, or else the one with most cells."""
    from python_calamine import CalamineError, CalamineWorkbook

    formulas = _judge(archive, file, filename, len(data))
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = [meta.name for meta in book.sheets_metadata if "WorkSheet" in str(meta.typ)]
        if sheet and sheet not in names:
            raise FormatError(f"{file} has no sheet {sheet[:40]!r}; its sheets are {listed(names)}")
        sheets = {name: book.get_sheet_by_name(name) for name in ([sheet] if sheet else names)}
        grids = {name: found.to_python(skip_empty_area=False) for name, found in sheets.items()}
        merged = {name: found.merged_cell_ranges or [] for name, found in sheets.items()}
    except FormatError:
        raise
    except (CalamineError, ValueError, OSError) as error:
        raise FormatError(f"{file} is damaged or no workbook that can be read; save it again as .xlsx") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # what the reader, written in Rust, raises where it gives up
            raise
        raise FormatError(f"{file} is no workbook that can be read; save it again as .xlsx") from error
    sizes = {name: sum(cell != "" for row in grid for cell in row) for name, grid in grids.items()}
    if not sizes or not max(sizes.values()):
        raise FormatError(f"{file} has no sheet with cells in it; choose a workbook with a table")
    chosen = max(sizes, key=lambda name: sizes[name])
    said = [f"Of {len(names)} sheets, {chosen[:40]!r} is read."] if len(names) > 1 else []
    rows = grids[chosen]
    filled = [k for k in range(max(map(len, rows))) if any(row[k] != "" for row in rows)]
    rows = [[row[k] for k in filled] for row in rows]
    width = len(filled)
    first, titles, header_said = header_row(rows, width)
    said += header_said
    place = {column: k for k, column in enumerate(filled)}
    down = _fill_down(rows, first, [(a, b, place[c]) for (a, c), (b, _) in merged[chosen] if c in place])
    if down:
        where = listed([titles[k] or f"column {k + 1}" for k in sorted(down)], 3)
        said.append(f"Merged cells are filled down: {counted(sum(down.values()), 'cell')} of {where}.")
    body = [row for row in rows[first:] if any(cell != "" for cell in row)]
    if not body:
        raise FormatError(f"{file} has a header but no rows; add a row for each point")
    check_shape(file, len(body), width)
    frame = pd.DataFrame({k: _typed(column) for k, column in enumerate(zip(*body, strict=True))})
    frame.columns = pd.Index(titles)
    table = table_of(frame, filename, said)
    columns = tuple(
        replace(column, note=NEVER_CALCULATED) if column.kind == "empty" and filled[k] + 1 in formulas else column
        for k, column in enumerate(table.columns)
    )
    return replace(table, columns=columns, sheets=tuple(names))


def _fill_down(rows: list[list[Any]], first: int, ranges: list[tuple[int, int, int]]) -> Counter[int]:
    """Give every row of a merged cell below the header its value, where the row has others; how many, by column.

    Ranges are (first row, last row, column). Those of a sound sheet do not overlap: more steps than cells are not made.
    """
    used = [any(cell != "" for cell in row) for row in rows]
    steps = len(rows) * len(rows[0])
    count: Counter[int] = Counter()
    for top, bottom, column in ranges:
        bottom = min(bottom, len(rows) - 1)
        steps -= max(bottom - top, 0) + 1
        if top < first or steps < 0:
            continue
        for row in range(top + 1, bottom + 1):
            if used[row] and rows[row][column] == "":
                rows[row][column] = rows[top][column]
                count[column] += 1
    return count


def _typed(cells: Iterable[Any]) -> pd.Series[Any]:
    """A column with empty cells missing, and dates as dates; mixed cells stay as they are."""
    column = pd.Series([None if cell == "" else cell for cell in cells], dtype=object).infer_objects()
    if column.dtype == object:
        filled = column.dropna()
        if len(filled) and all(isinstance(cell, datetime.date | datetime.time) for cell in filled):
            return pd.to_datetime(column.map(str, na_action="ignore"), errors="coerce", format="mixed")
    return column


def _judge(archive: Archive, file: str, filename: str, packed: int) -> set[int]:
    """Refuse macros, bombs, and sheets whose far corners would make a grid that fills memory.

    Returns the columns, counted from 1, that in some sheet have formulas which were never calculated.
    """
    names = list(archive.sizes)
    if filename.lower().endswith((".xlsm", ".xltm", ".xlsb")) or any("vbaproject" in name.lower() for name in names):
        raise FormatError(f"{file} holds macros, which are never opened; save it as a plain workbook (.xlsx)")
    if not any(name.startswith("xl/") for name in names):
        raise FormatError(f"{file} is an office document but no workbook; save the table as .xlsx or CSV")
    unpacked = sum(archive.sizes.values())
    if unpacked > 2**20 and unpacked > MAX_RATIO * packed:
        raise FormatError(f"{file} unpacks to {unpacked // packed} times its size, which no table does; save it again")
    cells, formulas = 0, set()
    for name in names:
        if name.endswith(".rels"):
            continue  # any other member may be named as a sheet
        contents = archive.read(name)
        if b"\0" in contents[:64]:
            raise FormatError(f"{file}: {shown_file(name)!r} is written in an unusual way; save the workbook again")
        cells += _area(contents)
        formulas |= {_column_number(letters) for letters in set(_UNCALCULATED.findall(contents))}
        if cells > (most := min(MAX_SHEET_CELLS, max_cells())):
            raise FormatError(
                f"{file} spans {cells:,} cells; the most that is read of a workbook is {most:,}, "
                "so save the table as CSV or take fewer rows or columns"
            )
    return formulas


def _area(contents: bytes) -> int:
    """Rows times columns of the rectangle that a sheet's cells span."""
    places = set(_PLACE.findall(contents))
    rows = max((int(row) for _, row in places), default=0)
    columns = max((_column_number(letters) for letters, _ in places), default=0)
    unnamed = len(re.findall(rb"<(?:\w+:)?c[ >/]", contents)) if not columns else 0
    return max(rows * max(columns, 1), unnamed)


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number
