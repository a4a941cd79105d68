"""The test points of all tasks under what a method learned: which are wrong, and what that says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.features import FloatArray, IntArray
from core.measure import Measure, cost_share, mistake_costs
from core.task_set import TaskSet

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class Answers:
    """For each task: the test labels, which points are wrong (`y<w,x> <= 0`), and the larger class in training.

    `rows` numbers the points as `TaskSet.test_rows` does.
    """

    labels: dict[str, FloatArray]
    wrong: dict[str, BoolArray]
    larger: dict[str, float]
    rows: dict[str, IntArray]

    @classmethod
    def of(
        cls, task_set: TaskSet, weights: Mapping[str, FloatArray], rows: dict[str, IntArray] | None = None
    ) -> Answers | None:
        """These weights on a set's test points, tasks in the order of the weights; None unless every task has some."""
        labels, wrong = {}, {}
        for name, own in weights.items():
            task = task_set[name]
            if task.X_test is None or task.y_test is None:
                return None
            labels[name], wrong[name] = task.y_test, np.asarray(task.y_test * (task.X_test @ own) <= 0)
        larger = {name: task_set[name].larger_class for name in weights}
        return cls(labels, wrong, larger, task_set.test_rows() if rows is None else rows)

    @property
    def majority_wrong(self) -> dict[str, BoolArray]:
        """Which points are wrong if the larger class is always answered."""
        return {name: np.asarray(y != self.larger[name]) for name, y in self.labels.items()}

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


def mean_of(errors: Mapping[str, float] | None) -> float | None:
    """The mean over tasks; None without test data."""
    return None if errors is None else float(np.mean(list(errors.values())))
