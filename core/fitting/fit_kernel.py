"""Adaptive SVM fits of many tasks in one compiled call, on QPs that lie end to end."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.features import FloatArray, IntArray
from core.solver.activeset import all_at_limit, first_try, improve, to_finish
from core.solver.compiled import compiled, part
from core.solver.gradient import gradient, relative_gap

QPs = tuple[FloatArray, IntArray, FloatArray, IntArray, IntArray, IntArray]
"""The first arguments of `fit_many`: blocks and where each begins, sums of their rows, the pooled point of every
row and where a task's begin, and the columns of its factor where they are few."""


@compiled
def lay_out(
    Q: FloatArray, rows: IntArray, row_start: IntArray, block_start: IntArray, blocks: FloatArray, sums: FloatArray
) -> None:
    """The blocks of all tasks out of the inner products of the pool, and the sums of their rows."""
    for k in range(row_start.size - 1):
        first, last = row_start[k], row_start[k + 1]
        place = block_start[k]
        for i in range(first, last):
            row = Q[rows[i]]
            total = 0.0
            for j in range(first, last):
                value = row[rows[j]]
                blocks[place] = value
                total += value
                place += 1
            sums[i] = total


@part
def error_and_step(r: FloatArray, alpha: FloatArray, g: FloatArray, norms: FloatArray) -> tuple[float, float]:
    """Error term mean Φ̄(y<w,x>/‖x‖) of eq. (4) and ‖w - w_src‖² = ½ αᵀQα, from margins 1 + g."""
    error = 0.0
    squared = 0.0
    for i in range(r.size):
        error += 0.5 * math.erfc((1.0 + g[i]) / (norms[i] * math.sqrt(2.0))) if norms[i] > 0.0 else 0.5
        squared += 0.5 * alpha[i] * (g[i] + r[i])
    return error / r.size, max(squared, 0.0)


@compiled
def to_solve(
    row_sums: FloatArray,
    rows: IntArray,
    row_start: IntArray,
    margins: FloatArray,
    C: float,
    tasks: IntArray,
    r: FloatArray,
    needed: npt.NDArray[np.bool_],
) -> None:
    """The right-hand side of each of `tasks`, a row each, and whether there is anything to solve for it."""
    for t in range(tasks.size):
        first, m = row_start[tasks[t]], row_start[tasks[t] + 1] - row_start[tasks[t]]
        for i in range(m):
            r[t, i] = 1.0 - margins[rows[first + i]]
        needed[t] = not all_at_limit(row_sums[first : first + m], r[t, :m], C / m)


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
    finishing: bool,
    alphas: FloatArray,
    before: FloatArray,
    gaps: FloatArray,
    errors: FloatArray,
    squared: FloatArray,
) -> bool:
    """Fit `tasks` in turn, each from its `last` α, what stood at the limit there at the new one.

    Fills the rows of `alphas` and what follows it, the gaps before and after; returns whether any α ended at its limit.
    With `finishing` the last α is a solver's answer, which is worth more rounds than a guess.
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
            before[t] = 0.0
            gaps[t] = 0.0
            touched = True
        else:
            rounds, widest = first_try(m, ranks[k])
            if finishing:
                rounds, widest = to_finish(m, ranks[k])
            limits = np.empty(m)
            for i in range(m):
                alpha[i] = limit if last[k, i] >= last_limit[k] else min(last[k, i], limit)
                limits[i] = limit
            gradient(Q, r, alpha, g)
            before[t] = relative_gap(r, limits, alpha, g)
            gaps[t] = improve(Q, r, limits, alpha, g, before[t], rounds, widest)
            for i in range(m):
                if alpha[i] == limit:
                    touched = True
        for i in range(m):
            last[k, i] = alpha[i]
        last_limit[k] = limit
        errors[t], squared[t] = error_and_step(r, alpha, g, own_norms)
    return touched
