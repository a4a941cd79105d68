"""One task: validated once here, trusted everywhere else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from core.errors import TaskError
from core.features import Features, FloatArray, IntArray, first_not_finite, is_sparse
from core.measure import Measure, cost_share, mistake_costs


@dataclass(frozen=True, eq=False, slots=True)
class Task:
    """A binary classification task: training points `X, y` with `y` in {-1, +1}, and perhaps test points.

    `ids` and `ids_test`, where they are known, are equal for rows of a table that are equal in every column, used or
    not. They tell a repeated row from two rows that look alike; no result depends on them.
    """

    name: str
    X: Features
    y: FloatArray
    X_test: Features | None = None
    y_test: FloatArray | None = None
    ids: IntArray | None = None
    ids_test: IntArray | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise TaskError(f"a task is named {self.name!r}; give every task a name that is not empty")
        X, y = _points(self.name, "training", self.X, self.y)
        for label in (-1.0, 1.0):
            if not np.any(y == label):
                raise TaskError(
                    f"task {self.name!r}: all {len(y)} training labels are {-label:+.0f}; a task needs both classes"
                )
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)
        if (self.X_test is None) != (self.y_test is None):
            given, missing = ("X_test", "y_test") if self.y_test is None else ("y_test", "X_test")
            raise TaskError(f"task {self.name!r}: {given} is given without {missing}; give both or neither")
        if self.X_test is not None and self.y_test is not None:
            X_test, y_test = _points(self.name, "test", self.X_test, self.y_test)
            if X_test.shape[1] != X.shape[1]:
                raise TaskError(
                    f"task {self.name!r}: {X_test.shape[1]} test features but {X.shape[1]} training features; "
                    "use one feature space"
                )
            object.__setattr__(self, "X_test", X_test)
            object.__setattr__(self, "y_test", y_test)

        for ids, labels in ((self.ids, self.y), (self.ids_test, self.y_test)):
            if ids is not None and (labels is None or len(ids) != len(labels)):
                raise TaskError(
                    f"task {self.name!r}: {len(ids)} ids for other points; give one for each point, or none"
                )

    @property
    def n_points(self) -> int:
        """m, the number of training points."""
        return len(self.y)

    @property
    def smaller_class(self) -> int:
        """How many training points the smaller class has."""
        positive = int(np.sum(self.y > 0))
        return min(positive, self.n_points - positive)

    @property
    def n_test(self) -> int:
        """Number of test points; 0 without test data."""
        return 0 if self.y_test is None else len(self.y_test)

    @property
    def n_features(self) -> int:
        """d, the number of features."""
        return int(self.X.shape[1])

    @property
    def larger_class(self) -> float:
        """The label that most training points have; -1 where both are equally many."""
        return 1.0 if 2 * int(np.sum(self.y > 0)) > self.n_points else -1.0

    def test_error(self, weights: FloatArray, measure: Measure = "error") -> float | None:
        """Share of test points with `y<w,x> <= 0`, or the mean of that of the two classes; None without test data."""
        if self.X_test is None or self.y_test is None:
            return None
        return cost_share(self.y_test * (self.X_test @ weights) <= 0, mistake_costs(self.y_test, measure))


def _points(name: str, part: str, X: object, y: object) -> tuple[Features, FloatArray]:
    """Finite features and -1/+1 labels of one part of a task, as float64, or a TaskError."""
    where = f"task {name!r}, {part} data"
    text = next((label for label in y if isinstance(label, (str, bytes))), None) if isinstance(y, Iterable) else None
    if text is not None:
        label = str(text) if isinstance(text, str) else bytes(text)
        raise TaskError(f"{where}: label {label!r} is text; turn the two classes into -1 and +1")
    try:
        for what, values in (("features", X), ("labels", y)):
            if np.iscomplexobj(cast(Any, values)):
                raise TypeError(f"the {what} are complex; give real ones")
        if np.asarray(X).dtype.kind in "mM":
            raise TypeError("the features are dates or times; turn them into numbers")
        features: Features
        if is_sparse(X):
            import scipy.sparse as sp

            features = sp.csr_array(X, dtype=np.float64)
            features.sum_duplicates()
        else:
            features = np.ascontiguousarray(X, dtype=np.float64)
        labels = np.array(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TaskError(
            f"{where}: not a rectangular table of numbers ({error}); give numeric rows of one length"
        ) from None
    if features.ndim != 2 or labels.ndim != 1:
        raise TaskError(f"{where}: X has {features.ndim} and y {labels.ndim} dimensions; X needs 2 and y needs 1")
    if features.shape[0] != len(labels):
        raise TaskError(f"{where}: {features.shape[0]} rows of features but {len(labels)} labels; give one label a row")
    if features.shape[0] == 0 or features.shape[1] == 0:
        raise TaskError(
            f"{where}: {features.shape[0]} rows and {features.shape[1]} features; give at least one of each"
        )
    values = features.data if is_sparse(features) else features
    if not np.all(np.isfinite(values)):
        row, column = first_not_finite(features)
        raise TaskError(f"{where}: row {row}, feature {column} is not a finite number; remove or fill it")
    odd = labels[(labels != 1) & (labels != -1)]
    if len(odd):
        raise TaskError(f"{where}: label {odd[0]:g} found; labels must be -1 or +1")
    return features, labels
