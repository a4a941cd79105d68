"""What greed costs: the curriculum with the lowest bound, by exact searches for few tasks, else by a beam."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from core.curriculum.bound import Bound
from core.curriculum.learn import CSetting, Problem, check_C, fit_at
from core.curriculum.methods import METHODS, RULES, method_key
from core.curriculum.methods import chain as one_sequence
from core.curriculum.result import Learned
from core.curriculum.search import NO_SOURCE, FitTasks, Plan, SourceFits, no_source
from core.curriculum.steps import TIE, Pair, Rule
from core.errors import SettingsError
from core.features import FloatArray
from core.fitting.cross_validation import Progress
from core.fitting.stage import Stage
from core.solver.backends import scan_solver
from core.solver.threads import one_blas_thread

WIDTH = 1000
"""Curricula that the beam search keeps at every step unless told otherwise."""
EXACT_UP_TO = {"seqmt": 10, "multiseqmt": 7, "treemt": 7}
"""Tasks up to which all curricula that a method could choose are searched."""

BEAM_FIRST = 7
"""Beyond so many tasks an exact search begins with a beam: the better its first order, the more it leaves out."""


@dataclass(frozen=True, eq=False, slots=True)
class BestOrder:
    """The curriculum with the lowest bound, beside the one that the greedy method chose at the same C.

    If `exact`, no curriculum that the method could choose has a clearly lower bound; else it is the best that a beam
    search of this `width` found. Where nothing is clearly better, it is the greedy one itself.
    """

    learned: Learned
    greedy: Learned
    exact: bool
    width: int | None
    fits: int

    @property
    def order(self) -> tuple[str, ...]:
        """Task names in the order of learning."""
        return self.learned.order

    @property
    def choices(self) -> tuple[Pair, ...]:
        """Every task with its source: forced upon the greedy method, they give this curriculum."""
        return tuple(self.learned.sources.items())

    @property
    def bound(self) -> float:
        """Theorem 1."""
        return _bound(self.learned).value

    @property
    def test_error(self) -> float | None:
        """Mean over tasks, by the learner's measure; None without test data."""
        return self.learned.mean_error

    @property
    def gap(self) -> float:
        """By how much the greedy bound is above this one."""
        return _bound(self.greedy).value - self.bound

    @property
    def greedy_is_best(self) -> bool:
        """Whether greed cost nothing."""
        return self.learned is self.greedy


def best_order(
    problem: Problem,
    C: CSetting = "shared",
    *,
    method: str = "seqmt",
    delta: float = 0.05,
    beam: int | None = None,
    progress: Progress | None = None,
) -> BestOrder:
    """The lowest bound among all that `method` (SeqMT, MultiSeqMT or TreeMT) could choose; `beam` is a width.

    C `shared` is the one that the greedy method shares: only at one C do bounds compare.
    """
    key = method_key(method)
    if key not in EXACT_UP_TO:
        known = ", ".join(METHODS[name] for name in EXACT_UP_TO)
        raise SettingsError(f"the lowest bound is searched for {known}; {METHODS[key]} does not choose by its bound")
    if beam is not None and (isinstance(beam, bool) or not isinstance(beam, int) or beam < 1):
        raise SettingsError(f"the beam is {beam!r} wide; use a whole number from 1 up")
    setting, n, index = check_C(C), len(problem.task_set), problem.task_set.index
    greedy = problem.learn(key, setting, delta=delta)
    if setting == "shared":
        setting = next(iter(greedy.chosen_C.values()))
    exact = beam is None and n <= EXACT_UP_TO[key]
    width = None if exact else beam or WIDTH
    with one_blas_thread():
        stage = Stage(problem.pool, solver=scan_solver(problem.solver))
        fit = fit_at(stage, problem.folds if setting == "each" else float(setting))
        terms = _bound(greedy)
        least = n * (terms.error + terms.complexity)
        found = Found(
            [(index(task), NO_SOURCE if s is None else index(s)) for task, s in greedy.sources.items()], least, 0
        )
        if width is not None or (key == "seqmt" and n > BEAM_FIRST):
            tried = beam_search(stage, fit, RULES[key], width or WIDTH, None if exact else progress)
            found = tried if tried.cost < least else Found(found.plan, least, tried.fits)
        if exact and key == "seqmt":
            found = best_sequence(stage, fit, setting != "each", found, progress)
        elif exact:
            found = best_forest(stage, fit, key == "treemt", progress)
    if found.cost >= least - TIE * max(1.0, least):
        return BestOrder(greedy, greedy, exact, width, found.fits)
    names = problem.task_set.names
    choices = [(names[task], None if source == NO_SOURCE else names[source]) for task, source in found.plan]
    learned = problem.learn(key, setting, delta=delta, choices=choices, C_choices=_bound(greedy).C_choices)
    return BestOrder(learned, greedy, exact, width, found.fits)


def _bound(learned: Learned) -> Bound:
    bound = learned.bound
    assert bound is not None
    return bound


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

    def cannot_be_paid(errors: FloatArray, steps: FloatArray, k: int, left: float) -> bool:
        D = steps[k] + math.sqrt((len(steps) - 2) * price_of_length * left)
        least = np.maximum(errors - STEEPEST * D, 0.0) + np.maximum(steps - D, 0.0) ** 2 / price_of_length
        return bool(least.sum() - least[k] >= left)

    def below(last: SourceFits, prefix: list[int], rest: list[int], spent: float) -> None:
        nonlocal plan, cost, fits, first_tasks
        fits += last.add(rest, stage, fit)
        errors, complexities = last.error[rest], last.complexity[rest]
        criteria, steps = errors + complexities, np.sqrt(price_of_length * complexities)
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
            if one_C and cannot_be_paid(errors, steps, int(k), cost - total):
                continue
            below(last.then(rest[k], stage), [*prefix, rest[k]], rest[:k] + rest[k + 1 :], total)
            last.forget()

    below(no_source(stage), [], list(range(len(stage.sizes))), 0.0)
    return Found(plan, cost, fits)


def best_forest(stage: Stage, fit: FitTasks, branching: bool, progress: Progress | None) -> Found:
    """The cheapest forest, by dynamic programming over subsets of tasks; without `branching` only its start branches.

    What a task costs depends on its chain of sources alone, so the forest below a chain, made of a given set of tasks,
    is best on its own.
    """
    criteria: dict[tuple[int, ...], float] = {}

    def price(last: SourceFits, prefix: tuple[int, ...], rest: frozenset[int]) -> None:
        last.add(rest, stage, fit)
        for done, task in enumerate(sorted(rest)):
            if progress is not None and not prefix:
                progress(done, len(rest))
            criteria[*prefix, task] = float(last.error[task] + last.complexity[task])
            if len(rest) > 1:
                price(last.then(task, stage), (*prefix, task), rest - {task})
                last.forget()

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
    price(no_source(stage), (), everyone)
    cost, plan = below((), everyone)
    return Found(plan, cost, len(criteria))


def _subsets(tasks: Iterable[int]) -> Iterator[frozenset[int]]:
    """All subsets, the largest first."""
    listed = sorted(tasks)
    return (frozenset(some) for size in range(len(listed), -1, -1) for some in combinations(listed, size))


class Partial(NamedTuple):
    """A curriculum on the way: what it cost and chose, its open sources, the tasks that are left."""

    cost: float
    choices: tuple[tuple[int, int], ...]
    open: Sequence[SourceFits]
    unsolved: frozenset[int]


Extension = tuple[float, Partial, list[SourceFits], SourceFits, int]
"""What a curriculum costs that goes on from a partial one: the sources that stay open, the source and the task."""


def beam_search(stage: Stage, fit: FitTasks, rule: Rule, width: int, progress: Progress | None) -> Found:
    """The best curriculum found by keeping the `width` cheapest at every step.

    Of curricula that have solved the same tasks and end in the same ones, only the cheapest is kept: they are much
    alike, and would push all others out.
    """
    n = len(stage.sizes)
    kept, fits = [Partial(0.0, (), (no_source(stage),), frozenset(range(n)))], 0
    for step in range(n):
        found: dict[tuple[frozenset[int], frozenset[int]], Extension] = {}
        for partial in kept:
            fits += sum(source.add(sorted(partial.unsolved), stage, fit) for source in partial.open)
            for source in partial.open:
                ends = frozenset(rule.still_open([one.task for one in partial.open], source.task))
                others = [one for one in partial.open if one.task in ends]
                for task in partial.unsolved:
                    cost = partial.cost + float(source.error[task] + source.complexity[task])
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
