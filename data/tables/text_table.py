"""Tables of text (CSV, TSV and their kin): separator, decimal comma and header row are found out and told."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import Any

import pandas as pd

from data.limits import FormatError, check_line, check_shape
from data.tables.column import GROUPED_COMMA, GROUPED_POINT
from data.tables.encoding import as_utf8
from data.tables.header import header_row
from data.tables.table import Table, table_of

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SAMPLE_LINES = 200
_SAMPLE_BYTES = 2**20
_BLOCK_BYTES = 2**22
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+([eE][-+]?\d+)?\s*")
_DECIMAL_POINT = re.compile(r"\s*[-+]?\d*\.\d+([eE][-+]?\d+)?\s*")
_THOUSANDS = re.compile(r"\s*[-+]?\d{1,3}(\.\d{3})+\s*")
NULLS = ["", "NA", "N/A", "n/a", "na", "NaN", "nan", "NULL", "null", "None", "#N/A", "?", "-", "."]


def read_text_table(data: bytes, file: str, filename: str, digest: str) -> Table:
    """The table of a text file; rows that are longer or shorter than the header are left out, and said."""
    data, said = as_utf8(data, file)
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").lstrip(b"\n \t")
    stated = re.match(rb"sep=(.)[ \t]*\n", data)
    if stated:
        data = data[stated.end() :]
    sample = data[:_SAMPLE_BYTES]
    check_line(file, len(sample.split(b"\n", 1)[0]) if b"\n" in sample else len(data))
    lines = sample.decode(errors="ignore").split("\n")[:_SAMPLE_LINES]
    if not any(line.strip() for line in lines):
        raise FormatError(f"{file} holds no text; choose a file with a table in it")
    separator = (
        stated[1].decode(errors="ignore")
        if stated and stated[1].decode(errors="ignore") in _SEPARATORS
        else _separator(lines)
    )
    rows = [_cells(line, separator) for line in lines]
    width = _width(rows)
    first, names, header_said = header_row(rows, width)
    if separator != ",":
        said = (*said, f"Cells are separated by {_SEPARATORS[separator]}.")
    said = (*said, *header_said)
    body = "\n".join(lines[first:]).join(["", "\n"])
    start = sum(len(line.encode()) + 1 for line in lines[:first])
    cells = [cell for row in rows[first:] for cell in row]
    decimal_comma = separator != "," and _decimal_comma(cells)
    if decimal_comma:
        grouped = any(GROUPED_COMMA.fullmatch(cell.strip()) for cell in cells)
        said = (*said, f"Numbers have a decimal comma{' and points between thousands' * grouped}.")
    if not body.strip():
        raise FormatError(f"{file} has a header but no rows; add a row for each point")
    check_shape(file, data.count(b"\n", start), len(names))
    frame, faults = parse(data[start:], file, len(names), separator, decimal_comma)
    frame.columns = pd.Index(names)
    return table_of(frame, filename, (*said, *faults_said(faults, len(names))), digest, decimal_comma)


def faults_said(faults: int, width: int) -> tuple[str, ...]:
    """How many rows were left out because they are longer or shorter than the table."""
    rows_are = "1 row has" if faults == 1 else f"{faults:,} rows have"
    return (f"{rows_are} more or fewer cells than the {width} columns, and no place here.",) if faults else ()


def _decimal_comma(cells: list[str]) -> bool:
    """Whether commas stand before decimals: some do and no point does; in `1.002,50` the point parts thousands."""
    grouped = any(GROUPED_COMMA.fullmatch(cell.strip()) for cell in cells)
    points = any(
        GROUPED_POINT.fullmatch(cell.strip())
        or (_DECIMAL_POINT.fullmatch(cell) and not (grouped and _THOUSANDS.fullmatch(cell)))
        for cell in cells
    )
    return not points and (grouped or any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells))


def _separator(lines: list[str]) -> str:
    """The separator that gives most lines the same number of cells, more than one; else a comma."""
    best, most = ",", 0.0
    for separator in _SEPARATORS:
        counts = Counter(len(_cells(line, separator)) for line in lines if line.strip())
        cells, agreeing = max(counts.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
        score = agreeing * (cells > 1) * (1 + cells / 1000)
        if score > most:
            best, most = separator, score
    return best


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)


def _width(rows: list[list[str]]) -> int:
    counts = Counter(len(row) for row in rows if any(cell.strip() for cell in row))
    return max(counts.items(), key=lambda item: (item[1], item[0]))[0]


def parse(
    data: bytes, file: str, width: int, separator: str = ",", decimal_comma: bool = False, quote: str = '"'
) -> tuple[pd.DataFrame, int]:
    """The rows of so many cells, as a data frame whose columns are counted; and how many other rows there are."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    keys = [str(k) for k in range(width)]
    faults = 0

    def skip(row: Any) -> str:
        nonlocal faults
        faults += bool((row.text or "").strip())
        return "skip"

    options = arrow_csv.ParseOptions(
        delimiter=separator,
        quote_char=quote,
        escape_char="\\" if quote == "'" else False,
        newlines_in_values=quote.encode() in data,
        invalid_row_handler=skip,
    )
    whole = min(max(len(data) + 1, 2**16), 2**30)
    words = {key: pa.dictionary(pa.int32(), pa.string()) for key in keys}
    # types are inferred from the first block: where a later one differs, the block is the whole file
    for types, block in ((None, min(whole, _BLOCK_BYTES)), (None, whole), (words, whole)):
        faults = 0
        read = arrow_csv.ReadOptions(column_names=keys, block_size=block)
        convert = arrow_csv.ConvertOptions(
            column_types=types,
            null_values=NULLS,
            strings_can_be_null=True,
            auto_dict_encode=True,
            auto_dict_max_cardinality=2**20,
            decimal_point="," if decimal_comma else ".",
            check_utf8=False,
            true_values=["true", "True", "TRUE"],
            false_values=["false", "False", "FALSE"],
        )
        try:
            table = arrow_csv.read_csv(pa.BufferReader(data), read, options, convert)
            return table.to_pandas(), faults
        except pa.ArrowInvalid:
            continue
    return _slowly(data, file, separator, width, quote)


def _slowly(data: bytes, file: str, separator: str, width: int, quote: str) -> tuple[pd.DataFrame, int]:
    """Line by line, for text that the fast reader refuses."""
    kept, faults = [], 0
    reader = csv.reader(io.StringIO(data.decode(errors="replace"), newline=""), delimiter=separator, quotechar=quote)
    try:
        for row in reader:
            if len(row) == width:
                kept.append(row)
            else:
                faults += bool(row)
    except csv.Error:
        raise FormatError(f"{file} cannot be read as a table with {width} columns; check its quotes") from None
    return pd.DataFrame(kept, columns=[str(k) for k in range(width)], dtype=object), faults
