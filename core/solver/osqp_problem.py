"""OSQP's own part: one problem a Q, set up once, then only updated and warm-started."""

from __future__ import annotations

import functools
import signal
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import osqp

from core.features import FloatArray

Answer = tuple[FloatArray | None, int]
"""α and the iterations it took; None where the solver found nothing."""
Places = npt.NDArray[np.int32]
"""Rows or beginnings of columns, as OSQP counts them."""

_LOOSE: dict[str, Any] = {
    "verbose": False,
    "eps_abs": 1e-2,
    "eps_rel": 1e-2,
    "max_iter": 2000,
    "alpha": 1.5,
    "check_termination": 12,
    "check_dualgap": False,  # the gap is computed anyway, here and after finishing
    "adaptive_rho_interval": 20,
}
"""Measured over the sets and C of the benchmarks: of the answers that lead to the active set, these take least time.
A hundredth is near enough for that; a check costs as much as an iteration; over-relaxed by 1.5 it needs the fewest."""
_EVEN = 10.0
"""Ratio of diagonal entries up to which Q needs no scaling."""
_one_at_a_time = threading.Lock()
"""While OSQP solves, Ctrl-C is its own, and then whose it was before: of two at once, the second would never let go."""
_KEPT = 1000
"""Points up to which the places of a triangle's entries are remembered."""
_SMALL, _MOST_IDLE = 300, 8
"""Points up to which a set-up is worth keeping for another problem of its shape, and how many are kept."""
_idle: dict[tuple[int, int, float], _Osqp] = {}


class OsqpProblem:
    """One OSQP problem for one Q: min ½ αᵀQα - rᵀα over 0 ≤ α ≤ u, for many r and u.

    Asked for a loose answer, which is enough to find the active set. With a factor B, in (α, z = Bᵀα), so that its
    matrices stay as thin as B.
    """

    def __init__(self, Q: FloatArray, factor: FloatArray) -> None:
        self._Q, self._factor = Q, factor
        self._osqp: _Osqp | None = None
        self._upper = np.empty(0)

    def ask(self, r: FloatArray, limits: FloatArray, start: FloatArray) -> Answer:
        """OSQP's answer from this start."""
        m, k = self._factor.shape
        q, upper = -r, limits
        if k:
            q, upper = np.concatenate([q, np.zeros(k)]), np.concatenate([upper, np.zeros(k)])
            start = np.concatenate([start, self._factor.T @ start])
        try:
            with _one_at_a_time:
                if self._osqp is None:
                    self._osqp = self._set_up(q, upper)
                elif np.array_equal(upper, self._upper):
                    self._osqp.update(q=q)
                else:
                    self._osqp.update(q=q, u=upper)
                self._upper = upper
                self._osqp.warm_start(x=start)
                answer = self._osqp.solve(raise_error=False)
        except osqp.OSQPException:  # its own factorisation failed
            return None, 0
        status, iterations = answer.info.status_val, int(answer.info.iter)
        if status == osqp.SolverStatus.OSQP_SIGINT:  # it took the signal for its own
            signal.raise_signal(signal.SIGINT)
        if answer.x is None or status == osqp.SolverStatus.OSQP_UNSOLVED:  # then x is what an earlier solve left there
            self._osqp = None
            return None, iterations
        return np.asarray(answer.x[:m], dtype=np.float64), iterations

    def leave(self) -> None:
        """Let the next problem of this shape and step size have the set-up: all of it but the numbers is the same."""
        left, self._osqp = self._osqp, None
        if left is None or not left.rho or len(self._Q) > _SMALL:
            return
        with _one_at_a_time:
            _idle[*self._factor.shape, left.rho] = left
            while len(_idle) > _MOST_IDLE:
                del _idle[next(iter(_idle))]

    def _set_up(self, q: FloatArray, upper: FloatArray) -> _Osqp:
        m, k = self._factor.shape
        if k:
            P, A = _thin(self._factor)
        else:
            P, A = _upper(self._Q), _Csc(np.ones(m), *_int32(np.arange(m), np.arange(m + 1)))
        at_set_up = _step_size(np.diagonal(self._Q), upper[:m])
        problem = _idle.pop((m, k, at_set_up.get("rho", 0.0)), None)
        if problem is None:
            problem = _Osqp(at_set_up)
            problem.setup(P, q, A, np.zeros(m + k), upper, **_LOOSE)
        else:
            problem.begin_anew(P, q, A if k else None, upper)
        return problem


class _Osqp(osqp.OSQP):  # type: ignore[misc]
    """OSQP for matrices that are already as it wants them: to find that out takes it longer than a small fit."""

    def __init__(self, at_set_up: dict[str, float]) -> None:
        super().__init__(algebra="builtin")
        self._at_set_up = at_set_up

    def _infer_mnpqalu(self, P: Any = None, q: Any = None, A: Any = None, l: Any = None, u: Any = None) -> Any:  # noqa: E741
        return (*A.shape, P, q, A, l, u)

    def update_settings(self, **settings: Any) -> None:
        """Those of the set-up, too: a step size given to `setup` itself makes it factorise twice."""
        for name, value in (settings | self._at_set_up).items():
            setattr(self.settings, name, value)

    @property
    def rho(self) -> float:
        """The step size given at the set-up, if it still stands, else 0: where iterations are many, OSQP adapts it."""
        given = self._at_set_up.get("rho", 0.0)
        return given if self._solver.get_settings().rho == given else 0.0

    def begin_anew(self, P: _Csc, q: FloatArray, A: _Csc | None, upper: FloatArray) -> None:
        """Other numbers in matrices of the same places (those of A, if any change), from zero as after a set-up."""
        other = None if A is None else A.data
        self.raises_error(self._solver.update_data_mat, P_x=P.data, P_i=None, A_x=other, A_i=None)
        self._solver.update_data_vec(q=q, l=None, u=upper)
        self._solver.warm_start(np.zeros(len(q)), np.zeros(len(upper)))


def _step_size(diagonal: FloatArray, limits: FloatArray) -> dict[str, float]:
    """OSQP's first step size ρ, where rows are of like length: about √(Q/u) halves its iterations at most C (measured).

    Otherwise its own choice, with its scaling.
    """
    largest, limit = float(diagonal.max()), float(limits.sum()) / len(limits)
    if not 0.0 < largest <= _EVEN * float(diagonal.min()):
        return {}
    return {"scaling": 0, "rho": min(max(0.7 * float(np.sqrt(largest / limit)), 1e-4), 1e4)}


@dataclass(frozen=True, eq=False, slots=True)
class _Csc:
    """What OSQP reads of a square sparse matrix in scipy's form, which would check it anew with every copy."""

    data: FloatArray
    indices: Places
    indptr: Places

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.indptr) - 1, len(self.indptr) - 1

    @property
    def nnz(self) -> int:
        return len(self.data)

    def astype(self, _: object) -> _Csc:
        return self


def _upper(Q: FloatArray) -> _Csc:
    """The upper triangle of a symmetric Q, column by column, which is its lower one row by row."""
    flat, columns, starts = _triangle(len(Q)) if len(Q) <= _KEPT else _triangle.__wrapped__(len(Q))
    return _Csc(Q.ravel()[flat], columns, starts)


def _thin(B: FloatArray) -> tuple[_Csc, _Csc]:
    """For (α, z): the identity of z, and [I 0; Bᵀ -I], the box of α with z = Bᵀα."""
    m, k = B.shape
    (P_rows, P_starts), (A_rows, A_starts) = _thin_places(m, k) if m <= _KEPT else _thin_places.__wrapped__(m, k)
    values = np.ones(m * (k + 1) + k)
    values[: m * (k + 1)].reshape(m, k + 1)[:, 1:] = B
    values[m * (k + 1) :] = -1.0
    return _Csc(np.ones(k), P_rows, P_starts), _Csc(values, A_rows, A_starts)


def _int32(rows: npt.NDArray[Any], starts: npt.NDArray[Any]) -> tuple[Places, Places]:
    return rows.astype(np.int32), starts.astype(np.int32)


@functools.lru_cache(maxsize=16)
def _triangle(m: int) -> tuple[npt.NDArray[np.int64], Places, Places]:
    rows, columns = np.tril_indices(m)
    own, starts = _int32(columns, np.concatenate([[0], np.cumsum(np.arange(1, m + 1))]))
    return rows * m + columns, own, starts


@functools.lru_cache(maxsize=16)
def _thin_places(m: int, k: int) -> tuple[tuple[Places, Places], tuple[Places, Places]]:
    rows = np.tile(np.arange(m - 1, m + k), (m, 1))
    rows[:, 0] = np.arange(m)
    starts = np.concatenate([np.arange(m) * (k + 1), m * (k + 1) + np.arange(k + 1)])
    z = np.arange(m, m + k)
    return _int32(z, np.maximum(np.arange(m + k + 1) - m, 0)), _int32(np.concatenate([rows.ravel(), z]), starts)
