"""The box QP by block principal pivoting on a tableau that outlives the call: for many r and limits with one small Q.

The tableau depends on Q and on the set F of coordinates inside the box alone. So the next source or C starts from the
last one's tableau and pays only for the coordinates that change sides, m² multiplications each.
"""

from __future__ import annotations

import numpy as np

from core.features import FloatArray
from core.solver.activeset import EXACT, IntArray, gradient, relative_gap, sweep
from core.solver.compiled import compiled

_MAX_POINTS = 320
_SMALLEST_PIVOT = 1e-9
_TRUSTED = 1e-10
_SWEEPS = 3
_PATIENCE = 4
_ROUNDS = 12
_SLACK = 1e-12


@compiled
def worth_pivoting(m: int, rank: int) -> bool:
    """Not where Q = BBᵀ with fewer columns is singular, nor where the tableau outgrows the processor's cache."""
    return rank == 0 and m <= _MAX_POINTS


@compiled
def _exchange(T: FloatArray, k: int, inside: bool) -> None:
    """Move coordinate k out of F if it is `inside`, else into it.

    With B the complement of F: T_FF = -Q_FF⁻¹, T_FB = Q_FF⁻¹Q_FB, T_BB = Q_BB - Q_BF Q_FF⁻¹Q_FB.
    """
    m = T.shape[0]
    column = T[k].copy()
    inverse = 1.0 / column[k]
    for i in range(m):
        factor = column[i] * inverse
        if factor != 0.0:
            row = T[i]
            for j in range(m):
                row[j] -= factor * column[j]
            row[k] = -factor if inside else factor
    for j in range(m):
        T[k, j] = T[j, k]
    T[k, k] = -inverse


@compiled
def _sides(alpha: FloatArray, limit: float, side: IntArray) -> bool:
    """Where each coordinate stands: 0 at zero, 1 inside, 2 at the limit; whether a quarter or more are inside."""
    inside = 0
    for i in range(alpha.size):
        side[i] = 0 if alpha[i] <= 0.0 else (2 if alpha[i] >= limit else 1)
        inside += side[i] == 1
    return 4 * inside >= alpha.size


@compiled
def _improve(alpha: FloatArray, limit: float, T: FloatArray, swept: IntArray, g: FloatArray) -> None:
    """One step of refinement on F with the tableau as inverse, which takes back its rounding."""
    before = g.copy()
    for i in range(alpha.size):
        if swept[i] == 1:
            change = 0.0
            for j in range(alpha.size):
                change += T[i, j] * before[j] * swept[j]
            alpha[i] = min(max(alpha[i] + change, 0.0), limit)


@compiled
def pivot(
    Q: FloatArray, T: FloatArray, swept: IntArray, r: FloatArray, limit: float, alpha: FloatArray, g: FloatArray
) -> float:
    """Minimise ½ αᵀQα - rᵀα over 0 ≤ α ≤ limit from α, in place; fills g and returns the relative duality gap.

    All coordinates on the wrong side change it at once (Júdice and Pires 1994) until few rounds bring no progress.
    `swept` tells which coordinates T has in F; begin with T = Q and zeros. Returns infinity, with α no worse than
    before, where it is not the right method: few coordinates inside, Q near to singular, or no convergence.
    """
    m = r.size
    side = np.empty(m, np.int64)
    if not _sides(alpha, limit, side):
        u = np.full(m, limit)
        gradient(Q, r, alpha, g)
        for _ in range(_SWEEPS):
            if not sweep(Q, u, alpha, g):
                break
        if not _sides(alpha, limit, side):
            return np.inf
    begin = alpha.copy()
    known = np.empty(m)
    fewest = m + 1
    patience = _PATIENCE
    for _ in range(_ROUNDS):
        for i in range(m):
            inside = side[i] == 1
            if inside != (swept[i] == 1):
                if inside and T[i, i] <= _SMALLEST_PIVOT * Q[i, i]:
                    patience = -1
                    break
                _exchange(T, i, not inside)
                swept[i] = 1 if inside else 0
        if patience < 0:
            break
        # With B's α known, (r_F, α_B) times the tableau gives -α_F and g_B + r_B.
        for i in range(m):
            known[i] = r[i] if side[i] == 1 else (limit if side[i] == 2 else 0.0)
        gradient(T, np.zeros(m), known, g)
        wrong = 0
        for i in range(m):
            if side[i] == 1:
                alpha[i] = -g[i]
                new = 0 if alpha[i] < -_SLACK * limit else (2 if alpha[i] > (1.0 + _SLACK) * limit else 1)
            else:
                alpha[i] = known[i]
                slope = g[i] - r[i]
                new = 1 if (slope < -_SLACK if side[i] == 0 else slope > _SLACK) else side[i]
            wrong += new != side[i]
            side[i] = new
        if wrong == 0:
            u = np.full(m, limit)
            for i in range(m):
                alpha[i] = min(max(alpha[i], 0.0), limit)
            gradient(Q, r, alpha, g)
            gap = relative_gap(r, u, alpha, g)
            if gap > EXACT:
                _improve(alpha, limit, T, swept, g)
                gradient(Q, r, alpha, g)
                gap = relative_gap(r, u, alpha, g)
            if gap <= _TRUSTED:
                return gap
            patience = -1
            break
        patience = _PATIENCE if wrong < fewest else patience - 1
        fewest = min(fewest, wrong)
        if patience == 0:
            break
    if patience < 0:  # singular or worn out by rounding: begin anew
        T[:, :] = Q
        swept[:] = 0
    alpha[:] = begin
    return np.inf
