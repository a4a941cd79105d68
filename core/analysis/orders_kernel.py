"""All orders in one compiled call, where only counts of mistakes are wanted: in cross-validation."""

from __future__ import annotations

import numpy as np

from core.features import FloatArray, IntArray
from core.fitting.fit_kernel import QPs, fit_many
from core.fitting.fits import LIKELY, MOST_SECONDS, Stage
from core.fitting.gram import move_tasks
from core.solver import pause
from core.solver.asking import KERNEL
from core.solver.box_qp import SETTLED
from core.solver.compiled import compiled


@compiled
def _count(
    qps: QPs,
    last: FloatArray,
    last_limit: FloatArray,
    Q: FloatArray,
    start: IntArray,
    norms: FloatArray,
    C: float,
    orders: IntArray,
    outside: IntArray,
    outside_start: IntArray,
    wrong: FloatArray,
) -> int:
    """Fill `wrong`; 1 if any α ended at its limit, 0 if none, -1 if a fit did not settle.

    Sorted orders share prefixes: what the order before has in common is not fitted again.
    """
    n = orders.shape[1]
    margins = np.zeros((n + 1, Q.shape[1]))
    counts = np.zeros(n)
    task = np.zeros(1, np.int64)
    alphas = np.zeros((1, last.shape[1]))
    before, gaps, errors, squared = np.zeros(1), np.zeros(1), np.zeros(1), np.zeros(1)
    touched = 0
    for row in range(orders.shape[0]):
        depth = 0
        if row > 0:
            while depth < n and orders[row, depth] == orders[row - 1, depth]:
                depth += 1
        for d in range(depth, n):
            k = orders[row, d]
            task[0] = k
            for i in range(last.shape[1]):
                alphas[0, i] = 0.0
            if fit_many(
                *qps, margins[d], norms, C, task, last, last_limit, False, alphas, before, gaps, errors, squared
            ):
                touched = 1
            if not gaps[0] <= SETTLED:
                return -1
            points = qps[3][qps[4][k] : qps[4][k + 1]]
            move_tasks(Q, points, alphas[0], start, orders[row, d:], margins[d], margins[d + 1])
            counts[k] = 0.0
            for point in outside[outside_start[k] : outside_start[k + 1]]:
                if margins[d + 1, point] <= 0.0:
                    counts[k] += 1.0
        for k in range(n):
            wrong[row, k] = counts[k]
    return touched


def count_wrong(stage: Stage, orders: IntArray, C: float, outside: list[IntArray]) -> tuple[FloatArray, bool] | None:
    """Of the points `outside`, those of each task that each of the sorted orders gets wrong; and whether any α stood at
    its limit. None where this is not for: inner products that are not kept, or a fit that asks for a solver.
    """
    pool = stage.pool
    if pool.Q is None or stage.solver != KERNEL:
        return None
    wrong = np.zeros((len(orders), len(outside)))
    starts = np.concatenate([[0], np.cumsum([len(rows) for rows in outside])])
    points = np.concatenate(outside)
    known = stage.qps, *stage.last, pool.Q, pool.start, pool.norms, C
    touched = False
    for first in range(0, len(orders), some := _at_once(stage)):
        pause.point()
        part = slice(first, first + some)
        outcome = _count(*known, np.ascontiguousarray(orders[part]), points, starts, wrong[part])
        if outcome < 0:
            return None
        touched |= outcome == 1
    return wrong, touched


def _at_once(stage: Stage) -> int:
    """How many orders to count between two pauses: all, where fits are small."""
    return max(1, int(MOST_SECONDS * LIKELY / max(stage.seconds(), 1e-9)))
