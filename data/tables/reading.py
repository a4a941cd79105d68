"""Any file that holds a table: the contents decide on the format, and whatever cannot be read ends in one sentence."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from core.errors import CurriculabError
from data.archives.formats import check_contents, guarded, open_bytes
from data.archives.zip_archive import Archive
from data.limits import FormatError, check_bytes, check_shape, check_unpacked
from data.recipes.errors import NoTableError
from data.tables.arff import is_arff, read_arff
from data.tables.arrays import array_names, read_arrays
from data.tables.pictures import is_pictures, read_pictures
from data.tables.table import Table, table_of
from data.tables.text_table import read_text_table
from data.tables.workbook import is_workbook, read_workbook
from data.task_names import listed, shown_file


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
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_metadata(pa.BufferReader(data))
        schema = metadata.schema.to_arrow_schema()
        check_shape(file, metadata.num_rows, len(schema))
        check_unpacked(file, sum(metadata.row_group(k).total_byte_size for k in range(metadata.num_row_groups)))
        kinds = dict(zip(schema.names, schema.types, strict=True))
        texts = [name for name, kind in kinds.items() if pa.types.is_string(kind) or pa.types.is_large_string(kind)]
        flat = [name for name, kind in kinds.items() if not pa.types.is_nested(kind) and not pa.types.is_binary(kind)]
        nested = [name for name in schema.names if name not in flat]
        # text stays a dictionary: a few bytes can repeat a long text a million times
        parquet = pq.ParquetFile(pa.BufferReader(data), metadata=metadata, read_dictionary=texts)
        frame = parquet.read(columns=flat).to_pandas(ignore_metadata=True)
    except CurriculabError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise FormatError(f"{file} is damaged or no Parquet table that can be read; write it again") from error
    said = (f"Left out {listed(nested)}: lists and bytes are no cells.",) if nested else ()
    return table_of(frame, filename, said, digest)
