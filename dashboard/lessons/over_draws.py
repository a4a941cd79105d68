"""Methods on fresh draws of a set: what the lessons' claims are counted on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.curriculum.learn import Learned, Problem
from core.fitting.cross_validation import Progress
from core.task_set import TaskSet
from dashboard.figures.methods_by_draw import Draws
from dashboard.lessons.words import DRAWS
from data.sources import catalogue

WORDS = {
    "indsvm": "Each alone",
    "seqmt": "One sequence (SeqMT)",
    "multiseqmt": "Subsequences (MultiSeqMT)",
    "treemt": "Forest (TreeMT)",
}


@dataclass(frozen=True, eq=False, slots=True)
class Tried:
    """What each method learned on each draw, from seed 0 up."""

    by_method: dict[str, tuple[Learned, ...]]

    def first(self, method: str) -> Learned:
        """On the draw that is shown."""
        return self.by_method[method][0]

    def errors(self, *methods: str) -> Draws:
        """Mean test errors in per cent."""
        return self._values(methods, lambda one: 100.0 * (one.mean_test_error or 0.0), "mean test error (%)")

    def bounds(self, *methods: str) -> Draws:
        """Bounds of Theorem 1."""
        return self._values(methods, lambda one: one.bound.value if one.bound else float("nan"), "bound (Theorem 1)")

    def criteria(self, *methods: str) -> Draws:
        """Means of the chosen criteria: two structures compare by them, as their bounds pay different prices."""

        def value(one: Learned) -> float:
            return one.bound.error + one.bound.complexity if one.bound else float("nan")

        return self._values(methods, value, "mean criterion of the chosen steps")

    def _values(self, methods: Sequence[str], value: Callable[[Learned], float], quantity: str) -> Draws:
        chosen = methods or tuple(self.by_method)
        found = {WORDS.get(name, name): np.array([value(one) for one in self.by_method[name]]) for name in chosen}
        return Draws(found, quantity)


@dataclass(frozen=True, eq=False, slots=True)
class WithChain:
    """Methods on the draws of a lesson's set, and on those of a chain of tasks that are all related."""

    task_set: TaskSet
    tried: Tried
    chain_set: TaskSet
    chain: Tried


def run(name: str, methods: Sequence[str], C: float, progress: Progress, share: tuple[int, int] = (0, 100)) -> Tried:
    """Every method on `DRAWS` draws of a set at one C; `share`: from where to where the progress goes, in %."""
    found: dict[str, list[Learned]] = {method: [] for method in methods}
    for seed in range(DRAWS):
        problem = Problem(catalogue.load(name, seed), seed=seed)
        for method in methods:
            found[method].append(problem.learn(method, C))
        progress(share[0] + (share[1] - share[0]) * (seed + 1) // DRAWS, 100)
    return Tried({method: tuple(learned) for method, learned in found.items()})
