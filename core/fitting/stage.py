"""The training points that a method runs on, all of a pool's or one fold's, and Adaptive SVM fits on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.features import FloatArray, IntArray
from core.fitting.fit_kernel import QPs, error_and_step, fit_many, lay_out, to_solve
from core.fitting.pool import ALL, Pool
from core.solver import cancellation
from core.solver.backends import KERNEL, onto_limits
from core.solver.box_qp import EXACT_C, SETTLED, BoxQP, Solution
from core.solver.gradient import gradient
from core.solver.solve_record import NO_SOLVE, SolveRecord

_SECONDS_A_CUBE = 7e-9  # of one fit without a factor, over the cube of its points: forty rounds of a new active set
LIKELY = 20.0
"""Of many fits together, hardly any takes the longest; most take a twentieth or less."""
MOST_SECONDS = 2.0
"""What a compiled function may take before somebody may stop it; larger tasks are fitted one by one."""


@dataclass(frozen=True, eq=False, slots=True)
class Fits:
    """Adaptive SVMs of several tasks from one source, all at one C: a row a task."""

    tasks: IntArray
    alpha: FloatArray
    error_terms: FloatArray
    squared_steps: FloatArray
    any_at_limit: bool
    solved: tuple[SolveRecord, ...]


class Stage:
    """The chosen points of every task of a pool, with their QPs; `m_bar` is over these points."""

    def __init__(self, pool: Pool, rows: list[IntArray] | None = None, solver: str = KERNEL) -> None:
        self.pool = pool
        self.solver = solver
        self.whole = rows is None
        self.rows = pool.rows if rows is None else rows
        self.sizes = np.array([len(own) for own in self.rows], dtype=np.int64)
        self.m_bar = len(self.sizes) / float(np.sum(1.0 / self.sizes))
        # The α and limit each task was last solved with, from which the next fit starts.
        self.last = (np.zeros((len(self.sizes), int(self.sizes.max()))), np.full(len(self.sizes), np.inf))
        self._qps: dict[int, BoxQP] = {}

    @cached_property
    def qps(self) -> QPs:
        """What the kernels need to know of all tasks."""
        rows = np.concatenate(self.rows)
        row_start, block_start = (np.concatenate([[0], np.cumsum(sizes)]) for sizes in (self.sizes, self.sizes**2))
        blocks, sums = np.empty(block_start[-1]), np.empty(row_start[-1])
        if self.pool.Q is not None:
            lay_out(self.pool.Q, rows, row_start, block_start, blocks, sums)
        else:
            own = [self._block(k) for k in range(len(self.sizes))]
            np.concatenate([Q.ravel() for Q in own], out=blocks)
            np.concatenate([Q.sum(axis=1) for Q in own], out=sums)
        ranks = np.where(2 * self._columns <= self.sizes, self._columns, 0)
        return blocks, block_start, sums, rows, row_start, ranks

    def fit(self, margins: FloatArray, tasks: IntArray, C: float) -> Fits:
        """Eq. (2) for each of `tasks`, started from the weights with these margins. Warm-started by the last call."""
        alphas = np.zeros((len(tasks), self.last[0].shape[1]))
        before, gaps = np.full((2, len(tasks)), np.inf)
        errors, squared = np.zeros((2, len(tasks)))
        iterations = np.zeros(len(tasks), dtype=np.int64)
        cancellation.checkpoint()
        if self.solver in (KERNEL, "osqp") and C <= EXACT_C:
            asked = self.solver == "osqp"
            if asked:
                iterations = self._ask_osqp(margins, tasks, C)
            for part in self._parts(tasks):
                cancellation.checkpoint()
                into = alphas[part], before[part], gaps[part], errors[part], squared[part]
                fit_many(*self.qps, margins, self.pool.norms, float(C), tasks[part], *self.last, asked, *into)

        solved = []
        for t, k in enumerate(tasks.tolist()):
            m, own, limit = self.sizes[k], self.rows[k], float(C / self.sizes[k])
            alpha = alphas[t, :m]
            if not iterations[t] and np.all(alpha == limit):
                done = SolveRecord(NO_SOLVE, 0, 0.0, 0.0)
            elif self.solver == KERNEL:
                done = SolveRecord(KERNEL, 0, None, max(float(gaps[t]), 0.0))
            else:
                done = SolveRecord(self.solver, int(iterations[t]), float(before[t]), max(float(gaps[t]), 0.0))
            if not gaps[t] <= SETTLED:
                r, g = 1.0 - margins[own], np.empty(m)
                reached = None
                if np.isfinite(gaps[t]):
                    gradient(self.qp(k).Q, r, alpha, g)
                    reached = Solution(alpha.copy(), g, done)
                solution = self.qp(k).solve(r, limit, self._starts(tasks[t : t + 1], C)[0, :m], reached)
                alpha[:] = solution.alpha
                self.last[0][k, :m], self.last[1][k] = alpha, limit
                errors[t], squared[t] = error_and_step(r, alpha, solution.g, self.pool.norms[own])
                done = solution.solved
            if self.whole:  # ½ αᵀQα cancels at large C; in a fold, of which only counts are told, it is near enough
                step = self.pool.weight_step(k, alpha)
                squared[t] = step @ step
            solved.append(done)
        touched = bool(np.any(alphas >= (C / self.sizes[tasks])[:, None]))
        return Fits(tasks, alphas, errors, squared, touched, tuple(solved))

    def _ask_osqp(self, margins: FloatArray, tasks: IntArray, C: float) -> IntArray:
        """OSQP's answer for each task that needs a solve becomes its last α, to be finished; the iterations it took."""
        r, needed = np.empty((len(tasks), self.last[0].shape[1])), np.zeros(len(tasks), dtype=np.bool_)
        _, _, row_sums, rows, row_start, _ = self.qps
        to_solve(row_sums, rows, row_start, margins, float(C), tasks, r, needed)
        alphas, old = self.last
        starts, limits = self._starts(tasks, C), C / self.sizes
        iterations = np.zeros(len(tasks), dtype=np.int64)
        for t in np.flatnonzero(needed).tolist():  # one after the other, as OSQP wants it
            cancellation.checkpoint()
            k = int(tasks[t])
            m = self.sizes[k]
            answer, iterations[t] = self.qp(k).osqp.ask(r[t, :m], np.full(m, limits[k]), starts[t, :m])
            if answer is not None and np.isfinite(answer.sum()):
                alphas[k, :m], old[k] = answer, limits[k]
        asked = tasks[needed]
        alphas[asked] = onto_limits(alphas[asked], limits[asked, None])
        return iterations

    @cached_property
    def _columns(self) -> IntArray:
        """Of the tasks' factors; 0 where there is none."""
        return np.array([B.shape[1] for B in self.pool.factors], dtype=np.int64)

    @cached_property
    def _cubes(self) -> float:
        """Points cubed, of tasks whose fits may take that long: without a factor, or to finish what OSQP proposed."""
        long = (self._columns == 0) | (self.solver == "osqp")
        return float(np.sum(self.sizes[long].astype(float) ** 3))

    def seconds(self, fits: float = 1.0) -> float:
        """The longest that so many fits of every task can take the kernel, which nothing can stop meanwhile."""
        return fits * _SECONDS_A_CUBE * self._cubes

    def _parts(self, tasks: IntArray) -> list[slice]:
        """The tasks that are fitted between two pauses: all, where fits are small."""
        if self.seconds() < MOST_SECONDS:
            return [slice(0, len(tasks))]
        return [slice(t, t + 1) for t in range(len(tasks))]

    def _starts(self, tasks: IntArray, C: float) -> FloatArray:
        """The last α of each task, a row each, what stood at its limit there at the new one."""
        last, limits = self.last[0][tasks], (C / self.sizes[tasks])[:, None]
        return np.where(last >= self.last[1][tasks, None], limits, np.minimum(last, limits))

    def qp(self, task: int) -> BoxQP:
        """The task's QP, set up once."""
        if task not in self._qps:
            name, inside = f"task {self.pool.task_set.names[task]!r}", self._inside(task)
            self._qps[task] = BoxQP(self._block(task), self.pool.factors[task][inside], self.solver, name)
        return self._qps[task]

    def _inside(self, task: int) -> IntArray | slice:
        """The chosen points among the task's own."""
        return ALL if self.whole else self.rows[task] - self.pool.start[task]

    def _block(self, task: int) -> FloatArray:
        inside, Q = self._inside(task), self.pool.blocks[task]
        return Q if isinstance(inside, slice) else Q[np.ix_(inside, inside)]

    def moved(self, margins: FloatArray, task: int, alpha: FloatArray, points: slice = ALL) -> FloatArray:
        """Margins of all pooled points, or a range of them, after the task's own step α."""
        return self.pool.moved(margins, self.rows[task], alpha[: self.sizes[task]], points)
