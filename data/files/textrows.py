"""Rows of whitespace-separated numbers."""

from __future__ import annotations

import io
import math

import numpy as np

from core.tasks import FloatArray
from data.files.encoding import as_utf8
from data.files.limits import FormatError, check_line, check_shape


def read_rows(data: bytes, where: str, cells_left: int) -> tuple[FloatArray, tuple[str, ...]]:
    """A table of numbers with an even number of rows, and what was assumed; sizes are checked before parsing."""
    text, said = as_utf8(data, where)
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").strip()
    if not text:
        raise FormatError(f"{where} is empty; give a row of numbers for each point")
    first = text.split(b"\n", 1)[0]
    check_line(where, len(first))
    separator = None
    if b"," in first or b";" in first:
        separator = ";" if b";" in first else ","
        blanks_separate = len(first.replace(b", ", b",").split()) > 1
        if b"," in first and (separator == ";" or blanks_separate):
            text = text.replace(b",", b".")
            said = (*said, "Numbers have a decimal comma.")
            separator = ";" if b";" in first else None
        else:
            said = (*said, f"Cells are separated by {'commas' if separator == ',' else 'semicolons'}.")
    columns = len(first.decode().split(separator))
    check_shape(where, text.count(b"\n") + 1, columns)
    if (text.count(b"\n") + 1) * columns > cells_left:
        raise FormatError(f"{where} makes the set too large; take fewer rows or features")
    try:
        X = np.loadtxt(
            io.BytesIO(text), dtype=np.float64, delimiter=separator, comments=None, ndmin=2, encoding="utf-8"
        )
    except (ValueError, OverflowError) as error:
        raise _first_fault(text, where, separator, columns) from error
    if len(X) % 2:
        raise FormatError(
            f"{where} has {len(X)} rows; the first half is positive and the second negative, so the number must be even"
        )
    if not np.all(np.isfinite(X)):
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise FormatError(f"{where}: row {row + 1}, number {column + 1} is not finite; correct it or remove the row")
    return X, said


def _first_fault(text: bytes, where: str, separator: str | None, columns: int) -> FormatError:
    """What is wrong with the first row that cannot be read."""
    for number, line in enumerate((line for line in text.decode().split("\n") if line.strip()), start=1):
        cells = line.split(separator)
        if len(cells) != columns:
            return FormatError(
                f"{where}: row {number} has {len(cells)} numbers but the first row {columns}; make them equal"
            )
        for column, cell in enumerate(cells, start=1):
            try:
                finite = math.isfinite(float(cell))
            except ValueError:
                finite = False
            if not finite or "_" in cell:
                return FormatError(
                    f"{where}: row {number}, number {column} is {cell[:30]!r}; correct it or remove the row"
                )
    return FormatError(f"{where} cannot be read as rows of numbers; see the template")
