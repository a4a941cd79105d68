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
from core.features import Features, FloatArray
from core.fitting.cross_validation import number_C
from core.fitting.pool import half_gram
from core.solver.backends import KERNEL
from core.solver.box_qp import BoxQP, Solution
from core.solver.solve_record import NO_SOLVE, SolveRecord
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
        plain = _plain(X, y)
        if not plain:
            X, y = self._checked(X, y)
        classes = np.unique(y)
        if plain and len(classes) != 2:  # what there is to say of X comes first
            X, y = self._checked(X, y)
        if len(classes) > 2:
            check_classification_targets(y)
            raise ValueError(
                f"Only binary classification is supported; y has {len(classes)} labels. "
                "Wrap AdaptiveSVC in OneVsRestClassifier for more."
            )
        if len(classes) < 2:
            raise ValueError(f"all {len(y)} labels are {classes[0]!r}, one class; AdaptiveSVC needs both classes")
        m, d = X.shape
        signs = np.where(y == classes[1], 1.0, -1.0)
        with one_blas_thread(m * max(m, d)):
            X = sp.csr_array(X) if sp.issparse(X) else X
            with np.errstate(over="ignore", invalid="ignore"):
                total = X.T @ signs
            if plain and not np.isfinite(total).all():
                X, y = self._checked(X, y)
            start = _start(source, d)
            r = np.ones(m) if start is None else 1.0 - signs * (X @ start)
            solution = self._solve(X, signs, total, r, C)
            step = 0.5 * (X.T @ (signs * solution.alpha))
        if plain:  # as `_checked` does; only now, so that a fit that fails leaves the one before as it was
            self.n_features_in_ = d
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        self.classes_ = classes
        self.dual_coef_: FloatArray = solution.alpha
        self.coef_: FloatArray = (step if start is None else start + step).reshape(1, -1)
        self.duality_gap_ = solution.gap
        self.solved_ = solution.solved
        return self

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any]:
        """What scikit-learn's validation makes of them, or its error."""
        checked: tuple[Any, Any] = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        return checked

    def _solve(self, X: Features, signs: FloatArray, total: FloatArray, r: FloatArray, C: float) -> Solution:
        """The dual: without inner products where all α stand at the limit, which is found out first.

        `total` is Σ y x, so that 1ᵀQ1 = ½‖total‖²: above Σr/limit, they cannot all stand there.
        """
        m, d = X.shape
        limit = C / m
        if self.solver in ("osqp", KERNEL) and 0.5 * limit * float(total @ total) <= float(r.sum()):
            at_limit = signs * (X @ (0.5 * limit * total)) - r
            if at_limit.max() <= 0.0:
                return Solution(np.full(m, limit), at_limit, SolveRecord(NO_SOLVE, 0, 0.0, 0.0))
        Q = half_gram(X, X)
        Q *= signs
        Q *= signs[:, None]
        factor = None
        if d <= m:
            factor = (X.toarray() if isinstance(X, sp.csr_array) else X) * (signs[:, None] / np.sqrt(2.0))
        problem = BoxQP(Q, factor, self.solver, "AdaptiveSVC")
        solution = problem.solve(r, limit)
        problem.osqp.leave()
        return solution

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


def _plain(X: Any, y: Any) -> bool:
    """Whether both are arrays of float that need none of scikit-learn's validation, which on small tasks would take
    longer than the fit. That X is finite is seen later, by a sum that is needed anyway."""
    return bool(
        type(X) is type(y) is np.ndarray
        and X.dtype == y.dtype == np.float64
        and X.ndim == 2
        and y.shape == X.shape[:1]
        and X.size > 0
        and np.isfinite(y.sum())
    )


def _start(source: npt.ArrayLike | None, d: int) -> FloatArray | None:
    """The weights to start from, checked; None for the zero vector."""
    if source is None:
        return None
    if np.iscomplexobj(source):
        raise SettingsError("the source has complex weights; give real ones")
    start = np.asarray(source, dtype=np.float64).ravel()
    if len(start) != d or not np.all(np.isfinite(start)):
        raise SettingsError(f"source has {len(start)} weights; give {d} finite ones, one a feature")
    return start
