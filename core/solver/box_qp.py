"""The box QP behind every learner, exact to a duality gap that it reports: min ½ αᵀQα - rᵀα over 0 ≤ α ≤ C·limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from core.errors import SolverError
from core.features import FloatArray
from core.solver import cancellation
from core.solver.activeset import QP, all_at_limit, begin, finish, first_try, to_finish
from core.solver.backends import (
    FALLBACK,
    KERNEL,
    Answer,
    OsqpProblem,
    ask_qpsolvers,
    check_solver,
    few_columns,
    onto_limits,
    worth_thin,
)
from core.solver.linalg import relative_gap

GAP = 1e-6
"""Every returned solution has a relative duality gap of at most this."""
SETTLED = 1e-10
"""The gap at which a solution is taken as it is, without asking another solver."""
MAX_POINTS = 12_000
"""Points in one QP; the m × m matrix alone takes 1.2 GB then."""
EXACT_C = 1e6
"""Above this sum of limits, beyond the C for which the gap is promised, it is computed with more digits."""
NO_SOLVE = "no solve"
"""Of an answer that is known without solving: every α at its limit."""


@dataclass(frozen=True, slots=True)
class SolveRecord:
    """What was done for one fit.

    `by` is the solver whose answer it is, or `NO_SOLVE`; `gap_before` the relative duality gap of that answer before it
    was finished on its active set (None for the kernel, which finds and finishes in one), `gap` after.
    """

    by: str
    iterations: int
    gap_before: float | None
    gap: float


AT_LIMIT = SolveRecord(NO_SOLVE, 0, 0.0, 0.0)
"""Of a fit whose α all stand at their limit, which is known before any solver is asked."""


@dataclass(frozen=True, eq=False, slots=True)
class Solution:
    """A minimiser α, the gradient g = Qα - r there, what was done for it, and how many α stand at their limit."""

    alpha: FloatArray
    g: FloatArray
    solved: SolveRecord
    at_limit: int

    @property
    def gap(self) -> float:
        """Its relative duality gap."""
        return self.solved.gap


class BoxQP:
    """One Q, solved for many r and C. `factor` is B with Q = BBᵀ where it has at most as many columns as rows.

    The solver proposes, `finish` completes that on its active set. If it does not reach the gap, PIQP is asked.
    The kernel proposes the last answer itself. Where all α stand at the limit, OSQP and the kernel have nothing to
    solve.
    """

    def __init__(self, qp: QP, factor: FloatArray, solver: str, name: str) -> None:
        m = len(qp.Q)
        if m > MAX_POINTS:
            raise SolverError(
                f"{name}: {m} points in one quadratic programme; the most that is practical is {MAX_POINTS}, "
                "so draw fewer"
            )
        self.qp = qp
        self.factor = factor
        self.solver = check_solver(solver)
        self.name = name
        self.osqp = OsqpProblem(qp.Q, factor[:, : qp.columns])

    @classmethod
    def of(cls, Q: FloatArray, limits: FloatArray, factor: FloatArray | None, solver: str, name: str) -> BoxQP:
        """The QP with α = 0 as the last answer; `limits` are those at C = 1."""
        m = len(Q)
        B = np.empty((m, 0)) if factor is None else factor
        last = np.zeros(m), np.full(1, np.inf), np.ones(1, dtype=np.int64)
        return cls(QP(Q, limits, Q @ limits, few_columns(*B.shape), *last), B, solver, name)

    def solve(self, r: FloatArray, C: float) -> Solution:
        """The minimiser for this r and C, started from the last one, or a SolverError."""
        qp, g, limits = self.qp, np.empty(len(r)), C * self.qp.limits
        if self.solver in ("osqp", KERNEL) and all_at_limit(qp, r, C, g):
            return Solution(limits, g, AT_LIMIT, len(r))
        begin(qp, C)
        best: Solution | None = None
        thin = worth_thin(*self.factor.shape)
        attempts = [(self.solver, thin), (FALLBACK, thin)]
        if self.factor.shape[1]:  # the inner products of badly scaled features lose digits that the features have
            attempts.append((FALLBACK, not thin))
        for solver, form in dict.fromkeys(attempts):
            if best is not None and form != thin and best.gap <= GAP:
                break
            cancellation.checkpoint()
            answer, iterations = self._ask(solver, r, limits, form)
            cancellation.checkpoint()
            if answer is not None and np.isfinite(answer.sum()):
                qp.alpha[:] = onto_limits(answer, limits)
            effort = first_try if solver == KERNEL else to_finish
            before, gap, at_limit = finish(qp, r, C, g, *effort(len(r), qp.columns))
            if limits.sum() > EXACT_C and gap <= GAP:
                gap = self._long_gap(r, limits)
            # The fallback counts only where it is clearly better, so that rounding does not tell who answered.
            if best is None or not gap >= 0.5 * best.gap:
                record = SolveRecord(solver, iterations, None if solver == KERNEL else before, float(max(gap, 0.0)))
                best = Solution(qp.alpha.copy(), g.copy(), record, at_limit)
            if best.gap <= SETTLED:
                break
        if best is None or not best.gap <= GAP:
            asked = " and ".join(dict.fromkeys((self.solver, FALLBACK)))
            raise SolverError(
                f"{self.name}: relative duality gap {best.gap if best else np.nan:.1e} after {asked}, more than "
                f"{GAP:g}; scale or normalise the features, or use a smaller C"
            )
        qp.alpha[:], qp.at_limit[0] = best.alpha, best.at_limit
        return best

    def _long_gap(self, r: FloatArray, limits: FloatArray) -> float:
        """The gap from a gradient with more digits: at a huge C, Qα - r loses those that the gap is made of."""
        alpha = self.qp.alpha
        g = np.asarray(self.qp.Q.astype(np.longdouble) @ alpha.astype(np.longdouble) - r, dtype=np.float64)
        return float(relative_gap(r, limits, alpha, g))

    def _ask(self, solver: str, r: FloatArray, limits: FloatArray, thin: bool) -> Answer:
        if solver == KERNEL:
            return None, 0
        if solver == "osqp":
            return self.osqp.ask(r, limits, self.qp.alpha)
        try:
            return ask_qpsolvers(solver, self.qp.Q, self.factor, r, limits, thin)
        except SolverError as error:
            if solver != self.solver:
                return None, 0
            raise SolverError(f"{self.name}: {error}") from error


@dataclass(frozen=True, slots=True)
class SolverSummary:
    """All reported fits of a result: the solver that was asked for, and who answered how many."""

    name: str
    fits: int
    by: dict[str, int]
    most_iterations: int
    worst_gap: float

    @classmethod
    def of(cls, name: str, solved: Iterable[SolveRecord]) -> SolverSummary:
        """The summary of these fits."""
        each = tuple(solved)
        return cls(
            name=name,
            fits=len(each),
            by=dict(Counter(one.by for one in each).most_common()),
            most_iterations=max((one.iterations for one in each), default=0),
            worst_gap=max((one.gap for one in each), default=0.0),
        )

    def as_dict(self) -> dict[str, object]:
        """What `learn --json` writes under `solver`."""
        return asdict(self)

    def __str__(self) -> str:
        by = [
            f"{count} without a solve" if name == NO_SOLVE else f"{count} by {name}" for name, count in self.by.items()
        ]
        return (
            f"{self.fits} fit{'s' if self.fits != 1 else ''}, {', '.join(by)}; "
            f"most iterations {self.most_iterations}, worst duality gap {self.worst_gap:.0e}"
        )
