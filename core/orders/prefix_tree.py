"""The tree of prefixes of some orders, and what is summed along each: error terms, squared steps, mistakes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.curriculum.learn import fit_at
from core.curriculum.search import FitTasks
from core.features import FloatArray, IntArray
from core.fitting.cross_validation import Progress
from core.fitting.stage import Stage
from core.measure import cost_share
from core.orders.kernel import BoolArray, Walked, walk_all

Visit = Callable[[slice, int, float, float, float, FloatArray, FloatArray], None]


def walk(stage: Stage, orders: IntArray, fit: FitTasks, visit: Visit) -> bool:
    """Fit every prefix of the sorted `orders` once.

    For each, `visit(rows, task, error_term, squared_step, C, source_margins, α)` with the rows it begins. Returns
    whether any α stood at its limit.
    """
    n = orders.shape[1]
    touched = False

    def below(first: int, last: int, depth: int, margins: FloatArray) -> None:
        nonlocal touched
        column = orders[first:last, depth]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(column)) + 1])
        tasks = column[starts]
        ends = np.append(starts[1:], len(column))
        fits, Cs = fit(margins, tasks)
        touched |= fits.any_at_limit
        for i, task in enumerate(tasks):
            rows = slice(first + int(starts[i]), first + int(ends[i]))
            alpha = fits.alpha[i]
            visit(rows, int(task), fits.error_terms[i], fits.squared_steps[i], float(Cs[i]), margins, alpha)
            if depth + 1 < n:
                below(rows.start, rows.stop, depth + 1, stage.moved(margins, int(task), alpha))

    below(0, len(orders), 0, np.zeros(stage.pool.n_points))
    return touched


def sums_at(stage: Stage, orders: IntArray, C: float, progress: Progress | None, wrong: BoolArray | None) -> FloatArray:
    """`walked_sums` at one C, by the kernel where that can."""
    pool = stage.pool
    sizes = np.diff(pool.test_start)
    tested = [np.arange(pool.test_start[k], pool.test_start[k + 1]) for k in range(len(sizes))]
    sums = np.zeros((3, len(orders)))

    def visit(rows: slice, walked: Walked) -> None:
        sums[0, rows] = walked.error_terms[walked.fit_of].sum(axis=1)
        sums[1, rows] = walked.squared_steps[walked.fit_of].sum(axis=1)
        sums[2, rows] = (walked.mistakes[walked.fit_of] / np.maximum(pool.all_test_costs, 1)).sum(axis=1)
        if wrong is not None:
            wrong[rows] = np.hstack([walked.missed[walked.fit_of[:, k], :size] for k, size in enumerate(sizes)])
        if progress is not None:
            progress(rows.stop, len(orders))

    if walk_all(stage, orders, C, tested, True, visit):
        return sums
    return walked_sums(stage, orders, fit_at(stage, C), progress, wrong)


def walked_sums(
    stage: Stage, orders: IntArray, fit: FitTasks, progress: Progress | None, wrong: BoolArray | None
) -> FloatArray:
    """Sums over the steps of each order: error term, squared step, test error; marks the test points it gets wrong."""
    sums = np.zeros((3, len(orders)))
    pool = stage.pool
    reached, first = 0, int(pool.test_start[0])

    def visit(
        rows: slice, task: int, error: float, squared: float, C: float, margins: FloatArray, alpha: FloatArray
    ) -> None:
        nonlocal reached
        sums[0, rows] += error
        sums[1, rows] += squared
        own = pool.own_test_points(task)
        if own.stop > own.start:
            missed = stage.moved(margins, task, alpha, own) <= 0
            sums[2, rows] += cost_share(missed, pool.costs[own])
            if wrong is not None:
                wrong[rows, own.start - first : own.stop - first] = missed
        if rows.stop - rows.start == 1:
            reached = max(reached, rows.stop)
            if progress is not None:
                progress(reached, len(orders))

    walk(stage, orders, fit, visit)
    return sums


def walk_wrong(stage: Stage, orders: IntArray, C: float, outside: list[IntArray]) -> tuple[FloatArray, bool]:
    """What `orders_kernel.count_wrong` says, where that cannot."""
    wrong = np.zeros((len(orders), len(outside)))

    def visit(
        rows: slice, task: int, error: float, squared: float, C: float, margins: FloatArray, alpha: FloatArray
    ) -> None:
        own = stage.pool.own_points(task)
        moved = stage.moved(margins, task, alpha, own)
        wrong[rows, task] = stage.pool.costs[outside[task]] @ (moved[outside[task] - own.start] <= 0)

    return wrong, walk(stage, orders, fit_at(stage, C), visit)
