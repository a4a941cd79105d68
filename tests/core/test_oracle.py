"""SeqMT, MultiSeqMT and TreeMT against an interior point in the primal, step by step and candidate by candidate."""

from __future__ import annotations

import pytest

from core import TaskSet, learn
from tests.core import cases, oracle

GREEDY = ("seqmt", "multiseqmt", "treemt")


def assert_agrees(task_set: TaskSet, method: str, C: float, **preparing) -> None:
    learned = learn(task_set, method, C=C, **preparing)
    for step, expected in oracle.replay(task_set.prepared(**preparing), learned, method, C):
        assert {(c.task, c.source) for c in step.candidates} == set(expected)
        for candidate in step.candidates:
            error, complexity, _ = expected[candidate.task, candidate.source]
            assert candidate.error_term == pytest.approx(error, abs=1e-5, rel=1e-5)
            assert candidate.complexity_term == pytest.approx(complexity, abs=1e-5, rel=1e-5)
        criteria = {pair: error + complexity for pair, (error, complexity, _) in expected.items()}
        least = min(criteria.values())
        ties = [pair for pair, value in criteria.items() if value <= least + 1e-6 * max(1.0, least)]
        assert (step.chosen.task, step.chosen.source) in ties


@pytest.mark.parametrize("method", GREEDY)
@pytest.mark.parametrize("C", [1e-2, 1.0, 1e2, 1e5])
@pytest.mark.parametrize("seed", range(3))
def test_random_tasks(seed: int, C: float, method: str) -> None:
    assert_agrees(cases.draw(seed, n=4, m=10 + 5 * seed, d=[2, 5, 30][seed]), method, C)


@pytest.mark.parametrize("method", GREEDY)
@pytest.mark.parametrize("C", [1e-2, 10.0, 1e5])
@pytest.mark.parametrize("make", cases.DEGENERATE, ids=lambda make: make.__name__)
def test_degenerate_tasks(make, C: float, method: str) -> None:
    assert_agrees(make(), method, C)


@pytest.mark.parametrize("make", [cases.contradictory, cases.zero_rows, cases.sparse], ids=lambda make: make.__name__)
def test_features_as_they_are(make) -> None:
    assert_agrees(make(), "multiseqmt", 10.0, normalize="none", bias=False)
