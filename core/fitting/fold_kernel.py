"""One fold of one task in one compiled call: all C of the grid, of which only counts of mistakes are wanted."""

from __future__ import annotations

import numpy as np

from core.features import FloatArray, IntArray
from core.solver.activeset import all_at_limit, first_try, settle
from core.solver.box_qp import SETTLED
from core.solver.compiled import ZERO, compiled, part


@part
def _below(alpha: FloatArray, limit: float) -> bool:
    """Whether no α stands at the limit."""
    for i in range(alpha.size):
        if alpha[i] >= limit:
            return False
    return True


@compiled
def scan_fold(
    block: FloatArray,
    fold_of: IntArray,
    fold: int,
    margins: FloatArray,
    columns: int,
    Cs: FloatArray,
    begin: int,
    begun: bool,
    alpha: FloatArray,
    wrong: FloatArray,
) -> int:
    """Add to `wrong` the validation points that each C from `begin` on gets wrong in one fold of a task.

    `block` holds the inner products of all its points, and its factor has so many columns. C ascends, so that each α
    starts the next, and one with none at the limit answers for all larger C. Returns the position of the first C that
    does not settle, or their number. One that has `begun` gets the α of its first C.
    """
    inside, outside = np.empty(fold_of.size, np.int64), np.empty(fold_of.size, np.int64)
    n, held_out = ZERO, ZERO
    for i in range(fold_of.size):
        if fold_of[i] == fold:
            outside[held_out] = i
            held_out += 1
        else:
            inside[n] = i
            n += 1
    Q, r, sums = np.empty((n, n)), np.empty(n), np.empty(n)
    for i in range(n):
        row = block[inside[i]]
        r[i] = 1.0 - margins[inside[i]]
        sums[i] = 0.0
        for j in range(n):
            Q[i, j] = row[inside[j]]
            sums[i] += Q[i, j]
    g, limits = np.empty(n), np.empty(n)
    rounds, widest = first_try(n, columns if 2 * columns <= n else ZERO)
    limit = 0.0
    free = False
    for c in range(begin, Cs.size):
        old = limit
        limit = Cs[c] / n
        if begun and c == begin:
            free = _below(alpha, limit)
        elif all_at_limit(sums, r, limit):
            for i in range(n):
                alpha[i] = limit
        elif not free:
            for i in range(n):
                limits[i] = limit
                if alpha[i] >= old:
                    alpha[i] = limit if old > 0.0 else 0.0
            if not settle(Q, r, limits, alpha, g, rounds, widest) <= SETTLED:
                return c
            free = _below(alpha, limit)
        for point in outside[:held_out]:
            margin = margins[point]
            row = block[point]
            for i in range(n):
                margin += row[inside[i]] * alpha[i]
            if margin <= 0.0:
                wrong[c] += 1.0
    return Cs.size
