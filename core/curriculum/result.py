"""What a method learned, and the report of it that the contract asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from core.curriculum.bound import Bound
from core.curriculum.steps import Curriculum, Pair, Step
from core.features import BoolArray
from core.measure import Measure, cost_share, mistake_costs
from core.solver.box_qp import SolverSummary
from core.task_set import FloatArray, Normalize, TaskSet

CSetting = float | Literal["shared", "each"]


@dataclass(frozen=True, eq=False, slots=True)
class Answers:
    """Which test points of each task of a set are wrong (`y<w,x> <= 0`)."""

    task_set: TaskSet
    wrong: dict[str, BoolArray]

    @classmethod
    def of(cls, task_set: TaskSet, weights: Mapping[str, FloatArray]) -> Answers | None:
        """These weights on a set's test points, tasks in the order of the weights; None unless every task has some."""
        wrong = {}
        for name, own in weights.items():
            task = task_set[name]
            if task.X_test is None or task.y_test is None:
                return None
            wrong[name] = np.asarray(task.y_test * (task.X_test @ own) <= 0)
        return cls(task_set, wrong)

    @property
    def labels(self) -> dict[str, FloatArray]:
        """The label of every test point."""
        return {name: y for name in self.wrong if (y := self.task_set[name].y_test) is not None}

    @property
    def majority_wrong(self) -> dict[str, BoolArray]:
        """Which points are wrong if the larger class is always answered."""
        return {name: np.asarray(y != self.task_set[name].larger_class) for name, y in self.labels.items()}

    def errors(self, measure: Measure = "error") -> dict[str, float]:
        """Each task's test error."""
        return self._errors(self.wrong, measure)

    def majority_errors(self, measure: Measure = "error") -> dict[str, float]:
        """Each task's test error if the larger class is always answered."""
        return self._errors(self.majority_wrong, measure)

    def _errors(self, wrong: Mapping[str, BoolArray], measure: Measure) -> dict[str, float]:
        return {name: cost_share(wrong[name], mistake_costs(y, measure)) for name, y in self.labels.items()}

    @property
    def points(self) -> int:
        """How many test points all tasks have."""
        return sum(map(len, self.labels.values()))

    @property
    def answered_positive(self) -> int:
        """How many of them are answered positive: positive and right, or negative and wrong."""
        return sum(int(np.sum((y > 0) != self.wrong[name])) for name, y in self.labels.items())


@dataclass(frozen=True, slots=True)
class Prepared:
    """How the features were prepared, and the percentage of points that was set aside as test data before."""

    normalize: Normalize
    bias: bool
    holdout: int = 0


@dataclass(frozen=True, eq=False)
class Learned:
    """Weights for all tasks by one method; with its curriculum if the method is sequential.

    `measure` is what cross-validation counted; `answers` is None unless every task has test data.
    """

    task_set: str
    method: str
    C: CSetting
    seed: int
    chosen_C: dict[str, float]
    weights: dict[str, FloatArray]
    answers: Answers | None
    curriculum: Curriculum | None
    solver: SolverSummary
    forced: tuple[Pair, ...]
    prepared: Prepared
    measure: Measure = "error"

    @property
    def order(self) -> tuple[str, ...]:
        """Task names in the order of learning; the input order for a joint method."""
        return tuple(self.weights) if self.curriculum is None else self.curriculum.order

    @property
    def sources(self) -> dict[str, str | None]:
        """Every task's source."""
        return dict.fromkeys(self.weights) if self.curriculum is None else self.curriculum.sources

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of a sequential method; none for a joint one."""
        return () if self.curriculum is None else self.curriculum.steps

    @property
    def forced_steps(self) -> tuple[int, ...]:
        """The steps, from 1, that were forced to another choice than the method's own."""
        return () if self.curriculum is None else self.curriculum.forced_steps(len(self.forced))

    @property
    def bound(self) -> Bound | None:
        """Theorem 1; None for a joint method, of which it says nothing."""
        return None if self.curriculum is None else self.curriculum.bound

    def errors(self, measure: Measure | None = None) -> dict[str, float] | None:
        """Each task's test error by a measure, if not another by that of the learner; None without test data."""
        return None if self.answers is None else self.answers.errors(measure or self.measure)

    @cached_property
    def test_error(self) -> dict[str, float] | None:
        """Each task's share of wrong test points."""
        return self.errors("error")

    @cached_property
    def balanced_error(self) -> dict[str, float] | None:
        """Each task's mean of the errors on positive and on negative test points."""
        return self.errors("balanced")

    @cached_property
    def majority_error(self) -> dict[str, float] | None:
        """Each task's test error if the larger class of its training points were always answered."""
        return None if self.answers is None else self.answers.majority_errors()

    @property
    def mean_test_error(self) -> float | None:
        """Mean over tasks of the test error."""
        return mean_of(self.test_error)

    @property
    def mean_error(self) -> float | None:
        """Mean over tasks of the error that the learner's measure gives."""
        return mean_of(self.errors())

    def as_dict(self) -> dict[str, object]:
        """What `curriculab learn --json` writes; balanced errors if they were what counted."""
        bound = self.bound
        balanced: dict[str, object] = {
            "measure": self.measure,
            "balanced_error": self.balanced_error,
            "mean_balanced_error": mean_of(self.balanced_error),
        }
        return {
            "task_set": self.task_set,
            "method": self.method,
            "C": self.C,
            "seed": self.seed,
            "order": list(self.order),
            "sources": self.sources,
            "chosen_C": self.chosen_C,
            "steps": [
                {
                    "task": step.chosen.task,
                    "source": step.chosen.source,
                    "candidates": [
                        {
                            "task": candidate.task,
                            "source": candidate.source,
                            "error": candidate.error_term,
                            "complexity": candidate.complexity_term,
                            "criterion": candidate.criterion,
                            "C": candidate.C,
                        }
                        for candidate in step.candidates
                    ],
                }
                | ({"forced": True} if number in self.forced_steps else {})  # not the method's own choice
                for number, step in enumerate(self.steps, start=1)
            ],
            "bound": bound
            and {name: getattr(bound, name) for name in ("value", "error", "complexity", "constant", "delta")},
            "test_error": self.test_error,
            "mean_test_error": self.mean_test_error,
            "forced": [list(pair) for pair in self.forced],
            "prepared": asdict(self.prepared),
            "solver": self.solver.as_dict(),
        } | (balanced if self.measure == "balanced" else {})


def mean_of(errors: Mapping[str, float] | None) -> float | None:
    """The mean over tasks; None without test data."""
    return None if errors is None else float(np.mean(list(errors.values())))
