"""Model selection: C from the paper's grid by 5×5-fold stratified cross-validation."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.errors import SettingsError
from core.features import IntArray
from core.fitting.pool import Pool
from core.fitting.stage import fit_grid, take
from core.solver import cancellation
from core.solver.backends import KERNEL
from core.solver.box_qp import BoxQP
from core.solver.threads import spread
from core.task_set import FloatArray, Task

C_GRID: FloatArray = np.array([1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5])
REPEATS = 5
FOLDS = 5
Progress = Callable[[int, int], None]

CountWrong = Callable[[list[IntArray], list[IntArray]], FloatArray]


def part_of(progress: Progress, k: int, parts: int) -> Progress:
    """The progress of one of several equal parts of the work, counted from 0."""
    return lambda done, total: progress(k * total + done, parts * total)


def number_C(C: object) -> float | None:
    """C as a float, if it is a finite number above 0 of any kind."""
    if isinstance(C, bool) or not isinstance(C, (int, float, np.integer, np.floating)):
        return None
    try:
        number = float(C)
    except OverflowError:  # a whole number beyond all floats
        return None
    return number if 0.0 < number < float("inf") else None


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


def on_grid(count: Callable[[float], tuple[FloatArray, bool]]) -> FloatArray:
    """Counts at each C of the grid; where no α is at its limit, which `count` also says, larger C give the same."""
    counts: list[FloatArray] = []
    for C in C_GRID:
        wrong, at_limit = count(float(C))
        counts += [wrong] * (1 if at_limit else len(C_GRID) - len(counts))
        if not at_limit:
            break
    return np.array(counts)


def margins_on_grid(qp: BoxQP, r: FloatArray, held_out: FloatArray, margins: FloatArray) -> FloatArray:
    """The margins of held-out points after the fit at each C of the grid, a row each.

    `margins` are those before and `held_out` the inner products with the points of the QP.
    """
    moved = np.empty((len(C_GRID), len(margins)))
    begin = 0
    while (stop := fit_grid(qp.qp, r, held_out, margins, C_GRID, begin, moved)) < len(C_GRID):
        qp.solve(r, float(C_GRID[stop]))
        begin = stop
    return moved


@dataclass(frozen=True, eq=False, slots=True)
class Folds:
    """The 5×5 folds of every task of a pool: the same for all methods, sources and C of one seed."""

    pool: Pool
    fold_of: tuple[IntArray, ...]

    @classmethod
    def draw(cls, pool: Pool, seed: int) -> Folds:
        """Folds that depend on the seed and the task's name alone."""
        return cls(pool, tuple(stratified_folds(task, seed) for task in pool.task_set.tasks))

    def choose_each(self, tasks: IntArray, margins: FloatArray) -> FloatArray:
        """For each of `tasks`, the C its own fit picks when started from these margins (of all, or a row each)."""
        margins = np.broadcast_to(margins, (len(tasks), margins.shape[-1]))

        def wrong(piece: tuple[int, int]) -> FloatArray:
            t, repeat = piece
            k = int(tasks[t])
            return self._count_wrong(k, self.fold_of[k][repeat], margins[t][self.pool.own_points(k)])

        counts = spread(wrong, itertools.product(range(len(tasks)), range(REPEATS)))
        per_task = np.array(counts).reshape(len(tasks), REPEATS, len(C_GRID)).sum(axis=1)
        return np.array([C_GRID[smallest_best(errors)] for errors in per_task])

    def _count_wrong(self, task: int, fold_of: IntArray, margins: FloatArray) -> FloatArray:
        """Costs of the validation points that each C of the grid gets wrong, all folds of one repeat together."""
        Q, B, costs = self.pool.blocks[task], self.pool.factors[task], self.pool.costs[self.pool.own_points(task)]
        name, wrong = f"task {self.pool.task_set.names[task]!r}, in cross-validation", np.zeros(len(C_GRID))
        for fold in range(int(fold_of.max()) + 1):
            cancellation.checkpoint()
            inside, outside = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            n = len(inside)
            qp = BoxQP.of(take(Q, inside, inside), np.full(n, 1.0 / n), B[inside], KERNEL, name)
            moved = margins_on_grid(qp, 1.0 - margins[inside], take(Q, outside, inside), margins[outside])
            wrong += (moved <= 0) @ costs[outside]
        return wrong

    def shared_errors(self, count_wrong: CountWrong, progress: Progress | None = None) -> FloatArray:
        """Mean validation error over tasks for each C of the grid, when the whole method uses that C.

        `count_wrong(inside, outside)` gets the training and the validation rows of every task in one fold and returns
        the costs of the wrong validation points, a row a C and a column a task. A task with fewer folds has
        empty validation parts.
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
        return np.asarray((total / (REPEATS * self.pool.all_costs)).mean(axis=-1))
