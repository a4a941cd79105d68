"""All orders by the tree of prefixes, against learning each order by itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core import every_order, learn
from core.curriculum import search as search_module
from core.curriculum.learn import fit_at, searched_mistakes
from core.curriculum.methods import RULES, chain
from core.curriculum.search import search, walk
from core.errors import Cancelled, SettingsError
from core.fitting.cross_validation import C_GRID, Folds
from core.fitting.pool import Pool
from core.fitting.stage import Stage
from core.orders.all_orders import choose_orders
from tests.core import cases


@pytest.mark.parametrize("C", [0.1, 30.0, "each", "shared"])
def test_every_order_is_what_learning_it_gives(C) -> None:
    task_set = cases.draw(0, n=3, m=14, d=4, test=25, noise=1.0)
    orders = every_order(task_set, C=C, seed=5, own_C=True)
    assert orders.complete
    assert len(orders.orders) == 6
    for row in range(6):
        learned = learn(task_set, "order", order=orders.named(row), C=C, seed=5)
        assert orders.bounds[row] == pytest.approx(learned.bound.value, abs=1e-9)
        assert orders.test_errors[row] == pytest.approx(learned.mean_test_error)
        if C == "shared":
            assert {orders.C[row]} == set(learned.chosen_C.values())


def test_a_shared_C_is_seqmts_so_that_bounds_compare() -> None:
    task_set = cases.draw(4, n=4, m=14, d=4, noise=1.0)
    orders = every_order(task_set, C="shared", seed=2)
    greedy = learn(task_set, "seqmt", C="shared", seed=2)
    assert set(orders.C) == set(greedy.chosen_C.values())
    assert orders.bounds[orders.row(greedy.order)] == pytest.approx(greedy.bound.value, abs=1e-9)
    assert orders.bounds.min() <= greedy.bound.value + 1e-9


def test_five_tasks_take_325_fits_not_600() -> None:
    stage = Stage(Pool(cases.draw(1, n=5).prepared()))
    fitted = []

    def counting(margins, tasks):
        fitted.append(len(tasks))
        return fit_at(stage, 1.0)(margins, tasks)

    walk(stage, choose_orders(5, 200, 0), counting, [np.arange(0)] * 5)
    assert sum(fitted) == 5 + 20 + 60 + 120 + 120 == 325


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_all_orders_by_bound_is_never_above_greedys(seed: int) -> None:
    task_set = cases.draw(seed, n=5)
    orders = every_order(task_set, C=10.0)
    greedy = learn(task_set, "seqmt", C=10.0)
    assert orders.bounds.min() <= greedy.bound.value + 1e-9
    row = orders.row(greedy.order)
    assert orders.bounds[row] == pytest.approx(greedy.bound.value, abs=1e-9)
    assert orders.rank_by_bound(greedy.bound.value) == 1 + np.sum(orders.bounds < orders.bounds[row] - 1e-9)
    assert orders.bounds[orders.best_by_bound] == orders.bounds.min()


def test_a_sample_is_stated_and_distinct() -> None:
    task_set = cases.draw(2, n=6)
    sample = every_order(task_set, C=1.0, limit=50, seed=1)
    assert not sample.complete
    assert len(sample.orders) == 50
    assert len({tuple(order) for order in sample.orders}) == len(sample.orders)
    assert sample.test_errors is None
    everything = every_order(task_set, C=1.0)
    assert everything.complete
    assert len(everything.orders) == math.factorial(6)
    for row in range(0, len(sample.orders), 7):
        assert sample.bounds[row] == pytest.approx(everything.bounds[everything.row(sample.named(row))], abs=1e-9)


@pytest.mark.parametrize("C", [1.0, "shared"])
def test_progress_ends_at_its_total_and_can_cancel(C) -> None:
    seen = []
    every_order(cases.draw(3, n=4), C=C, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1]

    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        every_order(cases.draw(3, n=4), C=C, progress=stop)


@pytest.mark.parametrize("limit", [0, -3, 2.5, True])
def test_a_bad_limit_is_refused(limit) -> None:
    with pytest.raises(SettingsError, match="use a whole number from 1 up"):
        every_order(cases.draw(0), C=1.0, limit=limit)


def test_the_walk_counts_the_mistakes_of_what_learning_each_order_finds() -> None:
    pool = Pool(cases.draw(5, n=4, m=15, d=40).prepared())
    held_out = [fold_of[0] == 1 for fold_of in Folds.draw(pool, 0).fold_of]
    inside = [rows[~out] for rows, out in zip(pool.rows, held_out, strict=True)]
    outside = [rows[out] for rows, out in zip(pool.rows, held_out, strict=True)]
    orders = choose_orders(4, 24, 0)
    one, other = Stage(pool, inside), Stage(pool, inside)
    seen = set()
    for C in map(float, C_GRID):
        walked = walk(one, orders, fit_at(one, C), outside)
        learned = [searched_mistakes(other, RULES["order"], C, outside, chain(list(order)), True) for order in orders]
        assert np.array_equal(walked.mistakes, [wrong for wrong, _ in learned])
        assert walked.any_at_limit == any(at_limit for _, at_limit in learned)
        seen |= set(walked.mistakes.ravel())
    assert len(seen) > 2, "the orders make different mistakes"


@pytest.mark.parametrize("d", [3, 40])
def test_the_walk_says_which_points_each_order_misses(d: int) -> None:
    pool = Pool(cases.draw(6, n=4, m=15, d=d, test=30).prepared(), test=True)
    orders, stage, other = choose_orders(4, 24, 0)[::2], Stage(pool), Stage(pool)
    tested = [np.arange(own.start, own.stop) for own in map(pool.own_test_points, range(4))]
    walked = walk(stage, orders, fit_at(stage, 100.0), tested)
    for order, missed, error, squared in zip(
        orders, walked.missed, walked.error_terms, walked.squared_steps, strict=True
    ):
        found = search(other, RULES["order"], fit_at(other, 100.0), chain(list(order)), True)
        assert missed.tolist() == [wrong for k in range(4) for wrong in found.sources[k].margins[tested[k]] <= 0]
        assert error == pytest.approx(sum(found.sources[s].error[task] for s, task in found.choices), rel=1e-9)
        complexity = sum(found.sources[s].complexity[task] for s, task in found.choices)
        assert squared == pytest.approx(2.0 * np.sqrt(other.m_bar) * complexity, rel=1e-9)
    assert walked.missed.any()


def test_many_orders_are_walked_in_parts_that_tell_how_far_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    task_set = cases.draw(6, n=4, m=15, d=40, test=30)
    whole = every_order(task_set, C=100.0, points=True)
    monkeypatch.setattr(search_module, "_FEW", 5)
    seen: list[tuple[int, int]] = []
    parts = every_order(task_set, C=100.0, points=True, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(5, 24), (10, 24), (15, 24), (20, 24), (24, 24)]
    np.testing.assert_allclose(parts.bounds, whole.bounds, rtol=1e-12)
    assert np.array_equal(parts.test_errors, whole.test_errors)
    assert np.array_equal(parts.points.wrong, whole.points.wrong)


def test_orders_with_as_many_mistakes_tie() -> None:
    walked = every_order(cases.draw(6, n=5, m=12, d=3, test=10, more=0), C=10.0)
    assert len(np.unique(walked.test_errors)) == len(np.unique(np.round(walked.test_errors * 50).astype(int)))
