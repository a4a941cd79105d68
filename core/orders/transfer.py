"""Which task helps which: every task started from every other, against the same task alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.curriculum.learn import CSetting, Problem, check_C, fit_at, fit_each
from core.fitting.cross_validation import Progress
from core.fitting.pool import Pool
from core.fitting.stage import Stage
from core.solver.threads import one_blas_thread
from core.statistics.noise import BoolArray, holm, mcnemar
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
        told = np.where(self.beyond_noise, self.difference, np.inf)
        i, j = np.unravel_index(np.argmin(told), told.shape)
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
        fit = fit_each(stage, problem.folds, None, False) if setting == "each" else fit_at(stage, float(setting))
        everyone = np.arange(n)
        nothing = np.zeros(pool.n_points)

        def values(
            margins: FloatArray, tasks: np.typing.NDArray[np.int64]
        ) -> tuple[FloatArray, FloatArray, FloatArray, list[BoolArray]]:
            """The quantity, the Cs and the α of each fit, and which test points it gets wrong."""
            fits, _ = fit(margins, tasks)
            if not test:
                criteria = fits.error_terms + fits.squared_steps / (2.0 * np.sqrt(stage.m_bar))
                return criteria, fits.C, fits.alpha, []
            wrong = [
                np.asarray(stage.moved(margins, int(k), fits.alpha[row], pool.own_test_points(int(k))) <= 0)
                for row, k in enumerate(tasks)
            ]
            return np.array([points.mean() for points in wrong]), fits.C, fits.alpha, wrong

        alone, own_C, own_alpha, own_wrong = values(nothing, everyone)
        started, started_C, p_values = np.full((3, n, n), np.nan)
        started_C[everyone, everyone] = own_C
        for source in everyone:
            others = np.delete(everyone, source)
            if len(others):
                margins = stage.moved(nothing, int(source), own_alpha[source])
                started[source, others], started_C[source, others], _, wrong = values(margins, others)
                for task, points in zip(others, wrong, strict=False):  # none without test data
                    p_values[source, task] = mcnemar(own_wrong[task], points)
            if progress is not None:
                progress(int(source) + 1, n)
    told = np.isfinite(p_values)
    p_values[told] = holm(p_values[told])
    return Transfer(prepared.names, "test error" if test else "criterion", alone, started, started_C, p_values)
