"""The compiled chain is the search, without its record."""

import numpy as np
import pytest

from core.curriculum.greedy_kernel import greedy_chain
from core.curriculum.learn import fit_at
from core.curriculum.methods import RULES
from core.curriculum.search import own_margins, search
from core.fitting.cross_validation import C_GRID, Folds
from core.fitting.fits import Stage
from core.fitting.gram import Pool
from core.tasks import Task, TaskSet


def related(n: int, m: int, d: int) -> TaskSet:
    rng = np.random.default_rng(n)
    shared = rng.normal(size=d)
    tasks = []
    for k in range(n):
        X = rng.normal(size=(m, d))
        score = X @ (shared + rng.normal(size=d))
        tasks.append(Task(f"t{k}", X, np.where(score > np.median(score), 1.0, -1.0)))
    return TaskSet("related", tuple(tasks)).prepared()


@pytest.mark.parametrize("method", ["seqmt", "error", "compl", "diversity"])
def test_chain_carries_the_margins_that_the_search_finds(method: str) -> None:
    pool = Pool(related(5, 20, 40))
    held_out = [fold_of[0] == 0 for fold_of in Folds.draw(pool, 0).fold_of]
    inside = [rows[~out] for rows, out in zip(pool.rows, held_out, strict=True)]
    one, other = Stage(pool, inside), Stage(pool, inside)
    for C in C_GRID:
        carried = greedy_chain(one, RULES[method], float(C))
        found = search(other, RULES[method], fit_at(other, float(C)))
        assert carried is not None
        np.testing.assert_allclose(carried[0], own_margins(other, found), atol=1e-8)
        assert carried[1] == found.any_at_limit


def test_chain_leaves_several_sources_to_the_search() -> None:
    stage = Stage(Pool(related(3, 10, 20)))
    assert greedy_chain(stage, RULES["multiseqmt"], 1.0) is None
