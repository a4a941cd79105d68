"""Adaptive SVM fits of many tasks in one compiled call, and of one task at every C of the grid."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from core.features import FloatArray, IntArray
from core.solver.activeset import QP, fit
from core.solver.box_qp import SETTLED
from core.solver.jit import kernel


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
    """The QP of one task, in the same memory."""
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


@kernel
def fit_many(qps: TaskQPs, margins: FloatArray, rows: IntArray, tasks: IntArray, fits: Fits) -> None:
    """Fit `tasks` in turn at their C, each started from the weights with the margins in its row of `margins`."""
    for t in range(tasks.size):
        qp = task_qp(qps, tasks[t])
        first, m = qps.start[tasks[t]], qp.alpha.size
        r, g = np.empty(m), np.empty(m)
        for i in range(m):
            r[i] = 1.0 - margins[rows[t], qps.points[first + i]]
        done = fit(qp, r, fits.C[t], g)
        fits.gaps[t], fits.at_limit[t] = done.gap, done.at_limit
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
        if qp.C[0] != Cs[c] and qp.at_limit[0] != 0 and not fit(qp, r, Cs[c], g).gap <= SETTLED:
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
