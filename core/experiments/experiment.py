"""An experiment: methods × repeats on fresh draws of one source, in pieces that do not depend on each other."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from core.curriculum.bound import check_delta
from core.curriculum.learn import CSetting, Problem, check_C, check_seed
from core.curriculum.methods import METHODS, plan_for
from core.curriculum.steps import Forest
from core.errors import SettingsError
from core.fitting.cross_validation import stratified_folds
from core.measure import Measure, check_measure
from core.orders.all_orders import LIMIT, choose_orders, every_order
from core.solver.backends import check_solver
from core.task_set import Normalize, TaskSet

ORDERS = "orders"
"""The piece of a repeat that walks all fixed orders; Best and Worst are picked from it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one method did in one repeat; `order` is empty for a joint method.

    Balanced errors, and those of always answering the larger class, are None where they were not recorded.
    """

    repeat: int
    method: str
    seconds: float
    order: tuple[str, ...]
    sources: dict[str, str | None]
    chosen_C: dict[str, float]
    test_error: dict[str, float]
    bound: dict[str, float] | None
    balanced_error: dict[str, float] | None = None
    majority_error: dict[str, float] | None = None

    @property
    def forest(self) -> Forest:
        """Every task's source, in the order of learning."""
        return {task: self.sources[task] for task in self.order}

    def errors(self, measure: Measure) -> dict[str, float]:
        """Each task's test error by a measure."""
        found = self.test_error if measure == "error" else self.balanced_error
        if found is None:
            raise SettingsError("balanced errors were not recorded in this run; run it again to have them")
        return found

    def mean_error(self, measure: Measure) -> float:
        """Mean test error over tasks."""
        return float(np.mean(list(self.errors(measure).values())))

    def majority_mean(self, measure: Measure) -> float:
        """Mean test error of always answering the larger class, which must have been recorded.

        Balanced it is one half, but where a task's test points are of one class alone.
        """
        plain = np.array(list((self.majority_error or {}).values()))
        return float(np.mean(plain if measure == "error" else np.where((plain > 0) & (plain < 1), 0.5, plain)))


@dataclass(frozen=True, slots=True)
class OrdersOutcome:
    """Mean test error, by the run's measure, and bound of every fixed order in one repeat; the same orders in all."""

    repeat: int
    seconds: float
    names: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    test_errors: tuple[float, ...]
    bounds: tuple[float, ...]
    complete: bool

    @property
    def method(self) -> str:
        """The piece's name."""
        return ORDERS


_PAPER_FIRST = ("indsvm", "mergedsvm", "mt", "seqmt", "multiseqmt", "treemt", "diversity", "error", "compl")
NAMES: dict[str, str] = {
    **{key: METHODS[key] for key in (*_PAPER_FIRST, *METHODS) if key != "order"},
    "best": "Best",
    "worst": "Worst",
}
"""Key to display name of every method that can be compared."""
PICKED = ("best", "worst")
"""They are picked by the test errors that they are compared with, so no test of them would be one."""
MOST_TASKS_FOR_ORDERS = 5
"""Best and Worst run unasked for up to so many tasks (120 orders)."""
MOST_REPEATS = 10_000
LARGEST_SEED = 2**32 - 1
"""Sources draw with seeds of 32 bits."""


class Sampler(Protocol):
    """Where the task set of a repeat comes from; `key` names it, so that a worker can keep the last draw."""

    @property
    def key(self) -> str:
        """Equal for samplers that draw the same sets."""

    def sample(self, seed: int) -> TaskSet:
        """The draw that belongs to a seed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All that the results of a run depend on, beside the data. Repeat k draws and learns with seed `seed + k`."""

    source: str
    methods: tuple[str, ...]
    repeats: int = 20
    C: CSetting = "shared"
    normalize: Normalize | None = None
    bias: bool | None = None
    seed: int = 0
    delta: float = 0.05
    solver: str = "osqp"
    limit: int = LIMIT
    measure: Measure = "error"

    def __post_init__(self) -> None:
        if isinstance(self.repeats, bool) or not isinstance(self.repeats, int) or not 1 <= self.repeats <= MOST_REPEATS:
            raise SettingsError(f"{self.repeats!r} repeats are asked for; use a whole number from 1 to {MOST_REPEATS}")
        if not self.methods:
            raise SettingsError("no method is named; name at least one")
        object.__setattr__(self, "methods", method_keys(self.methods))
        object.__setattr__(self, "C", check_C(self.C))
        object.__setattr__(self, "delta", check_delta(self.delta))
        if check_seed(self.seed) + self.repeats > LARGEST_SEED:
            raise SettingsError(f"the seed is {self.seed}; with {self.repeats} repeats it must stay below 2**32")
        check_solver(self.solver)
        check_measure(self.measure)
        if self.normalize not in (None, "l2", "none"):
            raise SettingsError(f"normalize is {self.normalize!r}; use 'l2' or 'none'")

    @property
    def picked(self) -> tuple[str, ...]:
        """Best and Worst where they are asked for: all orders are walked for them."""
        return tuple(method for method in self.methods if method in PICKED)

    @property
    def first_pieces(self) -> tuple[tuple[int, str], ...]:
        """(repeat, method) of all that can begin at once; a repeat's pieces together, as they share its draw."""
        learners = [method for method in self.methods if method not in PICKED]
        walk = [ORDERS] if self.picked else []
        return tuple((repeat, method) for repeat in range(self.repeats) for method in (*walk, *learners))

    @property
    def last_pieces(self) -> tuple[tuple[int, str], ...]:
        """(repeat, method) of Best and Worst, which need the orders of all repeats."""
        return tuple((repeat, method) for repeat in range(self.repeats) for method in self.picked)

    @property
    def pieces(self) -> tuple[tuple[int, str], ...]:
        """All pieces."""
        return self.first_pieces + self.last_pieces

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"methods": list(self.methods)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """The inverse of `as_dict`; everything is checked again."""
        return cls(**{**values, "methods": tuple(values["methods"])})


def differing(first: Settings, second: Settings) -> dict[str, tuple[str, str]]:
    """What is set otherwise, by name; methods that one of them alone has."""
    ours, theirs = first.as_dict(), second.as_dict()
    found = {}
    for name, value in ours.items():
        if name == "methods":
            alone = [[m for m in a if m not in b] for a, b in ((value, theirs[name]), (theirs[name], value))]
            if any(alone):
                a, b = (", ".join(NAMES[method] for method in methods) or "none" for methods in alone)
                found[name] = (a, b)
        elif value != theirs[name]:
            a, b = ("as the set asks" if one is None else str(one) for one in (value, theirs[name]))
            found[name] = (a, b)
    return found


def method_keys(names: Sequence[str]) -> tuple[str, ...]:
    """Keys of methods named in any case, each once."""
    keys = []
    for name in names:
        key = str(name).strip().lower()
        if key not in NAMES:
            raise SettingsError(
                f"there is no method {str(name)[:40]!r} to compare; choose of {', '.join(NAMES.values())}"
            )
        keys.append(key)
    return tuple(dict.fromkeys(keys))


def usual_methods(task_set: TaskSet) -> tuple[str, ...]:
    """All methods that make sense: Semantic where there is such an order, Best and Worst where orders are few."""
    few = len(task_set) <= MOST_TASKS_FOR_ORDERS
    left_out = {"semantic"} if task_set.semantic_order is None else set()
    return tuple(key for key in NAMES if key not in left_out and (few or key not in PICKED))


def check_draw(settings: Settings, task_set: TaskSet) -> None:
    """Refuse settings that do not fit the drawn tasks, before anything is computed."""
    if not task_set.has_test:
        raise SettingsError(f"task set {task_set.name!r} has tasks without test data, so methods cannot be compared")
    for method in settings.methods:
        if method in METHODS:
            plan_for(method, task_set, settings.seed)
    task_set.prepared(settings.normalize, settings.bias)
    if isinstance(settings.C, str):
        for task in task_set.tasks:
            stratified_folds(task, settings.seed)
    choose_orders(len(task_set), settings.limit if settings.picked else LIMIT, 0)


def compute(
    settings: Settings, sampler: Sampler, repeat: int, method: str, order: tuple[str, ...] | None = None
) -> Outcome | OrdersOutcome:
    """One piece, from its seed alone; `order` is the fixed order that Best or Worst stands for."""
    problem = _problem(settings, sampler, settings.seed + repeat)
    started = time.perf_counter()
    if method == ORDERS:
        return _walk(settings, problem.task_set, repeat, started)
    learned = problem.learn("order" if order else method, settings.C, delta=settings.delta, order=order)
    seconds = time.perf_counter() - started
    bound = learned.bound
    parts = ("value", "error", "complexity", "constant", "hoeffding", "confidence", "union", "delta")
    return Outcome(
        repeat,
        method,
        seconds,
        learned.order if learned.curriculum is not None else (),
        learned.sources,
        learned.chosen_C,
        learned.test_error or {},
        None if bound is None else {part: float(getattr(bound, part)) for part in parts},
        learned.balanced_error,
        learned.majority_error,
    )


def _walk(settings: Settings, task_set: TaskSet, repeat: int, started: float) -> OrdersOutcome:
    walked = every_order(
        task_set,
        C=settings.C,
        seed=settings.seed + repeat,
        delta=settings.delta,
        solver=settings.solver,
        # A sample drawn with the seed of the repeat would be the repeat's own.
        only=choose_orders(len(task_set), settings.limit, settings.seed),
        own_C=True,
        measure=settings.measure,
    )
    assert walked.test_errors is not None  # check_draw refuses sets without
    return OrdersOutcome(
        repeat,
        time.perf_counter() - started,
        task_set.names,
        tuple(map(tuple, walked.orders.tolist())),
        tuple(walked.test_errors.tolist()),
        tuple(walked.bounds.tolist()),
        walked.complete,
    )


_last: dict[tuple[Settings, str, int], Problem] = {}


def _problem(settings: Settings, sampler: Sampler, seed: int) -> Problem:
    """The problem of a repeat, kept for its next method: a learner leaves it as it was."""
    key = (settings, sampler.key, seed)
    found = _last.get(key)
    if found is None:
        prepare = {name: getattr(settings, name) for name in ("normalize", "bias", "solver", "measure")}
        found = Problem(sampler.sample(seed), seed=seed, **prepare)
        _last.clear()
        _last[key] = found
    return found
