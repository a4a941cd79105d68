"""Which task helps which: every task started from every other, against the same task alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.curriculum.learn import CSetting, Problem, check_C, fit_at
from core.curriculum.search import SourceFits, no_source
from core.features import BoolArray
from core.fitting.cross_validation import Progress
from core.fitting.pool import Pool
from core.fitting.stage import Stage
from core.solver.threads import one_blas_thread
from core.statistics.noise import holm, mcnemar
from core.task_set import FloatArray

Quantity = Literal["test error", "criterion"]


@dataclass(frozen=True, eq=False, slots=True)
class Transfer:
    """`alone[j]` of task j without a source, `started[i, j]` of task j started from task i (NaN where i = j).

    The quantity is the test error or, without test data, the criterion of eq. (4). `C[i, j]` belongs to `started`.
    `p_values` are McNemar's on the task's test points, corrected by Holm for looking at all pairs; NaN without tests.
    """

    names: tuple[str, ...]
    quantity: Quantity
    alone: FloatArray
    started: FloatArray
    C: FloatArray
    p_values: FloatArray

    @property
    def beyond_noise(self) -> BoolArray:
        """The pairs whose difference chance does not explain (5 %, all pairs together); all without test data."""
        if self.quantity == "criterion":
            return np.isfinite(self.difference)
        return np.asarray(self.p_values < 0.05)

    @property
    def difference(self) -> FloatArray:
        """started - alone: below 0 the source (row) helps the task (column), above 0 it hurts."""
        return np.asarray(self.started - self.alone[None, :])

    @property
    def helped(self) -> int:
        """In how many of the n (n - 1) pairs the source helps, beyond noise."""
        return int(np.sum((self.difference < -1e-12) & self.beyond_noise))

    @property
    def hurt(self) -> int:
        """In how many pairs it hurts, beyond noise."""
        return int(np.sum((self.difference > 1e-12) & self.beyond_noise))

    def best_pair(self) -> tuple[str, str, float] | None:
        """Source, task and difference where a source helps most, beyond noise; None if none does."""
        if not self.helped:
            return None
        clear = np.where(self.beyond_noise, self.difference, np.inf)
        i, j = np.unravel_index(np.argmin(clear), clear.shape)
        return self.names[int(i)], self.names[int(j)], float(self.difference[i, j])


def pairwise(problem: Problem, C: CSetting = "shared", progress: Progress | None = None) -> Transfer:
    """Adaptive SVMs of eq. (2) for all pairs of tasks.

    C `shared` is the one C that is best for IndSVM by cross-validation; with `each` every fit picks its own.
    """
    prepared, setting = problem.task_set, check_C(C)
    n, test = len(prepared), prepared.has_test
    if setting == "shared":
        setting = next(iter(problem.learn("indsvm", "shared").chosen_C.values()))
    with one_blas_thread():
        pool = Pool(prepared, test=True) if test else problem.pool
        stage = Stage(pool, solver=problem.solver)
        fit = fit_at(stage, problem.folds if setting == "each" else float(setting))
        start = no_source(stage)
        start.add(range(n), stage, fit)

        def wrong(source: SourceFits, task: int) -> BoolArray:
            """The test points of a task that it gets wrong when learned from this source."""
            points = pool.own_test_points(task)
            return np.asarray(stage.moved(source.margins, task, source.alpha[task], points) <= 0)

        own_wrong = [wrong(start, task) for task in range(n)] if test else []
        alone = np.array([points.mean() for points in own_wrong]) if test else start.error + start.complexity
        started, Cs, p_values = np.full((3, n, n), np.nan)
        for k in range(n):
            source, others = start.then(k, stage), [task for task in range(n) if task != k]
            source.add(others, stage, fit)
            started[k], Cs[k], Cs[k, k] = source.error + source.complexity, source.C, start.C[k]
            for task in others if test else []:
                points = wrong(source, task)
                started[k, task], p_values[k, task] = points.mean(), mcnemar(own_wrong[task], points)
            start.forget()
            if progress is not None:
                progress(k + 1, n)
    tested = np.isfinite(p_values)
    p_values[tested] = holm(p_values[tested])
    return Transfer(prepared.names, "test error" if test else "criterion", alone, started, Cs, p_values)
