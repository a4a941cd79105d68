"""`learn`: one method on one task set, from features to weights, with everything the contract reports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from core.curriculum.bound import check_delta
from core.curriculum.greedy_kernel import mistakes
from core.curriculum.methods import GREEDY, METHODS, RULES, method_key, plan_for
from core.curriculum.result import Answers, CSetting, Learned, Prepared
from core.curriculum.search import NO_SOURCE, FitTasks, Plan, Search, as_curriculum, search
from core.curriculum.steps import Pair, Rule
from core.errors import SettingsError
from core.features import IntArray
from core.fitting.cross_validation import C_GRID, CountWrong, Folds, Progress, number_C, on_grid, smallest_best
from core.fitting.joint import Joint
from core.fitting.pool import Pool
from core.fitting.stage import Fits, Stage
from core.measure import Measure, check_measure
from core.solver.backends import check_solver
from core.solver.box_qp import SolveRecord, SolverSummary
from core.solver.threads import one_blas_thread
from core.task_set import FloatArray, Normalize, TaskSet

__all__ = ["CSetting", "Learned", "Problem", "check_C", "check_seed", "fit_at", "learn"]


def check_C(C: object) -> CSetting:
    """`C` as 'shared', 'each' or a positive number."""
    if isinstance(C, str) and C in ("shared", "each"):
        return "shared" if C == "shared" else "each"
    if (number := number_C(C)) is not None:
        return number
    raise SettingsError(f"C is {C!r}; use 'shared', 'each' or a number above 0")


def check_seed(seed: object) -> int:
    """A seed that numpy accepts."""
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool) and 0 <= seed < 2**63:
        return int(seed)
    raise SettingsError(f"the seed is {seed!r}; use a whole number from 0 up")


class Problem:
    """A prepared task set with its inner products and folds, on which several methods can run."""

    def __init__(
        self,
        task_set: TaskSet,
        *,
        normalize: Normalize | None = None,
        bias: bool | None = None,
        seed: int = 0,
        solver: str = "osqp",
        holdout: int = 0,
        measure: Measure = "error",
    ) -> None:
        """`holdout` is the percentage of points that were set aside as test data before, for results to say.

        `measure` is what cross-validation counts: mistakes, or balanced ones, which weigh both classes alike.
        """
        self.measure = check_measure(measure)
        self.seed = check_seed(seed)
        self.solver = check_solver(solver)
        self.task_set = task_set.prepared(normalize, bias)
        self.prepared = Prepared(
            task_set.normalize if normalize is None else normalize, task_set.bias if bias is None else bias, holdout
        )

    @cached_property
    def pool(self) -> Pool:
        """The inner products, computed once."""
        with one_blas_thread():
            return Pool(self.task_set, measure=self.measure)

    @cached_property
    def folds(self) -> Folds:
        """The 5×5 folds of this seed."""
        return Folds.draw(self.pool, self.seed)

    def learn(
        self,
        method: str = "seqmt",
        C: CSetting = "shared",
        *,
        delta: float = 0.05,
        order: Sequence[str] | None = None,
        choices: Sequence[Pair] = (),
        C_choices: int = 1,
        progress: Progress | None = None,
    ) -> Learned:
        """Run a method; `choices` forces the first (task, source) pairs of a greedy one.

        `C_choices` is for a number C that was itself picked among so many on these data: the bound then says so, as it
        does of `shared`.
        """
        key = method_key(method)
        setting, delta = check_C(C), check_delta(delta)
        plan = plan_for(key, self.task_set, self.seed, order)
        forced = self._forced(key, choices)
        with one_blas_thread():
            if key in RULES:
                stage, outcome = self._sequential(key, setting, plan or forced, bool(plan), progress)
                picked_among = len(C_GRID) if setting == "shared" else C_choices
                curriculum = as_curriculum(stage, outcome, RULES[key], delta, picked_among)
                chosen = {candidate.task: candidate.C for candidate in curriculum.chosen}
                weights, solved = curriculum.weights, [candidate.solved for candidate in curriculum.candidates]
            else:
                joint = Joint.of(self.pool, "mt" if key == "mt" else "mergedsvm", self.solver)
                # One fit has one C, so `each` and `shared` are the same here.
                one_C = self._shared_C(joint.count_wrong, progress) if isinstance(setting, str) else setting
                chosen, curriculum = dict.fromkeys(self.task_set.names, one_C), None
                weights, record = joint.fit(one_C)
                solved = [record]
            return Learned(
                self.task_set.name,
                key,
                setting,
                self.seed,
                chosen,
                weights,
                Answers.of(self.task_set, weights),
                curriculum,
                SolverSummary.of(self.solver, solved),
                tuple((task, source) for task, source in choices),
                self.prepared,
                self.measure,
            )

    def _forced(self, key: str, choices: Sequence[Pair]) -> Plan:
        if len(choices) and key not in GREEDY:
            raise SettingsError(f"method {METHODS[key]} makes no choices, so none can be forced")
        if len(choices) > len(self.task_set):
            raise SettingsError(f"{len(choices)} choices are forced but there are only {len(self.task_set)} tasks")
        index = self.task_set.index
        pairs: list[Any] = [
            tuple(choice) if isinstance(choice, (list, tuple, np.ndarray)) else (choice,) for choice in choices
        ]
        for pair in pairs:
            if len(pair) != 2 or not isinstance(pair[0], str) or not isinstance(pair[1], str | None):
                raise SettingsError(f"choice {pair!r} is no pair of a task and its source; give None for no source")
        return [(index(task), NO_SOURCE if source is None else index(source)) for task, source in pairs]

    def _sequential(
        self, key: str, setting: CSetting, plan: Plan, fixed: bool, progress: Progress | None
    ) -> tuple[Stage, Search]:
        rule = RULES[key]

        def count_wrong(inside: list[IntArray], outside: list[IntArray]) -> FloatArray:
            stage = Stage(self.pool, inside)
            counted = mistakes(stage, rule, outside, plan, fixed)
            return on_grid(lambda C: counted(C) or searched_mistakes(stage, rule, C, outside, plan, fixed))

        stage = Stage(self.pool, solver=self.solver)
        if setting == "shared":
            fit = fit_at(stage, self._shared_C(count_wrong, progress))
        else:
            fit = fit_at(stage, self.folds if setting == "each" else float(setting), progress, fixed)
        return stage, search(stage, rule, fit, plan, fixed)

    def _shared_C(self, count_wrong: CountWrong, progress: Progress | None) -> float:
        return float(C_GRID[smallest_best(self.folds.shared_errors(count_wrong, progress))])


def searched_mistakes(
    stage: Stage, rule: Rule, C: float, held_out: list[IntArray], plan: Plan, fixed: bool
) -> tuple[FloatArray, bool]:
    """What `greedy_kernel.mistakes` counts, by the search itself."""
    found = search(stage, rule, fit_at(stage, C), plan, fixed)
    wrong = [stage.pool.costs[rows] @ (found.sources[k].margins[rows] <= 0) for k, rows in enumerate(held_out)]
    return np.array(wrong), found.any_at_limit


def fit_at(stage: Stage, C: float | Folds, progress: Progress | None = None, one_a_step: bool = False) -> FitTasks:
    """Fits at one C, or each at the C that it picks on the folds, given its source.

    `progress` tells how many of the fits of a search are done, as far as their number is known before it.
    """
    n = len(stage.sizes)
    total = n if one_a_step else n + n * (n - 1) // 2
    done = 0

    def fit(margins: FloatArray, tasks: IntArray) -> tuple[Fits, list[SolveRecord]]:
        nonlocal done
        own_C = C.choose_each(tasks, margins) if isinstance(C, Folds) else np.full(len(tasks), C)
        found = stage.fit(margins, tasks, own_C)
        done += len(tasks)
        if progress is not None:
            progress(min(done, total), total)
        return found

    return fit


def learn(
    task_set: TaskSet,
    method: str = "seqmt",
    *,
    C: CSetting = "shared",
    normalize: Normalize | None = None,
    bias: bool | None = None,
    seed: int = 0,
    delta: float = 0.05,
    solver: str = "osqp",
    order: Sequence[str] | None = None,
    choices: Sequence[Pair] = (),
    measure: Measure = "error",
    progress: Progress | None = None,
) -> Learned:
    """Learn all tasks of a set by one method: what `curriculab learn` does.

    `normalize` and `bias` default to what the set asks for; `order` is for the method 'order'; `choices` forces the
    first (task, source) pairs of a greedy method; `measure` is the error by which C is chosen, 'error' or 'balanced';
    `progress(done, total)` may raise `Cancelled`.
    """
    problem = Problem(task_set, normalize=normalize, bias=bias, seed=seed, solver=solver, measure=measure)
    return problem.learn(method, C, delta=delta, order=order, choices=choices, progress=progress)
