"""ARFF, the format of Weka and OpenML: a header that names the columns, then rows with commas between the cells."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd

from data.limits import MAX_FEATURES, FormatError, check_line, check_shape
from data.tables.encoding import as_utf8
from data.tables.table import Table, table_of
from data.tables.text_table import Dialect, faults_said, parse, plain_lines

_START = re.compile(rb"(?:[ \t]*(?:%[^\n]*)?\r?\n)*[ \t]*@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{]+))""", re.IGNORECASE)
_COMMENTS = re.compile(rb"^[ \t]*%[^\n]*\n?", re.MULTILINE)
_SPACED = re.compile(rb",[ \t]+(['\"])")
_SEARCHED = 2**16


def is_arff(data: bytes) -> bool:
    """Whether the text begins as an ARFF file does: with `@relation`, below comments and empty lines."""
    return _START.match(data[:_SEARCHED].lstrip(b"\xef\xbb\xbf")) is not None


def read_arff(data: bytes, file: str, filename: str, digest: str) -> Table:
    """The table of an ARFF file with the names of its attributes; a question mark is an empty cell."""
    data, said = as_utf8(data, file)
    data = plain_lines(data) + b"\n"
    names: list[str] = []
    start = 0
    while True:
        end = data.find(b"\n", start)
        if end < 0:
            raise FormatError(f"{file} has no line @data; an ARFF file has its rows below that line")
        check_line(file, end - start)
        line = data[start:end].decode(errors="replace").strip()
        start = end + 1
        if line.casefold().startswith("@data"):
            break
        if line.casefold().startswith("@attribute"):
            names.append(_name(line, file))
            if len(names) > MAX_FEATURES:
                raise FormatError(f"{file} has more than {MAX_FEATURES:,} attributes; keep fewer")
    body = _COMMENTS.sub(b"", data[start:]).lstrip(b"\n \t")
    if not names:
        raise FormatError(f"{file} names no attribute; an ARFF file has a line @attribute for each column")
    if not body.strip():
        raise FormatError(f"{file} has no rows below @data; add a row for each point")
    if body.startswith(b"{"):
        raise FormatError(f"{file} has sparse rows, such as {{0 5, 3 1}}; save it with dense rows, or as CSV")
    check_shape(file, body.count(b"\n"), len(names))
    quote = "'" if body.count(b"'") > body.count(b'"') else '"'
    frame, faults, fault = parse(_SPACED.sub(rb",\1", body), file, names, Dialect(quote=quote))
    frame.columns = pd.Index(names)
    return replace(table_of(frame, filename, (*said, *faults_said(faults, len(names))), digest), fault=fault)


def _name(line: str, file: str) -> str:
    """The name of an attribute, which may stand in quotes."""
    found = _ATTRIBUTE.match(line)
    if found is None:
        raise FormatError(f"{file}: {line[:60]!r} names no attribute; write @attribute NAME TYPE")
    return re.sub(r"\\(.)", r"\1", found[1] if found[1] is not None else found[2] or "") or found[3] or ""
