"""The box QP behind every learner, exact to a duality gap that it reports: min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
import osqp
import scipy.sparse as sp

from core.errors import SettingsError, SolverError
from core.features import FloatArray
from core.solver.activeset import first_try, gradient, relative_gap, settle
from core.solver.interior import interior

GAP = 1e-6
"""Every returned solution has a relative duality gap of at most this."""
SETTLED = 1e-10
"""The gap at which a solution is taken as it is, without asking anybody else."""
MAX_POINTS = 12_000
"""Points in one QP; the m × m matrix alone takes 1.2 GB then."""
_FINISH_ROUNDS = 300


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """A minimiser α, the gradient g = Qα - r there, and how exact it is."""

    alpha: FloatArray
    g: FloatArray
    gap: float


def check_solver(name: str) -> str:
    """`name` in lower case, if it is OSQP or a dense QP solver that qpsolvers finds installed here."""
    name = str(name).lower()
    if name == "osqp":
        return name
    import qpsolvers

    if name not in qpsolvers.available_solvers:
        known = ", ".join(sorted(qpsolvers.available_solvers))
        raise SettingsError(f"solver {name!r} is not installed here; install it or use one of: {known}")
    return name


class BoxQP:
    """One Q, solved for many r and u. `factor` is B with Q = BBᵀ where that is much smaller than Q.

    In this order, until the gap is settled: a start that is already near (the neighbouring C or source), the solver's
    answer, an interior point; each is finished on its active set. OSQP is set up at the first call that needs it, then
    only updated and warm-started. Another solver is asked every time, cold.
    """

    def __init__(self, Q: FloatArray, factor: FloatArray | None = None, solver: str = "osqp", name: str = "QP") -> None:
        if len(Q) > MAX_POINTS:
            raise SolverError(
                f"{name}: {len(Q)} points in one quadratic programme; the most that is practical is {MAX_POINTS}, "
                "so draw fewer"
            )
        self.Q = Q
        self.factor = np.empty((len(Q), 0)) if factor is None else factor
        self.solver = check_solver(solver)
        self.name = name
        self._osqp: osqp.OSQP | None = None
        self._lock = threading.Lock()

    def solve(self, r: FloatArray, u: FloatArray | float, start: FloatArray | None = None) -> Solution:
        """The minimiser for this r and these upper limits, or a SolverError."""
        m = len(self.Q)
        limits = np.full(m, u) if np.ndim(u) == 0 else np.asarray(u, dtype=np.float64)
        alpha = np.zeros(m) if start is None else np.clip(start, 0.0, limits)
        g = np.empty(m)
        if self.solver == "osqp":
            at_limit = self.Q @ limits - r
            if np.all(at_limit <= 0.0):
                return Solution(limits.copy(), at_limit, 0.0)
            rounds, widest = first_try(m, self.factor.shape[1])
            gap = settle(self.Q, r, limits, alpha, g, rounds, widest)
            if gap <= SETTLED:
                return Solution(alpha, g, gap)
        best = Solution(alpha, g, np.inf)
        # With a factor an interior point costs little, and OSQP, measured at large C, ten times as much.
        interior_first = self.solver == "osqp" and self.factor.shape[1] > 0
        proposals = (self._ask_solver, self._interior)
        for propose in reversed(proposals) if interior_first else proposals:
            alpha = propose(r, limits, best.alpha)
            g = np.empty(m)
            gap = settle(self.Q, r, limits, alpha, g, _FINISH_ROUNDS, m)
            if gap < best.gap:
                best = Solution(alpha, g, gap)
            if best.gap <= SETTLED:
                break
        if not best.gap <= GAP:
            raise SolverError(
                f"{self.name}: relative duality gap {best.gap:.1e} after {self.solver} and an interior point, more "
                f"than {GAP:g}; scale or normalise the features, or use a smaller C"
            )
        return best

    def gap(self, r: FloatArray, u: FloatArray, alpha: FloatArray) -> float:
        """Relative duality gap of any α in the box."""
        g = np.empty(len(alpha))
        gradient(self.Q, r, alpha, g)
        return float(relative_gap(r, u, alpha, g))

    def _interior(self, r: FloatArray, limits: FloatArray, start: FloatArray) -> FloatArray:
        try:
            return interior(self.Q, self.factor, r, limits)
        except np.linalg.LinAlgError:  # not positive definite even with the barrier: nothing gained
            return start.copy()

    def _ask_solver(self, r: FloatArray, limits: FloatArray, start: FloatArray) -> FloatArray:
        try:
            answer = self._ask_osqp(r, limits, start) if self.solver == "osqp" else self._ask_other(r, limits)
        except osqp.OSQPException:  # its own factorisation failed
            answer = None
        if answer is None or not np.all(np.isfinite(answer)):
            return start.copy()
        tight = 1e-9 * limits
        answer = np.where(answer < tight, 0.0, np.where(answer > limits - tight, limits, answer))
        return np.ascontiguousarray(answer)

    def _ask_other(self, r: FloatArray, limits: FloatArray) -> FloatArray | None:
        import qpsolvers

        sparse = self.solver in qpsolvers.sparse_solvers and self.solver not in qpsolvers.dense_solvers
        P = sp.csc_matrix(self.Q) if sparse else self.Q
        try:
            return qpsolvers.solve_qp(P, -r, lb=np.zeros(len(r)), ub=limits, solver=self.solver)
        except Exception as error:
            raise SolverError(f"{self.name}: {self.solver} failed ({error}); try --solver osqp") from error

    def _ask_osqp(self, r: FloatArray, limits: FloatArray, start: FloatArray) -> FloatArray | None:
        """OSQP's loose answer; with a factor, in (α, z = Bᵀα), so that its matrices stay as thin as B."""
        m, k = self.factor.shape
        q = np.concatenate([-r, np.zeros(k)])
        upper = np.concatenate([limits, np.zeros(k)])
        with self._lock:
            if self._osqp is None:
                identity = sp.identity(m, format="csc")
                if k:
                    P = sp.block_diag([sp.csc_matrix((m, m)), sp.identity(k)], format="csc")
                    A = sp.bmat([[identity, None], [sp.csc_matrix(self.factor.T), -sp.identity(k)]], format="csc")
                else:
                    P, A = sp.csc_matrix(np.triu(self.Q)), identity  # OSQP reads the upper triangle
                self._osqp = osqp.OSQP()
                self._osqp.setup(
                    P, q, A, np.zeros(m + k), upper, verbose=False, eps_abs=1e-5, eps_rel=1e-5, max_iter=2000
                )
            else:
                self._osqp.update(q=q, u=upper)
            self._osqp.warm_start(x=np.concatenate([start, self.factor.T @ start]))
            answer = self._osqp.solve(raise_error=False).x
        return None if answer is None else np.asarray(answer[:m], dtype=np.float64)
