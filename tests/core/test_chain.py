"""The compiled scan is the search, without its record."""

import numpy as np
import pytest

from core.curriculum.greedy_kernel import mistakes
from core.curriculum.learn import fit_at, searched_mistakes
from core.curriculum.methods import RULES
from core.curriculum.search import search
from core.errors import SettingsError
from core.fitting.cross_validation import C_GRID, Folds
from core.fitting.pool import Pool
from core.fitting.stage import Stage
from core.task_set import Task, TaskSet


def related(n: int, m: int, d: int) -> TaskSet:
    rng = np.random.default_rng(n)
    shared = rng.normal(size=d)
    tasks = []
    for k in range(n):
        X = rng.normal(size=(m, d))
        score = X @ (shared + rng.normal(size=d))
        tasks.append(Task(f"t{k}", X, np.where(score > np.median(score), 1.0, -1.0)))
    return TaskSet("related", tuple(tasks)).prepared()


FIXED = [(2, -1), (0, 2), (1, -1), (4, 0), (3, 4)]


@pytest.mark.parametrize(
    ("method", "plan", "fixed"),
    [
        *((method, [], False) for method in ("seqmt", "error", "compl", "diversity", "multiseqmt", "treemt")),
        ("indsvm", [(k, -1) for k in range(5)], True),
        ("random", [(3, -1), (1, 3), (0, 1), (4, 0), (2, 4)], True),
        ("randommultiseq", FIXED, True),
        ("multiseqmt", FIXED[:3], False),
        ("treemt", [(1, -1), (2, 1), (3, 1)], False),
    ],
)
def test_the_scan_counts_the_mistakes_of_what_the_search_finds(method: str, plan, fixed: bool) -> None:
    pool = Pool(related(5, 20, 40))
    held_out = [fold_of[0] == 0 for fold_of in Folds.draw(pool, 0).fold_of]
    inside = [rows[~out] for rows, out in zip(pool.rows, held_out, strict=True)]
    one, other = Stage(pool, inside), Stage(pool, inside)
    outside = [rows[out] for rows, out in zip(pool.rows, held_out, strict=True)]
    seen = set()
    counted = mistakes(one, RULES[method], outside, plan, fixed)
    for C in C_GRID:
        wrong, at_limit = counted(float(C))
        expected, expected_limit = searched_mistakes(other, RULES[method], float(C), outside, plan, fixed)
        assert wrong.tolist() == expected.tolist()
        assert at_limit == expected_limit
        seen.add(tuple(wrong))
    assert len(seen) > 1


@pytest.mark.parametrize("plan", [[(0, 1)], [(0, -1), (0, -1)], [(0, -1), (1, 0), (2, 0)]])
def test_a_plan_that_is_no_candidate_is_left_to_the_search_to_refuse(plan) -> None:
    stage = Stage(Pool(related(3, 10, 20)))
    assert mistakes(stage, RULES["multiseqmt"], stage.rows, plan)(1.0) is None
    with pytest.raises(SettingsError, match="is no candidate of that step"):
        search(stage, RULES["multiseqmt"], fit_at(stage, 1.0), plan)
