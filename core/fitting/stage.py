"""The training points that a method runs on, all of a pool's or one fold's, and compiled fits of many tasks on them."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from core.features import FloatArray, IntArray
from core.fitting.pool import ALL, Pool
from core.solver import cancellation
from core.solver.activeset import QP, fit
from core.solver.backends import KERNEL, few_columns
from core.solver.box_qp import AT_LIMIT, EXACT_C, SETTLED, BoxQP, SolveRecord
from core.solver.jit import kernel

Number = TypeVar("Number", float, FloatArray)
_SECONDS_A_CUBE = 7e-9
"""Of one fit without a factor, over the cube of its points: forty rounds of a new active set."""
MOST_SECONDS = 40.0
"""What a compiled call may take at worst before it can be cancelled; hardly any fit takes a twentieth of that."""


class TaskQPs(NamedTuple):
    """The QPs of all tasks, end to end: task k has rows `start[k]` to `start[k + 1]`, its Q begins at `block_start[k]`.

    `points` has the pooled point of every row and `norms` its length; the other fields are those of `QP`.
    """

    start: IntArray
    points: IntArray
    norms: FloatArray
    block_start: IntArray
    blocks: FloatArray
    limits: FloatArray
    pull: FloatArray
    columns: IntArray
    alpha: FloatArray
    C: FloatArray
    at_limit: IntArray


class Fits(NamedTuple):
    """Adaptive SVMs, a row each: C, α (then zeros), error term, ‖w - w_src‖², gap, how many α are at their limit."""

    C: FloatArray
    alpha: FloatArray
    error_terms: FloatArray
    squared_steps: FloatArray
    gaps: FloatArray
    at_limit: IntArray


def empty_fits(C: FloatArray, width: int) -> Fits:
    """Room for a fit of at most so many points at each C, none of them made."""
    n = len(C)
    return Fits(C, np.zeros((n, width)), np.zeros(n), np.zeros(n), np.full(n, np.inf), np.zeros(n, dtype=np.int64))


def rows_of(fits: Fits, rows: slice) -> Fits:
    """Some of the fits, in the same memory."""
    parts: list[Any] = [array[rows] for array in fits]
    return Fits(*parts)


@kernel
def task_qp(qps: TaskQPs, k: int) -> QP:
    """The QP of one task, in the same memory; compiled it is for kernels alone (`activeset.finish` says why)."""
    first, stop = qps.start[k], qps.start[k + 1]
    m = stop - first
    Q = qps.blocks[qps.block_start[k] : qps.block_start[k] + m * m].reshape(m, m)
    limits, pull, alpha = qps.limits[first:stop], qps.pull[first:stop], qps.alpha[first:stop]
    return QP(Q, limits, pull, qps.columns[k], alpha, qps.C[k : k + 1], qps.at_limit[k : k + 1])


@kernel
def error_and_step(r: FloatArray, alpha: FloatArray, g: FloatArray, norms: FloatArray) -> tuple[float, float]:
    """Error term mean Φ̄(y<w,x>/‖x‖) of eq. (4) and ‖w - w_src‖² = ½ αᵀQα, from margins 1 + g."""
    error = 0.0
    squared = 0.0
    for i in range(r.size):
        error += 0.5 * math.erfc((1.0 + g[i]) / (norms[i] * math.sqrt(2.0))) if norms[i] > 0.0 else 0.5
        squared += 0.5 * alpha[i] * (g[i] + r[i])
    return error / r.size, max(squared, 0.0)


def complexity_term(squared_step: Number, m_bar: float) -> Number:
    """The complexity term of eq. (4), ‖w - w_src‖²/(2√m̄), of ‖w - w_src‖²."""
    return squared_step / (2.0 * math.sqrt(m_bar))


@kernel
def fit_many(qps: TaskQPs, margins: FloatArray, rows: IntArray, tasks: IntArray, fits: Fits) -> None:
    """Fit `tasks` in turn at their C, each started from the weights with the margins in its row of `margins`."""
    for t in range(tasks.size):
        qp = task_qp(qps, tasks[t])
        first, m = qps.start[tasks[t]], qp.alpha.size
        r, g = np.empty(m), np.empty(m)
        for i in range(m):
            r[i] = 1.0 - margins[rows[t], qps.points[first + i]]
        fits.gaps[t], fits.at_limit[t] = fit(qp, r, fits.C[t], g)
        for i in range(m):
            fits.alpha[t, i] = qp.alpha[i]
        norms = qps.norms[first : first + m]
        fits.error_terms[t], fits.squared_steps[t] = error_and_step(r, qp.alpha, g, norms)


@kernel
def fit_grid(
    qp: QP, r: FloatArray, held_out: FloatArray, margins: FloatArray, Cs: FloatArray, begin: int, moved: FloatArray
) -> int:
    """Fill `moved` with the margins of held-out points, a row for each of the ascending Cs from `begin` on.

    `margins` are those before the fit and `held_out` the inner products with the training points. An α with none at the
    limit answers for all larger C. Returns the position of the first C that does not settle, or their number.
    """
    g = np.empty(r.size)
    for c in range(begin, Cs.size):
        if qp.C[0] != Cs[c] and qp.at_limit[0] != 0 and not fit(qp, r, Cs[c], g)[0] <= SETTLED:
            return c
        for point in range(margins.size):
            total = margins[point]
            for i in range(r.size):
                total += held_out[point, i] * qp.alpha[i]
            moved[c, point] = total
    return Cs.size


@kernel
def take(Q: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    """Q[rows][:, columns]."""
    out = np.empty((rows.size, columns.size))
    for i in range(rows.size):
        row = Q[rows[i]]
        for j in range(columns.size):
            out[i, j] = row[columns[j]]
    return out


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
        if self.whole:  # ½ αᵀQα cancels at large C; in a fold, of which only counts leave the core, it is near enough
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
            qp, name = cast(Any, task_qp).py_func(self.qps, task), f"task {self.pool.task_set.names[task]!r}"
            factor = self.pool.factors[task][self.rows[task] - self.pool.start[task]]
            self._qps[task] = BoxQP(qp, factor, self.solver, name)
        return self._qps[task]

    def moved(self, margins: FloatArray, task: int, alpha: FloatArray, points: slice = ALL) -> FloatArray:
        """Margins of all pooled points, or a range of them, after the task's own step α (a row for each of many)."""
        return self.pool.moved(margins, self.rows[task], alpha[..., : self.sizes[task]], points)
