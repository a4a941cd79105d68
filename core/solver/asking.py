"""How OSQP and the solvers behind qpsolvers are asked for min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u."""

from __future__ import annotations

import threading
import warnings

import numpy as np
import osqp
import scipy.sparse as sp

from core.errors import SettingsError, SolverError
from core.features import FloatArray

KERNEL = "kernel"
"""The compiled active-set kernel, which is our own."""
FALLBACK = "piqp"
"""Asked where another answer does not lead to the active set: an interior point, indifferent to conditioning."""
_TIGHT = 1e-9

Answer = tuple[FloatArray | None, int]
"""α and the iterations it took; None where the solver found nothing."""


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


class OsqpProblem:
    """One OSQP problem for one Q: set up once, then only updated (q, u) and warm-started.

    Asked for a loose answer, which is enough to find the active set. With a factor B, in (α, z = Bᵀα), so that its
    matrices stay as thin as B.
    """

    def __init__(self, Q: FloatArray, factor: FloatArray) -> None:
        self._Q, self._factor = Q, factor
        self._osqp: osqp.OSQP | None = None
        self._lock = threading.Lock()

    def ask(self, r: FloatArray, limits: FloatArray, start: FloatArray) -> Answer:
        """OSQP's answer from this start."""
        m, k = self._factor.shape
        q, upper = -r, limits
        if k:
            q, upper = np.concatenate([q, np.zeros(k)]), np.concatenate([upper, np.zeros(k)])
            start = np.concatenate([start, self._factor.T @ start])
        try:
            with self._lock:
                if self._osqp is None:
                    self._osqp = self._set_up(q, upper)
                else:
                    self._osqp.update(q=q, u=upper)
                self._osqp.warm_start(x=start)
                answer = self._osqp.solve(raise_error=False)
        except osqp.OSQPException:  # its own factorisation failed
            return None, 0
        return (None if answer.x is None else np.asarray(answer.x[:m], dtype=np.float64)), int(answer.info.iter)

    def _set_up(self, q: FloatArray, upper: FloatArray) -> osqp.OSQP:
        m, k = self._factor.shape
        identity = sp.identity(m, format="csc")
        if k:
            P = sp.block_diag([sp.csc_matrix((m, m)), sp.identity(k)], format="csc")
            A = sp.bmat([[identity, None], [sp.csc_matrix(self._factor.T), -sp.identity(k)]], format="csc")
        else:
            P, A = sp.csc_matrix(np.triu(self._Q)), identity  # OSQP reads the upper triangle
        problem = osqp.OSQP()
        problem.setup(P, q, A, np.zeros(m + k), upper, verbose=False, eps_abs=1e-3, eps_rel=1e-3, max_iter=2000)
        return problem


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
