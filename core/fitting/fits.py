"""The training points that a method runs on, all of a pool's or one fold's, and Adaptive SVM fits on them."""

from __future__ import annotations

import itertools
import math
import threading
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.features import FloatArray
from core.fitting.gram import ALL, IntArray, Pool
from core.solver import pause
from core.solver.activeset import all_at_limit, first_try, settle
from core.solver.asking import KERNEL, few_columns
from core.solver.box_qp import EXACT_C, SETTLED, BoxQP
from core.solver.compiled import compiled
from core.solver.solved import NO_SOLVE, Solved
from core.solver.threads import count, spread

_WORTH_THREADS = 32
_SECONDS_A_CUBE = 7e-9  # of one fit without a factor, over the cube of its points: forty rounds of a new active set
LIKELY = 20.0
"""Of many fits together, hardly any takes the longest; most take a twentieth or less."""
MOST_SECONDS = 2.0
"""What a compiled function may take before somebody may stop it; larger tasks are fitted one by one."""
QPs = tuple[FloatArray, IntArray, FloatArray, IntArray, IntArray, IntArray]
"""The first arguments of `fit_many`: the QPs of all tasks laid end to end."""


@dataclass(frozen=True, eq=False, slots=True)
class Fits:
    """Adaptive SVMs of several tasks from one source, all at one C: a row a task."""

    tasks: IntArray
    alpha: FloatArray
    error_terms: FloatArray
    squared_steps: FloatArray
    any_at_limit: bool
    solved: tuple[Solved, ...]


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
            limits = np.empty(m)
            for i in range(m):
                alpha[i] = limit if last[k, i] >= last_limit[k] else min(last[k, i], limit)
                limits[i] = limit
            gaps[t] = settle(Q, r, limits, alpha, g, rounds, widest)
            for i in range(m):
                if alpha[i] == limit:
                    touched = True
        for i in range(m):
            last[k, i] = alpha[i]
        last_limit[k] = limit
        errors[t], squared[t] = error_and_step(r, alpha, g, own_norms)
    return touched


class Stage:
    """The chosen points of every task of a pool, with their QPs; `m_bar` is over these points."""

    def __init__(self, pool: Pool, rows: list[IntArray] | None = None, solver: str = KERNEL) -> None:
        self.pool = pool
        self.solver = solver
        self.whole = rows is None
        self.rows = pool.rows if rows is None else rows
        self.sizes = np.array([len(own) for own in self.rows], dtype=np.int64)
        self.m_bar = len(self.sizes) / float(np.sum(1.0 / self.sizes))
        inside = [own - first for own, first in zip(self.rows, pool.start, strict=False)]
        self.blocks = pool.blocks if self.whole else [Q[np.ix_(i, i)] for Q, i in zip(pool.blocks, inside, strict=True)]
        self.factors = pool.factors if self.whole else [B[i] for B, i in zip(pool.factors, inside, strict=True)]
        # The α and limit each task was last solved with, from which the next fit starts.
        self.last = (np.zeros((len(self.sizes), int(self.sizes.max()))), np.full(len(self.sizes), np.inf))
        self._qps: dict[int, BoxQP] = {}
        self._lock = threading.Lock()

    @cached_property
    def qps(self) -> QPs:
        """What the kernel needs to know of all tasks."""
        return (
            np.concatenate([Q.ravel() for Q in self.blocks]),
            np.concatenate([[0], np.cumsum(self.sizes**2)]),
            np.concatenate([Q.sum(axis=1) for Q in self.blocks]),
            np.concatenate(self.rows),
            np.concatenate([[0], np.cumsum(self.sizes)]),
            np.array([few_columns(B) for B in self.factors], dtype=np.int64),
        )

    def fit(self, margins: FloatArray, tasks: IntArray, C: float) -> Fits:
        """Eq. (2) for each of `tasks`, started from the weights with these margins. Warm-started by the last call."""
        alphas = np.zeros((len(tasks), self.last[0].shape[1]))
        gaps = np.full(len(tasks), np.inf)
        errors, squared = np.zeros((2, len(tasks)))
        touched = False
        pause.point()
        if self.solver == KERNEL and C <= EXACT_C:
            norms, last = self.pool.norms, self.last
            for part in self._parts(tasks):
                pause.point()
                into = alphas[part], gaps[part], errors[part], squared[part]
                touched |= fit_many(*self.qps, margins, norms, float(C), tasks[part], *last, *into)

        def finish(t: int) -> Solved:
            k = int(tasks[t])
            m, own, limit = self.sizes[k], self.rows[k], float(C / self.sizes[k])
            alpha = alphas[t, :m]
            if gaps[t] <= SETTLED:
                solved = Solved(NO_SOLVE if np.all(alpha == limit) else KERNEL, 0, None, max(float(gaps[t]), 0.0))
            else:
                r = 1.0 - margins[own]
                solution = self.qp(k).solve(r, limit, self._start(k, limit))
                alpha[:] = solution.alpha
                self.last[0][k, :m], self.last[1][k] = alpha, limit
                errors[t], squared[t] = error_and_step(r, alpha, solution.g, self.pool.norms[own])
                solved = solution.solved
            if self.whole:  # ½ αᵀQα cancels at large C; in a fold, of which only counts are told, it is near enough
                step = self.pool.weight_step(k, alpha)
                squared[t] = step @ step
            return solved

        # A thread costs more than a few fits do; OSQP and the kernels run without the interpreter's lock.
        parts = np.array_split(np.arange(len(tasks)), count() if len(tasks) >= _WORTH_THREADS else 1)
        solved = tuple(itertools.chain(*spread(lambda part: [finish(t) for t in part.tolist()], parts)))
        limits = (C / self.sizes[tasks])[:, None]
        touched |= bool(np.any(alphas >= limits))
        return Fits(tasks, alphas, errors, squared, touched, solved)

    def seconds(self, fits: float = 1.0) -> float:
        """The longest that so many fits of every task can take the kernel, which nothing can stop meanwhile."""
        dense = np.array([not B.shape[1] for B in self.factors])
        return fits * _SECONDS_A_CUBE * float(np.sum(self.sizes[dense].astype(float) ** 3))

    def _parts(self, tasks: IntArray) -> list[slice]:
        """The tasks that are fitted between two pauses: all, where fits are small."""
        if self.seconds() < MOST_SECONDS:
            return [slice(0, len(tasks))]
        return [slice(t, t + 1) for t in range(len(tasks))]

    def _start(self, task: int, limit: float) -> FloatArray:
        """The task's last α, what stood at its limit there at the new one."""
        last, old = self.last[0][task, : self.sizes[task]], self.last[1][task]
        return np.where(last >= old, limit, np.minimum(last, limit))

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
