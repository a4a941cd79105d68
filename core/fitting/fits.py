"""The training points that a method runs on, all of a pool's or one fold's, and Adaptive SVM fits on them."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

import numpy as np

from core.features import FloatArray
from core.fitting.gram import ALL, IntArray, Pool
from core.solver.activeset import all_at_limit, first_try, settle
from core.solver.box_qp import SETTLED, BoxQP
from core.solver.compiled import compiled
from core.solver.pivoting import pivot, worth_pivoting

QPs = tuple[FloatArray, FloatArray, IntArray, IntArray, FloatArray, IntArray, IntArray, IntArray]
"""The first arguments of `fit_many`: the QPs of all tasks laid end to end."""


@dataclass(frozen=True, eq=False, slots=True)
class Fits:
    """Adaptive SVMs of several tasks from one source, all at one C: a row a task."""

    tasks: IntArray
    alpha: FloatArray
    error_terms: FloatArray
    squared_steps: FloatArray
    any_at_limit: bool


@compiled
def error_and_step(r: FloatArray, alpha: FloatArray, g: FloatArray, norms: FloatArray) -> tuple[float, float]:
    """Error term mean Φ̄(y<w,x>/‖x‖) of eq. (4) and ‖w - w_src‖² = ½ αᵀQα, from margins 1 + g."""
    error = 0.0
    squared = 0.0
    for i in range(r.size):
        error += 0.5 * math.erfc((1.0 + g[i]) / (norms[i] * math.sqrt(2.0))) if norms[i] > 0.0 else 0.5
        squared += 0.5 * alpha[i] * (g[i] + r[i])
    return error / r.size, max(squared, 0.0)


@compiled
def fit_many(
    blocks: FloatArray,
    tableaux: FloatArray,
    swept: IntArray,
    block_start: IntArray,
    row_sums: FloatArray,
    rows: IntArray,
    row_start: IntArray,
    ranks: IntArray,
    margins: FloatArray,
    norms: FloatArray,
    C: float,
    tasks: IntArray,
    last: FloatArray,
    last_limit: FloatArray,
    alphas: FloatArray,
    gaps: FloatArray,
    errors: FloatArray,
    squared: FloatArray,
) -> bool:
    """Fit `tasks` in turn, each from its `last` α, what stood at the limit there at the new one.

    Fills the rows of `alphas` and what follows it; returns whether any α ended at its limit.
    """
    touched = False
    for t in range(tasks.size):
        k = tasks[t]
        first, m = row_start[k], row_start[k + 1] - row_start[k]
        Q = blocks[block_start[k] : block_start[k] + m * m].reshape(m, m)
        r = np.empty(m)
        own_norms = np.empty(m)
        for i in range(m):
            point = rows[first + i]
            r[i] = 1.0 - margins[point]
            own_norms[i] = norms[point]
        limit = C / m
        alpha = alphas[t, :m]
        g = np.empty(m)
        sums = row_sums[first : first + m]
        if all_at_limit(sums, r, limit):
            for i in range(m):
                alpha[i] = limit
                g[i] = limit * sums[i] - r[i]
            gaps[t] = 0.0
            touched = True
        else:
            rounds, widest = first_try(m, ranks[k])
            for i in range(m):
                alpha[i] = limit if last[k, i] >= last_limit[k] else min(last[k, i], limit)
            gaps[t] = np.inf
            if worth_pivoting(m, ranks[k]):
                T = tableaux[block_start[k] : block_start[k] + m * m].reshape(m, m)
                gaps[t] = pivot(Q, T, swept[first : first + m], r, limit, alpha, g)
            if not gaps[t] <= SETTLED:
                gaps[t] = settle(Q, r, np.full(m, limit), alpha, g, rounds, widest)
            for i in range(m):
                if alpha[i] == limit:
                    touched = True
        last[k, :m] = alpha
        last_limit[k] = limit
        errors[t], squared[t] = error_and_step(r, alpha, g, own_norms)
    return touched


class Stage:
    """The chosen points of every task of a pool, with their QPs; `m_bar` is over these points."""

    def __init__(self, pool: Pool, rows: list[IntArray] | None = None, solver: str = "osqp") -> None:
        self.pool = pool
        self.solver = solver
        whole = rows is None
        self.rows = pool.rows if rows is None else rows
        self.sizes = np.array([len(own) for own in self.rows], dtype=np.int64)
        self.m_bar = len(self.sizes) / float(np.sum(1.0 / self.sizes))
        inside = [own - first for own, first in zip(self.rows, pool.start, strict=False)]
        self.blocks = pool.blocks if whole else [Q[np.ix_(i, i)] for Q, i in zip(pool.blocks, inside, strict=True)]
        self.factors = pool.factors if whole else [B[i] for B, i in zip(pool.factors, inside, strict=True)]
        flat_rows, flat_blocks = np.concatenate(self.rows), np.concatenate([Q.ravel() for Q in self.blocks])
        pivots = any(worth_pivoting(*B.shape) for B in self.factors)
        self.qps: QPs = (
            flat_blocks,
            flat_blocks.copy() if pivots else flat_blocks,
            np.zeros(len(flat_rows), dtype=np.int64),
            np.concatenate([[0], np.cumsum(self.sizes**2)]),
            np.concatenate([Q.sum(axis=1) for Q in self.blocks]),
            flat_rows,
            np.concatenate([[0], np.cumsum(self.sizes)]),
            np.array([B.shape[1] for B in self.factors], dtype=np.int64),
        )
        # The α and limit each task was last solved with, from which the next fit starts.
        self.last = (np.zeros((len(self.sizes), int(self.sizes.max()))), np.full(len(self.sizes), np.inf))
        self._qps: dict[int, BoxQP] = {}
        self._lock = threading.Lock()

    def fit(self, margins: FloatArray, tasks: IntArray, C: float) -> Fits:
        """Eq. (2) for each of `tasks`, started from the weights with these margins. Warm-started by the last call."""
        alphas = np.zeros((len(tasks), self.last[0].shape[1]))
        gaps, errors, squared = np.zeros((3, len(tasks)))
        touched = fit_many(
            *self.qps,
            margins,
            self.pool.norms,
            float(C),
            tasks,
            *self.last,
            alphas,
            gaps,
            errors,
            squared,
        )
        doubtful = range(len(tasks)) if self.solver != "osqp" else np.flatnonzero(~(gaps <= SETTLED))
        for t in doubtful:
            k = int(tasks[t])
            m, own = self.sizes[k], self.rows[k]
            r, limit = 1.0 - margins[own], C / m
            solution = self.qp(k).solve(r, limit, alphas[t, :m])
            alphas[t, :m] = self.last[0][k, :m] = solution.alpha
            errors[t], squared[t] = error_and_step(r, solution.alpha, solution.g, self.pool.norms[own])
            touched |= bool(np.any(solution.alpha >= limit))
        return Fits(tasks, alphas, errors, squared, touched)

    def qp(self, task: int) -> BoxQP:
        """The task's QP, set up once."""
        with self._lock:
            if task not in self._qps:
                name = f"task {self.pool.task_set.names[task]!r}"
                self._qps[task] = BoxQP(self.blocks[task], self.factors[task], self.solver, name)
            return self._qps[task]

    def moved(self, margins: FloatArray, task: int, alpha: FloatArray, points: slice = ALL) -> FloatArray:
        """Margins of all pooled points, or a range of them, after the task's own step α."""
        return self.pool.moved(margins, self.rows[task], alpha[: self.sizes[task]], points)
