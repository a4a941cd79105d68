"""The box QP by block principal pivoting on a tableau that outlives the call: for many r and u with one small Q.

The tableau depends on Q and on the set F of coordinates inside the box alone, so the next source or C starts from the
last one's and pays only for the coordinates that change sides, about m² multiplications each.
"""

from __future__ import annotations

import numpy as np

from core.activeset import EXACT, gradient, relative_gap
from core.compiled import compiled
from core.tasks import FloatArray

MAX_POINTS = 320
"""Beyond, the tableau leaves the processor's cache and a fresh factorisation is faster."""
_SMALLEST_PIVOT = 1e-9
_PATIENCE = 4
_ROUNDS = 60
_SLACK = 1e-12


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
def pivot(
    Q: FloatArray,
    T: FloatArray,
    swept: FloatArray,
    r: FloatArray,
    limit: float,
    alpha: FloatArray,
    g: FloatArray,
) -> float:
    """Minimise ½ αᵀQα - rᵀα over 0 ≤ α ≤ limit, from α; fills α and g and returns the relative duality gap.

    All coordinates on the wrong side change it at once, and only the last one when that stops helping (Júdice and
    Pires 1994). `swept` tells which coordinates T has in F. Infinity where Q is too near to singular for this; T is
    then as new.
    """
    m = r.size
    # Where a coordinate stands: 0 at zero, 1 inside, 2 at the limit.
    side = np.empty(m, np.int64)
    for i in range(m):
        side[i] = 0 if alpha[i] <= 0.0 else (2 if alpha[i] >= limit else 1)
    known = np.empty(m)
    fewest = m + 1
    patience = _PATIENCE
    solved = False
    for _ in range(_ROUNDS):
        for i in range(m):
            inside = side[i] == 1
            if inside != (swept[i] == 1.0):
                if inside and T[i, i] <= _SMALLEST_PIVOT * Q[i, i]:
                    T[:, :] = Q
                    swept[:] = 0.0
                    return np.inf
                _exchange(T, i, not inside)
                swept[i] = 1.0 if inside else 0.0
        for i in range(m):
            known[i] = r[i] if side[i] == 1 else (limit if side[i] == 2 else 0.0)
            g[i] = 0.0 if side[i] == 1 else -r[i]
        for j in range(m):
            a = known[j]
            if a != 0.0:
                row = T[j]
                for i in range(m):
                    g[i] += a * row[i]
        wrong = 0
        last = -1
        for i in range(m):
            if side[i] == 1:
                alpha[i] = -g[i]
                bad = alpha[i] < -_SLACK * limit or alpha[i] > (1.0 + _SLACK) * limit
            else:
                alpha[i] = known[i]
                bad = g[i] < -_SLACK if side[i] == 0 else g[i] > _SLACK
            if bad:
                wrong += 1
                last = i
        if wrong == 0:
            solved = True
            break
        first = 0
        if wrong < fewest:
            fewest = wrong
            patience = _PATIENCE
        elif patience > 0:
            patience -= 1
        else:
            first = last
        for i in range(first, m):
            if side[i] == 1:
                if alpha[i] < -_SLACK * limit:
                    side[i] = 0
                elif alpha[i] > (1.0 + _SLACK) * limit:
                    side[i] = 2
            elif (side[i] == 0 and g[i] < -_SLACK) or (side[i] == 2 and g[i] > _SLACK):
                side[i] = 1
    u = np.full(m, limit)
    for i in range(m):
        alpha[i] = min(max(alpha[i], 0.0), limit)
    gradient(Q, r, alpha, g)
    gap = relative_gap(r, u, alpha, g)
    if solved and gap > EXACT:
        # One step of refinement with the tableau as inverse takes back its rounding.
        for i in range(m):
            if swept[i] == 1.0:
                change = 0.0
                for j in range(m):
                    change += T[i, j] * g[j] * swept[j]
                known[i] = alpha[i] + change
            else:
                known[i] = alpha[i]
        for i in range(m):
            alpha[i] = min(max(known[i], 0.0), limit)
        gradient(Q, r, alpha, g)
        gap = relative_gap(r, u, alpha, g)
    return gap
