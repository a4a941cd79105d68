"""Exact solution of a small box QP from a guess: coordinate descent finds the active set, Newton steps solve on it.

Compiled, because it is called for every candidate, fold and C: minimise ½ αᵀQα - rᵀα over 0 ≤ α ≤ u, Q positive
semidefinite. The gradient is g = Qα - r, and for the Adaptive SVM dual 1 + g are the margins of the new weights.
"""

from __future__ import annotations

import numpy as np

from core.features import FloatArray, IntArray
from core.solver.cholesky import factorise, solve_factored
from core.solver.compiled import ZERO, compiled, part
from core.solver.gradient import gradient, relative_gap

EXACT = 1e-13
"""Relative gap at which a solution counts as exact to rounding."""
_ROUNDING = 1e-10
"""Below this, a gap that no longer falls, or that belongs to the right active set, is rounding."""
_NEAR = 1e-6
_PATIENCE = 8
"""Rounds without progress after which a gap below _NEAR is left as it is: badly scaled features reach no further."""
_SWEEPS = 3
_NEWTON_STEPS = 8


@compiled
def sweep(Q: FloatArray, u: FloatArray, alpha: FloatArray, g: FloatArray) -> bool:
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


@compiled
def _refine(
    Q: FloatArray, r: FloatArray, u: FloatArray, alpha: FloatArray, g: FloatArray,
    free: IntArray, A: FloatArray, step: FloatArray, n: int,
) -> None:  # fmt: skip
    """One step of iterative refinement with the factor in A, which takes back what the ridge took."""
    for a in range(n):
        step[a] = -g[free[a]]
    solve_factored(A, step, n)
    for a in range(n):
        new = alpha[free[a]] + step[a]
        if new <= 0.0 or new >= u[free[a]]:
            return
    for a in range(n):
        alpha[free[a]] += step[a]
    gradient(Q, r, alpha, g)


@part
def _inside(u: FloatArray, alpha: FloatArray, free: IntArray) -> int:
    """Put the coordinates strictly inside the box into `free`; how many."""
    n = ZERO
    for i in range(alpha.size):
        if 0.0 < alpha[i] < u[i]:
            free[n] = i
            n += 1
    return n


@part
def _signs_hold(u: FloatArray, alpha: FloatArray, g: FloatArray) -> bool:
    """Whether no coordinate at a limit wants to leave it."""
    for i in range(alpha.size):
        if (alpha[i] == 0.0 and g[i] < 0.0) or (alpha[i] == u[i] and g[i] > 0.0):
            return False
    return True


@compiled
def settle(
    Q: FloatArray, r: FloatArray, u: FloatArray, alpha: FloatArray, g: FloatArray, rounds: int, widest: int
) -> float:
    """Improve α in place until exact or `rounds` are used; fills g and returns the relative duality gap."""
    gradient(Q, r, alpha, g)
    return improve(Q, r, u, alpha, g, relative_gap(r, u, alpha, g), rounds, widest)


@compiled
def improve(
    Q: FloatArray, r: FloatArray, u: FloatArray, alpha: FloatArray, g: FloatArray, gap: float, rounds: int, widest: int
) -> float:
    """`settle` from an α whose gradient and gap are known.

    A round is a few sweeps of coordinate descent, then Newton steps on the coordinates strictly inside the box, each
    cut back to the box only as far as the objective still falls. So the objective never rises. With more than `widest`
    coordinates inside there is no Newton step: above the rank of Q, that cannot be the active set.
    """
    if gap <= EXACT:
        return gap
    m = alpha.size
    free = np.empty(m, np.int64)
    A = np.empty((m, m))
    step = np.empty(m)
    trial = np.empty(m)
    trial_g = np.empty(m)
    largest = 0.0
    for i in range(m):
        largest = max(largest, Q[i, i])
    # Makes a direction in the null space a long one, which the box then stops.
    ridge = max(1e-12, 1e-15 * m) * largest + 1e-300
    best = np.inf
    stalled = 0
    for _ in range(rounds):
        for _ in range(_SWEEPS):
            if not sweep(Q, u, alpha, g):
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
                _refine(Q, r, u, alpha, g, free, A, step, n)
                full = True
                break
            before = 0.0
            for i in range(m):
                trial[i] = alpha[i]
                before += 0.5 * alpha[i] * (g[i] - r[i])
            for a in range(n):
                i = free[a]
                trial[i] = min(max(alpha[i] + step[a], 0.0), u[i])
            gradient(Q, r, trial, trial_g)
            after = 0.0
            for i in range(m):
                after += 0.5 * trial[i] * (trial_g[i] - r[i])
            if after <= before + (length - 0.5 * length * length) * slope:
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
            return gap
        stalled = stalled + 1 if gap >= 0.5 * best else 0
        if stalled >= _PATIENCE and gap <= _NEAR:
            return gap
        best = min(best, gap)
    return gap


@part
def all_at_limit(row_sums: FloatArray, r: FloatArray, limit: float) -> bool:
    """Whether α = limit everywhere is optimal: limit·Q·1 ≤ r."""
    for i in range(r.size):
        if limit * row_sums[i] > r[i]:
            return False
    return True


@part
def first_try(m: int, rank: int) -> tuple[int, int]:
    """Rounds and widest Newton step worth trying from a guess, where Q = BBᵀ with `rank` columns (0: no such B).

    With many more points than features the interior point is cheap: it is asked where many stay inside the box.
    """
    if rank > 0 and m >= 150:
        return 20, 2 * rank + 20
    return 40, m


@part
def to_finish(m: int, rank: int) -> tuple[int, int]:
    """Rounds and widest Newton step for a solver's answer: until it is exact, or better left to the interior point."""
    if rank > 0 and m >= 150:
        return 25, max(2 * rank + 20, 600)
    return 300, m
