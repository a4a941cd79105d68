"""The box QP behind every learner, exact to a duality gap that it reports: min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import SolverError
from core.features import FloatArray
from core.solver import cancellation
from core.solver.activeset import first_try, settle, to_finish
from core.solver.backends import FALLBACK, KERNEL, ask_qpsolvers, check_solver, few_columns, onto_limits, worth_thin
from core.solver.gradient import gradient, relative_gap
from core.solver.osqp_problem import Answer, OsqpProblem
from core.solver.solve_record import NO_SOLVE, SolveRecord

GAP = 1e-6
"""Every returned solution has a relative duality gap of at most this."""
SETTLED = 1e-10
"""The gap at which a solution is taken as it is, without asking anybody else."""
MAX_POINTS = 12_000
"""Points in one QP; the m × m matrix alone takes 1.2 GB then."""
EXACT_C = 1e6
"""Above this sum of limits, beyond the C for which the gap is promised, it is computed with more digits."""


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """A minimiser α, the gradient g = Qα - r there, and what was done for it."""

    alpha: FloatArray
    g: FloatArray
    solved: SolveRecord

    @property
    def gap(self) -> float:
        """Its relative duality gap."""
        return self.solved.gap


class BoxQP:
    """One Q, solved for many r and u. `factor` is B with Q = BBᵀ where it has at most as many columns as rows.

    The solver proposes, `settle` finishes that on its active set. If it does not reach the gap, PIQP is asked.
    The kernel proposes the start itself. Where all α stand at the limit, OSQP and the kernel have nothing to solve.
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
        self.rank = few_columns(self.factor)
        self.osqp = OsqpProblem(self.Q, self.factor[:, : self.rank])

    def solve(
        self,
        r: FloatArray,
        u: FloatArray | float,
        start: FloatArray | None = None,
        reached: Solution | None = None,
    ) -> Solution:
        """The minimiser for this r and these upper limits, or a SolverError.

        `reached` is what the solver's own answer has led to already; then the fallback alone is asked.
        """
        m = len(self.Q)
        limits = np.empty(m)
        limits[:] = u
        if self.solver in ("osqp", KERNEL) and reached is None:
            at_limit = self.Q @ limits - r
            if at_limit.max() <= 0.0:
                return Solution(limits, at_limit, SolveRecord(NO_SOLVE, 0, 0.0, 0.0))
        begin = np.zeros(m) if start is None else np.minimum(np.maximum(start, 0.0), limits)
        best = reached
        thin = worth_thin(*self.factor.shape)
        attempts = [(FALLBACK, thin)] if reached else [(self.solver, thin), (FALLBACK, thin)]
        if self.factor.shape[1]:  # the inner products of badly scaled features lose digits that the features have
            attempts.append((FALLBACK, not thin))
        for solver, form in dict.fromkeys(attempts):
            if best is not None and form != thin and best.gap <= GAP:
                break
            cancellation.checkpoint()
            answer, iterations = self._ask(solver, r, limits, begin, form)
            cancellation.checkpoint()
            if answer is None or not np.isfinite(answer.sum()):
                answer = begin if best is None else best.alpha
            alpha, g = onto_limits(answer, limits), np.empty(m)
            before = None if solver == KERNEL else self.gap(r, limits, alpha)
            rounds = first_try(m, self.rank) if solver == KERNEL else to_finish(m, self.rank)
            gap = settle(self.Q, r, limits, alpha, g, *rounds)
            if limits.sum() > EXACT_C and gap <= GAP:
                gap = self._long_gap(r, limits, alpha)
            # The fallback counts only where it is clearly better, so that rounding does not tell who answered.
            if best is None or not gap >= 0.5 * best.gap:
                best = Solution(alpha, g, SolveRecord(solver, iterations, before, float(max(gap, 0.0))))
            if best.gap <= SETTLED:
                return best
        if best is None or not best.gap <= GAP:
            asked = " and ".join(dict.fromkeys((self.solver, FALLBACK)))
            raise SolverError(
                f"{self.name}: relative duality gap {best.gap if best else np.nan:.1e} after {asked}, more than "
                f"{GAP:g}; scale or normalise the features, or use a smaller C"
            )
        return best

    def _long_gap(self, r: FloatArray, limits: FloatArray, alpha: FloatArray) -> float:
        """The gap from a gradient with more digits: at a huge C, Qα - r loses those that the gap is made of."""
        g = np.asarray(self.Q.astype(np.longdouble) @ alpha.astype(np.longdouble) - r, dtype=np.float64)
        return float(relative_gap(r, limits, alpha, g))

    def gap(self, r: FloatArray, u: FloatArray, alpha: FloatArray) -> float:
        """Relative duality gap of any α in the box."""
        g = np.empty(len(alpha))
        gradient(self.Q, r, alpha, g)
        return float(relative_gap(r, u, alpha, g))

    def _ask(self, solver: str, r: FloatArray, limits: FloatArray, start: FloatArray, thin: bool) -> Answer:
        if solver == KERNEL:
            return start, 0
        if solver == "osqp":
            return self.osqp.ask(r, limits, start)
        try:
            return ask_qpsolvers(solver, self.Q, self.factor, r, limits, thin)
        except SolverError as error:
            if solver != self.solver:
                return None, 0
            raise SolverError(f"{self.name}: {error}") from error
