"""Any file that holds a table: the contents decide on the format, and whatever cannot be read ends in one sentence."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.errors import CurriculabError
from data.archives.zip_archive import Archive
from data.description import PARQUET_KEY
from data.files import NoTableError, check_contents, guarded, open_bytes
from data.limits import FormatError, check_bytes, check_unpacked
from data.tables.arrays import array_names, read_arrays
from data.tables.pictures import is_pictures, read_pictures
from data.tables.table import Table, check_table, table_of
from data.tables.text_table import is_arff, read_arff, read_text_table
from data.tables.workbook import is_workbook, read_workbook
from data.task_names import listed, shown_file

_THRIFT_LIMIT = 16 * 2**20
"""Most bytes and most entries of any list in a Parquet file's own description."""


def read_table(
    path_or_bytes: str | os.PathLike[str] | bytes, filename: str | None = None, sheet: str = "", side: int = 28
) -> Table:
    """The table of a file or of uploaded bytes; `sheet` names one of a workbook's, `side` is the size of pictures."""
    if isinstance(path_or_bytes, bytes):
        data, filename = path_or_bytes, filename or "upload"
    else:
        filename = filename or Path(path_or_bytes).name
        if os.path.isdir(path_or_bytes):
            raise NoTableError(f"{shown_file(filename)} is a folder; name a file with a table")
        data = open_bytes(Path(path_or_bytes))
    file = shown_file(filename)
    check_bytes(file, len(data))
    check_contents(data, file)
    digest = hashlib.sha256(data).hexdigest()
    if data.startswith(b"PAR1"):
        return guarded(file, "Parquet", lambda: _read_parquet(data, file, filename, digest))
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return guarded(file, "ZIP", _zip_reader(data, file, filename, digest, sheet, side))
    if is_arff(data):
        return guarded(file, "ARFF", lambda: read_arff(data, file, filename, digest))
    return guarded(file, "a table of text", lambda: read_text_table(data, file, filename, digest))


def _zip_reader(data: bytes, file: str, filename: str, digest: str, sheet: str, side: int) -> Callable[[], Table]:
    def read() -> Table:
        archive = Archive(data, file)
        members = archive.sizes
        if is_workbook(members):
            return read_workbook(data, archive, file, filename, digest, sheet)
        if array_names(members):
            return read_arrays(archive, file, filename, digest)
        if any(name.endswith(".npy") for name in members):
            raise NoTableError(
                f"{file} holds no arrays 'X' and 'y' (found {listed(list(members), 4)}); save features and labels so"
            )
        if is_pictures(members):
            return read_pictures(archive, file, filename, digest, side)
        raise NoTableError(
            f"{file} holds neither pictures nor a workbook (found {listed(list(members), 4) or 'nothing'}); "
            "pack pictures in folders named after their classes, or give a table"
        )

    return read


def _read_parquet(data: bytes, file: str, filename: str, digest: str) -> Table:
    """Rows, columns and unpacked bytes are checked on the footer, before any value is read."""
    import pandas as pd
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
    return replace(table_of(frame, filename, (), digest), about=about)
