"""CSV task sets, in the many ways that people and spreadsheets write them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from core.task_set import TaskSet
from data.assembly import Reading
from data.limits import FormatError, check_line, check_shape
from data.tables.encoding import as_utf8
from data.tables.long_columns import Columns, find_columns, has_header
from data.tables.long_form import long_table, read_table
from data.task_names import listed

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}
_SAMPLE_BYTES = 2**20
_SAMPLE_ROWS = 200
_BLOCK_BYTES = (2**20, 2**26)  # the small one is faster but holds no longer row
_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d*,\d+([eE][-+]?\d+)?\s*$")
_MISSING = ("", "na", "n/a", "nan", "null", "none", "inf", "-inf", "+inf", "#n/a")


def read_csv(data: bytes, file: str, filename: str) -> Reading:
    """A long-form table from text: encoding, separator, decimal comma and header are found out and told."""
    data, said = as_utf8(data, file)
    data, separator = _separator(data, file)
    names, sample = _sample(data, separator, file)
    if separator != ",":
        said = (*said, f"Cells are separated by {_SEPARATORS[separator]}.")
    decimal_comma = separator != "," and _writes_decimal_commas(sample)
    if decimal_comma:
        said = (*said, "Numbers have a decimal comma.")
    not_numbers = frozenset(k for k in range(len(names)) if not _numeric(sample, k, decimal_comma))
    columns = find_columns(names, not_numbers, file)
    line_ends = max(data.count(b"\n"), data.count(b"\r") if b"\r" in data else 0)
    check_shape(file, line_ends - data.endswith((b"\n", b"\r")), len(columns.features))
    table = _parse(data, file, separator, decimal_comma, names, columns)
    return read_table(file, filename, table, columns, said, decimal_comma)


def write_csv(task_set: TaskSet, separator: str = ",") -> bytes:
    """The set as text; every number is written so that it reads back exactly."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    table = long_table(task_set, for_spreadsheets=True)
    for k, name in enumerate(table.column_names):
        if pa.types.is_dictionary(table.column(k).type):
            table = table.set_column(k, name, table.column(k).cast(pa.string()))
    header = io.StringIO()
    csv.writer(header, delimiter=separator, lineterminator="\n").writerow(table.column_names)
    buffer = io.BytesIO(header.getvalue().encode())
    buffer.seek(0, io.SEEK_END)
    options = arrow_csv.WriteOptions(include_header=False, delimiter=separator, quoting_style="needed")
    arrow_csv.write_csv(table, buffer, options)
    return buffer.getvalue()


def _separator(data: bytes, file: str) -> tuple[bytes, str]:
    """The text from its header on, and the separator with which that header names task and label."""
    data = data.lstrip(b"\r\n \t") if data[:1] in b"\r\n \t" else data
    line, end = _first_line(data, file)
    stated = re.fullmatch(r"sep=(.)\s*", line)  # spreadsheets write this line first
    if stated and stated[1] in _SEPARATORS:
        data = data[end:].lstrip(b"\r\n")
        line, _ = _first_line(data, file)
    if not line.strip():
        raise FormatError(f"{file} holds no text; choose a file with a task set in it")
    for separator in _SEPARATORS:
        if has_header(_cells(line, separator)):
            return data, separator
    found = max((_cells(line, separator) for separator in ",;\t|"), key=len)
    raise FormatError(
        f"{file}: the first line names no columns 'task' and 'label' (found {listed([c.strip() for c in found], 4)}); "
        "begin with a line such as task,label,x1,x2"
    )


def _first_line(data: bytes, file: str) -> tuple[str, int]:
    """The first line and the number of bytes up to its end."""
    end = data.find(b"\n") % (len(data) + 1)  # -1, for no such line end, becomes the length
    end = data.find(b"\r", 0, end) % (end + 1)
    check_line(file, end)
    return data[:end].decode(), end


def _cells(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], delimiter=separator, skipinitialspace=separator == " "), [])


def _sample(data: bytes, separator: str, file: str) -> tuple[list[str], list[list[str]]]:
    """Column names and the first rows."""
    text = data[:_SAMPLE_BYTES].decode(errors="ignore")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    names = _cells(_first_line(data, file)[0], separator)
    rows: list[list[str]] = []
    cut_short = len(data) > _SAMPLE_BYTES
    try:
        next(reader, None)
        for row in reader:
            rows.append(row)
            if len(rows) > _SAMPLE_ROWS:
                cut_short = False
                break
    except csv.Error:
        if not cut_short:
            raise FormatError(
                f"{file}: row {len(rows) + 1} has a quote that is not closed; close or remove it"
            ) from None
        return names, [row for row in rows if row]
    return names, [row for row in (rows[:-1] if cut_short else rows) if row]


def _writes_decimal_commas(sample: list[list[str]]) -> bool:
    cells = [cell for row in sample for cell in row]
    return any(_DECIMAL_COMMA.match(cell) for cell in cells) and not any(_is_number(c) and "." in c for c in cells)


def _numeric(sample: list[list[str]], column: int, decimal_comma: bool) -> bool:
    """Whether a column holds at least one number, or nothing at all to judge by."""
    cells = [row[column].strip() for row in sample if column < len(row)]
    cells = [cell.replace(",", ".") if decimal_comma else cell for cell in cells]
    if not sample:
        return True
    return any(_is_number(cell) for cell in cells)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return cell.strip().lower() not in _MISSING


def _parse(data: bytes, file: str, separator: str, decimal_comma: bool, names: list[str], columns: Columns) -> object:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    # columns go by position: names may be empty, equal or strange
    keys = [str(k) for k in range(len(names))]
    text = pa.dictionary(pa.int32(), pa.string())
    special = [k for k in (columns.task, columns.label, columns.split) if k is not None]
    types = {keys[k]: text for k in special} | {keys[k]: pa.float64() for k in columns.features}
    parse = arrow_csv.ParseOptions(delimiter=separator)
    convert = arrow_csv.ConvertOptions(
        column_types=types,
        include_columns=[keys[k] for k in (*special, *columns.features)],
        decimal_point="," if decimal_comma else ".",
        check_utf8=False,
    )
    fault: Exception | None = None
    for block_size in _BLOCK_BYTES:
        options = arrow_csv.ReadOptions(column_names=keys, skip_rows_after_names=1, block_size=block_size)
        try:
            return arrow_csv.read_csv(pa.BufferReader(data), options, parse, convert)
        except pa.ArrowInvalid as error:
            fault = error
    raise _first_fault(data, file, separator, decimal_comma, names, columns) from fault


def _first_fault(
    data: bytes, file: str, separator: str, decimal_comma: bool, names: list[str], columns: Columns
) -> FormatError:
    """What is wrong with the first row that cannot be read."""
    try:
        for number, row in _rows(data, separator):
            if len(row) != len(names):
                return FormatError(
                    f"{file}: row {number} has {len(row)} cells but the header names {len(names)} columns; "
                    "make every row as long as the header"
                )
            for k, name in zip(columns.features, columns.feature_names, strict=True):
                cell = row[k].strip().replace(",", ".") if decimal_comma else row[k].strip()
                if not _is_number(cell) and cell.lower() not in _MISSING:
                    return FormatError(
                        f"{file}: row {number}, column {name[:40]!r} holds {row[k][:30]!r}, which is no number; "
                        "correct it or remove the row"
                    )
    except csv.Error:
        pass
    return FormatError(f"{file} cannot be read as a table with {len(names)} columns; check its quotes and separators")


def _rows(data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(data), "utf-8", newline=""), delimiter=separator)
    next(reader, None)
    yield from enumerate((row for row in reader if row), start=1)
