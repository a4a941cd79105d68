"""Two runs: what is set otherwise, and by how much each method differs, paired where the draws are the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.experiments.experiment import Outcome, Settings, differing
from core.experiments.summary import Results, between, results_of

FIRST = Settings("a", ("seqmt", "indsvm"), 4, 10.0)


def run(settings: Settings, errors: dict[str, list[float]]) -> Results:
    outcomes = [
        Outcome(k, method, 0.1, ("t",), {"t": None}, {"t": 1.0}, {"t": error}, None)
        for method, values in errors.items()
        for k, error in enumerate(values)
    ]
    return results_of(settings, outcomes)


def test_only_what_differs_is_told() -> None:
    second = replace(FIRST, C="shared", methods=("seqmt", "mt"), bias=False)
    assert differing(FIRST, second) == {
        "C": ("10.0", "shared"),
        "bias": ("as the set asks", "False"),
        "methods": ("IndSVM", "MT"),
    }
    assert differing(FIRST, FIRST) == {}


def test_the_same_draws_are_compared_pair_by_pair() -> None:
    ours, theirs = [0.10, 0.20, 0.30, 0.40], [0.11, 0.22, 0.31, 0.42]
    first = run(FIRST, {"seqmt": ours, "indsvm": ours})
    [seqmt, alone] = between(first, run(FIRST, {"seqmt": theirs, "indsvm": ours}), True)
    gaps = np.array(theirs) - ours  # of two methods, so that Holm begins at 5 % / 2
    low, high = stats.t.interval(0.975, 3, gaps.mean(), stats.sem(gaps))
    assert seqmt.difference == pytest.approx(0.015)
    assert seqmt.interval is not None
    assert (seqmt.interval.low, seqmt.interval.high) == pytest.approx((low, high))
    assert (seqmt.clear, seqmt.count, alone.clear, alone.difference) == (True, 4, False, 0.0)


def test_other_draws_are_compared_by_welch() -> None:
    ours, theirs = [0.10, 0.20, 0.30, 0.40], [0.11, 0.22, 0.31]
    [found] = between(run(FIRST, {"seqmt": ours}), run(FIRST, {"seqmt": theirs, "indsvm": theirs}), False)
    expected = stats.ttest_ind(theirs, ours, equal_var=False).confidence_interval(0.95)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))
    assert (found.count, found.clear) == (0, False)
    [one] = between(run(FIRST, {"seqmt": [0.1]}), run(FIRST, {"seqmt": [0.2]}), False)
    assert one.interval is None


@pytest.mark.parametrize("overlaps", [(None, 0.5), (0.5, None), (0.2, 0.5)])
def test_of_other_draws_each_run_counts_in_how_far_its_own_repeats_overlap(overlaps: tuple[float | None, ...]) -> None:
    ours, theirs = [0.10, 0.20, 0.30, 0.40], [0.61, 0.72, 0.81]
    runs = [
        replace(run(FIRST, {"seqmt": values}), overlap=overlap)
        for values, overlap in zip((ours, theirs), overlaps, strict=True)
    ]
    [found] = between(*runs, False)
    parts = [
        (1 / len(values) + (overlap or 0.0)) * np.var(values, ddof=1)
        for values, overlap in zip((ours, theirs), overlaps, strict=True)
    ]
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 3 + parts[1] ** 2 / 2)
    half = stats.t.ppf(0.975, freedom) * np.sqrt(sum(parts))
    assert found.interval is not None
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(half)
