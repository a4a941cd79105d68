"""All orders at one C in one compiled call: of a scan only means and counts of mistakes are wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.features import FloatArray, IntArray
from core.fitting.fit_kernel import QPs, fit_many
from core.fitting.pool import move_tasks
from core.fitting.stage import LIKELY, MOST_SECONDS, Stage
from core.solver import cancellation
from core.solver.backends import KERNEL
from core.solver.box_qp import EXACT_C, SETTLED
from core.solver.compiled import ZERO, compiled

BoolArray = npt.NDArray[np.bool_]
_MOST_BYTES = 100_000_000
"""Of α and mistakes that are kept at once."""
_FEW = 256
"""Orders that are not parted for the sake of progress; more are walked in twenty parts."""


@dataclass(frozen=True, eq=False, slots=True)
class Walked:
    """Some orders: `fit_of` has a row an order and a column a task, the fit by which that order solves that task.

    Of the watched points, `missed` says which each fit gets wrong, `mistakes` what they cost in all;
    `squared_steps` are ‖w - w_src‖².
    """

    fit_of: IntArray
    error_terms: FloatArray
    squared_steps: FloatArray
    mistakes: FloatArray
    missed: BoolArray
    any_at_limit: bool


@compiled
def _walk(
    qps: QPs,
    last: FloatArray,
    last_limit: FloatArray,
    Q: FloatArray,
    start: IntArray,
    test_start: IntArray,
    norms: FloatArray,
    costs: FloatArray,
    C: float,
    orders: IntArray,
    watched: IntArray,
    watched_start: IntArray,
    fit_of: IntArray,
    tasks: IntArray,
    alphas: FloatArray,
    errors: FloatArray,
    mistakes: FloatArray,
    missed: BoolArray,
) -> int:
    """Fill what follows `watched_start`; 1 if any α ended at its limit, 0 if none, -1 if a fit did not settle.

    Sorted orders share prefixes: what the order before has in common is not fitted again.
    """
    n = orders.shape[1]
    margins = np.zeros((n + 1, Q.shape[1]))
    task = np.zeros(1, np.int64)
    before, gaps, squared = np.zeros(1), np.zeros(1), np.zeros(1)
    touched, fits = 0, ZERO
    for row in range(orders.shape[0]):
        depth = 0
        if row > 0:
            while depth < n and orders[row, depth] == orders[row - 1, depth]:
                fit_of[row, orders[row, depth]] = fit_of[row - 1, orders[row, depth]]
                depth += 1
        for d in range(depth, n):
            k = orders[row, d]
            task[0] = k
            found = alphas[fits : fits + 1]
            own = errors[fits : fits + 1]
            if fit_many(*qps, margins[d], norms, C, task, last, last_limit, False, found, before, gaps, own, squared):
                touched = 1
            if not gaps[0] <= SETTLED:
                return -1
            points = qps[3][qps[4][k] : qps[4][k + 1]]
            move_tasks(Q, points, found[0], start, orders[row, d:], margins[d], margins[d + 1])
            move_tasks(Q, points, found[0], test_start, orders[row, d:], margins[d], margins[d + 1])
            for place in range(watched_start[k], watched_start[k + 1]):
                if margins[d + 1, watched[place]] <= 0.0:
                    missed[fits, place - watched_start[k]] = True
                    mistakes[fits] += costs[watched[place]]
            tasks[fits] = k
            fit_of[row, k] = fits
            fits += 1
    return touched


def walk_all(
    stage: Stage,
    orders: IntArray,
    C: float,
    watched: list[IntArray],
    test: bool,
    visit: Callable[[slice, Walked], None],
) -> bool:
    """`visit(rows, walked)` for one part of the sorted orders after the other; with `test` test points may be watched.

    False where this is not for: inner products that are not kept or lose digits, or a fit that asks for a solver.
    """
    pool = stage.pool
    if pool.Q is None or stage.solver != KERNEL or C > EXACT_C or not pool.exact_by_products(C):
        return False
    starts = np.concatenate([[0], np.cumsum([len(points) for points in watched])])
    test_start = pool.test_start if test else np.zeros(len(pool.test_start), dtype=np.int64)
    known = stage.qps, *stage.last, pool.Q, pool.start, test_start, pool.norms, pool.costs, float(C)
    width, widest = stage.last[0].shape[1], int(np.diff(starts).max())
    some = _at_once(stage, len(orders), orders.shape[1] * (8 * width + widest))
    for first in range(0, len(orders), some):
        cancellation.checkpoint()
        part = np.ascontiguousarray(orders[first : first + some])
        fits = _prefixes(part)
        fit_of, tasks = np.empty(part.shape, dtype=np.int64), np.empty(fits, dtype=np.int64)
        alphas, errors, missed = np.zeros((fits, width)), np.empty(fits), np.zeros((fits, widest), dtype=np.bool_)
        mistakes = np.zeros(fits)
        touched = _walk(*known, part, np.concatenate(watched), starts, fit_of, tasks, alphas, errors, mistakes, missed)
        if touched < 0:
            return False
        squared = np.full(fits, np.nan)
        if stage.whole:
            for k in range(len(stage.sizes)):
                mine = np.flatnonzero(tasks == k)
                squared[mine] = pool.squared_steps(k, alphas[mine, : stage.sizes[k]])
        visit(slice(first, first + len(part)), Walked(fit_of, errors, squared, mistakes, missed, touched == 1))
    return True


def _prefixes(orders: IntArray) -> int:
    """How many different beginnings, of any length, sorted orders have."""
    differ = orders[1:] != orders[:-1]
    return int(orders.shape[1] + np.sum(orders.shape[1] - np.argmax(differ, axis=1)))


def count_wrong(stage: Stage, orders: IntArray, C: float, outside: list[IntArray]) -> tuple[FloatArray, bool] | None:
    """What the points `outside` cost that each of the sorted orders gets wrong, a column a task; and whether any α
    stood at its limit. None where `walk_all` is not for it.
    """
    wrong, touched = np.zeros((len(orders), len(outside))), False

    def visit(rows: slice, walked: Walked) -> None:
        nonlocal touched
        wrong[rows] = walked.mistakes[walked.fit_of]
        touched |= walked.any_at_limit

    return (wrong, touched) if walk_all(stage, orders, C, outside, False, visit) else None


def _at_once(stage: Stage, orders: int, bytes_an_order: int) -> int:
    """How many orders to walk between two pauses: the same whether anybody looks or not, so that bits are, too."""
    quick = int(MOST_SECONDS * LIKELY / max(stage.seconds(), 1e-9))
    return max(1, min(quick, _MOST_BYTES // bytes_an_order, max(_FEW, -(-orders // 20))))
