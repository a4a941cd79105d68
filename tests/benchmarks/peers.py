"""One Adaptive SVM fit (eq. 2) as others would do it: the dual built from the features and given to a solver, cold."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import cvxopt
import cvxopt.solvers
import numpy as np
import qpsolvers
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from core.solver.box_qp import GAP
from core.task_set import Features, FloatArray, Task

Solve = Callable[[FloatArray, FloatArray, float], FloatArray]
"""From Q, r and the upper limit to the minimiser of ½ αᵀQα - rᵀα over the box."""


@dataclass(frozen=True, eq=False, slots=True)
class Fit:
    """An Adaptive SVM with all that is needed to judge it."""

    task: Task
    source_weights: FloatArray
    C: float
    alpha: FloatArray
    weights: FloatArray

    @property
    def gap(self) -> float:
        """Relative duality gap, from the features alone: nothing of what is judged is used to judge it."""
        Z, m = self.task.X * self.task.y[:, None], self.task.n_points
        r = 1.0 - Z @ self.source_weights
        step = 0.5 * (Z.T @ self.alpha)
        primal = step @ step + self.C / m * np.maximum(r - Z @ step, 0.0).sum()
        dual = r @ self.alpha - step @ step
        return float((primal - dual) / max(primal, 1e-8 * self.C))


def adaptive_svm(solve: Solve, task: Task, source_weights: FloatArray, C: float) -> Fit:
    """Eq. (2) through its dual, from the features, remembering nothing."""
    Z = task.X * task.y[:, None]
    alpha = solve(0.5 * (Z @ Z.T), 1.0 - Z @ source_weights, C / task.n_points)
    return Fit(task, source_weights, C, alpha, source_weights + 0.5 * (Z.T @ alpha))


def cvxopt_qp(Q: FloatArray, r: FloatArray, limit: float, reltol: float = 2e-7) -> FloatArray:
    """CVXOPT with a sparse constraint matrix, which is about twice as fast here as the usual dense one."""
    m = len(r)
    identity = cvxopt.spmatrix(1.0, range(m), range(m))
    G = cvxopt.sparse([-identity, identity])
    h = cvxopt.matrix(np.concatenate([np.zeros(m), np.full(m, limit)]))
    options = {"show_progress": False, "abstol": 1e-12, "reltol": reltol, "feastol": 1e-8}
    answer = cvxopt.solvers.qp(cvxopt.matrix(Q), cvxopt.matrix(-r), G, h, options=options)
    return np.clip(np.array(answer["x"]).ravel(), 0.0, limit)


def cvxopt_to_the_end(Q: FloatArray, r: FloatArray, limit: float) -> FloatArray:
    """The same as far as it goes, for a check: within its usual tolerance a validation point may change sides."""
    return cvxopt_qp(Q, r, limit, 1e-12)


def through_qpsolvers(solver: str, **settings: object) -> Solve:
    """A solver that qpsolvers knows, called cold."""

    def solve(Q: FloatArray, r: FloatArray, limit: float) -> FloatArray:
        m = len(r)
        P = sp.csc_matrix(Q) if solver == "osqp" else Q
        answer = qpsolvers.solve_qp(P, -r, lb=np.zeros(m), ub=np.full(m, limit), solver=solver, **settings)
        return np.full(m, np.nan) if answer is None else np.clip(answer, 0.0, limit)

    return solve


def osqp_settings() -> list[dict[str, object]]:
    """From loose to tight, polished; the cheapest that reaches the gap is the one that is timed."""
    return [
        {"eps_abs": 10.0**-e, "eps_rel": 10.0**-e, "polishing": True, "max_iter": 20_000} for e in (3, 4, 5, 6, 7, 8, 9)
    ]


def linear_svc(X: Features, y: FloatArray, C: float, tol: float) -> FloatArray:
    """scikit-learn's LinearSVC on the same problem: ½‖w‖² + C'Σξ with C' = C/(2m)."""
    model = LinearSVC(loss="hinge", C=C / (2 * len(y)), fit_intercept=False, dual=True, tol=tol, max_iter=300_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.fit(X, y).coef_).ravel()


def linear_svc_tolerance(task: Task, C: float, best: float) -> float | None:
    """The loosest power of ten with which LinearSVC's objective is within 1e-6 of the best, if there is one."""
    for tol in 10.0 ** -np.arange(2.0, 11.0):
        w = linear_svc(task.X, task.y, C, float(tol))
        hinge = np.maximum(1.0 - task.y * (task.X @ w), 0.0).mean()
        if w @ w + C * hinge <= best * (1.0 + GAP):
            return float(tol)
    return None
