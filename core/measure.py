"""What a mistake costs: the same on every point, or the same in both classes together (balanced error)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from core.errors import SettingsError
from core.features import BoolArray, FloatArray, IntArray

Measure = Literal["error", "balanced"]
MEASURES: tuple[Measure, ...] = ("error", "balanced")


def check_measure(measure: object) -> Measure:
    """`measure` if it is one."""
    for known in MEASURES:
        if measure == known:
            return known
    raise SettingsError(f"the measure is {measure!r}; use 'error' or 'balanced'")


def mistake_costs(y: FloatArray, measure: Measure) -> FloatArray:
    """The cost of a mistake on each point with the labels `y`; an error is the cost of all mistakes over all costs.

    Balanced, a positive point costs as many as there are negative ones and the other way round: the error is then the
    mean of the errors on the two classes. Costs are whole numbers, so that their sums are exact. Points of one class
    alone all cost 1.
    """
    positive = float(np.sum(y > 0))
    if measure == "error" or positive in (0.0, float(len(y))):
        return np.ones(len(y))
    return np.where(y > 0, len(y) - positive, positive)


def cost_share(wrong: BoolArray, costs: FloatArray) -> float:
    """The error of these mistakes at these costs."""
    return float(costs @ wrong / costs.sum())


def point_groups(labels: list[FloatArray], measure: Measure) -> tuple[IntArray, FloatArray]:
    """The group of every test point, given the labels of each task, and what each group weighs in the mean error.

    A group is a task or, for balanced errors, a class of a task; a task of one class weighs as much as one of two.
    """
    groups: list[IntArray] = []
    weights: list[float] = []
    for y in labels:
        classes = np.unique(y) if measure == "balanced" else np.zeros(1)
        own = np.searchsorted(classes, y) if len(classes) > 1 else np.zeros(len(y), dtype=np.int64)
        groups.append(len(weights) + own)
        weights += [1.0 / len(classes)] * len(classes)
    return np.concatenate(groups) if groups else np.empty(0, dtype=np.int64), np.array(weights)
