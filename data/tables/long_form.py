"""Long-form tables (a row per point) to tasks and back; CSV and Parquet differ only in how the table is stored."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.task_set import FloatArray, TaskSet
from data.assembly import Codes, Points, RawTask, Reading, assemble, dense
from data.description import About, clean_feature_names, parse_about
from data.limits import FormatError, check_tasks
from data.tables.long_columns import Columns, headings
from data.task_names import clean_task_name, escape_formula, listed, unescape_formula

if TYPE_CHECKING:
    import pyarrow as pa

_SPLITS = {"train": 0, "training": 0, "test": 1, "testing": 1}
_ROWS_AT_ONCE = 1024
_IDENTIFIER = re.compile(r"(?i)(^|[\s_.-])(id|nr|no|key|uid|index|row|number)$")


def read_table(
    file: str, filename: str, table: pa.Table, columns: Columns, said: tuple[str, ...], decimal_comma: bool = False
) -> Reading:
    """The tasks of a table whose columns are task, label, perhaps split, then the features, in this order."""
    rows = table.num_rows
    if rows == 0:
        raise FormatError(f"{file} has a header but no rows; add a row for each point")
    task_names, task_of = _categories(table.column(0))
    label_values, label_of = _categories(table.column(1))
    n_special = 2 if columns.split is None else 3
    split_of = np.zeros(rows, dtype=np.int64)
    if columns.split is not None:
        split_of = _splits(file, *_categories(table.column(2)))
    for values, codes, what in ((task_names, task_of, "task"), (label_values, label_of, "label")):
        missing = [k for k, value in enumerate(values) if value is None or not str(value).strip()]
        if missing:
            row = int(np.flatnonzero(np.isin(codes, missing))[0]) + 1
            raise FormatError(f"{file}: row {row} has no {what}; fill it in or remove the row")
    names, task_of, merged = _clean_names(file, [str(name) for name in task_names], task_of)
    part_of = 2 * task_of + split_of
    order = np.argsort(part_of, kind="stable")
    place = np.empty(rows, dtype=np.int64)
    place[order] = np.arange(rows)
    X = _matrix(file, table, n_special, place, columns)
    label_of = label_of[order]
    starts = np.searchsorted(part_of[order], np.arange(2 * len(names) + 1))
    raw = []
    for k, name in enumerate(names):
        a, b, c = (int(start) for start in starts[2 * k : 2 * k + 3])
        if a == b:
            raise FormatError(f"{file}: task {name!r} has only test rows; it needs training rows, too")
        test = Points(X[b:c], label_of[b:c]) if c > b else None
        raw.append(RawTask(name, Points(X[a:b], label_of[a:b]), test))
    about, misfits = parse_about(columns.about, tuple(names), X.shape[1])
    about = replace(about, feature_names=clean_feature_names(columns.feature_names))
    told = (*said, *columns.assumptions, *_features_said(columns.feature_names, X), *merged, *misfits)
    return assemble(file, filename, raw, label_values, about, told, decimal_comma)


def _features_said(names: tuple[str, ...], X: FloatArray) -> list[str]:
    """Which columns are features, and which of them look as if they only told the rows apart."""
    count = f"{len(names):,} columns are" if len(names) > 1 else "One column is"
    said = [f"{count} used as feature{'s' * (len(names) > 1)}: {listed(list(names), 8)}."]
    numbering = [name for k, name in enumerate(names) if _only_numbers_rows(name, X[:, k])]
    if numbering:
        said.append(
            f"Column {listed(numbering, 3)} has another whole number in every row: if it only tells the rows apart, "
            "take it out of the file, for as a feature it misleads."
        )
    return said


def _only_numbers_rows(name: str, values: FloatArray) -> bool:
    """Whether a column counts the rows or, by its name too, is an identifier: whole numbers, all different."""
    if len(values) < 10 or np.any(values[:10] != np.floor(values[:10])) or np.any(values != np.floor(values)):
        return False
    counts = np.ptp(values) == len(values) - 1
    return bool((counts or _IDENTIFIER.search(name)) and len(np.unique(values)) == len(values))


def long_table(task_set: TaskSet, for_spreadsheets: bool = False) -> pa.Table:
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
    feature_names = headings(task_set.feature_names, X.shape[1], for_spreadsheets)
    about = About.of(task_set).line(task_set.names)
    if for_spreadsheets and about:
        feature_names[0] += f" [{about}]"
    arrays = [*columns.values(), *(pa.array(np.ascontiguousarray(X[:, j])) for j in range(X.shape[1]))]
    return pa.Table.from_arrays(arrays, names=[*columns, *feature_names])


def _categories(column: pa.ChunkedArray) -> tuple[list[Any], Codes]:
    """Distinct values in order of appearance and every row's index into them; empty cells are a value None."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    whole = column.unify_dictionaries().combine_chunks()
    chunks = whole.chunks if isinstance(whole, pa.ChunkedArray) else [whole]
    values = chunks[0].dictionary.to_pylist()
    codes = np.concatenate([chunk.indices.fill_null(len(values)).to_numpy(zero_copy_only=False) for chunk in chunks])
    counts = np.bincount(codes, minlength=len(values) + 1)
    used = np.flatnonzero(counts)  # a dictionary may list values that no row has
    place = np.cumsum(counts > 0) - 1
    return [[*values, None][k] for k in used], place[codes]


def _splits(file: str, values: list[Any], codes: Codes) -> Codes:
    known = [_SPLITS.get(str(value).strip().casefold(), -1) for value in values]
    parts = np.array(known, dtype=np.int64)[codes]
    if np.any(parts < 0):
        row = int(np.flatnonzero(parts < 0)[0])
        found = str(values[codes[row]] or "")[:30]
        raise FormatError(f"{file}: row {row + 1} has {found!r} in column 'split'; write train or test")
    return parts


def _clean_names(file: str, given: list[str], codes: Codes) -> tuple[list[str], Codes, tuple[str, ...]]:
    """Cleaned names in order of appearance; names that differ only in surrounding blanks are one task."""
    cleaned = [clean_task_name(unescape_formula(name.strip()), file) for name in given]
    present = [cleaned[k] for k in dict.fromkeys(codes.tolist())]
    names = list(dict.fromkeys(present))
    check_tasks(file, len(names))
    merged = ("Blanks around task names were removed.",) if any(a != a.strip() for a in given) else ()
    place = {name: k for k, name in enumerate(names)}
    return names, np.array([place.get(name, 0) for name in cleaned], dtype=np.int64)[codes], merged


def _matrix(file: str, table: pa.Table, first: int, place: Codes, columns: Columns) -> FloatArray:
    """The feature columns as rows, row k at `place[k]`; all must be finite.

    Filled block by block: a block fits the cache, and whole rows of it are put in their place.
    """
    X = np.empty((table.num_rows, table.num_columns - first))
    start = 0
    features = table.select(range(first, table.num_columns))
    for batch in features.to_batches(max_chunksize=_ROWS_AT_ONCE):
        block = batch.to_tensor(null_to_nan=True, row_major=True).to_numpy()
        finite = np.isfinite(block)
        if not finite.all():
            row, column = np.argwhere(~finite)[0]
            found = "is empty or not a number" if np.isnan(block[row, column]) else "is infinite"
            raise FormatError(
                f"{file}: row {start + int(row) + 1}, column {columns.feature_names[int(column)][:40]!r} {found}; "
                "fill it in or remove the row"
            )
        X[place[start : start + len(block)]] = block
        start += len(block)
    return X
