"""What lessons speak of: methods and orders on fresh draws of a set, and how sentences count them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.curriculum.learn import Learned, Problem
from core.fitting.cross_validation import Progress
from core.orders.all_orders import Orders, every_order
from core.orders.ranking import agreement
from core.task_set import FloatArray, TaskSet
from dashboard import text
from dashboard.figures.by_draw import Draws
from data.sources import catalogue

DRAWS = 20
"""Draws over which the lessons' claims are counted."""
CHAIN = "plane-rotation?tasks=5"
"""The turning line of lesson 1: five tasks in a row, each a neighbour of the next."""
LOWEST = "lowest"
"""Stands among the methods for the order of the lowest bound on each draw."""
WAYS = {
    "indsvm": "Each alone",
    "seqmt": "One sequence (SeqMT)",
    "multiseqmt": "Subsequences (MultiSeqMT)",
    "treemt": "Forest (TreeMT)",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """What to compute on every draw of a set at one C: methods, with their names in figures, and perhaps all orders."""

    name: str
    C: float
    methods: Mapping[str, str]
    orders: bool = False
    points: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Tried:
    """What each method learned on each draw, from seed 0 up, and all orders of each draw where they were asked for."""

    trial: Trial
    task_set: TaskSet
    learned: Mapping[str, Sequence[Learned]]
    orders: Sequence[Orders]

    def first(self, method: str) -> Learned:
        """On the draw that is shown."""
        return self.learned[method][0]

    def errors(self, *methods: str) -> Draws:
        """Mean test errors in per cent, of all methods if none is named."""
        return self._values(methods, lambda one: 100.0 * (one.mean_test_error or 0.0), "mean test error (%)")

    def bounds(self) -> Draws:
        """Bounds of Theorem 1."""
        return self._values((), lambda one: one.bound.value if one.bound else np.nan, "bound (Theorem 1)")

    def criteria(self) -> Draws:
        """Means of the chosen criteria: two structures compare by them, as their bounds pay different prices."""
        quantity = "mean criterion of the chosen steps"
        return self._values((), lambda one: one.bound.error + one.bound.complexity if one.bound else np.nan, quantity)

    def _values(self, methods: Sequence[str], value: Callable[[Learned], float], quantity: str) -> Draws:
        chosen = methods or tuple(self.learned)
        return Draws(
            {self.trial.methods[m]: np.array([value(one) for one in self.learned[m]]) for m in chosen}, quantity
        )

    def same_sources(self, first: str, second: str) -> int:
        """On how many draws two methods learn every task from the same source."""
        return sum(a.sources == b.sources for a, b in zip(self.learned[first], self.learned[second], strict=True))

    def order_errors(self) -> FloatArray:
        """The mean test error of every order: one row per draw, one column per order."""
        return np.array([one.test_errors for one in self.orders])

    def order_means(self) -> Orders:
        """Every order by its means over the draws."""
        first, bounds = self.orders[0], np.mean([one.bounds for one in self.orders], axis=0)
        return Orders(first.names, first.orders, bounds, self.order_errors().mean(axis=0), first.C, first.complete)

    def correlations(self) -> FloatArray:
        """The rank correlation of bound and test error over the orders of each draw."""
        return np.array([agreement(one) or 0.0 for one in self.orders])


@dataclass(frozen=True, eq=False, slots=True)
class Study:
    """A lesson's own set, and the one on which the opposite holds."""

    tried: Tried
    opposite: Tried

    @property
    def task_set(self) -> TaskSet:
        """The draw that is shown."""
        return self.tried.task_set


def run(trial: Trial, progress: Progress, begun: int = 0, end: int = 100) -> Tried:
    """Compute a trial; `begun` and `end` are the percentages of the progress between which it moves."""
    drawn = [catalogue.load(trial.name, seed) for seed in range(DRAWS)]
    learned: dict[str, list[Learned]] = {method: [] for method in trial.methods}
    walked: list[Orders] = []
    for seed, task_set in enumerate(drawn):
        problem = Problem(task_set, seed=seed)
        if trial.orders:
            walked.append(every_order(task_set, C=trial.C, seed=seed, points=trial.points))
        for method, found in learned.items():
            order = walked[-1].named(walked[-1].best_by_bound) if method == LOWEST else None
            found.append(problem.learn("order" if order else method, trial.C, order=order))
        progress(begun + (end - begun) * (seed + 1) // DRAWS, 100)
    return Tried(trial, drawn[0], learned, walked)


def alone(trial: Trial) -> Callable[[TaskSet, Progress], Tried]:
    """A lesson's study of one trial."""
    return lambda _, progress: run(trial, progress)


def both(own: Trial, opposite: Trial, share: int) -> Callable[[TaskSet, Progress], Study]:
    """A lesson's study of two trials, of which the first takes that percentage of the time."""
    return lambda _, progress: Study(run(own, progress, 0, share), run(opposite, progress, share))


def ways(*methods: str) -> dict[str, str]:
    """Methods with their names in figures."""
    return {method: WAYS[method] for method in methods}


def mean(found: Draws, name: str) -> float:
    """Of one way over the draws."""
    return float(np.mean(found.values[name]))


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "–" if share is None else text.percent(share)


def bold(name: str) -> str:
    """A name from data inside a sentence."""
    return f"**{text.md(text.short(name))}**"


def chain(names: Sequence[str]) -> str:
    """An order inside a sentence."""
    return " → ".join(text.md(text.short(name)) for name in names)


def of_draws(count: int) -> str:
    """'in 18 of 20 draws'."""
    return f"in {count} of {DRAWS} draws"
