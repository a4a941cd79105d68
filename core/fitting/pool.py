"""All training points of a task set in one pool, and the inner products between them: all that a search needs.

With Z = diag(y) X, everything is said in Q = ½ ZZᵀ and in margins y<w,x>: moving task k by α changes the margin of
every pooled point by Q[:, k] α, whatever the number of features.
"""

from __future__ import annotations

import itertools
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from core.errors import TaskError
from core.features import Features, FloatArray, IntArray, row_norms
from core.measure import Measure, mistake_costs
from core.solver import cancellation
from core.solver.box_qp import MAX_POINTS
from core.solver.threads import spread
from core.task_set import TaskSet

ALL = slice(0, None)

MAX_ENTRIES = 100_000_000
"""Of the pool's inner products kept in memory at once (0.8 GB); beyond, they are computed from the features."""
_WORTH_KEEPING = 2_000_000
"""Entries up to which they are kept also where features are few: kernels work on nothing else."""
_EXACT_PRODUCTS = 1e6
_NUMBERS_AT_ONCE = 4_000_000


def stacked(parts: list[tuple[Features, FloatArray]]) -> Features:
    """Z = diag(y) X of all parts in one matrix, written once."""
    if any(isinstance(X, sp.csr_array) for X, _ in parts):
        return sp.csr_array(sp.vstack([sp.csr_array(X * y[:, None]) for X, y in parts]))
    Z = np.empty((sum(len(y) for _, y in parts), parts[0][0].shape[1]))
    first = 0
    for X, y in parts:
        np.multiply(X, y[:, None], out=Z[first : first + len(y)])
        first += len(y)
    return Z


def half_gram(A: Features, B: Features) -> FloatArray:
    """½ ABᵀ, dense and contiguous."""
    cancellation.checkpoint()
    with np.errstate(over="ignore", invalid="ignore"):  # an error says so below
        product: Features = A @ B.T
    dense = product.toarray() if isinstance(product, sp.csr_array) else np.asarray(product)
    if not np.isfinite(dense).all():
        raise TaskError("the features are so large that their inner products overflow; scale them or normalise rows")
    dense *= 0.5
    return np.ascontiguousarray(dense)


def half_products(Z: Features, start: IntArray) -> FloatArray:
    """½ Z₁Zᵀ, where Z₁ are the training points, which come first.

    Task by task over the threads, whose number must not change a bit; what two tasks share is computed once.
    """
    n = int(start[-1])
    Q = np.empty((n, Z.shape[0]))

    def fill(block: tuple[slice, slice]) -> None:
        rows, columns = block
        Q[block] = half_gram(Z[rows], Z[columns])

    tasks = list(itertools.pairwise(start.tolist()))
    with_test = [(slice(first, stop), slice(n, None)) for first, stop in tasks if n < Z.shape[0]]
    spread(fill, [*with_test, *((slice(first, stop), slice(stop)) for first, stop in reversed(tasks))])
    for first, stop in tasks:
        Q[first:stop, stop:n] = Q[stop:n, first:stop].T
        own = Q[first:stop, first:stop]
        own[:] = 0.5 * (own + own.T)  # a product of a matrix with itself may differ in the last bit
    return Q


class Pool:
    """The pooled points of a prepared task set: task k holds the points `start[k]` to `start[k + 1]`.

    With `test`, the test points follow the training points, so that their margins are carried along. `costs` has what
    a mistake on each of them costs, by the measure.
    """

    def __init__(self, task_set: TaskSet, test: bool = False, measure: Measure = "error") -> None:
        self.task_set = task_set
        for task in task_set.tasks:
            if task.n_points > MAX_POINTS:
                raise TaskError(
                    f"task {task.name!r} has {task.n_points} training points; the most that is practical is "
                    f"{MAX_POINTS}, so draw fewer"
                )
        self.sizes = np.array([task.n_points for task in task_set.tasks], dtype=np.int64)
        self.start = np.concatenate([[0], np.cumsum(self.sizes)])
        self.rows = [np.arange(a, b) for a, b in zip(self.start[:-1], self.start[1:], strict=True)]
        self.norms = np.concatenate([row_norms(task.X) for task in task_set.tasks])
        parts = [(task.X, task.y) for task in task_set.tasks]
        if test:
            parts += [(t.X_test, t.y_test) for t in task_set.tasks if t.X_test is not None and t.y_test is not None]
        test_sizes = [task.n_test if test else 0 for task in task_set.tasks]
        self.costs = np.concatenate([mistake_costs(y, measure) for _, y in parts])
        self.test_start = int(self.start[-1]) + np.concatenate([[0], np.cumsum(test_sizes)]).astype(np.int64)
        entries = int(self.start[-1]) * self.n_points
        # With few features a step by the features costs less and keeps more digits: inner products are for kernels.
        self.few = task_set.n_features < float(np.mean(self.sizes))
        keep = entries <= (_WORTH_KEEPING if self.few else MAX_ENTRIES)
        self.Z = stacked(parts)
        self.Q: FloatArray | None = half_products(self.Z, self.start) if keep else None
        if self.Q is not None:
            self.blocks = [np.ascontiguousarray(self.Q[rows][:, rows]) for rows in self.rows]
        else:
            self.blocks = [half_gram(Z, Z) for Z in (self.Z[rows] for rows in self.rows)]
        self.factors = [self._factor(k) for k in range(len(task_set))]

    @property
    def n_points(self) -> int:
        """Number of pooled points whose margins are carried, test points included."""
        return int(self.test_start[-1])

    def moved(self, margins: FloatArray, rows: IntArray, alpha: FloatArray, points: slice = ALL) -> FloatArray:
        """Margins of all pooled points, or a range of them, after the weights moved by Zᵀα/2 over these rows.

        Many margins and α are a row each.
        """
        if self.Q is not None and not self.few:
            return np.asarray(margins[..., points] + alpha @ self.Q[rows, points])
        step = 0.5 * (self.Z[rows].T @ alpha.T)
        return np.asarray(margins[..., points] + (self.Z[points] @ step).T)

    def exact_by_products(self, C: float) -> bool:
        """Whether kernels may carry margins by inner products, which loses digits where C ‖x‖² is huge."""
        return self.Q is not None and (not self.few or C * float(self.norms.max()) ** 2 <= _EXACT_PRODUCTS)

    def own_points(self, task: int) -> slice:
        """The range of the task's training points."""
        return slice(int(self.start[task]), int(self.start[task + 1]))

    def own_test_points(self, task: int) -> slice:
        """The range of the task's test points; empty without."""
        return slice(int(self.test_start[task]), int(self.test_start[task + 1]))

    @cached_property
    def all_costs(self) -> FloatArray:
        """The costs of each task's training points together."""
        return np.array([self.costs[rows].sum() for rows in self.rows])

    @cached_property
    def all_test_costs(self) -> FloatArray:
        """The costs of each task's test points together; 0 without."""
        return np.array([self.costs[self.own_test_points(task)].sum() for task in range(len(self.sizes))])

    def weight_step(self, task: int, alpha: FloatArray) -> FloatArray:
        """w - w_src = Zᵀα/2 of one task, in the space of the features."""
        return np.asarray(self.Z[self.own_points(task)].T @ (0.5 * alpha))

    def squared_steps(self, task: int, alphas: FloatArray) -> FloatArray:
        """‖w - w_src‖² of one task for many α, a row each."""
        squared = np.empty(len(alphas))
        for first in range(0, len(alphas), some := max(1, _NUMBERS_AT_ONCE // self.Z.shape[1])):
            steps = self.weight_step(task, alphas[first : first + some].T)
            squared[first : first + some] = np.einsum("ij,ij->j", steps, steps)
        return squared

    def _factor(self, task: int) -> FloatArray:
        """B with BBᵀ = Q of the task where it has at most as many columns as rows, else no columns."""
        m, d = int(self.sizes[task]), self.Z.shape[1]
        if d > m:
            return np.empty((m, 0))
        Z = self.Z[self.rows[task]]
        dense = Z.toarray() if isinstance(Z, sp.csr_array) else Z
        return np.ascontiguousarray(dense / np.sqrt(2.0))
