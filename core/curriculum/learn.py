"""`learn`: one method on one task set, from features to weights, with everything the contract reports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.curriculum.bound import check_delta
from core.curriculum.greedy_kernel import greedy_chain
from core.curriculum.methods import GREEDY, METHODS, RULES, method_key, plan_for
from core.curriculum.result import CSetting, Learned
from core.curriculum.search import NO_SOURCE, FitTasks, Plan, as_curriculum, own_margins, search
from core.curriculum.steps import Curriculum, Pair, test_errors
from core.errors import SettingsError
from core.fitting.cross_validation import C_GRID, CountWrong, Folds, Progress, smallest_best
from core.fitting.fits import Fits, Stage
from core.fitting.gram import IntArray, Pool
from core.fitting.joint import Joint
from core.solver.box_qp import check_solver
from core.solver.threads import one_blas_thread
from core.tasks import FloatArray, Normalize, TaskSet

__all__ = ["CSetting", "Learned", "Problem", "check_C", "check_seed", "fit_at", "fit_each", "learn"]


def check_C(C: object) -> CSetting:
    """`C` as 'shared', 'each' or a positive number."""
    if C in ("shared", "each"):
        return "shared" if C == "shared" else "each"
    if isinstance(C, (int, float)) and not isinstance(C, bool) and 0.0 < C < float("inf"):
        return float(C)
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
    ) -> None:
        self.seed = check_seed(seed)
        self.solver = check_solver(solver)
        self.task_set = task_set.prepared(normalize, bias)

    @cached_property
    def pool(self) -> Pool:
        """The inner products, computed once."""
        with one_blas_thread():
            return Pool(self.task_set)

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
        progress: Progress | None = None,
    ) -> Learned:
        """Run a method; `choices` forces the first (task, source) pairs of a greedy one."""
        key = method_key(method)
        setting, delta = check_C(C), check_delta(delta)
        plan = plan_for(key, self.task_set, self.seed, order)
        forced = self._forced(key, choices)
        with one_blas_thread():
            if key in ("mergedsvm", "mt"):
                return self._joint(key, setting, progress)
            return self._sequential(key, setting, delta, plan or forced, bool(plan), progress)

    def _forced(self, key: str, choices: Sequence[Pair]) -> Plan:
        if choices and key not in GREEDY:
            raise SettingsError(f"method {METHODS[key]} makes no choices, so none can be forced")
        if len(choices) > len(self.task_set):
            raise SettingsError(f"{len(choices)} choices are forced but there are only {len(self.task_set)} tasks")
        index = self.task_set.index
        return [(index(task), NO_SOURCE if source is None else index(source)) for task, source in choices]

    def _joint(self, key: str, setting: CSetting, progress: Progress | None) -> Learned:
        joint = Joint.of(self.pool, "mt" if key == "mt" else "mergedsvm", self.solver)
        # One fit has one C, so `each` and `shared` are the same here.
        C = self._shared_C(joint.count_wrong, progress) if isinstance(setting, str) else setting
        weights = joint.weights(C)
        return self._learned(key, setting, dict.fromkeys(self.task_set.names, C), weights, None)

    def _sequential(
        self, key: str, setting: CSetting, delta: float, plan: Plan, fixed: bool, progress: Progress | None
    ) -> Learned:
        rule = RULES[key]

        def count_wrong(inside: list[IntArray], outside: list[IntArray]) -> FloatArray:
            stage = Stage(self.pool, inside)
            counts = np.empty((len(C_GRID), len(outside)))
            for c, C in enumerate(C_GRID):
                carried = None if plan else greedy_chain(stage, rule, float(C))
                if carried is None:
                    found = search(stage, rule, fit_at(stage, float(C)), plan, fixed)
                    carried = own_margins(stage, found), found.any_at_limit
                margins, any_at_limit = carried
                counts[c] = [np.sum(margins[rows] <= 0) for rows in outside]
                if not any_at_limit:  # then every larger C gives the same weights
                    counts[c + 1 :] = counts[c]
                    break
            return counts

        stage = Stage(self.pool, solver=self.solver)
        if setting == "each":
            fit = fit_each(stage, self.folds, progress, fixed)
        else:
            fit = fit_at(stage, self._shared_C(count_wrong, progress) if setting == "shared" else float(setting))
        found = search(stage, rule, fit, plan, fixed)
        curriculum = as_curriculum(stage, found, rule, delta)
        chosen = {candidate.task: candidate.C for candidate in curriculum.chosen}
        return self._learned(key, setting, chosen, curriculum.weights, curriculum)

    def _shared_C(self, count_wrong: CountWrong, progress: Progress | None) -> float:
        return float(C_GRID[smallest_best(self.folds.shared_errors(count_wrong, progress))])

    def _learned(
        self,
        key: str,
        C: CSetting,
        chosen_C: dict[str, float],
        weights: dict[str, FloatArray],
        curriculum: Curriculum | None,
    ) -> Learned:
        errors = test_errors(self.task_set, weights)
        return Learned(self.task_set.name, key, C, self.seed, chosen_C, weights, errors, curriculum)


def fit_at(stage: Stage, C: float) -> FitTasks:
    """Fits at one C."""
    return lambda margins, tasks: (stage.fit(margins, tasks, C), np.full(len(tasks), C))


def fit_each(stage: Stage, folds: Folds, progress: Progress | None, one_a_step: bool) -> FitTasks:
    """Fits in which every Adaptive SVM picks its own C, given its source."""
    n = len(stage.sizes)
    total = n if one_a_step else n + n * (n - 1) // 2
    done = 0

    def fit(margins: FloatArray, tasks: IntArray) -> tuple[Fits, FloatArray]:
        nonlocal done
        Cs = folds.choose_each(tasks, margins)
        alpha = np.zeros((len(tasks), int(stage.sizes.max())))
        error, squared = np.zeros((2, len(tasks)))
        touched = False
        for C in np.unique(Cs):
            rows = np.flatnonzero(Cs == C)
            fits = stage.fit(margins, tasks[rows], float(C))
            alpha[rows], error[rows], squared[rows] = fits.alpha, fits.error_terms, fits.squared_steps
            touched |= fits.any_at_limit
        done += len(tasks)
        if progress is not None:
            progress(min(done, total), total)
        return Fits(tasks, alpha, error, squared, touched), Cs

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
    progress: Progress | None = None,
) -> Learned:
    """Learn all tasks of a set by one method: what `curriculab learn` does.

    `normalize` and `bias` default to what the set asks for; `order` is for the method 'order'; `choices` forces the
    first (task, source) pairs of a greedy method; `progress(done, total)` may raise `Cancelled`.
    """
    problem = Problem(task_set, normalize=normalize, bias=bias, seed=seed, solver=solver)
    return problem.learn(method, C, delta=delta, order=order, choices=choices, progress=progress)
