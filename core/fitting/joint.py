"""The two learners that see all tasks at once: MergedSVM and MT (eq. 5), each one box QP over all pooled points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy.sparse as sp

from core.errors import SolverError
from core.features import FloatArray, IntArray
from core.fitting.cross_validation import margins_on_grid
from core.fitting.pool import Pool, half_gram
from core.solver.backends import KERNEL
from core.solver.box_qp import BoxQP, SolveRecord

Kind = Literal["mergedsvm", "mt"]
MAX_JOINT_POINTS = 8_000


@dataclass(frozen=True, eq=False)
class Joint:
    """The joint dual: ½ ZZᵀ for MergedSVM, ½ ZZᵀ ∘ (1 + n·[same task]) for MT.

    The limits are C/N and C/(n·m_i); the margins of any point under its own task's weights are its row times α.
    """

    pool: Pool
    kind: Kind
    Q: FloatArray
    factor: FloatArray | None
    solver: str

    @classmethod
    def of(cls, pool: Pool, kind: Kind, solver: str = "osqp") -> Joint:
        """The joint QP of a pool."""
        n_points, n = int(pool.start[-1]), len(pool.sizes)
        if n_points > MAX_JOINT_POINTS:
            raise SolverError(
                f"{kind} solves one quadratic programme over all {n_points} training points; the most that is "
                f"practical is {MAX_JOINT_POINTS}, so draw fewer or leave the method out"
            )
        Z = pool.Z[:n_points]
        Q = half_gram(Z, Z) if pool.Q is None else pool.Q[:, :n_points].copy()
        columns = Z.shape[1] * (1 if kind == "mergedsvm" else n + 1)
        factor = None
        if columns <= n_points:
            dense = Z.toarray() if isinstance(Z, sp.csr_array) else Z
            parts = [dense]
            if kind == "mt":
                parts.append(np.zeros((n_points, n * Z.shape[1])))
                for k, rows in enumerate(pool.rows):
                    parts[1][rows, k * Z.shape[1] : (k + 1) * Z.shape[1]] = np.sqrt(n) * dense[rows]
            factor = np.ascontiguousarray(np.hstack(parts) / np.sqrt(2.0))
        if kind == "mt":
            for rows in pool.rows:
                Q[np.ix_(rows, rows)] *= 1 + n
        return cls(pool, kind, Q, factor, solver)

    def _limits(self, inside: list[IntArray]) -> FloatArray:
        """Upper limits of α over the chosen rows, at C = 1."""
        if self.kind == "mergedsvm":
            total = sum(len(rows) for rows in inside)
            return np.full(total, 1.0 / total)
        return np.concatenate([np.full(len(rows), 1.0 / (len(inside) * len(rows))) for rows in inside])

    def count_wrong(self, inside: list[IntArray], outside: list[IntArray]) -> FloatArray:
        """Costs of the wrong validation points for each C of the grid and task."""
        rows, held_out = np.concatenate(inside), np.concatenate(outside)
        factor = None if self.factor is None else self.factor[rows]
        Q = np.ascontiguousarray(self.Q[np.ix_(rows, rows)])
        qp = BoxQP.of(Q, self._limits(inside), factor, KERNEL, f"{self.kind}, one fold")
        products = np.ascontiguousarray(self.Q[np.ix_(held_out, rows)])
        costs = (margins_on_grid(qp, np.ones(len(rows)), products, np.zeros(len(held_out))) <= 0) * self.pool.costs[
            held_out
        ]
        ends = np.cumsum([len(own) for own in outside])[:-1]
        return np.array([[part.sum() for part in np.split(row, ends)] for row in costs])

    def fit(self, C: float) -> tuple[dict[str, FloatArray], SolveRecord]:
        """The learned weights of every task, and what the solver did."""
        pool, names = self.pool, self.pool.task_set.names
        qp = BoxQP.of(self.Q, self._limits(pool.rows), self.factor, self.solver, self.kind)
        solution = qp.solve(np.ones(len(self.Q)), C)
        alpha = solution.alpha
        steps = [pool.weight_step(k, alpha[rows]) for k, rows in enumerate(pool.rows)]
        prototype = np.sum(steps, axis=0)
        own = 0.0 if self.kind == "mergedsvm" else float(len(steps))
        return {name: prototype + own * step for name, step in zip(names, steps, strict=True)}, solution.solved
