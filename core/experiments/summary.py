"""What the pieces of an experiment say together: means, differences of methods and of runs, best and worst order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.errors import SettingsError
from core.experiments.difference import Average, Between, Paired, corrected, paired_difference
from core.experiments.experiment import NAMES, OrdersOutcome, Outcome, Settings
from core.measure import MEASURES, Measure
from core.orders.all_orders import Orders
from core.orders.orders_by_draw import BESIDE, OrdersByDraw
from core.statistics.data_checks import UNBALANCED
from core.statistics.majority import AgainstMajority, over_repeats
from core.statistics.noise import rounded
from core.statistics.t_test import estimate, unpaired
from core.task_set import FloatArray


@dataclass(frozen=True, eq=False)
class Results:
    """The outcomes of a run so far; complete when every piece is there.

    `overlap` is that of `t_test.estimate` where repeats split the same rows anew; None where they are fresh draws.
    """

    settings: Settings
    outcomes: tuple[Outcome, ...]
    walks: tuple[OrdersOutcome, ...] = ()
    overlap: float | None = None

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """Methods with at least one finished repeat, as asked for."""
        return tuple(method for method in self.settings.methods if self.of(method))

    @property
    def baseline(self) -> str:
        """The method that the others are measured against unless another is named: SeqMT, or the first."""
        return "seqmt" if "seqmt" in self.methods else self.methods[0]

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

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The measures by which all outcomes are known: older runs recorded plain errors alone."""
        return MEASURES if all(outcome.balanced_error is not None for outcome in self.outcomes) else MEASURES[:1]

    def errors(self, method: str, measure: Measure | None = None) -> FloatArray:
        """Test errors, one row per finished repeat and one column per task; by the run's measure if none is given."""
        by = measure or self.settings.measure
        return np.array([[errors[task] for task in self.tasks] for errors in (o.errors(by) for o in self.of(method))])

    def means(self, method: str, measure: Measure | None = None) -> dict[int, float]:
        """The mean test error over tasks of each finished repeat."""
        by = measure or self.settings.measure
        return {outcome.repeat: outcome.mean_error(by) for outcome in self.of(method)}

    def average(self, method: str, measure: Measure | None = None) -> Average:
        """Of the mean test error over tasks."""
        return Average.of(self.errors(method, measure).mean(axis=1), self.overlap)

    def per_task(self, method: str, measure: Measure | None = None) -> dict[str, Average]:
        """Of each task's test error."""
        columns = zip(self.tasks, self.errors(method, measure).T, strict=True)
        return {task: Average.of(column, self.overlap) for task, column in columns}

    def seconds(self, method: str) -> Average:
        """Of the time that a repeat took."""
        return Average.of(np.array([outcome.seconds for outcome in self.of(method)]))

    def paired(self, method: str, baseline: str, measure: Measure | None = None) -> Paired:
        """The difference between two methods on the same draws, looked at alone."""
        ours, theirs = self.means(method, measure), self.means(baseline, measure)
        both = sorted(set(ours) & set(theirs))
        if not both:
            raise SettingsError(f"{NAMES[method]} and {NAMES[baseline]} have no finished repeat in common yet")
        learned = self.has_learned(method, measure) or self.has_learned(baseline, measure)
        return paired_difference(method, baseline, [ours[r] - theirs[r] for r in both], self.overlap, learned)

    def against(self, baseline: str, measure: Measure | None = None) -> tuple[Paired, ...]:
        """Every other method against one, on the repeats that both have, corrected by Holm for looking at them all."""
        ours = set(self.means(baseline))
        others = [method for method in self.methods if method != baseline and ours & set(self.means(method))]
        pairs = [self.paired(method, baseline, measure) for method in others]
        tests = [None if p.interval is None else estimate(np.array(p.differences), self.overlap) for p in pairs]
        return corrected(pairs, tests)

    @cached_property
    def unequal(self) -> bool:
        """Whether classes are unequal in some task, by the errors of always answering the larger one."""
        known = [o.majority_error for o in self.outcomes if o.majority_error is not None]
        least = min((float(np.mean([errors[task] for errors in known])) for task in self.tasks if known), default=1.0)
        return least < 1.0 / (1.0 + UNBALANCED)

    def against_majority(self, method: str) -> AgainstMajority | None:
        """A method beside always answering the larger class, paired by repeat; None where that was not recorded."""
        outcomes = self.of(method)
        if any(outcome.majority_error is None or outcome.balanced_error is None for outcome in outcomes):
            return None
        ours = {one: np.array([outcome.mean_error(one) for outcome in outcomes]) for one in MEASURES}
        theirs = {one: np.array([outcome.majority_mean(one) for outcome in outcomes]) for one in MEASURES}
        return over_repeats(ours, theirs, self.overlap, len(self.methods))

    def has_learned(self, method: str, measure: Measure | None = None) -> bool:
        """Whether a method is clearly better than always answering the larger class, or that was not recorded."""
        found = self.against_majority(method)
        return found is None or found.better[measure or self.settings.measure]

    @cached_property
    def order_means(self) -> FloatArray:
        """Mean test error of every fixed order over the repeats."""
        return np.mean([walk.test_errors for walk in self.walks], axis=0) if self.walks else np.empty(0)

    @cached_property
    def over_draws(self) -> OrdersByDraw | None:
        """All orders with the methods of one sequence beside them, on the repeats that have them all; None without."""
        beside = [method for method in BESIDE if self.of(method)]
        done = [{outcome.repeat: outcome for outcome in self.of(method)} for method in beside]
        walks = [walk for walk in self.walks if all(walk.repeat in outcomes for outcomes in done)]
        if not walks:
            return None
        methods = {
            NAMES[method]: np.array(
                [
                    [outcomes[walk.repeat].mean_error(self.settings.measure) for walk in walks],
                    [(outcomes[walk.repeat].bound or {"value": math.nan})["value"] for walk in walks],
                ]
            )
            for method, outcomes in zip(beside, done, strict=True)
        }
        orders, measure = np.array(walks[0].orders, dtype=np.int64), self.settings.measure
        no_C = np.full(len(orders), math.nan)
        walked = tuple(
            Orders(walk.names, orders, np.array(walk.bounds), np.array(walk.test_errors), no_C, measure=measure)
            for walk in walks
        )
        return OrdersByDraw(walked, methods, self.overlap)

    def picked_order(self, method: str) -> tuple[str, ...]:
        """The order of the least (`best`) or greatest (`worst`) mean test error over the repeats; ties to the first."""
        if not self.walks:
            raise SettingsError(f"{NAMES[method]} needs the test errors of all orders first")
        row = self.order_means.argmin() if method == "best" else self.order_means.argmax()
        return tuple(self.tasks[k] for k in self.walks[0].orders[row])


def between(first: Results, second: Results, same_draws: bool, measure: Measure | None = None) -> tuple[Between, ...]:
    """Every method that both runs have; paired by repeat where the runs drew the same, else by Welch's test.

    By the first run's measure if none is given.
    """
    by = measure or first.settings.measure
    found, tests = [], []
    for method in (method for method in first.methods if method in second.methods):
        ours, theirs = first.means(method, by), second.means(method, by)
        gaps = rounded([theirs[r] - ours[r] for r in sorted(set(ours) & set(theirs)) if same_draws])
        averages = first.average(method, by), second.average(method, by)
        learned = first.has_learned(method, by) or second.has_learned(method, by)
        found.append(Between(method, tuple(gaps.tolist()), None, None, learned, *averages))
        samples = [np.array(list(means.values())) for means in (ours, theirs)]
        apart = unpaired(samples[0], samples[1], (first.overlap, second.overlap))
        tests.append(estimate(gaps, first.overlap) if len(gaps) else apart)
    return corrected(found, tests)


def results_of(
    settings: Settings, finished: Sequence[Outcome | OrdersOutcome], overlap: float | None = None
) -> Results:
    """Finished pieces of the settings' methods, sorted by repeat and kind."""
    order = {method: k for k, method in enumerate(settings.methods)}
    outcomes = [piece for piece in finished if isinstance(piece, Outcome) and piece.method in order]
    walks = [piece for piece in finished if isinstance(piece, OrdersOutcome)]
    return Results(
        settings,
        tuple(sorted(outcomes, key=lambda piece: (piece.repeat, order[piece.method]))),
        tuple(sorted(walks, key=lambda piece: piece.repeat)),
        overlap,
    )
