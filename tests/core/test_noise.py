"""Intervals and tests against scipy and against figures worked out by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from core.statistics import noise


@pytest.mark.parametrize(("wrong", "n"), [(0, 20), (3, 20), (10, 20), (20, 20), (1, 1), (7, 2000)])
def test_wilson_solves_the_normal_test_for_the_rate(wrong: int, n: int) -> None:
    """The ends of the interval are the rates from which the seen one is 1.96 of their own deviations away."""
    found = noise.wilson(wrong, n)
    for end, seen in ((found.low, wrong > 0), (found.high, wrong < n)):
        deviation = np.sqrt(end * (1 - end) / n)
        assert not seen or abs(wrong / n - end) == pytest.approx(stats.norm.ppf(0.975) * deviation)
    assert (found.low == 0.0, found.high == 1.0) == (wrong == 0, wrong == n)
    wider = noise.wilson(wrong, n, 0.01)
    assert (wider.low <= found.low, found.high <= wider.high) == (True, True)


def test_the_interval_of_a_mean_covers_it_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    for rates, sizes in (
        (np.array([0.05, 0.2, 0.4]), np.array([40, 40, 40])),
        (np.array([0.3, 0.1, 0.1, 0.05, 0.1]), np.array([5, 20, 20, 200, 50])),
        (np.array([0.1, 0.2]), np.array([10, 10])),
    ):
        covered = [
            float(rates.mean()) in noise.mean_interval(rng.binomial(sizes, rates).tolist(), sizes.tolist(), seed)
            for seed in range(300)
        ]
        assert 0.91 <= np.mean(covered) <= (0.99 if sizes.sum() > 100 else 1.0)  # ten points a task come in big steps


def test_the_interval_of_a_mean_without_any_wrong_point_is_wilsons() -> None:
    assert noise.mean_interval([0, 0], [20, 30]) == noise.wilson(0, 50)
    assert noise.mean_interval([20, 30], [20, 30]) == noise.wilson(50, 50)


def test_mcnemar_is_the_sign_test_of_the_points_that_differ() -> None:
    first = np.array([True] * 9 + [False] * 2 + [True] * 5 + [False] * 30)
    second = np.array([False] * 9 + [True] * 2 + [True] * 5 + [False] * 30)
    assert noise.mcnemar(first, second) == pytest.approx(2 * (1 + 11 + 55) / 2**11)
    assert noise.mcnemar(second, first) == noise.mcnemar(first, second)
    assert noise.mcnemar(first, first) == 1.0
    assert noise.mcnemar([True] * 6, [False] * 6) == pytest.approx(2 / 64)


def test_holm_by_hand() -> None:
    assert noise.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert noise.holm([0.9, 0.8]) == pytest.approx([1.0, 1.0])
    assert noise.holm([]).shape == (0,)


def test_cochrans_q_by_hand_and_mcnemars_chi_square_for_two() -> None:
    # Conover's example: three learners, a column a point. Q = k(k-1) Σ(G - Ḡ)² / Σ L(k - L)
    wrong = np.array([[1, 1, 0, 1, 1, 1], [1, 0, 0, 0, 1, 0], [0, 0, 0, 1, 1, 0]], dtype=bool)
    found = noise.cochran_q(wrong)
    by_learner, by_point = np.array([5, 2, 2]), np.array([2, 1, 0, 2, 3, 1])
    assert found.statistic == pytest.approx(6 * np.sum((by_learner - 3.0) ** 2) / np.sum(by_point * (3 - by_point)))
    assert found.p_value == pytest.approx(stats.chi2.sf(found.statistic * found.freedom / 2, found.freedom))
    only_first, only_second = 3, 1
    two = np.array([[1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 1, 0]], dtype=bool)
    assert noise.cochran_q(two).statistic == pytest.approx((only_first - only_second) ** 2 / (only_first + only_second))
    assert noise.cochran_q(np.ones((3, 4), dtype=bool)) == noise.Significance(0.0, 0.0, 1.0)


def test_points_of_one_row_count_as_one() -> None:
    """Five tasks with the same rows and the same mistakes say what one of them says."""
    rng = np.random.default_rng(6)
    once, tasks = rng.random((8, 60)) < 0.3, np.repeat(np.arange(5), 60)
    five, rows = np.tile(once, 5), np.tile(np.arange(60), 5)
    alone, shared, apart = noise.cochran_q(once), noise.cochran_q(five, rows), noise.cochran_q(five)
    assert (shared.statistic, shared.p_value) == pytest.approx((alone.statistic, alone.p_value))
    assert apart.statistic == pytest.approx(5 * alone.statistic)
    values, one_task = np.arange(8.0), np.zeros(60, dtype=np.int64)
    assert noise.spearman_interval(values, five, tasks, rows) == noise.spearman_interval(values, once, one_task)
    assert noise.split_half(five, tasks, rows) == pytest.approx(noise.split_half(once, one_task))
    assert noise.split_half(five, tasks) > noise.split_half(once, one_task) + 0.01  # chosen by the other half's rows


def test_friedman_is_scipys_with_and_without_ties() -> None:
    rng = np.random.default_rng(1)
    for errors in (rng.normal(size=(8, 5)), rng.integers(0, 4, size=(10, 6)) / 10):
        expected = stats.friedmanchisquare(*errors.T)
        found = noise.friedman(errors)
        assert found.statistic == pytest.approx(expected.statistic)
    assert noise.friedman(np.full((4, 3), 0.2)).p_value == 1.0
    assert noise.friedman(np.array([[0.1 + 0.2, 0.3]] * 4)).p_value == 1.0


@pytest.mark.parametrize("copies", [1, 12])
def test_equal_learners_seldom_differ_even_where_many_err_alike(copies: int) -> None:
    """Ten learners, or each twelve times over with a little of its own: what orders with a common beginning do."""
    rng = np.random.default_rng(4)
    cochran, friedman = [], []
    for _ in range(200):
        wrong = np.repeat(rng.random((10, 120)) < 0.3, copies, axis=0)
        wrong ^= rng.random(wrong.shape) < 0.01
        cochran.append(noise.cochran_q(wrong).p_value < 0.05)
        errors = np.repeat(rng.normal(size=(20, 10)), copies, axis=1)
        friedman.append(noise.friedman(errors + 0.1 * rng.normal(size=errors.shape)).p_value < 0.05)
    assert np.mean(cochran) < 0.1
    assert np.mean(friedman) < 0.1


def test_learners_that_differ_are_told_apart() -> None:
    rng = np.random.default_rng(5)
    rates = np.repeat(np.linspace(0.1, 0.3, 10), 12)
    assert noise.cochran_q(rng.random((120, 300)) < rates[:, None]).p_value < 1e-6
    assert noise.friedman(rates + 0.05 * rng.normal(size=(20, 120))).p_value < 1e-6


def test_a_gap_chosen_by_noise_is_gone_on_the_other_half() -> None:
    rng = np.random.default_rng(2)
    tasks = np.repeat(np.arange(5), 40)
    same = rng.random((60, 200)) < 0.2
    seen = np.ptp(same.mean(axis=1))
    assert seen > 0.1
    assert abs(noise.split_half(same, tasks)) < 0.25 * seen
    rates = np.linspace(0.1, 0.5, 60)[:, None]
    assert noise.split_half(rng.random((60, 200)) < rates, tasks) == pytest.approx(0.4, abs=0.08)


def test_every_task_counts_as_much_in_a_split() -> None:
    """The learners differ on a task of 4 points only; a task of 400 must not hide it."""
    wrong = np.zeros((2, 404), dtype=bool)
    wrong[1, :4] = True
    assert noise.split_half(wrong, np.array([0] * 4 + [1] * 400)) == pytest.approx(0.5)


def test_the_held_out_gap_measures_where_nothing_was_chosen() -> None:
    errors = np.array([[0.1, 0.2, 0.5], [0.4, 0.1, 0.6], [0.2, 0.3, 0.1]])
    # without row 0 the sums are .6 .4 .7, without row 1 .3 .5 .6, without row 2 .5 .3 1.1
    assert noise.held_out_gap(errors) == pytest.approx(((0.2 + 0.4 + 0.3) / 3, (0.5 + 0.6 + 0.1) / 3))


def test_the_interval_of_a_rank_correlation_narrows_with_test_points_and_holds_zero_where_there_is_none() -> None:
    rng = np.random.default_rng(3)
    values = np.arange(30.0)
    rates = np.linspace(0.1, 0.4, 30)[:, None]
    few, many = (
        noise.spearman_interval(values, rng.random((30, 5 * n)) < rates, np.repeat(np.arange(5), n)) for n in (10, 100)
    )
    assert few is not None
    assert many is not None
    assert 0 < many.low < many.high
    assert many.high - many.low < few.high - few.low
    seen = stats.spearmanr(values, rates[:, 0]).statistic
    assert many.low < seen
    assert noise.spearman_interval(values, np.ones((30, 10), dtype=bool), np.zeros(10)) is None


def test_the_interval_of_a_rank_correlation_with_unrelated_values_rarely_leaves_zero_out() -> None:
    rng = np.random.default_rng(5)
    tasks = np.repeat(np.arange(5), 20)
    outside = 0
    for trial in range(120):
        alike = (rng.random((12, 100)) < 0.2).repeat(10, axis=0)  # ten orders each err alike
        found = noise.spearman_interval(rng.random(120), alike ^ (rng.random((120, 100)) < 0.02), tasks, seed=trial)
        assert found is not None
        outside += 0.0 not in found
    assert outside / 120 < 0.2


def test_the_interval_of_a_rank_correlation_holds_the_truth_of_unrelated_orders() -> None:
    rng = np.random.default_rng(4)
    for n in (5, 8, 15):
        outside = 0
        for _ in range(400):
            found = noise.rank_interval(noise.rank_correlation(np.arange(n), rng.permutation(n)) or 0.0, n)
            assert found is not None
            outside += 0.0 not in found
        assert outside / 400 < 0.06
    assert noise.rank_interval(1.0, 4) is None


@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_the_interval_of_a_rank_correlation_leaves_zero_out_where_the_exact_test_does(n: int) -> None:
    orders = np.array(list(itertools.permutations(range(n))))
    seen = 1 - 6 * np.sum((orders - np.arange(n)) ** 2, axis=1) / (n * (n**2 - 1))  # Spearman's formula without ties
    for correlation in np.unique(np.round(seen, 9)):
        exact = np.mean(np.abs(seen) >= abs(correlation) - 1e-9)
        found = noise.rank_interval(float(correlation), n)
        assert found is not None
        assert (0.0 not in found) == (exact <= 0.05)
        assert found.low < found.high
        assert correlation in found
