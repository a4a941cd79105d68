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
def lay_out_fold(
    block: FloatArray, inside: IntArray, outside: IntArray, Q: FloatArray, held_out: FloatArray, sums: FloatArray
) -> None:
    """Out of the inner products of a task's points those between its training points, the sums of their rows, and those
    with its validation points."""
    for i in range(inside.size):
        row = block[inside[i]]
        sums[i] = 0.0
        for j in range(inside.size):
            Q[i, j] = row[inside[j]]
            sums[i] += Q[i, j]
    for i in range(outside.size):
        row = block[outside[i]]
        for j in range(inside.size):
            held_out[i, j] = row[inside[j]]


@compiled
def scan_fold(
    Q: FloatArray,
    held_out: FloatArray,
    sums: FloatArray,
    r: FloatArray,
    known: FloatArray,
    costs: FloatArray,
    columns: int,
    Cs: FloatArray,
    begin: int,
    begun: bool,
    alpha: FloatArray,
    wrong: FloatArray,
) -> int:
    """Add to `wrong` the costs of the validation points that each C from `begin` on gets wrong in one fold of a task.

    `known` are their margins before, `costs` what each costs, and the task's factor has so many columns. C ascends, so
    that each α starts the next, and one with none at the limit answers for all larger C. Returns the position of the
    first C that does not settle, or their number. One that has `begun` gets the α of its first C.
    """
    n = r.size
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
        for point in range(known.size):
            margin = known[point]
            for i in range(n):
                margin += held_out[point, i] * alpha[i]
            if margin <= 0.0:
                wrong[c] += costs[point]
    return Cs.size
