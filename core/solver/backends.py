"""Which solvers there are, and how those behind qpsolvers are asked for min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse as sp

from core.errors import SettingsError, SolverError
from core.features import FloatArray
from core.solver.osqp_problem import Answer

KERNEL = "kernel"
"""The compiled active-set kernel, which is our own."""
FALLBACK = "piqp"
"""Asked where another answer does not lead to the active set: an interior point, indifferent to conditioning."""
_TIGHT = 1e-9


def check_solver(name: str) -> str:
    """`name` in lower case, if it is OSQP, the kernel or a QP solver that qpsolvers finds installed here."""
    name = str(name).lower()
    if name in ("osqp", KERNEL):
        return name
    import qpsolvers

    if name not in qpsolvers.available_solvers:
        known = ", ".join(sorted({KERNEL, *qpsolvers.available_solvers}))
        raise SettingsError(f"solver {name!r} is not installed here; install it or use one of: {known}")
    return name


def installed_solvers() -> tuple[str, ...]:
    """Those worth offering to a reader: OSQP, the kernel, and solvers of other kinds that are installed here."""
    import qpsolvers

    return ("osqp", KERNEL, *(name for name in ("piqp", "daqp", "clarabel") if name in qpsolvers.available_solvers))


def scan_solver(name: str) -> str:
    """Who solves a scan, of which only counts and means are told, where `name` is asked for: for OSQP the kernel."""
    return KERNEL if name == "osqp" else name


def onto_limits(alpha: FloatArray, limits: FloatArray) -> FloatArray:
    """α with what is within rounding of a limit put there."""
    tight = _TIGHT * limits
    return np.ascontiguousarray(np.where(alpha < tight, 0.0, np.where(alpha > limits - tight, limits, alpha)))


def ask_qpsolvers(
    name: str, Q: FloatArray, factor: FloatArray, r: FloatArray, limits: FloatArray, thin: bool
) -> Answer:
    """The answer of a solver of qpsolvers, cold, in β = α/u over the unit box: unscaled, large C defeats most of them.

    `thin` asks in (β, z = Bᵀα), if there is a factor B and the solver takes sparse matrices.
    """
    import qpsolvers

    m, k = factor.shape
    dense = name in qpsolvers.dense_solvers
    lower, upper = np.zeros(m), np.ones(m)
    if k and name in qpsolvers.sparse_solvers and (thin or not dense):
        free, last = np.full(k, np.inf), np.arange(k)
        scaled = np.concatenate([(factor * limits[:, None]).ravel(), np.full(k, -1.0)])
        starts = np.concatenate([np.arange(m) * k, m * k + np.arange(k + 1)])
        problem = qpsolvers.Problem(
            sp.csc_matrix((np.ones(k), m + last, np.concatenate([np.zeros(m, int), np.arange(k + 1)]))),
            np.concatenate([-limits * r, np.zeros(k)]),
            A=sp.csc_matrix((scaled, np.tile(last, m + 1), starts)),
            b=np.zeros(k),
            lb=np.concatenate([lower, -free]),
            ub=np.concatenate([upper, free]),
        )
    else:
        P = Q * limits * limits[:, None]
        problem = qpsolvers.Problem(P if dense else sp.csc_matrix(P), -limits * r, lb=lower, ub=upper)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a solver's doubts show in the duality gap
            solution = qpsolvers.solve_problem(problem, solver=name)
    except Exception as error:
        raise SolverError(f"{name} failed ({error}); try --solver osqp") from error
    return (None if solution.x is None else np.asarray(solution.x[:m]) * limits), iterations_of(solution.extras)


def few_columns(factor: FloatArray) -> int:
    """The columns of B where they are so few that working with B pays, else 0: then it serves hard cases alone."""
    m, k = factor.shape
    return k if 2 * k <= m else 0


def worth_thin(m: int, k: int) -> bool:
    """Whether m points with k features are solved faster in m + k variables with a sparse matrix (measured)."""
    return m >= 120 and 0 < 8 * k <= m


def iterations_of(extras: object) -> int:
    """The iterations that a solver of qpsolvers tells of; 0 where it tells of none."""
    found: object = extras
    if isinstance(extras, dict):
        found = extras.get("info", extras)
    for name in ("iter", "iterations"):
        value = found.get(name) if isinstance(found, dict) else getattr(found, name, None)
        if isinstance(value, int):
            return value
    return 0
