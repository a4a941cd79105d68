"""Model selection: C from the paper's grid by 5×5-fold stratified cross-validation."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.errors import SettingsError, SolverError
from core.fitting.gram import IntArray, Pool
from core.solver.activeset import all_at_limit, first_try, settle
from core.solver.box_qp import GAP, SETTLED
from core.solver.compiled import compiled
from core.solver.interior import interior
from core.solver.pivoting import pivot, worth_pivoting
from core.solver.threads import spread
from core.tasks import FloatArray, Task

C_GRID: FloatArray = np.array([1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5])
REPEATS = 5
FOLDS = 5
Progress = Callable[[int, int], None]
CountWrong = Callable[[list[IntArray], list[IntArray]], FloatArray]


def named_generator(seed: int, name: str) -> np.random.Generator:
    """Randomness that belongs to a name, so that it does not depend on the order of the tasks."""
    return np.random.default_rng([seed, zlib.crc32(name.encode())])


def stratified_folds(task: Task, seed: int) -> IntArray:
    """The fold of every training point, a row a repeat: each class is shuffled and dealt out in turn."""
    counts = {label: int(np.sum(task.y == label)) for label in (-1.0, 1.0)}
    fewest = min(counts, key=lambda label: counts[label])
    if counts[fewest] < 2:
        raise SettingsError(
            f"task {task.name!r}: 1 training point is labelled {fewest:+.0f}; cross-validation needs 2 of each class, "
            "so add points or give a fixed C"
        )
    n_folds = min(FOLDS, counts[fewest])
    rng = named_generator(seed, task.name)
    folds = np.empty((REPEATS, task.n_points), dtype=np.int64)
    for repeat in folds:
        shuffled = np.concatenate([rng.permutation(np.flatnonzero(task.y == label)) for label in (-1.0, 1.0)])
        repeat[shuffled] = np.arange(task.n_points) % n_folds
    return folds


def smallest_best(errors: FloatArray) -> int:
    """Index of the smallest C among the best; errors that differ by rounding alone are equal."""
    return int(np.flatnonzero(errors <= errors.min() + 1e-12)[0])


@compiled
def _grid_wrong(
    Q: FloatArray, B: FloatArray, margins: FloatArray, fold_of: IntArray, Cs: FloatArray
) -> tuple[FloatArray, float]:
    """Validation points that each C gets wrong, all folds of one repeat together, and the worst duality gap.

    C ascends, so that each solution starts the next, and one with no α at the limit answers for all larger C.
    """
    k = B.shape[1]
    wrong = np.zeros(Cs.size)
    worst = 0.0
    for fold in range(fold_of.max() + 1):
        inside = np.flatnonzero(fold_of != fold)
        outside = np.flatnonzero(fold_of == fold)
        n = inside.size
        own_Q = np.empty((n, n))
        own_B = np.empty((n, k))
        r = np.empty(n)
        sums = np.zeros(n)
        for i in range(n):
            r[i] = 1.0 - margins[inside[i]]
            for j in range(n):
                own_Q[i, j] = Q[inside[i], inside[j]]
                sums[i] += own_Q[i, j]
            for j in range(k):
                own_B[i, j] = B[inside[i], j]
        alpha = np.zeros(n)
        g = np.empty(n)
        rounds, widest = first_try(n, k)
        pivots = worth_pivoting(n, k)
        T = own_Q.copy() if pivots else own_Q
        swept = np.zeros(n, np.int64)
        limit = 0.0
        free = False
        for c in range(Cs.size):
            old = limit
            limit = Cs[c] / n
            if all_at_limit(sums, r, limit):
                for i in range(n):
                    alpha[i] = limit
            elif not free:
                for i in range(n):
                    if alpha[i] >= old:
                        alpha[i] = limit if old > 0.0 else 0.0
                u = np.full(n, limit)
                gap = pivot(own_Q, T, swept, r, limit, alpha, g) if pivots else np.inf
                if not gap <= SETTLED:
                    gap = settle(own_Q, r, u, alpha, g, rounds, widest)
                if not gap <= SETTLED:
                    alpha = interior(own_Q, own_B, r, u)
                    gap = settle(own_Q, r, u, alpha, g, 300, n)
                worst = max(worst, gap)
                free = True
                for i in range(n):
                    if alpha[i] >= limit:
                        free = False
                        break
            for point in outside:
                margin = margins[point]
                row = Q[point]
                for i in range(n):
                    margin += row[inside[i]] * alpha[i]
                if margin <= 0.0:
                    wrong[c] += 1.0
    return wrong, worst


@dataclass(frozen=True, eq=False, slots=True)
class Folds:
    """The 5×5 folds of every task of a pool: the same for all methods, sources and C of one seed."""

    pool: Pool
    fold_of: tuple[IntArray, ...]

    @classmethod
    def draw(cls, pool: Pool, seed: int) -> Folds:
        """Folds that depend on the seed and the task's name alone."""
        return cls(pool, tuple(stratified_folds(task, seed) for task in pool.task_set.tasks))

    def choose_each(self, tasks: IntArray, margins: FloatArray, Cs: FloatArray = C_GRID) -> FloatArray:
        """For every one of `tasks`, the C its own Adaptive SVM picks when started from these margins."""

        def wrong(piece: tuple[int, int]) -> FloatArray:
            k, repeat = piece
            own = self.pool.rows[k]
            count, gap = _grid_wrong(
                self.pool.blocks[k], self.pool.factors[k], margins[own], self.fold_of[k][repeat], Cs
            )
            if not gap <= GAP:
                name = self.pool.task_set.names[k]
                raise SolverError(
                    f"task {name!r}: relative duality gap {gap:.1e} in cross-validation, more than {GAP:g}; scale or "
                    "normalise the features, or give a fixed C"
                )
            return count

        counts = spread(wrong, [(int(k), repeat) for k in tasks for repeat in range(REPEATS)])
        per_task = np.array(counts).reshape(len(tasks), REPEATS, len(Cs)).sum(axis=1)
        return np.array([Cs[smallest_best(errors)] for errors in per_task])

    def shared_errors(self, count_wrong: CountWrong, progress: Progress | None = None) -> FloatArray:
        """Mean validation error over tasks for each C of the grid, when the whole method uses that C.

        `count_wrong(inside, outside)` gets the training and the validation rows of every task in one fold and returns
        the wrong validation points, a row a C and a column a task. A task with fewer folds has empty validation parts.
        """
        splits = []
        for repeat in range(REPEATS):
            for fold in range(FOLDS):
                held_out = [fold_of[repeat] == fold for fold_of in self.fold_of]
                inside = [rows[~out] for rows, out in zip(self.pool.rows, held_out, strict=True)]
                outside = [rows[out] for rows, out in zip(self.pool.rows, held_out, strict=True)]
                if any(len(rows) for rows in outside):
                    splits.append((inside, outside))
        finished = itertools.count(1)

        def one_fold(split: tuple[list[IntArray], list[IntArray]]) -> FloatArray:
            counts = count_wrong(*split)
            if progress is not None:
                progress(next(finished), len(splits))
            return counts

        total = np.sum(spread(one_fold, splits), axis=0)
        return np.asarray((total / (REPEATS * self.pool.sizes)).mean(axis=-1))
