"""Which solvers there are, and how OSQP and those behind qpsolvers are asked for min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u."""

from __future__ import annotations

import signal
import threading
import warnings
from typing import Any

import numpy as np
import osqp
import scipy.sparse as sp

from core.errors import SettingsError, SolverError
from core.features import FloatArray

Answer = tuple[FloatArray | None, int]
"""α and the iterations it took; None where the solver found nothing."""

KERNEL = "kernel"
"""The compiled active-set kernel, which is our own."""
FALLBACK = "piqp"
"""Asked where another answer does not lead to the active set: an interior point, indifferent to conditioning."""
_TIGHT = 1e-9
_OSQP_SETTINGS: dict[str, Any] = {
    "verbose": False,
    "eps_abs": 1e-2,
    "eps_rel": 1e-2,
    "max_iter": 2000,
    "alpha": 1.5,
    "check_termination": 12,
    "check_dualgap": False,  # the gap is computed anyway, here and after finishing
    "adaptive_rho_interval": 20,
}
"""Measured over the sets and C of the benchmarks: of the answers that lead to the active set, these take least time.
A hundredth is near enough for that; a check costs as much as an iteration; over-relaxed by 1.5 it needs the fewest."""
_EVEN = 10.0
"""Ratio of diagonal entries up to which Q needs no scaling."""
_one_at_a_time = threading.Lock()
"""While OSQP solves, Ctrl-C is its own, and then whose it was before: of two at once, the second would never let go."""


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
    """The solver of a scan, of which only counts and means leave the core: for OSQP the kernel, else `name` itself."""
    return KERNEL if name == "osqp" else name


def onto_limits(alpha: FloatArray, limits: FloatArray) -> FloatArray:
    """α with what is within rounding of a limit put there."""
    tight = _TIGHT * limits
    return np.ascontiguousarray(np.where(alpha < tight, 0.0, np.where(alpha > limits - tight, limits, alpha)))


class OsqpProblem:
    """One OSQP problem for one Q, set up once: min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u, for many r and u.

    Asked for a loose answer, which is enough to find the active set. With a factor B, in (α, z = Bᵀα), so that its
    matrices stay as thin as B.
    """

    def __init__(self, Q: FloatArray, factor: FloatArray) -> None:
        self._Q, self._factor = Q, factor
        self._problem: osqp.OSQP | None = None

    def ask(self, r: FloatArray, limits: FloatArray, start: FloatArray) -> Answer:
        """OSQP's answer from this start."""
        m, k = self._factor.shape
        q, upper = np.concatenate([-r, np.zeros(k)]), np.concatenate([limits, np.zeros(k)])
        try:
            with _one_at_a_time:
                if self._problem is None:
                    self._problem = self._set_up(q, upper)
                else:
                    self._problem.update(q=q, u=upper)
                self._problem.warm_start(x=np.concatenate([start, self._factor.T @ start]))
                answer = self._problem.solve(raise_error=False)
        except osqp.OSQPException:  # its own factorisation failed
            return None, 0
        status, iterations = answer.info.status_val, int(answer.info.iter)
        if status == osqp.SolverStatus.OSQP_SIGINT:  # it took the signal for its own
            signal.raise_signal(signal.SIGINT)
        if answer.x is None or status == osqp.SolverStatus.OSQP_UNSOLVED:  # then x is what an earlier solve left there
            self._problem = None
            return None, iterations
        return np.asarray(answer.x[:m], dtype=np.float64), iterations

    def _set_up(self, q: FloatArray, upper: FloatArray) -> osqp.OSQP:
        m, k = self._factor.shape
        if k:  # the box of α with z = Bᵀα
            P = sp.block_diag([sp.csc_matrix((m, m)), sp.eye(k)], format="csc")
            A = sp.bmat([[sp.eye(m), None], [self._factor.T, -sp.eye(k)]], format="csc")
        else:
            P, A = sp.csc_matrix(np.triu(self._Q)), sp.eye(m, format="csc")
        problem = osqp.OSQP(algebra="builtin")
        settings = _OSQP_SETTINGS | _step_size(np.diagonal(self._Q), upper[:m])
        problem.setup(P, q, A, np.zeros(m + k), upper, **settings)
        return problem


def _step_size(diagonal: FloatArray, limits: FloatArray) -> dict[str, float]:
    """OSQP's first step size ρ, where rows are of like length: about √(Q/u) halves its iterations at most C (measured).

    Otherwise its own choice, with its scaling.
    """
    largest, limit = float(diagonal.max()), float(limits.mean())
    if not 0.0 < largest <= _EVEN * float(diagonal.min()):
        return {}
    return {"scaling": 0, "rho": min(max(0.7 * float(np.sqrt(largest / limit)), 1e-4), 1e4)}


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
        free = np.full(k, np.inf)
        problem = qpsolvers.Problem(
            sp.block_diag([sp.csc_matrix((m, m)), sp.eye(k)], format="csc"),
            np.concatenate([-limits * r, np.zeros(k)]),
            A=sp.hstack([sp.csc_matrix((factor * limits[:, None]).T), -sp.eye(k)], format="csc"),
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


def few_columns(m: int, k: int) -> int:
    """The k columns of B where they are so few that working with B pays, else 0: then it serves hard cases alone."""
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
