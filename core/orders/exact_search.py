"""The lowest sum of criteria of all sequences, of all sets of subsequences and of all forests: exact searches."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from core.curriculum.methods import chain as one_sequence
from core.curriculum.search import NO_SOURCE, FitTasks, Plan
from core.curriculum.steps import TIE
from core.fitting.cross_validation import Progress
from core.fitting.stage import Stage
from core.orders.chains import Chain, empty_chain

STEEPEST = 1.0 / math.sqrt(2.0 * math.pi)
"""The greatest slope of Φ̄."""


class Sequences:
    """Branch and bound over the prefixes of all orders, each fitted at most once: never more fits than trying all.

    Eq. (2) is a proximal step: if a source moves by D, the weights learned from it and the step ‖w - w_src‖ move by at
    most D (at one C). So a task that costs e + s²/(2√m̄) from here costs at least (e - D/√2π)₊ + (s - D)₊²/(2√m̄) from
    any source within D. A completion that beats the best known has Σ steps² ≤ 2√m̄ · (what is left to spend), which
    limits D; a branch whose tasks cannot be paid for is left out.
    """

    def __init__(self, stage: Stage, fit: FitTasks, one_C: bool, progress: Progress | None) -> None:
        self.stage, self.fit, self.one_C, self.progress = stage, fit, one_C, progress
        self.fits = self.done = 0
        self.price_of_length = 2.0 * math.sqrt(stage.m_bar)

    def best(self, plan: Plan, cost: float) -> tuple[Plan, float]:
        """The best order, or the plan given with its cost if none is clearly better."""
        self.plan, self.cost = plan, cost
        everyone = list(range(len(self.stage.sizes)))
        self._below(empty_chain(self.stage), [], everyone, 0.0)
        return self.plan, self.cost

    def _below(self, chain: Chain, prefix: list[int], rest: list[int], spent: float) -> None:
        self.fits += chain.price(rest, self.stage, self.fit)
        criteria = chain.criteria[rest]
        if len(rest) == 1:
            if spent + criteria[0] < self.cost - TIE * max(1.0, self.cost):
                self.plan, self.cost = one_sequence([*prefix, *rest]), spent + float(criteria[0])
            return
        for done, k in enumerate(np.argsort(criteria, kind="stable")):
            self._report(done, len(prefix))
            total = spent + float(criteria[k])
            if total >= self.cost:
                break
            if self.one_C and self._cannot_be_paid(chain, rest, int(k), self.cost - total):
                continue
            task = rest[k]
            self._below(chain.then(task, self.stage), [*prefix, task], rest[:k] + rest[k + 1 :], total)
            chain.forget()

    def _report(self, done: int, depth: int) -> None:
        """Progress is counted by the first task; the second and third only give a chance to cancel."""
        if depth == 0:
            self.done = done
        if self.progress is not None and depth < 3:
            self.progress(self.done, len(self.stage.sizes))

    def _cannot_be_paid(self, chain: Chain, rest: list[int], k: int, left: float) -> bool:
        steps, errors = chain.steps[rest], chain.errors[rest]
        D = steps[k] + math.sqrt((len(rest) - 2) * self.price_of_length * left)
        least = np.maximum(errors - STEEPEST * D, 0.0) + np.maximum(steps - D, 0.0) ** 2 / self.price_of_length
        return bool(least.sum() - least[k] >= left)


class Forests:
    """All chains by depth first, then the cheapest way to make a forest of them, by dynamic programming over subsets.

    What a task costs depends on its chain of sources alone, so the forest below a chain, made of a given set of tasks,
    is best on its own. Subsequences are forests in which nothing branches but the start.
    """

    def __init__(self, stage: Stage, fit: FitTasks, branching: bool, progress: Progress | None) -> None:
        self.stage, self.fit, self.branching, self.progress = stage, fit, branching, progress
        self.fits = 0
        self.cost: dict[tuple[int, ...], float] = {}

    def best(self) -> tuple[Plan, float]:
        """The cheapest forest as a plan, sources before those that start from them, and its sum of criteria."""
        n = len(self.stage.sizes)
        self._walk(empty_chain(self.stage), (), frozenset(range(n)))

        @cache
        def below(chain: tuple[int, ...], tasks: int) -> tuple[float, tuple[tuple[int, int], ...]]:
            """The cheapest forest of a set of tasks (a bit each) that all start from this chain or one another."""
            if not tasks:
                return 0.0, ()
            lowest = tasks & -tasks
            found: tuple[float, tuple[tuple[int, int], ...]] = (math.inf, ())
            part = tasks
            while part:  # the tree that holds the lowest task takes `part` of the tasks
                if part & lowest and (part == tasks or self.branching or not chain):
                    for root in _members(part):
                        mine = below((*chain, root), part & ~(1 << root))
                        others = below(chain, tasks & ~part)
                        total = self.cost[(*chain, root)] + mine[0] + others[0]
                        if total < found[0] - TIE:
                            source = chain[-1] if chain else NO_SOURCE
                            found = (total, ((root, source), *mine[1], *others[1]))
                part = (part - 1) & tasks
            return found

        cost, plan = below((), (1 << n) - 1)
        return list(plan), cost

    def _walk(self, chain: Chain, prefix: tuple[int, ...], rest: frozenset[int]) -> None:
        self.fits += chain.price(rest, self.stage, self.fit)
        for done, task in enumerate(sorted(rest)):
            if self.progress is not None and not prefix:
                self.progress(done, len(rest))
            self.cost[*prefix, task] = float(chain.criteria[task])
            if len(rest) > 1:
                self._walk(chain.then(task, self.stage), (*prefix, task), rest - {task})
                chain.forget()


def _members(bits: int) -> list[int]:
    return [task for task in range(bits.bit_length()) if bits >> task & 1]
