"""Exact solution of a small box QP from a guess: coordinate descent finds the active set, Newton steps solve on it.

Compiled, because it is called for every candidate, fold and C. The gradient is g = Qα - r, and for the Adaptive SVM
dual 1 + g are the margins of the new weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from core.features import FloatArray, IntArray
from core.solver.jit import kernel
from core.solver.linalg import factorise, gradient, relative_gap, solve_factored

EXACT = 1e-13
"""Relative gap at which a solution counts as exact to rounding."""
_ROUNDING = 1e-10
"""Below this, a gap that no longer falls, or that belongs to the right active set, is rounding."""
_NEAR = 1e-6
_PATIENCE = 8
"""Rounds without progress after which a gap below _NEAR is left as it is: badly scaled features reach no further."""
_SWEEPS = 3
_NEWTON_STEPS = 8


class QP(NamedTuple):
    """Minimise ½ αᵀQα - rᵀα over 0 ≤ α ≤ C·limits, Q positive semidefinite, for many r and C.

    `pull` is Q·limits. `columns` are those of B with Q = BBᵀ where working with B pays, else 0. `alpha` is the last
    answer, at the C in `C`, with so many α at their limit as `at_limit` says; the next fit starts from it.
    """

    Q: FloatArray
    limits: FloatArray
    pull: FloatArray
    columns: int
    alpha: FloatArray
    C: FloatArray
    at_limit: IntArray


@kernel
def fit(qp: QP, r: FloatArray, C: float, g: FloatArray) -> tuple[float, int]:
    """Twin of `BoxQP.solve`, compiled: the kernel's fit from the last answer, as far as is worth trying alone; fills g.

    Returns the relative duality gap and how many α ended at their limit.
    """
    if all_at_limit(qp, r, C, g):
        return 0.0, r.size
    begin(qp, C)
    rounds, widest = first_try(r.size, qp.columns)
    _, gap, at_limit = finish(qp, r, C, g, rounds, widest)
    return gap, at_limit


@kernel
def all_at_limit(qp: QP, r: FloatArray, C: float, g: FloatArray) -> bool:
    """Whether α = C·limits is optimal, which it is where C·Q·limits ≤ r; if so, it becomes the last answer."""
    for i in range(r.size):
        if not C * qp.pull[i] <= r[i]:
            return False
    for i in range(r.size):
        qp.alpha[i] = C * qp.limits[i]
        g[i] = C * qp.pull[i] - r[i]
    qp.C[0] = C
    qp.at_limit[0] = r.size
    return True


@kernel
def begin(qp: QP, C: float) -> None:
    """Move the last answer into the box of this C: what stood at its limit stands at the new one."""
    for i in range(qp.alpha.size):
        limit = C * qp.limits[i]
        qp.alpha[i] = limit if qp.alpha[i] >= qp.C[0] * qp.limits[i] else min(qp.alpha[i], limit)


@kernel
def _sweep(Q: FloatArray, u: FloatArray, alpha: FloatArray, g: FloatArray) -> bool:
    """One pass of coordinate descent; False where nothing moved."""
    moved = False
    m = alpha.size
    for i in range(m):
        slope = g[i]
        old = alpha[i]
        if slope == 0.0 or (slope > 0.0 and old == 0.0) or (slope < 0.0 and old == u[i]):
            continue
        row = Q[i]
        new = old - slope / row[i] if row[i] > 0.0 else (u[i] if slope < 0.0 else 0.0)
        new = min(max(new, 0.0), u[i])
        change = new - old
        if change != 0.0:
            moved = True
            alpha[i] = new
            for k in range(m):
                g[k] += change * row[k]
    return moved


@kernel
def _refine(
    qp: QP, r: FloatArray, u: FloatArray, g: FloatArray, free: IntArray, A: FloatArray, step: FloatArray
) -> None:
    """One step of iterative refinement with the factor in A, which takes back what the ridge took."""
    for a in range(free.size):
        step[a] = -g[free[a]]
    solve_factored(A, step, free.size)
    for a in range(free.size):
        new = qp.alpha[free[a]] + step[a]
        if new <= 0.0 or new >= u[free[a]]:
            return
    for a in range(free.size):
        qp.alpha[free[a]] += step[a]
    gradient(qp.Q, r, qp.alpha, g)


@kernel
def _inside(u: FloatArray, alpha: FloatArray, free: IntArray) -> int:
    """Put the coordinates strictly inside the box into `free`; how many."""
    n = 0
    for i in range(alpha.size):
        if 0.0 < alpha[i] < u[i]:
            free[n] = i
            n += 1
    return n


@kernel
def _signs_hold(u: FloatArray, alpha: FloatArray, g: FloatArray) -> bool:
    """Whether no coordinate at a limit wants to leave it."""
    for i in range(alpha.size):
        if (alpha[i] == 0.0 and g[i] < 0.0) or (alpha[i] == u[i] and g[i] > 0.0):
            return False
    return True


@kernel
def finish(qp: QP, r: FloatArray, C: float, g: FloatArray, rounds: int, widest: int) -> tuple[float, float, int]:
    """Improve the α of the QP, which lies in the box of this C, until it is exact or `rounds` are used; fills g.

    Returns the relative duality gap before and after, and how many α ended at their limit. That is no NamedTuple: numba
    makes those for Python by running Python code, and crashes where Ctrl-C interrupts that.

    A round is a few sweeps of coordinate descent, then Newton steps on the coordinates strictly inside the box, each
    cut back to the box only as far as the objective still falls. So the objective never rises. With more than `widest`
    coordinates inside there is no Newton step: above the rank of Q, that cannot be the active set.
    """
    Q, alpha, m, largest = qp.Q, qp.alpha, r.size, 0.0
    u = np.empty(m)
    for i in range(m):
        u[i] = C * qp.limits[i]
        largest = max(largest, Q[i, i])
    gradient(Q, r, alpha, g)
    before = relative_gap(r, u, alpha, g)
    gap = before
    free, A, step, trial, trial_g = np.empty(m, np.int64), np.empty((m, m)), np.empty(m), np.empty(m), np.empty(m)
    # Makes a direction in the null space a long one, which the box then stops.
    ridge = max(1e-12, 1e-15 * m) * largest + 1e-300
    best, stalled = np.inf, 0
    for _ in range(rounds if gap > EXACT else 0):
        for _ in range(_SWEEPS):
            if not _sweep(Q, u, alpha, g):
                break
        full = False
        for _ in range(_NEWTON_STEPS):
            n = _inside(u, alpha, free)
            if n == 0 or n > widest:
                break
            for a in range(n):
                row = Q[free[a]]
                for b in range(a + 1):
                    A[a, b] = row[free[b]]
                step[a] = -g[free[a]]
            factorise(A, n, ridge)
            solve_factored(A, step, n)
            length = 1.0
            hit = -1
            slope = 0.0
            for a in range(n):
                i = free[a]
                slope += g[i] * step[a]
                room = alpha[i] if step[a] < 0.0 else u[i] - alpha[i]
                if room < length * abs(step[a]):
                    length = room / abs(step[a])
                    hit = a
            if hit < 0:
                for a in range(n):
                    alpha[free[a]] += step[a]
                gradient(Q, r, alpha, g)
                _refine(qp, r, u, g, free[:n], A, step)
                full = True
                break
            now = 0.0
            for i in range(m):
                trial[i] = alpha[i]
                now += 0.5 * alpha[i] * (g[i] - r[i])
            for a in range(n):
                i = free[a]
                trial[i] = min(max(alpha[i] + step[a], 0.0), u[i])
            gradient(Q, r, trial, trial_g)
            after = 0.0
            for i in range(m):
                after += 0.5 * trial[i] * (trial_g[i] - r[i])
            if after <= now + (length - 0.5 * length * length) * slope:
                for i in range(m):
                    alpha[i] = trial[i]
                    g[i] = trial_g[i]
            else:
                for a in range(n):
                    i = free[a]
                    alpha[i] = min(max(alpha[i] + length * step[a], 0.0), u[i])
                alpha[free[hit]] = 0.0 if step[hit] < 0.0 else u[free[hit]]
                gradient(Q, r, alpha, g)
        gap = relative_gap(r, u, alpha, g)
        if gap <= EXACT or (gap <= _ROUNDING and (gap >= 0.5 * best or (full and _signs_hold(u, alpha, g)))):
            break
        stalled = stalled + 1 if gap >= 0.5 * best else 0
        if stalled >= _PATIENCE and gap <= _NEAR:
            break
        best = min(best, gap)
    at_limit = 0
    for i in range(m):
        if alpha[i] == u[i]:
            at_limit += 1
    qp.C[0], qp.at_limit[0] = C, at_limit
    return before, gap, at_limit


@kernel
def first_try(m: int, rank: int) -> tuple[int, int]:
    """Rounds and widest Newton step worth trying from a guess, where Q = BBᵀ with `rank` columns (0: no such B).

    With many more points than features the interior point is cheap: it is asked where many stay inside the box.
    """
    if rank > 0 and m >= 150:
        return 20, 2 * rank + 20
    return 40, m


@kernel
def to_finish(m: int, rank: int) -> tuple[int, int]:
    """Rounds and widest Newton step for a solver's answer: until it is exact, or better left to the interior point."""
    if rank > 0 and m >= 150:
        return 25, max(2 * rank + 20, 600)
    return 300, m
