"""The Adaptive SVM of eq. (2) as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from core.errors import SettingsError
from core.features import FloatArray
from core.fitting.cross_validation import number_C
from core.fitting.pool import half_gram
from core.solver.box_qp import BoxQP
from core.solver.threads import one_blas_thread


class AdaptiveSVC(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Binary linear SVM that stays near a source: min ‖w - w_src‖² + (C/m) Σ ξ_j, eq. (2).

    There is no intercept: append a column of ones, as `TaskSet.prepared` does. Of the two labels the greater is
    positive. After `fit`: `coef_` (1 × d), `duality_gap_` (relative, at most 1e-6), `dual_coef_` (α), `classes_`,
    `solved_` (what the solver did).
    """

    def __init__(self, C: float = 1.0, *, solver: str = "osqp") -> None:
        self.C = C
        self.solver = solver

    def fit(self, X: Any, y: Any, source: npt.ArrayLike | None = None) -> Self:
        """Learn from X, y, started from the weights `source` (the zero vector if None)."""
        C = number_C(self.C)
        if C is None:
            raise SettingsError(f"C is {self.C!r}; use a number above 0")
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        classes = np.unique(y)
        if len(classes) > 2:
            check_classification_targets(y)
            raise ValueError(
                f"Only binary classification is supported; y has {len(classes)} labels. "
                "Wrap AdaptiveSVC in OneVsRestClassifier for more."
            )
        if len(classes) < 2:
            raise ValueError(f"all {len(y)} labels are {classes[0]!r}, one class; AdaptiveSVC needs both classes")
        m, d = X.shape
        X = sp.csr_array(X) if sp.issparse(X) else X
        signs, start = np.where(y == classes[1], 1.0, -1.0), _start(source, d)
        with one_blas_thread():
            factor = None
            if d <= m:
                factor = (X.toarray() if sp.issparse(X) else X) * (signs[:, None] / np.sqrt(2.0))
            Q = half_gram(X, X) * np.outer(signs, signs)
            qp = BoxQP.of(Q, np.full(m, 1.0 / m), factor, self.solver, "AdaptiveSVC")
            solution = qp.solve(1.0 - signs * (X @ start), C)
            weights = start + 0.5 * (X.T @ (signs * solution.alpha))
        self.classes_ = classes
        self.dual_coef_: FloatArray = solution.alpha
        self.coef_: FloatArray = weights.reshape(1, -1)
        self.duality_gap_ = solution.gap
        self.solved_ = solution.solved
        return self

    def decision_function(self, X: Any) -> FloatArray:
        """<w, x> for every row."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_.ravel())

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The label of every row; the lesser one on the hyperplane itself."""
        scores = self.decision_function(X)
        return np.asarray(self.classes_[(scores > 0).astype(int)])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags


def _start(source: npt.ArrayLike | None, d: int) -> FloatArray:
    """The weights to start from, checked; the zero vector without a source."""
    if source is None:
        return np.zeros(d)
    if np.iscomplexobj(source):
        raise SettingsError("the source has complex weights; give real ones")
    start = np.asarray(source, dtype=np.float64).ravel()
    if len(start) != d or not np.all(np.isfinite(start)):
        raise SettingsError(f"source has {len(start)} weights; give {d} finite ones, one a feature")
    return start
