"""Which candidate a step takes where several are equally good: the search alone, with fits made up by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from core.curriculum.methods import RULES
from core.curriculum.search import NO_SOURCE, search
from core.fitting.stage import Fits

N = 5


def chosen(method: str, errors: np.ndarray) -> list[tuple[int, int]]:
    """(task, source) of every step by these error terms, row 0 of which is no source; all complexity terms are 0."""

    def fit(margins: np.ndarray, tasks: np.ndarray) -> tuple[Fits, list[object]]:
        row, some = int(margins[0]), len(tasks)  # margins tell whose they are
        zeros = np.zeros(some)
        return Fits(zeros, np.zeros((some, 1)), errors[row, tasks], zeros, zeros, zeros.astype(int)), [None] * some

    pool = SimpleNamespace(n_points=1, task_set=SimpleNamespace(names=[f"t{k}" for k in range(N)]))
    moved = lambda margins, task, alpha: np.full(1, task + 1.0)  # noqa: E731
    stage = SimpleNamespace(sizes=np.ones(N, dtype=int), pool=pool, m_bar=1.0, moved=moved)
    found = search(stage, RULES[method], fit)  # type: ignore[arg-type]
    return [(task, source) for source, task in found.choices]


def by_hand(method: str, errors: np.ndarray) -> list[tuple[int, int]]:
    """The least error, then the first task of the set, then no source, then the source that was solved first."""
    left, solved, used, steps = list(range(N)), [NO_SOURCE], set(), []
    for _ in range(N):
        open_ = {
            "seqmt": solved[-1:],
            "multiseqmt": [one for one in solved if one not in used],
            "treemt": solved,
        }[method]
        task, source = min(
            ((task, source) for task in left for source in open_),
            key=lambda pair: (errors[pair[1] + 1, pair[0]], pair[0], solved.index(pair[1])),
        )
        left.remove(task)
        solved.append(task)
        used |= {source} - {NO_SOURCE}
        steps.append((task, source))
    return steps


@pytest.mark.parametrize("method", ["seqmt", "multiseqmt", "treemt"])
def test_ties_go_to_the_first_task_then_to_no_source_then_to_the_source_solved_first(method: str) -> None:
    rng = np.random.default_rng(0)
    ways = set()
    for _ in range(300):
        errors = rng.integers(1, 4, size=(N + 1, N)) / 8  # three values for up to 20 candidates
        ways.add(tuple(steps := chosen(method, errors)))
        assert steps == by_hand(method, errors)
        assert chosen(method, errors + 1e-12 * rng.random(errors.shape)) == steps  # what a solver's last bits do
    assert len(ways) > 50


def test_a_later_task_without_a_source_waits_for_an_equal_earlier_one_from_a_source() -> None:
    errors = np.ones((N + 1, N))
    errors[0, 2] = 0.1  # the third task begins
    errors[3, 0] = errors[0, 4] = 0.5  # the first from it, or the last alone
    for method in ("multiseqmt", "treemt"):
        assert chosen(method, errors)[:3] == [(2, NO_SOURCE), (0, 2), (4, NO_SOURCE)]
