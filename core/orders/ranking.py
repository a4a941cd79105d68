"""Where one order stands among many, whether the bound tells good orders from bad ones, and what of it is chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.curriculum.learn import Learned
from core.curriculum.result import mean_of
from core.curriculum.steps import TIE
from core.features import IntArray
from core.orders.all_orders import Missed, Orders
from core.statistics.noise import (
    CHANCE,
    Interval,
    Significance,
    by_row,
    cochran_q,
    mcnemar,
    mean_interval,
    rank_correlation,
    rounded,
    spearman_interval,
    split_half,
)
from core.task_set import FloatArray

MOST_TESTED = 500
"""Orders, evenly chosen, that the test of all orders looks at: more tell nothing new, as many begin alike."""


@dataclass(frozen=True, slots=True)
class Place:
    """A named point among all orders; `order` is None for an average over orders, values are None without test data.

    `percentile` is that of its test error, or of its bound without test data: 0 is the lowest, 100 the highest.
    `beaten` is the percentage of the orders that are clearly worse, `whisker` how far its test error is sure: 95 % over
    the test points of one draw, or one standard error over several draws.
    """

    label: str
    order: tuple[str, ...] | None
    bound: float
    test_error: float | None
    percentile: float
    beaten: float
    whisker: Interval | None = None

    @property
    def ahead(self) -> float:
        """Percentage of the orders that are clearly better."""
        return max(2.0 * self.percentile + self.beaten - 100.0, 0.0)


def percentile(values: FloatArray, value: float) -> float:
    """Percentage of `values` below `value`, of which ties count half."""
    near = TIE * max(1.0, abs(value))
    below, equal = np.sum(values < value - near), np.sum(np.abs(values - value) <= near)
    return float(100.0 * (below + equal / 2) / len(values))


def beaten(values: FloatArray, value: float) -> float:
    """Percentage of `values` above `value`, ties left out."""
    return float(100.0 * np.mean(values > value + TIE * max(1.0, abs(value))))


def agreement(orders: Orders) -> float | None:
    """Spearman's ρ of bound and test error over the orders; None without test data or where either is constant."""
    if orders.test_errors is None:
        return None
    # Rounded, so that orders which differ by a solver's last bits tie.
    return rank_correlation(rounded(orders.bounds), rounded(orders.test_errors))


def place(
    orders: Orders,
    label: str,
    order: tuple[str, ...] | None,
    bound: float,
    test_error: float | None,
    whisker: Interval | None = None,
) -> Place:
    """A point with its percentile among the walked orders."""
    if orders.test_errors is None or test_error is None:
        values, value, test_error = orders.bounds, bound, None
    else:
        values, value = orders.test_errors, test_error
    return Place(label, order, bound, test_error, percentile(values, value), beaten(values, value), whisker)


def place_learned(orders: Orders, label: str, learned: Learned) -> Place:
    """Where a method that learns in one sequence stands."""
    bound, points, answers = learned.bound, orders.points, learned.answers
    whisker = None
    if points is not None and answers is not None:
        wrong = np.concatenate([answers.wrong[name] for name in orders.names])
        whisker = _whisker(points, np.bincount(points.groups, wrong).astype(np.int64))
    value = float("nan") if bound is None else bound.value
    return place(orders, label, learned.order, value, mean_of(learned.errors(orders.measure)), whisker)


def place_row(orders: Orders, label: str, row: int) -> Place:
    """One of the walked orders."""
    error = None if orders.test_errors is None else float(orders.test_errors[row])
    points = orders.points
    whisker = None if points is None else _whisker(points, points.counts(row))
    return place(orders, label, orders.named(row), float(orders.bounds[row]), error, whisker)


def _whisker(points: Missed, counts: IntArray) -> Interval:
    """Of a mean test error with so many wrong points of each group."""
    return mean_interval(counts, points.sizes, weights=points.weights)


def extremes(orders: Orders) -> tuple[Place, Place, Place]:
    """Best and Worst by test error (by bound without test data), and Random: the mean over the walked orders.

    Best and Worst are picked by the test points that they are shown with, so they look better and worse than they are.
    """
    errors = orders.test_errors
    by = orders.bounds if errors is None else errors
    mean = place(
        orders, "Random", None, float(np.mean(orders.bounds)), None if errors is None else float(np.mean(errors))
    )
    return place_row(orders, "Best", int(np.argmin(by))), place_row(orders, "Worst", int(np.argmax(by))), mean


@dataclass(frozen=True, slots=True)
class OrderNoise:
    """What the spread of the orders' test errors, and their relation to the bound, is worth.

    `gap`: how far best and worst are apart on test points (over draws: on draws) that did not choose them. `tested`: do
    orders differ at all, by Cochran's Q on the test points of one draw or Friedman's test over draws. `point`: the most
    that one test point weighs in a mean test error. `correlation` of bound and test error, the mean over draws of each
    draw's, with its 95 % interval over test points or draws; `positive`: on how many draws it is above 0. `overlap` of
    samples that split the same rows anew, which both the test and the interval count in.
    """

    draws: int
    gap: float
    tested: Significance
    point: float | None
    correlation: float | None
    interval: Interval | None
    positive: int
    overlap: float | None = None

    @property
    def differ(self) -> bool:
        """Whether orders differ by more than chance."""
        return self.tested.p_value < CHANCE


def noise_of(orders: Orders) -> OrderNoise | None:
    """Of one draw; None without the test points."""
    points = orders.points
    if points is None:
        return None
    wrong = points.wrong
    picked = np.unique(np.linspace(0, len(wrong) - 1, min(len(wrong), MOST_TESTED)).astype(int))
    rho = agreement(orders)
    return OrderNoise(
        1,
        split_half(wrong, points.groups, points.rows, points.weights),
        cochran_q(wrong[picked], points.rows, None if orders.measure == "error" else points.shares),
        float(points.shares.max()),
        rho,
        spearman_interval(orders.bounds, wrong, points.groups, points.rows, points.weights),
        int(rho is not None and rho > 0),
    )


def pair_p_value(orders: Orders, first: int, second: int) -> float | None:
    """McNemar's test of two rows on the test points of one draw; None without the test points."""
    points = orders.points
    if points is None:
        return None
    wrong = points.wrong[[first, second]]
    if orders.measure == "balanced":
        return cochran_q(wrong, points.rows, points.shares).p_value  # of two: McNemar's test, at their costs
    more = by_row((wrong[0] * 1.0 - wrong[1])[None], points.rows)[0]
    return mcnemar(more > 0, more < 0)
