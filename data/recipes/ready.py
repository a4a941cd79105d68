"""The recipe `ready`, as task-set files are read: columns task, label and perhaps split, all other numbers features.

Nothing is filled, cut or left to chance: the first cell that does not fit is named, and the file is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pandas as pd

from core.task_set import FloatArray
from data.assembly import Points, Reading, clean_feature_names, parse_about, reading_of
from data.limits import FormatError, check_shape, check_tasks
from data.recipes.labels import file_signs
from data.recipes.recipe import Recipe
from data.tables.column import MISSING_WORDS, BoolArray, Column, IntArray, as_number
from data.tables.table import INDEX_NAMES, MEANINGS, SPLIT_WORDS, Table, names_a_task_set
from data.task_names import clean_task_name, listed, unescape_formula

_FIRST = 200
"""Rows whose cells say whether a column with words in it is one of numbers."""
_BLOCK = 4096
_FEW = 10
"""Rows below which no column is taken for an id."""


def named(table: Table, meaning: Literal["task", "label", "split"]) -> str:
    """The column that is called as task-set files call it, or nothing; a `part` that holds numbers is a feature."""
    for word in MEANINGS[meaning]:
        for column in table.columns:
            if column.name.casefold() == word and (word == "split" or meaning != "split" or column.kind != "number"):
                return column.name
    return ""


def resolved(table: Table, recipe: Recipe) -> Recipe:
    """For `ready`: the columns by the names they have in task-set files."""
    if recipe.kind != "ready":
        return recipe
    return replace(
        recipe,
        task=recipe.task or named(table, "task"),
        label=recipe.label or named(table, "label"),
        split=recipe.split or ("" if recipe.test else named(table, "split")),
    )


def read_ready(table: Table) -> Reading:
    """The task set of a table, or the first thing that is wrong with it."""
    file = table.file
    if not names_a_task_set(table.headings):
        found = listed(table.headings if any(table.headings) else table.head[0], 4)
        raise FormatError(
            f"{file}: the first line names no columns 'task' and 'label' (found {found}); "
            "begin with a line such as task,label,x1,x2"
        )
    for words in MEANINGS.values():
        for word in words:
            if (count := [name.casefold() for name in table.headings].count(word)) > 1:
                raise FormatError(f"{file}: {count} columns are named {word!r}; keep one")
    if table.fault:
        raise FormatError(f"{file}: {table.fault}")
    task, label, split = (table[name] if (name := named(table, role)) else None for role in ("task", "label", "split"))
    assert task is not None
    assert label is not None
    names, task_of, said = _tasks(task, file)
    _refuse(file, label.missing, "has no label; fill it in or remove the row")
    y, signs_said = file_signs(label, file)
    is_test = np.zeros(table.rows, dtype=bool) if split is None else _test_rows(split, file)
    features, columns_said = _features(table, [column for column in (task, label, split) if column is not None])
    order = np.lexsort((is_test, task_of))
    X = _matrix(table, features, order)
    ends = np.searchsorted(2 * task_of[order] + is_test[order], np.arange(2 * len(names) + 1))
    parts = {}
    for name, (a, b, c) in zip(names, zip(ends[:-1:2], ends[1::2], ends[2::2], strict=True), strict=True):
        if a == b:
            raise FormatError(f"{file}: task {name!r} has only test rows; it needs training rows, too")
        parts[name] = Points(X[a:b], y[order[a:b]]), Points(X[b:c], y[order[b:c]]) if b < c else None
    feature_names = [unescape_formula(column.name) for column, _ in features]
    line = table.about
    if "=" in (note := feature_names[0].rpartition("[")[2]) and note.endswith("]"):  # `height [cm]` is a name
        feature_names[0], line = unescape_formula(feature_names[0][: -len(note) - 1].strip()), note[:-1]
    known, misfits = parse_about(line, tuple(names), X.shape[1])
    known["feature_names"] = clean_feature_names(feature_names)
    told = [signs_said, *table.said, *columns_said, *_features_said(feature_names, features), *said, *misfits]
    return reading_of(table.filename, parts, known, told)


def _refuse(file: str, faulty: BoolArray, what: str) -> None:
    """Refuse the file if any row is faulty, by the first."""
    if faulty.any():
        raise FormatError(f"{file}: row {int(faulty.argmax()) + 1} {what}")


def _cells(column: Column, file: str) -> tuple[Sequence[str], IntArray]:
    found = column.as_written
    if found is None:
        raise FormatError(f"{file}: column {column.name[:40]!r} holds dates or lists; use text or numbers")
    return found


def _tasks(column: Column, file: str) -> tuple[list[str], IntArray, tuple[str, ...]]:
    """The tasks' names in order of appearance, every row's task, and what was changed in the names.

    Names that differ only in surrounding blanks are one task.
    """
    given, codes = _cells(column, file)
    nameless = np.array([*(not name.strip() for name in given), True])[codes]
    _refuse(file, nameless, "has no task; fill it in or remove the row")
    check_tasks(file, len({name.strip() for name in given}))
    cleaned = [clean_task_name(unescape_formula(name.strip()), file) for name in given]
    task_of, names = pd.factorize(np.array(cleaned, dtype=object)[codes])
    merged = ("Blanks around task names were removed.",) if any(name != name.strip() for name in given) else ()
    return list(names), task_of.astype(np.int64), merged


def _test_rows(column: Column, file: str) -> BoolArray:
    given, codes = _cells(column, file)
    words = [*(word.strip() for word in given), ""]
    for k, word in enumerate(words):
        if word.casefold() not in SPLIT_WORDS:
            _refuse(
                file, codes % len(words) == k, f"has {word[:30]!r} in column {column.name[:40]!r}; write train or test"
            )
    return np.array([SPLIT_WORDS.get(word.casefold(), False) for word in words])[codes]


def _features(table: Table, others: Sequence[Column]) -> tuple[list[tuple[Column, FloatArray]], list[str]]:
    """The columns of numbers, and a sentence on each that has another use or none."""
    features, left_out = [], []
    for column, heading in zip(table.columns, table.headings, strict=True):
        if column in others:
            continue
        values = None if heading.casefold() in INDEX_NAMES else _numbers(column, table.decimal_comma)
        if values is None:
            left_out.append(column.name)
        else:
            features.append((column, values))
    if not features:
        raise FormatError(f"{table.file} has no feature column; add at least one column of numbers after the label")
    said = [
        f"Column {column.name!r} is taken as the {meaning}."
        for column, meaning in zip(others, MEANINGS, strict=False)
        if column.name.casefold() != meaning
    ]
    if left_out:
        said.append(f"Left out {listed(left_out)}: no features, as they hold no numbers or only count the rows.")
    return features, said


def _numbers(column: Column, decimal_comma: bool) -> FloatArray | None:
    """The numbers of a column, NaN where a cell is none; None of a column without numbers among its first cells."""
    if column.kind == "empty" or column.numbers is not None:
        return column.numbers if column.kind == "number" else None
    if column.codes is not None and set(column.texts) <= {"false", "true"} and column.texts:
        return np.array([*(text == "true" for text in column.texts), np.nan])[column.codes]
    if column.cell_of is None or column.kind == "date":
        return None
    numbers = [as_number(cell.strip(), decimal_comma) for cell in column.cells]
    values = np.array([*numbers, np.nan])[column.cell_of]
    return None if np.isnan(values[:_FIRST]).all() else values


def _matrix(table: Table, features: Sequence[tuple[Column, FloatArray]], order: IntArray) -> FloatArray:
    """The features of the rows in that order; every cell must hold a finite number."""
    check_shape(table.file, table.rows, len(features))
    gaps = [(int(np.isnan(values).argmax()), k) for k, (_, values) in enumerate(features) if np.isnan(values).any()]
    if gaps:
        row, k = min(gaps)
        column = features[k][0]
        cell = "" if column.cell_of is None or column.cell_of[row] < 0 else column.cells[column.cell_of[row]]
        fault = "is empty or not a finite number; fill it in or remove the row"
        if cell.strip().casefold() not in MISSING_WORDS:
            fault = f"holds {cell[:30]!r}, which is no number; correct it or remove the row"
        raise FormatError(f"{table.file}: row {row + 1}, column {column.name[:40]!r} {fault}")
    X = np.empty((table.rows, len(features)))
    for start in range(0, table.rows, _BLOCK):  # a block of rows fits the cache
        rows = order[start : start + _BLOCK]
        for k, (_, values) in enumerate(features):
            X[start : start + _BLOCK, k] = values[rows]
    return X


def _features_said(names: Sequence[str], features: Sequence[tuple[Column, FloatArray]]) -> list[str]:
    """Which columns are features, and which of them look as if they only told the rows apart."""
    count = f"{len(names):,} columns are" if len(names) > 1 else "One column is"
    said = [f"{count} used as feature{'s' * (len(names) > 1)}: {listed(list(names), 8)}."]
    ids = [column.name for column, _ in features if column.rows >= _FEW and (column.counts_rows or column.is_id)]
    if ids:
        said.append(
            f"Column {listed(ids, 3)} has another whole number in every row: if it only tells the rows apart, "
            "take it out of the file, for as a feature it misleads."
        )
    return said
