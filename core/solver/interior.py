"""A primal-dual interior point for the box QP: slower than the active set, but indifferent to conditioning.

Used where neither a neighbouring solution nor OSQP's answer leads to the active set, which happens with many more
points than features at large C. Its answer is a guess for `activeset.settle`, not the last word.
"""

from __future__ import annotations

import numpy as np

from core.features import FloatArray
from core.solver.cholesky import cholesky
from core.solver.compiled import compiled

_ITERATIONS = 80
_TOLERANCE = 1e-11


@compiled
def _longest(values: FloatArray, change: FloatArray) -> float:
    """Largest t ≤ 1 with values + t·change ≥ 0."""
    t = 1.0
    for i in range(values.size):
        if change[i] < 0.0:
            t = min(t, -values[i] / change[i])
    return t


@compiled
def _cholesky_solve(L: FloatArray, b: FloatArray) -> FloatArray:
    """(LLᵀ)⁻¹ b."""
    x = b.copy()
    for i in range(b.size):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(b.size - 1, -1, -1):
        x[i] /= L[i, i]
        for k in range(i):
            x[k] -= L[i, k] * x[i]
    return x


@compiled
def _woodbury(L: FloatArray, B: FloatArray, diagonal: FloatArray, b: FloatArray) -> FloatArray:
    """(D + BBᵀ)⁻¹ b, with LLᵀ = I + BᵀD⁻¹B."""
    x = b / diagonal
    return x - (B @ _cholesky_solve(L, B.T @ x)) / diagonal


@compiled
def interior(Q: FloatArray, B: FloatArray, r: FloatArray, u: FloatArray) -> FloatArray:
    """α near the minimiser of ½ αᵀQα - rᵀα over 0 ≤ α ≤ u, by Mehrotra's predictor and corrector.

    Works on β = α/u in the unit box. If B has columns, Q = BBᵀ and (D + BBᵀ)⁻¹ goes by Woodbury's formula through a
    k × k matrix, otherwise through the m × m one.
    """
    m = r.size
    low_rank = B.shape[1] > 0
    k = B.shape[1]
    scaled_B = np.empty((m, k))
    H = np.empty((0, 0)) if low_rank else np.empty((m, m))
    target = u * r
    for i in range(m):
        for j in range(k):
            scaled_B[i, j] = u[i] * B[i, j]
        if not low_rank:
            for j in range(m):
                H[i, j] = u[i] * Q[i, j] * u[j]
    ones = np.ones(m)
    curve = scaled_B @ (scaled_B.T @ ones) if low_rank else H @ ones
    # Where the quadratic part is steep, the solution is near 0: start where both parts are of one size.
    beta = np.full(m, 0.5 * min(1.0, max(np.abs(target).mean() / max(np.abs(curve).mean(), 1e-300), 1e-8)))
    curve = curve * beta[0]
    lower = np.maximum(np.abs(curve - target), 1e-3)
    upper = lower.copy()
    at_lower = np.zeros(m, np.bool_)
    at_upper = np.zeros(m, np.bool_)
    for _ in range(_ITERATIONS):
        rest = 1.0 - beta
        curve = scaled_B @ (scaled_B.T @ beta) if low_rank else H @ beta
        residual = curve - target - lower + upper
        mu = (beta @ lower + rest @ upper) / (2 * m)
        scale = max(abs(0.5 * (beta @ curve) - beta @ target), 1e-300)
        if 2 * m * mu <= _TOLERANCE * scale and np.abs(residual).sum() <= _TOLERANCE * scale:
            break
        diagonal = lower / beta + upper / rest
        if low_rank:
            factor = scaled_B.T @ (scaled_B / diagonal.reshape(-1, 1))
            for j in range(k):
                factor[j, j] += 1.0
        else:
            factor = H.copy()
            for i in range(m):
                factor[i, i] += diagonal[i]
        factor = cholesky(factor)
        d_beta = np.zeros(m)
        d_lower = np.zeros(m)
        d_upper = np.zeros(m)
        wanted = 0.0
        for corrector in range(2):
            push_lower = wanted - beta * lower - (d_beta * d_lower if corrector else np.zeros(m))
            push_upper = wanted - rest * upper + (d_beta * d_upper if corrector else np.zeros(m))
            rhs = -residual + push_lower / beta - push_upper / rest
            if low_rank:
                d_beta = _woodbury(factor, scaled_B, diagonal, rhs)
                for _ in range(2):  # Woodbury's formula cancels badly where the diagonal is small
                    missing = rhs - diagonal * d_beta - scaled_B @ (scaled_B.T @ d_beta)
                    d_beta = d_beta + _woodbury(factor, scaled_B, diagonal, missing)
            else:
                d_beta = _cholesky_solve(factor, rhs)
            d_lower = (push_lower - lower * d_beta) / beta
            d_upper = (push_upper + upper * d_beta) / rest
            t = min(
                min(_longest(beta, d_beta), _longest(rest, -d_beta)),
                min(_longest(lower, d_lower), _longest(upper, d_upper)),
            )
            if not corrector:
                after = ((beta + t * d_beta) @ (lower + t * d_lower) + (rest - t * d_beta) @ (upper + t * d_upper)) / (
                    2 * m
                )
                wanted = mu * (after / mu) ** 3
        t *= 0.995
        # Scale-free sign of a tight limit: its slack shrinks faster than its multiplier.
        at_lower = (beta + t * d_beta) * lower < beta * (lower + t * d_lower)
        at_upper = (rest - t * d_beta) * upper < rest * (upper + t * d_upper)
        beta = beta + t * d_beta
        lower = lower + t * d_lower
        upper = upper + t * d_upper
        if t < 1e-10 or not np.all(np.isfinite(beta)):
            break
    alpha = np.empty(m)
    for i in range(m):
        b = min(max(beta[i], 0.0), 1.0) if np.isfinite(beta[i]) else 0.5
        if at_lower[i] and b < 0.1:
            b = 0.0
        elif at_upper[i] and b > 0.9:
            b = 1.0
        alpha[i] = b * u[i]
    return alpha
