"""What lessons speak of: methods and orders on fresh draws of a set, and how sentences count them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.curriculum.learn import Learned, Problem
from core.fitting.cross_validation import Progress
from core.orders.all_orders import Orders, every_order
from core.orders.over_samples import OverDraws
from core.task_set import TaskSet
from dashboard import text
from dashboard.figures.by_draw import Draws
from data.sources import catalogue

DRAWS = 20
"""Draws over which the lessons' claims are counted."""
CHAIN = "plane-rotation?tasks=5"
"""The turning line of lesson 1: five tasks in a row, each a neighbour of the next."""
LOWEST = "lowest"
"""Stands among the methods for the order of the lowest bound on each draw."""
ALONE, ONE, SEVERAL, FOREST = "Each alone", "One sequence (SeqMT)", "Subsequences (MultiSeqMT)", "Forest (TreeMT)"
"""Ways of learning, by their names in figures."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What to compute on every draw of a set at one C: methods by their names in figures, and perhaps all orders.

    `share` is the percentage of the lesson's time that it takes. With `names`, the tasks are called by these instead,
    and stand in their order.
    """

    task_set: str
    C: float
    methods: Mapping[str, str]
    orders: bool = False
    draws: int = DRAWS
    share: int = 100
    names: tuple[str, ...] = ()

    def run(self, progress: Progress, begun: int = 0) -> Tried:
        """Compute it; `begun` is the percentage of the lesson's time that is over before."""
        drawn = [self._draw(seed) for seed in range(self.draws)]
        learned: dict[str, list[Learned]] = {name: [] for name in self.methods}
        walked: list[Orders] = []
        for seed, task_set in enumerate(drawn):
            problem = Problem(task_set, seed=seed)
            if self.orders:  # the test points of the draw that is shown tell how sure its cloud of orders is
                walked.append(every_order(task_set, C=self.C, seed=seed, points=seed == 0))
            for name, method in self.methods.items():
                order = walked[-1].named(walked[-1].best_by_bound) if method == LOWEST else None
                learned[name].append(problem.learn("order" if order else method, self.C, order=order))
            progress(begun + self.share * (seed + 1) // self.draws, 100)
        return Tried(drawn[0], learned, walked)

    def _draw(self, seed: int) -> TaskSet:
        drawn = catalogue.load(self.task_set, seed)
        if not self.names:
            return drawn
        tasks = [replace(task, name=name) for task, name in zip(drawn.tasks, self.names, strict=True)]
        order = tuple(sorted(tasks, key=lambda task: task.name))
        return replace(drawn, tasks=order, semantic_order=None, groups=None)


@dataclass(frozen=True, eq=False, slots=True)
class Tried:
    """The draw that is shown, what was learned on each draw from seed 0 up, and all orders of each where asked for."""

    task_set: TaskSet
    learned: Mapping[str, Sequence[Learned]]
    orders: Sequence[Orders]

    def first(self, name: str) -> Learned:
        """On the draw that is shown."""
        return self.learned[name][0]

    def errors(self, *names: str) -> Draws:
        """Mean test errors in per cent, of all ways of learning if none is named."""
        return self._values(lambda one: 100.0 * (one.mean_test_error or 0.0), "mean test error (%)", names)

    def bounds(self) -> Draws:
        """Bounds of Theorem 1."""
        return self._values(lambda one: one.bound.value if one.bound else np.nan, "bound (Theorem 1)")

    def criteria(self) -> Draws:
        """Means of the chosen criteria: two structures compare by them, as their bounds pay different prices."""
        quantity = "mean criterion of the chosen steps"
        return self._values(lambda one: one.bound.error + one.bound.complexity if one.bound else np.nan, quantity)

    def _values(self, value: Callable[[Learned], float], quantity: str, names: Sequence[str] = ()) -> Draws:
        return Draws({name: np.array([*map(value, self.learned[name])]) for name in names or self.learned}, quantity)

    def same_sources(self, first: str, second: str) -> int:
        """On how many draws two ways learn every task from the same source."""
        return sum(a.sources == b.sources for a, b in zip(self.learned[first], self.learned[second], strict=True))

    @property
    def over(self) -> OverDraws:
        """All orders over the draws."""
        first = self.orders[0]
        errors, bounds = (
            np.array([one.test_errors for one in self.orders]),
            np.array([one.bounds for one in self.orders]),
        )
        return OverDraws(first.names, first.orders, first.complete, errors, bounds, {})


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
