"""The lowest bound, against trying everything."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest

from core import Problem, every_order, learn
from core.errors import Cancelled, SettingsError
from core.orders.best_order import best_order
from tests.core import cases


def forests(names):
    """Every forest of sources on these tasks, as (task, source) pairs with sources first."""
    for sources in product([None, *names], repeat=len(names)):
        left, pairs = dict(zip(names, sources, strict=True)), []
        while left:
            ready = [task for task, source in left.items() if source is None or source not in left]
            if not ready or any(left[task] == task for task in ready):
                break
            pairs += [(task, left.pop(task)) for task in ready]
        else:
            yield pairs


@pytest.mark.parametrize("C", [0.1, 30.0, "shared", "each"])
@pytest.mark.parametrize("seed", range(3))
def test_the_best_sequence_is_that_of_all_orders(seed, C):
    task_set = cases.draw(seed, n=5, m=12, d=4, noise=0.8)
    orders = every_order(task_set, C=C, seed=seed)
    found = best_order(Problem(task_set, seed=seed), C)
    assert found.exact
    assert found.bound == pytest.approx(orders.bounds.min(), abs=1e-8)
    assert found.fits <= 5 + 20 + 60 + 120 + 120  # never more than all orders take
    assert found.gap >= 0.0
    assert found.gap == pytest.approx(learn(task_set, C=C, seed=seed).bound.value - orders.bounds.min(), abs=1e-8)


def test_branches_are_left_out_and_nothing_is_lost():
    task_set = cases.draw(5, n=7, m=10, d=3, drift=1.0, noise=0.0)
    found = best_order(Problem(task_set), 100.0)
    assert found.bound == pytest.approx(every_order(task_set, C=100.0).bounds.min(), abs=1e-8)
    assert found.fits < 13699 / 2


@pytest.mark.parametrize(("method", "most"), [("multiseqmt", 1), ("treemt", 4)])
@pytest.mark.parametrize("seed", range(2))
def test_the_best_forest_is_that_of_all(method, most, seed):
    task_set = cases.draw(seed, n=4, m=12, d=4, noise=0.8, drift=1.0)
    problem = Problem(task_set)
    bounds = [
        problem.learn(method, 3.0, choices=pairs).bound.value
        for pairs in forests(task_set.names)
        if all(sum(source == task for _, source in pairs) <= most for task in task_set.names)
    ]
    assert len(bounds) == (73 if most == 1 else 125)  # sets of lists; Cayley's formula
    found = best_order(problem, 3.0, method=method)
    assert found.exact
    assert found.bound == pytest.approx(min(bounds), abs=1e-8)


@pytest.mark.parametrize("method", ["seqmt", "multiseqmt", "treemt"])
def test_a_beam_is_never_below_the_exact_answer_nor_above_greedy(method):
    task_set = cases.draw(2, n=5, m=12, d=4, noise=0.8)
    problem = Problem(task_set)
    exact = best_order(problem, 10.0, method=method)
    wide = best_order(problem, 10.0, method=method, beam=5000)
    assert (wide.exact, wide.width) == (False, 5000)
    for found in (wide, best_order(problem, 10.0, method=method, beam=1)):
        assert exact.bound - 1e-9 <= found.bound <= found.greedy.bound.value


@pytest.mark.parametrize("method", ["seqmt", "multiseqmt", "treemt"])
def test_the_choices_forced_upon_the_method_give_the_curriculum(method):
    task_set = cases.draw(1, n=5, m=12, d=4, noise=0.8, test=20)
    found = best_order(Problem(task_set), 10.0, method=method)
    forced = learn(task_set, method, C=10.0, choices=found.choices)
    assert tuple(forced.sources.items()) == found.choices
    assert forced.order == found.order
    assert forced.mean_test_error == found.test_error
    assert forced.bound.value == pytest.approx(found.bound, abs=1e-9)


def test_where_greed_costs_nothing_the_greedy_curriculum_is_given():
    found = best_order(Problem(cases.one_task()), 10.0)
    assert found.greedy_is_best
    assert found.gap == 0.0
    equal = best_order(Problem(cases.equal_tasks()), 10.0)
    assert equal.greedy_is_best


def test_eleven_tasks_are_searched_by_a_beam():
    task_set = cases.draw(3, n=11, m=8, d=3)
    found = best_order(Problem(task_set), 10.0)
    assert (found.exact, found.width) == (False, 1000)
    assert sorted(found.order) == sorted(task_set.names)


def test_a_search_can_be_cancelled_and_reports_how_far_it_is():
    seen = []

    def progress(done, total):
        seen.append((done, total))
        if len(seen) == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        best_order(Problem(cases.draw(0, n=5)), 10.0, progress=progress)
    assert all(0 <= done <= total for done, total in seen)
    assert np.all(np.diff([done for done, _ in seen]) >= 0)


@pytest.mark.parametrize(("setting", "says"), [({"beam": 0}, "wide"), ({"method": "indsvm"}, "does not choose")])
def test_what_cannot_be_searched_is_told(setting, says):
    with pytest.raises(SettingsError, match=says):
        best_order(Problem(cases.draw(0)), 10.0, **setting)


def test_a_C_that_was_picked_on_the_data_is_paid_for_in_both_bounds():
    problem = Problem(cases.draw(0, n=4, m=12, d=4))
    found = best_order(problem, delta=0.2)
    plain = best_order(problem, next(iter(found.greedy.chosen_C.values())), delta=0.2)
    paid = math.log(8) / (4 * math.sqrt(problem.task_set.m_bar))
    assert found.bound - plain.bound == pytest.approx(paid)
    assert found.greedy.bound.value - plain.greedy.bound.value == pytest.approx(paid)
    assert found.learned.bound.delta == 0.2


@pytest.mark.parametrize("seed", [0, 3, 5])
def test_a_beam_of_subsequences_continues_each_task_once_also_where_a_tree_would_be_cheaper(seed):
    problem = Problem(cases.draw(seed, n=5, m=12, d=4, noise=0.8, drift=1.0, more=0))
    used = {
        method: Counter(source for _, source in best_order(problem, 3.0, method=method, beam=5000).choices if source)
        for method in ("multiseqmt", "treemt")
    }
    assert max(used["multiseqmt"].values()) == 1
    assert max(used["treemt"].values()) == 2
