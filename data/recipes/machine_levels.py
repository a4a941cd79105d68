"""Levels of difficulty: by a score column, or by how near a row lies to a machine's boundary."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.task_set import FloatArray

if TYPE_CHECKING:
    from data.tables.column import Column

IntArray = npt.NDArray[np.int64]

LEVELS = ("easiest", "easy", "medium", "hard", "hardest")
FOLDS = 10
FEW = 10
"""Different scores up to which each score is a level."""


def level_names(levels: int) -> tuple[str, ...]:
    """What the levels are called, easiest first."""
    return LEVELS if levels == 5 else tuple(f"level {k + 1}" for k in range(levels))


def split_levels(difficulty: FloatArray, classes: npt.NDArray[np.generic], levels: int) -> IntArray:
    """The part (0 easiest ...) of its class in which every point's difficulty lies; the parts are equally large."""
    found = np.empty(len(classes), dtype=np.int64)
    for name in np.unique(classes):
        members = np.flatnonzero(classes == name)
        from_easiest = members[np.argsort(difficulty[members], kind="stable")]
        for level, part in enumerate(np.array_split(from_easiest, levels)):
            found[part] = level
    return found


def by_score(column: Column, signs: FloatArray, rows: IntArray, levels: int) -> tuple[IntArray, tuple[str, ...]]:
    """Every row's level (-1: none) by a column of scores, the greater the harder; few scores are levels themselves."""
    assert column.numbers is not None
    found = np.full(column.rows, -1, dtype=np.int64)
    rows = rows[~column.missing[rows] & (signs[rows] != 0)]
    if column.classes is not None and len(column.values) <= FEW:
        found[rows] = column.classes[0][rows]
        return found, tuple(f"{column.name} {value}" for value in column.values)
    found[rows] = split_levels(column.numbers[rows], signs[rows], levels)
    return found, level_names(levels)


def margins(X: FloatArray, y: FloatArray) -> FloatArray:
    """How hard each point is: how near it lies to the boundary of linear SVMs that did not see it (stratified folds).

    On which side it lies does not count: a level must not be chosen by the point's own label, or even labels drawn at
    random could be learned in the easiest one. Columns are standardised for this; an empty cell is its column's mean.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.impute import SimpleImputer
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    smallest = int(min(np.sum(y > 0), np.sum(y < 0)))
    if smallest < 2:
        return np.zeros(len(y))
    machine = make_pipeline(
        SimpleImputer(keep_empty_features=True), StandardScaler(), LinearSVC(dual=False, random_state=0)
    )
    folds = StratifiedKFold(min(FOLDS, smallest), shuffle=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        scores = cross_val_predict(machine, X, y, cv=folds, method="decision_function")
    return np.asarray(-np.abs(scores))
