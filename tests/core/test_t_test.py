"""Differences over repeats: by Student's t, corrected for shared rows and for looking at many, never from rounding."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.experiments.difference import Average, paired_difference
from core.experiments.experiment import Outcome, Settings
from core.experiments.summary import Results, between, results_of
from core.statistics.noise import friedman
from core.statistics.t_test import Estimate, estimate, holm_corrected, t_interval, unpaired

DIFFERENCES = np.array([0.03, -0.01, 0.02, 0.05, 0.04, 0.015])


def run(overlap: float | None = None, **errors: list[list[float]]) -> Results:
    """Results of these test errors: for each method, one row per repeat and one column per task."""
    outcomes = [
        Outcome(k, method, 0.1, (), {}, {}, {f"t{j}": error for j, error in enumerate(row)}, None)
        for method, rows in errors.items()
        for k, row in enumerate(rows)
    ]
    return results_of(Settings("s", tuple(errors), 20), outcomes, overlap)


def test_fresh_draws_have_students_test_and_interval() -> None:
    found = estimate(DIFFERENCES)
    assert found is not None
    low, high = stats.t.interval(0.95, 5, loc=DIFFERENCES.mean(), scale=stats.sem(DIFFERENCES))
    assert (found.interval().low, found.interval().high) == pytest.approx((low, high))
    assert found.p_value == pytest.approx(stats.ttest_1samp(DIFFERENCES, 0).pvalue)
    assert estimate(DIFFERENCES[:1]) is None
    assert t_interval(DIFFERENCES[:1]) is None


def test_repeats_that_share_rows_have_nadeau_and_bengios_variance() -> None:
    overlap = 30 / 70
    found = estimate(DIFFERENCES, overlap)
    assert found is not None
    error = np.sqrt((1 / 6 + overlap) * DIFFERENCES.var(ddof=1))
    assert found.error == pytest.approx(error)
    assert found.p_value == pytest.approx(2 * stats.t.sf(DIFFERENCES.mean() / error, 5))
    assert Average.of(DIFFERENCES, overlap).standard_error == pytest.approx(error)


def test_two_means_are_welchs() -> None:
    first, second = DIFFERENCES, DIFFERENCES[:4] + 0.02
    found = unpaired(first, second, (None, None))
    assert found is not None
    expected = stats.ttest_ind(second, first, equal_var=False)
    assert found.p_value == pytest.approx(expected.pvalue)
    wider = unpaired(first, second, (0.5, None))
    assert wider is not None
    parts = (1 / 6 + 0.5) * first.var(ddof=1), second.var(ddof=1) / 4
    assert wider.error == pytest.approx(np.sqrt(sum(parts)))


def test_intervals_leave_0_out_exactly_where_holm_finds_a_difference() -> None:
    rng = np.random.default_rng(0)
    found_any = 0
    for _ in range(300):
        estimates = [Estimate(m, 1.0, 9.0) for m in rng.normal(0, 2.5, size=int(rng.integers(1, 9)))]
        estimates += estimates[:1]  # a tie
        plain = np.array([one.p_value for one in estimates])
        rejected = np.zeros(len(plain), dtype=bool)
        for k, at in enumerate(np.argsort(plain, kind="stable")):  # Holm, written out
            if plain[at] >= 0.05 / (len(plain) - k):
                break
            rejected[at] = True
        corrected = [one for one in holm_corrected([None, *estimates]) if one is not None]
        assert [0.0 not in one.interval for one in corrected] == list(rejected)
        assert [one.p_value < 0.05 for one in corrected] == list(rejected)
        assert corrected[0].interval == corrected[-1].interval
        found_any += int(rejected.any())
    assert found_any > 50


def test_differences_of_rounding_are_identical_and_never_clear() -> None:
    ours, theirs = [[0.1, 0.2, 0.3]] * 4, [[0.3, 0.2, 0.1]] * 4
    assert 0 < np.mean(ours[0]) - np.mean(theirs[0]) < 1e-15  # the same sum, in another order
    results = run(seqmt=ours, indsvm=theirs, mt=[[one + 0.1 for one in row] for row in ours])
    [alone, joint] = results.against("seqmt")
    assert (alone.verdict, alone.difference, alone.p_value) == ("identical", 0.0, 1.0)
    assert alone.interval is not None
    assert (alone.interval.low, alone.interval.high) == (0.0, 0.0)
    assert joint.verdict != "identical"
    [same] = between(run(seqmt=ours), run(seqmt=theirs), True)
    assert (same.identical, same.clear, same.difference) == (True, False, 0.0)
    [apart] = between(run(seqmt=ours), run(seqmt=theirs), False)
    assert (apart.identical, apart.clear, apart.difference) == (False, False, 0.0)
    one = paired_difference("indsvm", "seqmt", np.array([1e-17]))
    assert (one.verdict, one.interval, one.p_value) == ("identical", None, None)


@pytest.mark.parametrize("repeats", [2, 3])
def test_a_few_equal_differences_are_no_proof(repeats: int) -> None:
    """Two repeats that differ by one test point each have no spread, which is not to say that it is 0."""
    found = paired_difference("indsvm", "seqmt", np.full(repeats, 0.05))
    assert found.verdict == "no clear difference"
    apart = unpaired(np.full(repeats, 0.1), np.full(repeats, 0.15), (None, None))
    assert apart is not None
    assert apart.p_value > 0.05


def test_equal_differences_over_many_repeats_are_clear() -> None:
    assert paired_difference("indsvm", "seqmt", np.full(10, 0.05)).verdict == "clearly worse"
    assert paired_difference("indsvm", "seqmt", np.full(10, -0.05), 3 / 7).verdict == "clearly better"


def test_methods_are_corrected_for_being_looked_at_together() -> None:
    """Each of ten methods alone would be clearly worse, with p about 0.03."""
    rng = np.random.default_rng(1)
    noise = stats.zscore(rng.normal(size=10), ddof=1)
    shift = 2.6 / np.sqrt(10)
    names = ("indsvm", "mergedsvm", "mt", "multiseqmt", "treemt", "diversity", "error", "compl", "random")
    errors = {"seqmt": [[0.2]] * 10} | {name: [[0.2 + 0.01 * (shift + z)] for z in noise] for name in names}
    results = run(**errors)
    assert {results.paired(name, "seqmt").verdict for name in names} == {"clearly worse"}
    assert {pair.verdict for pair in results.against("seqmt")} == {"no clear difference"}
    strong = run(**(errors | {"mt": [[0.3 + 0.001 * z] for z in noise]}))
    assert [pair.method for pair in strong.against("seqmt") if pair.verdict == "clearly worse"] == ["mt"]


def test_best_and_worst_are_picked_by_their_test_errors_so_nothing_is_claimed_of_them() -> None:
    better = [[0.1 + 0.001 * k] for k in range(10)]
    results = run(seqmt=[[0.2]] * 10, best=better, indsvm=better)
    [picked, alone] = sorted(results.against("seqmt"), key=lambda pair: pair.method)
    assert (picked.verdict, picked.interval, picked.p_value) == ("picked by test error", None, None)
    assert picked.difference == pytest.approx(-0.0955)
    assert alone.verdict == "clearly better"
    assert alone.interval == results.paired("indsvm", "seqmt").interval  # it is the only one that is looked at
    assert {pair.verdict for pair in results.against("best")} == {"picked by test error", "identical"}


def test_friedman_counts_draws_that_share_rows_for_less() -> None:
    rng = np.random.default_rng(2)
    errors = rng.normal(size=(12, 4)) + np.array([0.0, 0.2, 0.4, 1.2])
    fresh, shared = friedman(errors), friedman(errors, 3 / 7)
    assert shared.statistic == pytest.approx(fresh.statistic / (12 * (1 / 12 + 3 / 7)))
    assert shared.p_value > fresh.p_value


def test_nothing_is_claimed_of_methods_that_have_learned_nothing() -> None:
    """Of three methods that differ on every repeat, two are no better than always answering the larger class."""
    rng = np.random.default_rng(0)
    outcomes = []
    for method, error in (("seqmt", 0.45), ("indsvm", 0.41), ("mt", 0.2)):
        for repeat in range(10):
            errors = {"t": float(error + 0.005 * rng.normal())}
            outcomes.append(Outcome(repeat, method, 0.1, (), {}, {}, errors, None, errors, {"t": 0.4}))
    found = results_of(Settings("s", ("seqmt", "indsvm", "mt"), 10), outcomes)
    verdicts = {pair.method: pair.verdict for pair in found.against("seqmt")}
    assert verdicts == {"indsvm": "no clear difference", "mt": "clearly better"}
    interval = found.paired("indsvm", "seqmt").interval
    assert interval is not None
    assert interval.high < 0
    assert [pair.verdict for pair in found.against("mt")] == ["clearly worse", "clearly worse"]
    assert [one.clear for one in between(found, found, same_draws=True)] == [False] * 3
