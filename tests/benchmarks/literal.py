"""The paper's algorithms as they read: every candidate of every step and every QP of its model selection anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from scipy.stats import norm

from core.curriculum.steps import first_best
from core.fitting.cross_validation import C_GRID, FOLDS, REPEATS, smallest_best, stratified_folds
from core.task_set import FloatArray, Task, TaskSet
from tests.benchmarks.peers import Fit, Solve, adaptive_svm

Plan = list[tuple[str, str | None]]


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What a literal run learned, in order."""

    order: tuple[str, ...]
    sources: dict[str, str | None]
    fits: tuple[Fit, ...]
    candidates: tuple[Fit, ...]

    @property
    def chosen_C(self) -> dict[str, float]:
        return {fit.task.name: fit.C for fit in self.fits}


@dataclass(frozen=True, eq=False, slots=True)
class Literal:
    """A solver, a setting of C and a seed; `subsequences` makes Algorithm 2 of Algorithm 1."""

    solve: Solve
    C: float | str
    seed: int = 0
    subsequences: bool = False
    plan: Plan | None = None

    def run(self, task_set: TaskSet) -> Outcome:
        """Algorithm 1 or 2, or a fixed plan, on prepared tasks."""
        if self.C == "shared":
            return replace(self, C=self._shared_C(task_set)).run(task_set)
        unsolved = list(task_set.tasks)
        weights: dict[str | None, FloatArray] = {None: np.zeros(task_set.n_features)}
        ends: list[str | None] = [None]
        order, sources, chosen, candidates = [], {}, [], []
        for step in range(len(task_set)):
            offered = [(task, end) for task in unsolved for end in ends]
            if self.plan is not None:
                name, source = self.plan[step]
                offered = [(task_set[name], source)]
            fits = [self._fit(task, weights[end]) for task, end in offered]
            pick = first_best(np.array([criterion(fit, task_set.m_bar) for fit in fits]))
            task, source = offered[pick]
            candidates += fits
            chosen.append(fits[pick])
            order.append(task.name)
            sources[task.name] = source
            weights[task.name] = fits[pick].weights
            unsolved.remove(task)
            if not self.subsequences:
                ends = [task.name]
            else:
                ends = [end for end in ends if end is None or end != source] + [task.name]
        return Outcome(tuple(order), sources, tuple(chosen), tuple(candidates))

    def _fit(self, task: Task, source_weights: FloatArray) -> Fit:
        C = self._own_C(task, source_weights) if self.C == "each" else float(self.C)
        return adaptive_svm(self.solve, task, source_weights, C)

    def _own_C(self, task: Task, source_weights: FloatArray) -> float:
        errors = np.zeros(len(C_GRID))
        for fold_of in stratified_folds(task, self.seed):
            for fold in range(FOLDS):
                train, held_out = split(task, fold_of, fold)
                for c, C in enumerate(C_GRID):
                    fit = adaptive_svm(self.solve, train, source_weights, float(C))
                    errors[c] += np.sum(held_out.y * (held_out.X @ fit.weights) <= 0)
        return float(C_GRID[smallest_best(errors)])

    def _shared_C(self, task_set: TaskSet) -> float:
        folds = {task.name: stratified_folds(task, self.seed) for task in task_set.tasks}
        errors = np.zeros(len(C_GRID))
        for repeat in range(REPEATS):
            for fold in range(FOLDS):
                parts = {task.name: split(task, folds[task.name][repeat], fold) for task in task_set.tasks}
                training = replace(task_set, tasks=tuple(train for train, _ in parts.values()))
                for c, C in enumerate(C_GRID):
                    for fit in replace(self, C=float(C)).run(training).fits:
                        task, held_out = task_set[fit.task.name], parts[fit.task.name][1]
                        errors[c] += np.sum(held_out.y * (held_out.X @ fit.weights) <= 0) / task.n_points
        return float(C_GRID[smallest_best(errors / (REPEATS * len(task_set)))])


def criterion(fit: Fit, m_bar: float) -> float:
    """Eq. (4)."""
    task = fit.task
    margins = task.y * (task.X @ fit.weights) / np.linalg.norm(task.X, axis=1)
    step = fit.weights - fit.source_weights
    return float(np.mean(norm.sf(margins)) + step @ step / (2.0 * np.sqrt(m_bar)))


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """Held-out points; unlike a task it may lack a class."""

    X: FloatArray
    y: FloatArray


def split(task: Task, fold_of: np.ndarray, fold: int) -> tuple[Task, Part]:
    """Training and held-out points of one fold."""
    inside = fold_of != fold
    train = Task(task.name, task.X[inside], task.y[inside])
    return train, Part(task.X[~inside], task.y[~inside])


def all_orders(task_set: TaskSet, literal: Literal) -> tuple[FloatArray, FloatArray, list[Outcome]]:
    """Sum of criteria and mean test error of every order, each learned on its own from the start."""
    sums, errors, outcomes = [], [], []
    for order in permutations(task_set.names):
        chain = list(zip(order, (None, *order[:-1]), strict=True))
        outcome = replace(literal, plan=chain).run(task_set)
        sums.append(sum(criterion(fit, task_set.m_bar) for fit in outcome.fits))
        if task_set.has_test:
            errors.append(np.mean([task_set[fit.task.name].test_error(fit.weights) for fit in outcome.fits]))
        outcomes.append(outcome)
    return np.array(sums), np.array(errors), outcomes
