"""Linear algebra of the box QP min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u, compiled: gradient, duality gap, Cholesky factor."""

from __future__ import annotations

import numpy as np

from core.features import FloatArray, IntArray
from core.solver.jit import kernel

FLOOR = 1e-8
"""The gap is taken relative to the primal, but to no less than FLOOR·Σu: a mean slack of 1e-8 is about rounding."""


@kernel
def add_rows(Q: FloatArray, rows: IntArray, weights: FloatArray, first: int, out: FloatArray) -> None:
    """out ← out + Σ weights[i]·Q[rows[i], first:first + len(out)], four rows at a time, passing over zeros."""
    used = np.empty(rows.size, np.int64)
    n = 0
    for i in range(rows.size):
        if weights[i] != 0.0:
            used[n] = i
            n += 1
    stop = first + out.size
    whole = n - n % 4
    for k in range(0, whole, 4):
        i, j, p, q = used[k], used[k + 1], used[k + 2], used[k + 3]
        a, b, c, d = weights[i], weights[j], weights[p], weights[q]
        A, B = Q[rows[i], first:stop], Q[rows[j], first:stop]
        C, D = Q[rows[p], first:stop], Q[rows[q], first:stop]
        for t in range(out.size):
            out[t] += a * A[t] + b * B[t] + c * C[t] + d * D[t]
    for k in range(whole, n):
        a = weights[used[k]]
        A = Q[rows[used[k]], first:stop]
        for t in range(out.size):
            out[t] += a * A[t]


@kernel
def gradient(Q: FloatArray, r: FloatArray, alpha: FloatArray, g: FloatArray) -> None:
    """g = Qα - r, row by row of the symmetric Q."""
    for i in range(r.size):
        g[i] = -r[i]
    rows = np.empty(r.size, np.int64)
    for i in range(r.size):
        rows[i] = i
    add_rows(Q, rows, alpha, rows[0], g)


@kernel
def relative_gap(r: FloatArray, u: FloatArray, alpha: FloatArray, g: FloatArray) -> float:
    """(primal - dual) / primal; the gap as Σ α·max(g,0) + (u-α)·max(-g,0), a sum without cancellation."""
    gap = 0.0
    objective = 0.0
    total = 0.0
    for i in range(alpha.size):
        gap += alpha[i] * g[i] if g[i] > 0.0 else (alpha[i] - u[i]) * g[i]
        objective += 0.5 * alpha[i] * (g[i] - r[i])
        total += u[i]
    primal = gap - objective
    return gap / max(primal, FLOOR * total)


@kernel
def factorise(A: FloatArray, n: int, ridge: float) -> None:
    """Lower Cholesky factor of A + ridge·I in place, its diagonal inverted; what rounding made indefinite is lifted.

    Two rows and two columns at a time, so that each number that is read serves twice.
    """
    for i in range(0, n - 1, 2):
        row, low = A[i], A[i + 1]
        for j in range(0, i, 2):
            left, right = A[j], A[j + 1]
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for k in range(j):
                a += row[k] * left[k]
                b += row[k] * right[k]
                c += low[k] * left[k]
                d += low[k] * right[k]
            row[j] = (row[j] - a) * left[j]
            low[j] = (low[j] - c) * left[j]
            row[j + 1] = (row[j + 1] - b - row[j] * right[j]) * right[j + 1]
            low[j + 1] = (low[j + 1] - d - low[j] * right[j]) * right[j + 1]
        _end_of_row(A, i, ridge, i)
        _end_of_row(A, i + 1, ridge, i)
    if n % 2:
        _end_of_row(A, n - 1, ridge, 0)


@kernel
def _end_of_row(A: FloatArray, i: int, ridge: float, first: int) -> None:
    """Row i of the factor from column `first` on."""
    row = A[i]
    for j in range(first, i):
        other = A[j]
        done = 0.0
        for k in range(j):
            done += row[k] * other[k]
        row[j] = (row[j] - done) * other[j]
    done = 0.0
    for k in range(i):
        done += row[k] * row[k]
    row[i] = 1.0 / np.sqrt(max(row[i] + ridge - done, ridge))


@kernel
def solve_factored(A: FloatArray, b: FloatArray, n: int) -> None:
    """b ← (LLᵀ)⁻¹ b with the factor that `factorise` left in A."""
    for i in range(n):
        row = A[i]
        done = 0.0
        for k in range(i):
            done += row[k] * b[k]
        b[i] = (b[i] - done) * row[i]
    for i in range(n - 1, -1, -1):
        row = A[i]
        b[i] *= row[i]
        for k in range(i):
            b[k] -= row[k] * b[i]
