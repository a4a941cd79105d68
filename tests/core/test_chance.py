"""What is called clear, or a group's share in it, where groups, rows and the number of looks are not all alike."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from core.experiments.experiment import Outcome, Settings
from core.experiments.summary import results_of
from core.measure import MEASURES
from core.orders.all_orders import Missed, Orders
from core.orders.orders_by_draw import OrdersByDraw, noise_over
from core.orders.ranking import pair_p_value, place_row
from core.statistics.majority import against_majority, over_repeats
from core.statistics.noise import mean_interval
from core.statistics.t_test import Estimate, estimate, holm_corrected, t_interval
from tests.core.test_measure import answers_of


@pytest.mark.parametrize("weights", [(1.0, 1.0), (2.0, 1.0), (0.5, 1.0), (0.1, 0.9)])
def test_the_interval_of_a_mean_weighs_each_group(weights: tuple[float, float]) -> None:
    wrong, n = np.array([1_000, 5_000]), np.array([10_000, 10_000])
    mean = (0.1 * weights[0] + 0.5 * weights[1]) / sum(weights)
    found = mean_interval(wrong, n, weights=np.array(weights))
    assert (found.low + found.high) / 2 == pytest.approx(mean, abs=0.002)
    assert found.high - found.low < 0.02


def orders_of(wrong: np.ndarray, groups: np.ndarray, weights: np.ndarray, rows: np.ndarray) -> Orders:
    """Orders of these mistakes, a row each."""
    missed = Missed(np.packbits(wrong, axis=1), groups, weights, rows)
    n = len(wrong)
    errors = wrong @ missed.shares
    return Orders(("a", "b"), np.zeros((n, 2), dtype=np.int64), np.arange(float(n)), errors, np.ones(n), missed)


def test_the_whisker_of_an_order_is_by_the_weights_of_its_groups() -> None:
    """A task of one class weighs as much as both classes of another."""
    wrong = np.zeros((1, 30_000), dtype=bool)
    wrong[0, :1_000] = wrong[0, 10_000:15_000] = wrong[0, 20_000:29_000] = True  # 10, 50 and 90 %
    groups, weights = np.repeat([0, 1, 2], 10_000), np.array([0.5, 0.5, 1.0])
    found = place_row(orders_of(wrong, groups, weights, np.arange(30_000)), "it", 0)
    assert found.test_error == pytest.approx(0.6)
    assert found.whisker is not None
    assert (found.whisker.low + found.whisker.high) / 2 == pytest.approx(0.6, abs=0.002)


def test_two_orders_on_tasks_of_the_same_rows_differ_as_clearly_as_on_one_of_them() -> None:
    rng = np.random.default_rng(0)
    once = rng.random((2, 40)) < np.array([[0.25], [0.5]])
    alone, other = np.zeros(40, dtype=np.int64), np.repeat(np.arange(4), 40)
    one = orders_of(once, alone, np.ones(1), np.arange(40))
    shared = orders_of(np.tile(once, 4), other, np.ones(4), np.tile(np.arange(40), 4))
    apart = orders_of(np.tile(once, 4), other, np.ones(4), np.arange(160))
    only = int(np.sum(once[0] & ~once[1])), int(np.sum(once[1] & ~once[0]))
    assert pair_p_value(one, 0, 1) == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue)
    assert pair_p_value(shared, 0, 1) == pair_p_value(one, 0, 1)
    assert pair_p_value(apart, 0, 1) == pytest.approx(stats.binomtest(4 * only[0], 4 * sum(only)).pvalue)


def test_who_is_always_wrong_is_as_unlikely_by_chance_but_not_better() -> None:
    labels = {f"t{k}": np.repeat([1.0, -1.0], [30, 34]) for k in range(3)}
    answers = answers_of(labels, {name: np.ones(64, dtype=bool) for name in labels})
    found = against_majority(SimpleNamespace(answers=answers))  # type: ignore[arg-type]
    assert found is not None
    assert found.errors == {"error": 1.0, "balanced": 1.0}
    assert found.better == {"error": False, "balanced": False}


def test_of_many_methods_one_is_called_better_where_bonferroni_finds_it() -> None:
    rng = np.random.default_rng(4)
    seen = set()
    for trial in range(60):
        errors = {by: 0.4 - 0.004 * trial / 10 + 0.02 * rng.standard_normal(12) for by in MEASURES}
        majority = {by: np.full(12, 0.4) for by in MEASURES}
        for methods in (1, 2, 12):
            found = over_repeats(errors, majority, None, methods)
            for by in MEASURES:
                plain = stats.ttest_1samp(np.round(errors[by] - 0.4, 9), 0)
                wanted = plain.statistic < 0 and plain.pvalue < 0.05 / methods
                assert found.better[by] == wanted
                seen.add((methods, wanted))
    assert len(seen) == 6


def test_a_method_is_held_against_the_larger_class_among_all_methods_of_its_run() -> None:
    """Better by 1.5 ± 1.9 points in 12 repeats: clear alone, not among five."""
    gaps = 0.02 * stats.norm.ppf((np.arange(12) + 0.5) / 12) - 0.015

    def has_learned(*methods: str) -> bool:
        outcomes = [
            Outcome(k, one, 1.0, (), {}, {}, {"a": 0.4 + gap}, None, {"a": 0.5 + gap}, {"a": 0.4})
            for one in methods
            for k, gap in enumerate(gaps)
        ]
        return results_of(Settings("s", methods, 12), outcomes).has_learned("seqmt")

    assert stats.ttest_1samp(gaps, 0).pvalue < 0.05 < 5 * stats.ttest_1samp(gaps, 0).pvalue
    assert has_learned("seqmt")
    assert not has_learned("seqmt", "mt", "indsvm", "random", "treemt")


def test_of_two_that_tie_both_intervals_are_as_wide_as_looking_at_both_asks() -> None:
    one = Estimate(3.0, 1.0, 9.0)
    found = holm_corrected([one, one, Estimate(9.0, 1.0, 9.0)])
    assert [each and each.interval for each in found] == [
        one.interval(0.05 / 2),
        one.interval(0.05 / 2),
        Estimate(9.0, 1.0, 9.0).interval(0.05 / 3),
    ]


def results(measure: str) -> object:
    """Two methods: SeqMT is better than the larger class by plain errors alone, MT by balanced ones alone."""
    rows = {"seqmt": (0.10, 0.50), "mt": (0.20, 0.30), "indsvm": (0.20, 0.50)}
    outcomes = [
        Outcome(
            k, one, 1.0, (), {}, {}, {"a": plain + 0.001 * (k % 2)}, None, {"a": other + 0.001 * (k % 3)}, {"a": 0.2}
        )
        for one, (plain, other) in rows.items()
        for k in range(8)
    ]
    return results_of(Settings("s", tuple(rows), 8, measure=measure), outcomes)  # type: ignore[arg-type]


@pytest.mark.parametrize(("measure", "learner"), [("error", "seqmt"), ("balanced", "mt")])
def test_what_has_learned_is_judged_by_the_run_s_measure_and_one_of_a_pair_is_enough(
    measure: str, learner: str
) -> None:
    found = results(measure)
    assert [one for one in ("seqmt", "mt", "indsvm") if found.has_learned(one)] == [learner]  # type: ignore[attr-defined]
    pairs = {("seqmt", "mt"), ("seqmt", "indsvm"), ("mt", "indsvm")}
    learned = {pair for pair in pairs if found.paired(*pair).learned}  # type: ignore[attr-defined]
    assert learned == {pair for pair in pairs if learner in pair}
    told = {one.method: one.learned for one in found.against("indsvm")}  # type: ignore[attr-defined]
    assert told == {one: one == learner for one in ("seqmt", "mt")}


def test_draws_on_which_the_bound_chooses_well_are_those_of_a_correlation_above_zero() -> None:
    bounds = np.tile([1.0, 2.0, 3.0, 4.0], (4, 1))
    errors = np.array([[0.1, 0.2, 0.3, 0.4], [0.2, 0.4, 0.1, 0.3], [0.4, 0.3, 0.2, 0.1], [0.2, 0.2, 0.2, 0.2]])
    rows = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 1, 0]])
    walked = tuple(Orders(("a", "b", "c"), rows, *both, np.ones(4)) for both in zip(bounds, errors, strict=True))
    found = noise_over(OrdersByDraw(walked, {}))  # 1, 0, −1 and none
    assert found is not None
    assert (found.draws, found.positive, found.correlation) == (4, 1, pytest.approx(0.0))
    low = t_interval(np.array([1.0, 0.0, -1.0]))
    assert low is not None
    assert low.low < -1
    assert (found.interval and found.interval.low, found.interval and found.interval.high) == (-1.0, 1.0)


@pytest.mark.parametrize("overlap", [None, 0.25, 1.0])
@pytest.mark.parametrize("repeats", [2, 5, 20])
def test_repeats_that_all_agree_are_as_sure_as_one_more_without_a_difference_would_leave_them(
    repeats: int, overlap: float | None
) -> None:
    found = estimate(np.full(repeats, 0.03), overlap)
    assert found is not None
    spread = np.std([*np.full(repeats, 0.03), 0.0], ddof=1)  # 0.03 / √(J + 1)
    assert found.error == pytest.approx(spread * np.sqrt(1 / repeats + (overlap or 0.0)))
    assert (found.mean, found.freedom) == (pytest.approx(0.03), repeats - 1)
