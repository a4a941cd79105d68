"""What a sequential learner did: every candidate of every step. All else is derived from that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from core.curriculum.bound import Bound, Structure
from core.fitting.pool import Pool
from core.fitting.stage import Stage, complexity_term
from core.solver.backends import check_solver
from core.solver.box_qp import SolveRecord
from core.solver.jit import kernel
from core.task_set import FloatArray, TaskSet

Pair = tuple[str, str | None]
Forest = Mapping[str, str | None]
"""Every task's source, in the order of learning."""
TIE = 1e-9
"""Criteria closer than this (relative, from 1 up) are equal, so that no tie hangs on the last bits of a solver."""


@kernel
def first_best(values: FloatArray) -> int:
    """Index of the first value that ties with the least."""
    least = values[0]
    for value in values:
        least = min(least, value)
    best = 0
    while values[best] > least + TIE * max(1.0, abs(least)):
        best += 1
    return best


def roots(forest: Forest) -> dict[str, str]:
    """The task at which every task's subsequence or tree began."""
    root: dict[str, str] = {}
    for task, source in forest.items():
        root[task] = task if source is None else root[source]
    return root


@dataclass(frozen=True, slots=True)
class Rule:
    """Which sources a step may use, and what it optimises.

    `last`: the task before, `open`: the ends of all subsequences or none, `all`: every solved task or none.
    """

    sources: Literal["last", "open", "all"]
    structure: Structure
    term: Literal["criterion", "error", "complexity"] = "criterion"
    maximise: bool = False

    @property
    def weights(self) -> tuple[float, float]:
        """Of error and complexity term in what is minimised."""
        sign = -1.0 if self.maximise else 1.0
        return (0.0 if self.term == "complexity" else sign, 0.0 if self.term == "error" else sign)

    def value(self, error: FloatArray, complexity: FloatArray) -> FloatArray:
        """What is minimised."""
        return self.weights[0] * error + self.weights[1] * complexity

    def still_open(self, sources: list[int], source: int) -> list[int]:
        """The sources that stay open after a task was learned from one of them; no source is -1."""
        if self.sources == "last":
            return []
        closed = source if self.sources == "open" and source >= 0 else None
        return [other for other in sources if other != closed]


@dataclass(frozen=True, eq=False, slots=True)
class Candidate:
    """A task that a step could learn next, from one source."""

    task: str
    source: str | None
    error_term: float
    complexity_term: float
    C: float
    solved: SolveRecord
    alpha: FloatArray
    source_weights: FloatArray
    _pool: Pool = field(repr=False)

    @property
    def criterion(self) -> float:
        """Eq. (4)."""
        return self.error_term + self.complexity_term

    @property
    def weights(self) -> FloatArray:
        """w = w_src + Zᵀα/2. Computed when asked for, as there are O(n²) candidates and d may be large."""
        return self.source_weights + self._pool.weight_step(self._pool.task_set.index(self.task), self.alpha)

    def again(self, solver: str) -> Candidate:
        """The same fit made anew by a solver of that name, cold."""
        pool, k = self._pool, self._pool.task_set.index(self.task)
        own, margins = pool.own_points(k), np.zeros(pool.n_points)
        margins[own] = pool.Z[own] @ self.source_weights
        fits, solved = Stage(pool, solver=check_solver(solver)).fit(margins, np.array([k]), np.array([self.C]))
        complexity = complexity_term(float(fits.squared_steps[0]), pool.task_set.m_bar)
        error, alpha = float(fits.error_terms[0]), fits.alpha[0, : pool.sizes[k]]
        return replace(self, error_term=error, complexity_term=complexity, alpha=alpha, solved=solved[0])


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """All candidates at one point of a curriculum, and the chosen one."""

    candidates: tuple[Candidate, ...]
    chosen: Candidate

    @property
    def runner_up(self) -> Candidate | None:
        """The best by criterion among the others; None if there was no choice."""
        others = [candidate for candidate in self.candidates if candidate is not self.chosen]
        return min(others, key=lambda candidate: candidate.criterion, default=None)

    @property
    def margin(self) -> float | None:
        """By how much the runner-up's criterion is worse; negative where the choice was not the greedy one."""
        return None if self.runner_up is None else self.runner_up.criterion - self.chosen.criterion


@dataclass(frozen=True, eq=False)
class Curriculum:
    """The steps, in order."""

    task_set: TaskSet
    steps: tuple[Step, ...]
    rule: Rule
    delta: float
    C_choices: int = 1

    @property
    def chosen(self) -> tuple[Candidate, ...]:
        """The chosen candidate of every step."""
        return tuple(step.chosen for step in self.steps)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every candidate that was fitted, once, however many steps offered it."""
        return tuple(dict.fromkeys(candidate for step in self.steps for candidate in step.candidates))

    @property
    def order(self) -> tuple[str, ...]:
        """Task names in the order in which they were learned."""
        return tuple(candidate.task for candidate in self.chosen)

    @property
    def sources(self) -> dict[str, str | None]:
        """The forest: every task's source."""
        return {candidate.task: candidate.source for candidate in self.chosen}

    @property
    def subsequences(self) -> tuple[tuple[str, ...], ...]:
        """The trees of the forest, each in the order of learning, in the order in which they were begun."""
        trees: dict[str, list[str]] = {}
        for task, root in roots(self.sources).items():
            trees.setdefault(root, []).append(task)
        return tuple(tuple(tree) for tree in trees.values())

    @cached_property
    def weights(self) -> dict[str, FloatArray]:
        """The learned weights of every task."""
        return {candidate.task: candidate.weights for candidate in self.chosen}

    def forced_steps(self, choices: int) -> tuple[int, ...]:
        """Of the first so many steps, which were given, those that the rule would have made otherwise; from 1."""

        def own(step: Step) -> Candidate:
            by_task = sorted(step.candidates, key=lambda one: self.task_set.index(one.task))
            terms = np.array([[one.error_term, one.complexity_term] for one in by_task]).T
            return by_task[first_best(self.rule.value(*terms))]

        return tuple(k for k, step in enumerate(self.steps[:choices], start=1) if step.chosen is not own(step))

    @property
    def bound(self) -> Bound:
        """Theorem 1 for the whole curriculum."""
        return self.bound_of(self.chosen)

    def bound_of(self, chosen: Iterable[Candidate]) -> Bound:
        """Theorem 1 with the terms of these candidates only, still divided by n: the running sum of the bound."""
        n = len(self.task_set)
        picked = tuple(chosen)
        return Bound(
            error=sum(candidate.error_term for candidate in picked) / n,
            complexity=sum(candidate.complexity_term for candidate in picked) / n,
            delta=self.delta,
            n_tasks=n,
            m_bar=self.task_set.m_bar,
            structure=self.rule.structure,
            C_choices=self.C_choices,
        )
