"""What the pieces of an experiment say together: means, paired differences, the best and the worst order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.analysis.draws_of_orders import BESIDE, OverDraws
from core.analysis.noise import t_interval
from core.errors import SettingsError
from core.experiments.experiment import NAMES, OrdersOutcome, Outcome, Settings
from core.tasks import FloatArray


@dataclass(frozen=True, slots=True)
class Average:
    """Mean over repeats and its standard error s/√k; the error is None for fewer than two repeats."""

    mean: float
    standard_error: float | None
    count: int

    @classmethod
    def of(cls, values: FloatArray) -> Average:
        """Of a non-empty array."""
        count = len(values)
        spread = float(np.std(values, ddof=1)) / math.sqrt(count) if count > 1 else None
        return cls(float(np.mean(values)), spread, count)


@dataclass(frozen=True, slots=True)
class Paired:
    """Mean test error of `method` minus that of `baseline` over the repeats that both have.

    `low` to `high` is the 95 % confidence interval of Student's t; `p_value` that of the two-sided Wilcoxon
    signed-rank test. All three are None for fewer than two repeats.
    """

    method: str
    baseline: str
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    count: int


@dataclass(frozen=True, eq=False)
class Results:
    """The outcomes of a run so far; complete when every piece is there."""

    settings: Settings
    outcomes: tuple[Outcome, ...]
    walks: tuple[OrdersOutcome, ...] = ()

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """Methods with at least one finished repeat, as asked for."""
        return tuple(method for method in self.settings.methods if self.of(method))

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """Task names, sorted as the first repeat of a joint method or the orders have them, else as learned."""
        if self.walks:
            return self.walks[0].names
        joint = next((outcome for outcome in self.outcomes if not outcome.order), None)
        alone = next((outcome for outcome in self.outcomes if outcome.method == "indsvm"), None)
        first = joint or alone or (self.outcomes[0] if self.outcomes else None)
        return () if first is None else tuple(first.test_error)

    def of(self, method: str) -> tuple[Outcome, ...]:
        """The outcomes of a method, by repeat."""
        return tuple(sorted((o for o in self.outcomes if o.method == method), key=lambda outcome: outcome.repeat))

    def errors(self, method: str) -> FloatArray:
        """Test errors, a row a finished repeat and a column a task."""
        return np.array([[outcome.test_error[task] for task in self.tasks] for outcome in self.of(method)])

    def average(self, method: str) -> Average:
        """Of the mean test error over tasks."""
        return Average.of(self.errors(method).mean(axis=1))

    def per_task(self, method: str) -> dict[str, Average]:
        """Of each task's test error."""
        return {task: Average.of(column) for task, column in zip(self.tasks, self.errors(method).T, strict=True)}

    def seconds(self, method: str) -> Average:
        """Of the time that a repeat took."""
        return Average.of(np.array([outcome.seconds for outcome in self.of(method)]))

    def paired(self, method: str, baseline: str) -> Paired:
        """The difference between two methods on the same draws."""
        ours = {outcome.repeat: outcome.mean_error for outcome in self.of(method)}
        theirs = {outcome.repeat: outcome.mean_error for outcome in self.of(baseline)}
        both = sorted(set(ours) & set(theirs))
        if not both:
            raise SettingsError(f"{NAMES[method]} and {NAMES[baseline]} have no finished repeat in common yet")
        return paired_difference(method, baseline, np.array([ours[r] - theirs[r] for r in both]))

    @cached_property
    def order_means(self) -> FloatArray:
        """Mean test error of every fixed order over the repeats."""
        return np.mean([walk.test_errors for walk in self.walks], axis=0) if self.walks else np.empty(0)

    @cached_property
    def over_draws(self) -> OverDraws | None:
        """All orders with the methods of one sequence beside them, on the repeats that have them all; None without."""
        beside = [method for method in BESIDE if self.of(method)]
        done = [{outcome.repeat: outcome for outcome in self.of(method)} for method in beside]
        walks = [walk for walk in self.walks if all(walk.repeat in outcomes for outcomes in done)]
        if not walks:
            return None
        methods = {
            NAMES[method]: np.array(
                [
                    [outcomes[walk.repeat].mean_error for walk in walks],
                    [(outcomes[walk.repeat].bound or {"value": math.nan})["value"] for walk in walks],
                ]
            )
            for method, outcomes in zip(beside, done, strict=True)
        }
        errors, bounds = (np.array([getattr(walk, name) for walk in walks]) for name in ("test_errors", "bounds"))
        orders = np.array(walks[0].orders, dtype=np.int64)
        return OverDraws(walks[0].names, orders, walks[0].complete, errors, bounds, methods)

    def picked_order(self, method: str) -> tuple[str, ...]:
        """The order of the least (`best`) or greatest (`worst`) mean test error over the repeats; ties to the first."""
        if not self.walks:
            raise SettingsError(f"{NAMES[method]} needs the test errors of all orders first")
        means = self.order_means
        row = int(np.argmin(means) if method == "best" else np.argmax(means))
        walk = self.walks[0]
        return tuple(walk.names[k] for k in walk.orders[row])


def paired_difference(method: str, baseline: str, differences: FloatArray) -> Paired:
    """Summarise the differences of the single repeats."""
    count, mean, interval = len(differences), float(np.mean(differences)), t_interval(differences)
    if interval is None:
        return Paired(method, baseline, mean, None, None, None, count)
    return Paired(method, baseline, mean, interval.low, interval.high, _wilcoxon(differences), count)


def _wilcoxon(differences: FloatArray) -> float:
    """Two-sided p-value; 1 where all differences are 0. Differences by rounding alone are ties."""
    rounded = np.round(differences, 12)
    if not rounded.any():
        return 1.0
    from scipy import stats

    return float(stats.wilcoxon(rounded).pvalue)


def results_of(settings: Settings, finished: Sequence[Outcome | OrdersOutcome]) -> Results:
    """Finished pieces of the settings' methods, sorted by repeat and kind."""
    order = {method: k for k, method in enumerate(settings.methods)}
    outcomes = [piece for piece in finished if isinstance(piece, Outcome) and piece.method in order]
    walks = [piece for piece in finished if isinstance(piece, OrdersOutcome)]
    return Results(
        settings,
        tuple(sorted(outcomes, key=lambda piece: (piece.repeat, order[piece.method]))),
        tuple(sorted(walks, key=lambda piece: piece.repeat)),
    )
