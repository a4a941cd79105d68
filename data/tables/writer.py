"""Writing tables: task sets as CSV and Parquet, a row for each point, and CSV in which no cell is run as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.task_set import TaskSet
from data.assembly import PARQUET_KEY, about_line, dense
from data.task_names import escape_formula

if TYPE_CHECKING:
    import pyarrow as pa


def safe_cell(cell: object) -> object:
    """A text with an apostrophe before what would make it a formula; numbers and all else as they are."""
    if not isinstance(cell, str):
        return cell
    return f"'{cell}" if cell[:1] in ("\t", "\r") else escape_formula(cell)


def csv_text(heading: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([safe_cell(cell) for cell in heading])
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def write_csv(task_set: TaskSet, separator: str = ",") -> bytes:
    """The set as text; every number is written so that it reads back exactly."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    table = _long_table(task_set, for_spreadsheets=True)
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


def write_parquet(task_set: TaskSet) -> bytes:
    """The set as float64 columns, exactly."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = _long_table(task_set)
    about = about_line(task_set)
    if about:
        table = table.replace_schema_metadata({PARQUET_KEY: about.encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    return bytes(sink.getvalue())


def _long_table(task_set: TaskSet, for_spreadsheets: bool = False) -> pa.Table:
    """Columns task, label, split (where there is test data), features; a task's training rows come first.

    For spreadsheets, names are kept from being formulas, and the first feature's name carries in brackets
    what is known of the set, such as `x1 [normalize=none]`.
    """
    import pyarrow as pa

    tasks, labels, splits, parts = [], [], [], []
    for k, task in enumerate(task_set.tasks):
        for split, (X, y) in enumerate(((task.X, task.y), (task.X_test, task.y_test))):
            if X is not None and y is not None:
                tasks.append(np.full(len(y), k, dtype=np.int32))
                splits.append(np.full(len(y), split, dtype=np.int32))
                labels.append(y.astype(np.int8))
                parts.append(dense(X))
    names = [escape_formula(name) if for_spreadsheets else name for name in task_set.names]
    columns: dict[str, Any] = {
        "task": pa.DictionaryArray.from_arrays(pa.array(np.concatenate(tasks)), pa.array(names, pa.string())),
        "label": pa.array(np.concatenate(labels)),
    }
    if any(task.n_test for task in task_set.tasks):
        split_codes = pa.array(np.concatenate(splits))
        columns["split"] = pa.DictionaryArray.from_arrays(split_codes, pa.array(["train", "test"]))
    X = np.concatenate(parts)
    feature_names = _headings(task_set.feature_names, X.shape[1], for_spreadsheets)
    about = about_line(task_set)
    if for_spreadsheets and about:
        feature_names[0] += f" [{about}]"
    arrays = [*columns.values(), *(pa.array(np.ascontiguousarray(X[:, j])) for j in range(X.shape[1]))]
    return pa.Table.from_arrays(arrays, names=[*columns, *feature_names])


def _headings(feature_names: Sequence[str] | None, count: int, for_spreadsheets: bool) -> list[str]:
    """A heading for every feature that reads back as its name: no formula, no word with a meaning, none twice."""
    from data.tables.table import INDEX_NAMES, MEANINGS

    if feature_names is None:
        return [f"x{k + 1}" for k in range(count)]
    taken = {word for accepted in MEANINGS.values() for word in accepted} | set(INDEX_NAMES)
    found = []
    for name in feature_names:
        heading, number = name, 2
        while heading.strip().casefold() in taken:
            heading, number = f"{name} ({number})", number + 1
        taken.add(heading.strip().casefold())
        found.append(escape_formula(heading) if for_spreadsheets else heading)
    return found
