"""Searches for the lowest sum of criteria: exact for sequences and for forests of few tasks, else by a beam."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.curriculum.methods import chain as one_sequence
from core.curriculum.search import NO_SOURCE, FitTasks, Plan
from core.curriculum.steps import TIE, Rule
from core.fitting.cross_validation import Progress
from core.fitting.stage import Stage
from core.orders.chains import Chain, empty_chain

STEEPEST = 1.0 / math.sqrt(2.0 * math.pi)
"""The greatest slope of Φ̄."""


class Found(NamedTuple):
    """A curriculum with its sum of criteria, and how many fits the search took."""

    plan: Plan
    cost: float
    fits: int


def best_sequence(stage: Stage, fit: FitTasks, one_C: bool, start: Found, progress: Progress | None) -> Found:
    """Branch and bound over the prefixes of all orders; `start` comes back if no order is clearly better.

    Every prefix is fitted at most once. Eq. (2) is a proximal step: if a source moves by D, the weights learned from
    it and the step ‖w - w_src‖ move by at most D (at one C). So a task that costs e + s²/(2√m̄) from here costs at
    least (e - D/√2π)₊ + (s - D)₊²/(2√m̄) from any source within D. A completion that beats the best known has
    Σ steps² ≤ 2√m̄ · (what is left to spend), which limits D; a branch whose tasks cannot be paid for is left out.
    """
    price_of_length = 2.0 * math.sqrt(stage.m_bar)
    plan, cost, fits = start
    first_tasks = 0

    def cannot_be_paid(chain: Chain, rest: list[int], k: int, left: float) -> bool:
        steps, errors = chain.steps[rest], chain.errors[rest]
        D = steps[k] + math.sqrt((len(rest) - 2) * price_of_length * left)
        least = np.maximum(errors - STEEPEST * D, 0.0) + np.maximum(steps - D, 0.0) ** 2 / price_of_length
        return bool(least.sum() - least[k] >= left)

    def below(chain: Chain, prefix: list[int], rest: list[int], spent: float) -> None:
        nonlocal plan, cost, fits, first_tasks
        fits += chain.price(rest, stage, fit)
        criteria = chain.criteria[rest]
        if len(rest) == 1:
            if spent + criteria[0] < cost - TIE * max(1.0, cost):
                plan, cost = one_sequence([*prefix, *rest]), spent + float(criteria[0])
            return
        for done, k in enumerate(np.argsort(criteria, kind="stable")):
            first_tasks = first_tasks if prefix else done
            if progress is not None and len(prefix) < 3:  # the second and third task only give a chance to cancel
                progress(first_tasks, len(stage.sizes))
            total = spent + float(criteria[k])
            if total >= cost:
                break
            if one_C and cannot_be_paid(chain, rest, int(k), cost - total):
                continue
            below(chain.then(rest[k], stage), [*prefix, rest[k]], rest[:k] + rest[k + 1 :], total)
            chain.forget()

    below(empty_chain(stage), [], list(range(len(stage.sizes))), 0.0)
    return Found(plan, cost, fits)


def best_forest(stage: Stage, fit: FitTasks, branching: bool, progress: Progress | None) -> Found:
    """The cheapest forest, by dynamic programming over subsets of tasks; without `branching` only its start branches.

    What a task costs depends on its chain of sources alone, so the forest below a chain, made of a given set of tasks,
    is best on its own.
    """
    criteria: dict[tuple[int, ...], float] = {}

    def price(chain: Chain, prefix: tuple[int, ...], rest: frozenset[int]) -> None:
        chain.price(rest, stage, fit)
        for done, task in enumerate(sorted(rest)):
            if progress is not None and not prefix:
                progress(done, len(rest))
            criteria[*prefix, task] = float(chain.criteria[task])
            if len(rest) > 1:
                price(chain.then(task, stage), (*prefix, task), rest - {task})
                chain.forget()

    @cache
    def below(prefix: tuple[int, ...], tasks: frozenset[int]) -> tuple[float, tuple[tuple[int, int], ...]]:
        """The cheapest forest of these tasks, all of which start from this chain or from one another."""
        found: tuple[float, tuple[tuple[int, int], ...]] = (math.inf, ()) if tasks else (0.0, ())
        for root in sorted(tasks):
            rest, longer = tasks - {root}, (*prefix, root)
            for inside in _subsets(rest) if branching or not prefix else (rest,):
                if min(tasks) not in {root, *inside}:
                    continue  # of trees side by side, the one that holds the lowest task is named first
                own, others = below(longer, inside), below(prefix, rest - inside)
                total = criteria[longer] + own[0] + others[0]
                if total < found[0] - TIE:
                    found = total, ((root, prefix[-1] if prefix else NO_SOURCE), *own[1], *others[1])
        return found

    everyone = frozenset(range(len(stage.sizes)))
    price(empty_chain(stage), (), everyone)
    cost, plan = below((), everyone)
    return Found(plan, cost, len(criteria))


def _subsets(tasks: Iterable[int]) -> Iterator[frozenset[int]]:
    """All subsets, the largest first."""
    listed = sorted(tasks)
    return (frozenset(some) for size in range(len(listed), -1, -1) for some in combinations(listed, size))


class Partial(NamedTuple):
    """A curriculum on the way: what it cost and chose, the chains that may be continued, the tasks that are left."""

    cost: float
    choices: tuple[tuple[int, int], ...]
    open: Sequence[Chain]
    unsolved: frozenset[int]


def beam_search(stage: Stage, fit: FitTasks, rule: Rule, width: int, progress: Progress | None) -> Found:
    """The best curriculum found by keeping the `width` cheapest at every step.

    Of curricula that have solved the same tasks and end in the same ones, only the cheapest is kept: they are much
    alike, and would push all others out.
    """
    n = len(stage.sizes)
    kept, fits = [Partial(0.0, (), (empty_chain(stage),), frozenset(range(n)))], 0
    for step in range(n):
        found: dict[tuple[frozenset[int], frozenset[int]], tuple[float, Partial, list[Chain], Chain, int]] = {}
        for partial in kept:
            fits += sum(source.price(sorted(partial.unsolved), stage, fit) for source in partial.open)
            for source in partial.open:
                closes = rule.sources == "last" or (rule.sources == "open" and source.task != NO_SOURCE)
                others = [chain for chain in partial.open if not (closes and chain is source)]
                ends = frozenset(chain.task for chain in others)
                for task in partial.unsolved:
                    cost = partial.cost + float(source.criteria[task])
                    left = (ends | {task}, partial.unsolved - {task})
                    if left not in found or cost < found[left][0]:
                        found[left] = (cost, partial, others, source, task)
        kept = [
            Partial(
                cost,
                (*partial.choices, (task, source.task)),
                (*others, source.then(task, stage)),
                partial.unsolved - {task},
            )
            for cost, partial, others, source, task in sorted(found.values(), key=lambda one: one[0])[:width]
        ]
        if progress is not None:
            progress(step + 1, n)
    return Found(kept[0].choices, kept[0].cost, fits)
