"""Parquet task sets: the long-form table, with what is known of the set in its metadata."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from core.task_set import TaskSet
from data.assembly import Reading
from data.description import About
from data.limits import FormatError, check_shape, check_unpacked
from data.tables.long_columns import find_columns
from data.tables.long_form import long_table, read_table
from data.task_names import listed

_KEY = b"curriculab"
_THRIFT_LIMIT = 16 * 2**20  # most bytes and most entries of any list in the file's own description


def read_parquet(data: bytes, file: str, filename: str) -> Reading:
    """Rows, columns and unpacked bytes are checked on the footer; only columns that are used are read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    limits = {"thrift_string_size_limit": _THRIFT_LIMIT, "thrift_container_size_limit": _THRIFT_LIMIT}
    try:
        metadata = pq.read_metadata(pa.BufferReader(data))
        schema = metadata.schema.to_arrow_schema()
        check_shape(file, metadata.num_rows, len(schema) - 2)
        check_unpacked(file, sum(metadata.row_group(k).total_byte_size for k in range(metadata.num_row_groups)))
        names = list(schema.names)
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise FormatError(f"{file}: several columns are named {listed(twice)}; give every column its own name")
        odd = frozenset(k for k, field in enumerate(schema) if not _is_number(field.type))
        columns = find_columns(names, odd, file)
        special = [k for k in (columns.task, columns.label, columns.split) if k is not None]
        for k in special:
            if not (_is_text(schema.types[k]) or _is_number(schema.types[k])):
                raise FormatError(f"{file}: column {names[k]!r} holds {schema.types[k]}; use text or numbers")
        # text stays a dictionary: a few bytes can repeat a long text a million times
        texts = [names[k] for k in special if _is_text(schema.types[k])]
        parquet = pq.ParquetFile(pa.BufferReader(data), metadata=metadata, read_dictionary=texts, **limits)
        table = parquet.read(columns=[names[k] for k in (*special, *columns.features)])
        table = table.select([names[k] for k in (*special, *columns.features)])
        wanted = [pa.field(name, table.schema.field(name).type) for name in table.column_names[: len(special)]]
        wanted += [pa.field(name, pa.float64()) for name in table.column_names[len(special) :]]
        table = table.cast(pa.schema(wanted), safe=False)
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{file} is damaged or no Parquet table that can be read; write it again") from error
    about = (schema.metadata or {}).get(_KEY)
    if about is not None:
        columns = replace(columns, about=about.decode(errors="replace"))
    return read_table(file, filename, table, columns, ())


def write_parquet(task_set: TaskSet) -> bytes:
    """The set as float64 columns, exactly."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = long_table(task_set)
    about = About.of(task_set).line(task_set.names)
    if about:
        table = table.replace_schema_metadata({_KEY: about.encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())


def _is_number(kind: object) -> bool:
    import pyarrow as pa

    return bool(
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_decimal(kind)
    )


def _is_text(kind: object) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)  # type: ignore[attr-defined]
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
