"""Any file that holds a table: the contents decide on the format, and whatever cannot be read ends in one sentence."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from core.errors import CurriculabError
from data.archives.npz import read_array
from data.assembly import PARQUET_KEY
from data.files import OFFICE, PARQUET, ZIP, Archive, NoTableError, guarded, open_file
from data.limits import FormatError, check_unpacked
from data.tables.pictures import is_picture, read_pictures
from data.tables.table import Table, check_table, table_of
from data.tables.text_table import is_arff, read_arff, read_text_table
from data.tables.workbook import read_workbook
from data.task_names import listed, shown_file

_THRIFT_LIMIT = 16 * 2**20
"""Most bytes and most entries of any list in a Parquet file's own description."""
_PAIRS = (("X", "y"), ("data", "target"), ("x", "y"))
"""What scikit-learn's users call features and labels in an NPZ of one data set, perhaps with _train and _test."""


def read_table(
    path_or_bytes: str | os.PathLike[str] | bytes, filename: str | None = None, sheet: str = "", side: int = 28
) -> Table:
    """The table of a file or of uploaded bytes; `sheet` names one of a workbook's, `side` is the size of pictures."""
    if not isinstance(path_or_bytes, bytes) and os.path.isdir(path_or_bytes):
        raise NoTableError(f"{shown_file(filename or Path(path_or_bytes).name)} is a folder; name a file with a table")
    data, filename = open_file(path_or_bytes, filename)
    file = shown_file(filename)
    if data.startswith(PARQUET):
        table = guarded(file, "Parquet", lambda: _read_parquet(data, file, filename))
    elif data.startswith(ZIP):
        table = guarded(file, "ZIP", lambda: _read_zip(data, file, filename, sheet, side))
    elif is_arff(data):
        table = guarded(file, "ARFF", lambda: read_arff(data, file, filename))
    else:
        table = guarded(file, "a table of text", lambda: read_text_table(data, file, filename))
    return replace(table, digest=hashlib.sha256(data).hexdigest())


def _read_zip(data: bytes, file: str, filename: str, sheet: str, side: int) -> Table:
    archive = Archive(data, file)
    members = archive.sizes
    if OFFICE in members:
        return read_workbook(data, archive, file, filename, sheet)
    if _array_names(members):
        return _read_arrays(archive, file, filename)
    if any(name.endswith(".npy") for name in members):
        raise NoTableError(
            f"{file} holds no arrays 'X' and 'y' (found {listed(list(members), 4)}); save features and labels so"
        )
    if any(map(is_picture, members)):
        return read_pictures(archive, file, filename, side)
    raise NoTableError(
        f"{file} holds neither pictures nor a workbook (found {listed(list(members), 4) or 'nothing'}); "
        "pack pictures in folders named after their classes, or give a table"
    )


def _read_parquet(data: bytes, file: str, filename: str) -> Table:
    """Rows, columns and unpacked bytes are checked on the footer, before any value is read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    limits = {"thrift_string_size_limit": _THRIFT_LIMIT, "thrift_container_size_limit": _THRIFT_LIMIT}
    try:
        metadata = pq.read_metadata(pa.BufferReader(data))
        schema = metadata.schema.to_arrow_schema()
        check_table(file, metadata.num_rows, schema.names)
        check_unpacked(file, sum(metadata.row_group(k).total_byte_size for k in range(metadata.num_row_groups)))
        twice = [name for name in dict.fromkeys(schema.names) if schema.names.count(name) > 1]
        if twice:
            raise FormatError(f"{file}: several columns are named {listed(twice)}; give every column its own name")
        kinds = dict(zip(schema.names, schema.types, strict=True))
        flat = [name for name, kind in kinds.items() if not pa.types.is_nested(kind) and not pa.types.is_binary(kind)]
        # text stays a dictionary: a few bytes can repeat a long text a million times
        texts = [name for name in flat if pa.types.is_string(kinds[name]) or pa.types.is_large_string(kinds[name])]
        parquet = pq.ParquetFile(pa.BufferReader(data), metadata=metadata, read_dictionary=texts, **limits)
        read = parquet.read(columns=flat)
        frame = read.to_pandas(ignore_metadata=True, split_blocks=True, self_destruct=True)
    except CurriculabError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise FormatError(f"{file} is damaged or no Parquet table that can be read; write it again") from error
    if len(flat) < len(kinds):
        other = pd.DataFrame({name: [[]] * len(frame) for name in kinds if name not in flat}, index=frame.index)
        frame = pd.concat([frame, other], axis=1)[list(kinds)]
    about = (schema.metadata or {}).get(PARQUET_KEY, b"").decode(errors="replace")
    return replace(table_of(frame, filename), about=about)


def _array_names(members: Container[str]) -> tuple[tuple[str, str, str], ...]:
    """The names of features and labels that are there, with the part of the data; empty where this is no data set."""
    for X, y in _PAIRS:
        for parts in (((X, y, ""),), ((f"{X}_train", f"{y}_train", "train"), (f"{X}_test", f"{y}_test", "test"))):
            if all(f"{name}.npy" in members for names in parts for name in names[:2]):
                return parts
    return ()


def _read_arrays(archive: Archive, file: str, filename: str) -> Table:
    """A table of the features, the column `label` (or y1, y2, ...), and `split` if there are two parts."""
    frames = []
    for X_name, y_name, part in _array_names(archive.sizes):
        X = read_array(archive, f"{X_name}.npy", f"{file}: array {X_name!r}", "biuf", is_features=True)
        y = read_array(archive, f"{y_name}.npy", f"{file}: array {y_name!r}", "biufUS")
        X = X.reshape(len(X), -1) if X.ndim > 2 and len(X) else X
        y = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
        if X.ndim != 2 or y.ndim not in (1, 2) or len(X) != len(y) or not X.size:
            raise FormatError(
                f"{file}: {X_name!r} has the shape {X.shape} and {y_name!r} {y.shape}; "
                f"{X_name!r} needs points x features and {y_name!r} a label for each point"
            )
        given = {member: _texts(archive, file, member) for member in ("feature_names", "target_names")}
        frame = pd.DataFrame(X, columns=pd.Index(_fitting(given["feature_names"], X.shape[1], "x")))
        words = given["target_names"]
        if y.ndim == 2:
            frame[_fitting(words, y.shape[1], "y")] = y
        elif y.dtype.kind in "iu" and words and len(y) and y.min() >= 0 and y.max() < len(words):
            frame["label"] = np.array(words)[y]  # labels that count the classes
        else:
            frame["label"] = y
        frames.append(frame.assign(split=part) if part else frame)
    if len({frame.shape[1] for frame in frames}) > 1:
        raise FormatError(f"{file}: training and test data have different numbers of columns; use one feature space")
    return table_of(pd.concat(frames, ignore_index=True), filename)


def _texts(archive: Archive, file: str, member: str) -> list[str]:
    """An array of names, where the file has it."""
    if f"{member}.npy" not in archive.sizes:
        return []
    return [str(name) for name in read_array(archive, f"{member}.npy", f"{file}: array {member!r}", "US").ravel()]


def _fitting(names: list[str], count: int, word: str) -> list[str]:
    """The names if there are so many, or counted ones."""
    return names if len(names) == count else [f"{word}{k + 1}" for k in range(count)]
