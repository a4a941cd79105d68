"""Tables of text (CSV, TSV and their kin): encoding, separator, decimal comma and header are found out and told."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pandas as pd

from data.files import as_utf8
from data.limits import MAX_FEATURES, FormatError, check_line, check_shape
from data.tables.column import GROUPED_COMMA, GROUPED_POINT, GROUPED_WHOLE, MISSING_WORDS
from data.tables.table import MEANINGS, Table, check_table, header_row, names_a_task_set, table_of

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
_SAMPLE_LINES = 200
_SAMPLE_BYTES = 2**20
_BLOCK_BYTES = 2**21
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+([eE][-+]?\d+)?")
_DECIMAL_POINT = re.compile(r"[-+]?\d*\.\d+([eE][-+]?\d+)?")
_NULLS = sorted({case for word in MISSING_WORDS for case in (word, word.upper(), word.capitalize())} | {"NaN"})

_START = re.compile(rb"(?:[ \t]*(?:%[^\n]*)?\r?\n)*[ \t]*@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{]+))""", re.IGNORECASE)
_ROWS_BELOW = re.compile(rb"^[ \t]*@data[^\n]*\n", re.IGNORECASE | re.MULTILINE)
_COMMENTS = re.compile(rb"^[ \t]*%[^\n]*\n?", re.MULTILINE)
_SPACED = re.compile(rb",[ \t]+(['\"])")
_SEARCHED = 2**16


def read_text_table(data: bytes, file: str, filename: str) -> Table:
    """The table of a text file; rows that are longer or shorter than the header are left out, and said."""
    data, said = as_utf8(data, file)
    data = _from_first_line(data)
    stated = re.match(rb"sep=([,;\t| ])[ \t]*\n", data)  # spreadsheets write this line first
    if stated:
        data = _from_first_line(data[stated.end() :])
    sample = data[:_SAMPLE_BYTES]
    check_line(file, len(sample.split(b"\n", 1)[0]) if b"\n" in sample else len(data))
    lines = sample.decode(errors="ignore").split("\n")[:_SAMPLE_LINES]
    if not any(line.strip() for line in lines):
        raise FormatError(f"{file} holds no text; choose a file with a table in it")
    separator = stated[1].decode() if stated else _separator(lines)
    rows = [_cells(line, separator) for line in lines]
    width = len(rows[0]) if names_a_task_set(rows[0]) else _width(rows)
    first, names, header_said = header_row(rows, width)
    if separator != ",":
        said = (*said, f"Cells are separated by {_SEPARATORS[separator]}.")
    said = (*said, *header_said)
    start = sum(len(line.encode()) + 1 for line in lines[:first])
    cells = [cell.strip() for row in rows[first:] for cell in row]
    decimal_comma = separator != "," and _decimal_comma(cells)
    if decimal_comma:
        grouped = any(map(GROUPED_COMMA.fullmatch, cells))
        said = (*said, f"Numbers have a decimal comma{' and points between thousands' * grouped}.")
    check_table(file, data.count(b"\n", start) + (not data.endswith(b"\n")), names)
    if not data[start : start + _SAMPLE_BYTES].strip() and not data[start:].strip():
        raise FormatError(f"{file} has a header but no rows; add a row for each point")
    return _parsed(data[start:], file, filename, names, said, Dialect(separator, decimal_comma))


def _from_first_line(text: bytes) -> bytes:
    """The text without the blank lines before its first line."""
    blank = len(text) - len(text.lstrip()) if text[:1].isspace() else 0
    return text[text.rfind(b"\n", 0, blank) + 1 :]


def _decimal_comma(cells: list[str]) -> bool:
    """Whether commas stand before decimals: some do and no point does; in `1.002,50` the point parts thousands."""
    grouped = any(map(GROUPED_COMMA.fullmatch, cells))
    points = any(
        GROUPED_POINT.fullmatch(cell)
        or (_DECIMAL_POINT.fullmatch(cell) and not (grouped and GROUPED_WHOLE.fullmatch(cell)))
        for cell in cells
    )
    return not points and (grouped or any(map(_DECIMAL_COMMA.fullmatch, cells)))


def _separator(lines: list[str]) -> str:
    """The separator by which the first line names a task and a label, else the one that gives most lines the same
    number of cells, more than one; blanks only in the first case."""
    best, most = ",", 0.0
    for separator in _SEPARATORS:
        if names_a_task_set(_cells(lines[0], separator)):
            return separator
        counts = Counter(len(_cells(line, separator)) for line in lines if line.strip())
        cells, agreeing = max(counts.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
        score = agreeing * (cells > 1) * (1 + cells / 1000)
        if score > most and separator != " ":
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


class Dialect(NamedTuple):
    """How cells are written."""

    separator: str = ","
    decimal_comma: bool = False
    quote: str = '"'


def _parsed(
    data: bytes, file: str, filename: str, names: Sequence[str], said: tuple[str, ...], dialect: Dialect
) -> Table:
    """The table of the rows that have a cell for each name; the others are left out, counted, and the first is judged.

    A column that names tasks is text, whatever its cells look like.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    keys = [str(k) for k in range(len(names))]
    quote = dialect.quote
    faults = 0

    def skip(row: Any) -> str:
        nonlocal faults
        faults += bool((row.text or "").strip())
        return "skip"

    options = arrow_csv.ParseOptions(
        delimiter=dialect.separator,
        quote_char=quote,
        escape_char="\\" if quote == "'" else False,
        newlines_in_values=quote.encode() in data,
        invalid_row_handler=skip,
    )
    whole = min(max(len(data) + 1, 2**16), 2**30)
    words = pa.dictionary(pa.int32(), pa.string())
    tasks = {key: words for key, name in zip(keys, names, strict=True) if name.casefold() in MEANINGS["task"]}
    # types are inferred from the first block: where a later one differs, the block is the whole file
    for block in (min(whole, _BLOCK_BYTES), whole):
        faults = 0
        read = arrow_csv.ReadOptions(column_names=keys, block_size=block)
        convert = arrow_csv.ConvertOptions(
            column_types=tasks,
            null_values=_NULLS,
            auto_dict_encode=True,
            auto_dict_max_cardinality=2**20,
            decimal_point="," if dialect.decimal_comma else ".",
            check_utf8=False,
            true_values=["true", "True", "TRUE"],
            false_values=["false", "False", "FALSE"],
        )
        try:
            table = arrow_csv.read_csv(pa.BufferReader(data), read, options, convert)
        except pa.ArrowInvalid:
            continue
        frame = table.to_pandas(split_blocks=True, self_destruct=True)
        frame.columns = pd.Index(names)
        if not faults:
            return table_of(frame, filename, said, dialect.decimal_comma)
        rows_are = "1 row has" if faults == 1 else f"{faults:,} rows have"
        left_out = f"{rows_are} more or fewer cells than the {len(names)} columns, and no place here."
        found = table_of(frame, filename, (*said, left_out), dialect.decimal_comma)
        return replace(found, fault=_first_fault(data, len(names), dialect))
    fault = _first_fault(data, len(names), dialect)
    raise FormatError(f"{file} cannot be read as a table with {len(names)} columns: {fault}")


def _first_fault(data: bytes, width: int, dialect: Dialect) -> str:
    """What is wrong with the first row that is longer or shorter than the table."""
    lines = io.TextIOWrapper(io.BytesIO(data), "utf-8", "replace", newline="")
    number = 0
    try:
        for row in csv.reader(lines, delimiter=dialect.separator, quotechar=dialect.quote, strict=True):
            number += bool(row)
            if row and len(row) != width:
                return (
                    f"row {number} has {len(row)} cells but the header names {width} columns; "
                    "make every row as long as the header"
                )
    except csv.Error:
        return f"row {number + 1} has a quote that is not closed; close or remove it"
    return f"some row has not {width} cells; make every row as long as the header"


def is_arff(data: bytes) -> bool:
    """Whether the text begins as an ARFF file does: with `@relation`, below comments and empty lines."""
    return _START.match(data[:_SEARCHED].lstrip(b"\xef\xbb\xbf")) is not None


def read_arff(data: bytes, file: str, filename: str) -> Table:
    """The table of an ARFF file with the names of its attributes; a question mark is an empty cell."""
    data, said = as_utf8(data, file)
    data += b"\n"
    rows = _ROWS_BELOW.search(data)
    if rows is None:
        raise FormatError(f"{file} has no line @data; an ARFF file has its rows below that line")
    header = data[: rows.start()].decode(errors="replace").split("\n")
    check_line(file, max(map(len, header)))
    names = [_name(line.strip(), file) for line in header if line.strip().casefold().startswith("@attribute")]
    if len(names) > MAX_FEATURES:
        raise FormatError(f"{file} has more than {MAX_FEATURES:,} attributes; keep fewer")
    body = _COMMENTS.sub(b"", data[rows.end() :]).lstrip(b"\n \t")
    if not names:
        raise FormatError(f"{file} names no attribute; an ARFF file has a line @attribute for each column")
    if not body.strip():
        raise FormatError(f"{file} has no rows below @data; add a row for each point")
    if body.startswith(b"{"):
        raise FormatError(f"{file} has sparse rows, such as {{0 5, 3 1}}; save it with dense rows, or as CSV")
    check_shape(file, body.count(b"\n"), len(names))
    quote = "'" if body.count(b"'") > body.count(b'"') else '"'
    return _parsed(_SPACED.sub(rb",\1", body), file, filename, names, said, Dialect(quote=quote))


def _name(line: str, file: str) -> str:
    """The name of an attribute, which may stand in quotes."""
    found = _ATTRIBUTE.match(line)
    if found is None:
        raise FormatError(f"{file}: {line[:60]!r} names no attribute; write @attribute NAME TYPE")
    return re.sub(r"\\(.)", r"\1", found[1] if found[1] is not None else found[2] or "") or found[3] or ""
