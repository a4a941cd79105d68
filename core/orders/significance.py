"""What of the differences between orders is more than chance: on one draw's test points, or over draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.orders.over_samples import OverDraws
from core.orders.ranking import agreement
from core.orders.result import Orders
from core.statistics.noise import (
    CHANCE,
    Interval,
    Significance,
    by_row,
    cochran_q,
    friedman,
    held_out_gap,
    mcnemar,
    rank_correlation,
    rounded,
    spearman_interval,
    split_half,
)
from core.statistics.t_test import t_interval
from core.task_set import FloatArray

MOST_TESTED = 500
"""Orders, evenly chosen, that the test of all orders looks at: more tell nothing new, as many begin alike."""


@dataclass(frozen=True, slots=True)
class OrderNoise:
    """What the spread of the orders' test errors, and their relation to the bound, is worth.

    `gap`: how far best and worst are apart on test points (over draws: on draws) that did not choose them. `tested`: do
    orders differ at all, by Cochran's Q on the test points of one draw or Friedman's test over draws. `point`: the most
    that one test point weighs in a mean test error. `correlation` of bound and test error, the mean over draws of each
    draw's, with its 95 % interval over test points or draws; `positive`: on how many draws it is above 0. `overlap` of
    draws that split the same rows anew, which both the test and the interval count in.
    """

    draws: int
    gap: float
    tested: Significance
    test: Literal["Cochran", "Friedman"]
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
        "Cochran",
        float(points.shares.max()),
        rho,
        spearman_interval(orders.bounds, wrong, points.groups, points.rows, points.weights),
        int(rho is not None and rho > 0),
    )


def noise_over(found: OverDraws) -> OrderNoise | None:
    """Over draws; None for fewer than two."""
    if found.draws < 2:
        return None
    best, worst = held_out_gap(found.errors)
    rhos = correlations(found)
    likely = t_interval(rhos, found.overlap)
    return OrderNoise(
        found.draws,
        worst - best,
        friedman(found.errors, found.overlap),
        "Friedman",
        None,
        float(rhos.mean()) if len(rhos) else None,
        None if likely is None else Interval(max(likely.low, -1.0), min(likely.high, 1.0)),
        int(np.sum(rhos > 0)),
        overlap=found.overlap,
    )


def correlations(found: OverDraws) -> FloatArray:
    """The rank correlation of bound and test error on every draw that has one."""
    rhos = [rank_correlation(rounded(b), rounded(e)) for b, e in zip(found.bounds, found.errors, strict=True)]
    return np.array([rho for rho in rhos if rho is not None])


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
