"""The training points that a method runs on, all of a pool's or one fold's, and Adaptive SVM fits on them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.features import FloatArray, IntArray
from core.fitting.fit_kernel import Fits, TaskQPs, empty_fits, error_and_step, fit_many, rows_of, take, task_qp
from core.fitting.pool import ALL, Pool
from core.solver import cancellation
from core.solver.backends import KERNEL, few_columns
from core.solver.box_qp import EXACT_C, SETTLED, BoxQP
from core.solver.solve_record import AT_LIMIT, SolveRecord

_SECONDS_A_CUBE = 7e-9
"""Of one fit without a factor, over the cube of its points: forty rounds of a new active set."""
MOST_SECONDS = 40.0
"""What a compiled call may take at worst before somebody may stop it; hardly any fit takes a twentieth of the worst."""


class Stage:
    """The chosen points of every task of a pool, with their QPs; `m_bar` is over these points."""

    def __init__(self, pool: Pool, rows: list[IntArray] | None = None, solver: str = KERNEL) -> None:
        self.pool = pool
        self.solver = solver
        self.whole = rows is None
        self.rows = pool.rows if rows is None else rows
        self.sizes = np.array([len(own) for own in self.rows], dtype=np.int64)
        self.width = int(self.sizes.max())
        self.m_bar = len(self.sizes) / float(np.sum(1.0 / self.sizes))
        self._qps: dict[int, BoxQP] = {}

    @cached_property
    def qps(self) -> TaskQPs:
        """The QPs of all tasks, as kernels take them."""
        points, pool = np.concatenate(self.rows), self.pool
        start, block_start = (np.concatenate([[0], np.cumsum(sizes)]) for sizes in (self.sizes, self.sizes**2))
        inside = [own - first for own, first in zip(self.rows, pool.start[:-1], strict=True)]
        blocks = [Q if self.whole else take(Q, own, own) for Q, own in zip(pool.blocks, inside, strict=True)]
        pull = np.concatenate([Q @ np.full(len(Q), 1.0 / len(Q)) for Q in blocks])
        columns = np.array([few_columns(len(own), B.shape[1]) for B, own in zip(pool.factors, inside, strict=True)])
        n, limits = len(self.sizes), np.repeat(1.0 / self.sizes, self.sizes)
        last = np.zeros(len(points)), np.full(n, np.inf), np.ones(n, dtype=np.int64)
        flat = np.concatenate([Q.ravel() for Q in blocks])
        return TaskQPs(start, points, pool.norms[points], block_start, flat, limits, pull, columns, *last)

    def fit(self, margins: FloatArray, tasks: IntArray, C: FloatArray) -> tuple[Fits, list[SolveRecord]]:
        """Eq. (2) for each of `tasks` at its C, started from the weights with these margins (of all, or a row each)."""
        rows = np.arange(len(tasks)) if margins.ndim == 2 else np.zeros(len(tasks), dtype=np.int64)
        margins = np.atleast_2d(margins)
        fits = empty_fits(C, self.width)
        if self.solver == KERNEL and C.max() <= EXACT_C:
            some = max(1, int(MOST_SECONDS / max(self.seconds, 1e-9)))
            for first in range(0, len(tasks), some):
                cancellation.checkpoint()
                part = slice(first, first + some)
                fit_many(self.qps, margins, rows[part], tasks[part], rows_of(fits, part))
        solved = [self._solved(fits, t, int(k), margins[rows[t]]) for t, k in enumerate(tasks)]
        if self.whole:  # ½ αᵀQα cancels at large C; in a fold, of which only counts are told, it is near enough
            for k in np.unique(tasks):
                own = np.flatnonzero(tasks == k)
                fits.squared_steps[own] = self.pool.squared_steps(k, fits.alpha[own, : self.sizes[k]])
        return fits, solved

    def _solved(self, fits: Fits, t: int, task: int, margins: FloatArray) -> SolveRecord:
        """What was done for a fit; where the kernel did not settle it or is not asked, its QP is solved here."""
        gap, m = float(fits.gaps[t]), self.sizes[task]
        if gap <= SETTLED:
            return SolveRecord(KERNEL, 0, None, max(gap, 0.0)) if fits.at_limit[t] < m else AT_LIMIT
        cancellation.checkpoint()
        r = 1.0 - margins[self.rows[task]]
        found = self.qp(task).solve(r, float(fits.C[t]))
        fits.alpha[t, :m], fits.gaps[t], fits.at_limit[t] = found.alpha, found.gap, found.at_limit
        norms = self.pool.norms[self.rows[task]]
        fits.error_terms[t], fits.squared_steps[t] = error_and_step(r, found.alpha, found.g, norms)
        return found.solved

    @cached_property
    def seconds(self) -> float:
        """The longest that a fit of every task can take the kernel, which nothing can stop meanwhile."""
        long = np.array([B.shape[1] == 0 for B in self.pool.factors])
        return float(_SECONDS_A_CUBE * np.sum(self.sizes[long].astype(float) ** 3))

    def qp(self, task: int) -> BoxQP:
        """The task's QP, set up once."""
        if task not in self._qps:
            qp, name = task_qp(self.qps, task), f"task {self.pool.task_set.names[task]!r}"
            factor = self.pool.factors[task][self.rows[task] - self.pool.start[task]]
            self._qps[task] = BoxQP(qp, factor, self.solver, name)
        return self._qps[task]

    def moved(self, margins: FloatArray, task: int, alpha: FloatArray, points: slice = ALL) -> FloatArray:
        """Margins of all pooled points, or a range of them, after the task's own step α (a row for each of many)."""
        return self.pool.moved(margins, self.rows[task], alpha[..., : self.sizes[task]], points)
