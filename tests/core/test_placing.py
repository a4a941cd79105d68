"""Places among all orders, and the walk in pieces that shows them as they come."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from core import Task, TaskSet, learn
from core.errors import Cancelled
from core.orders.all_orders import PIECES, Orders, every_order
from core.orders.ranking import agreement, beaten, extremes, percentile, place_learned


def small_set(n: int = 4, test: bool = True) -> TaskSet:
    rng = np.random.default_rng(5)
    tasks = []
    for k in range(n):
        angle = 0.4 * k
        X = rng.normal(size=(40, 2))
        y = np.where(X @ [np.cos(angle), np.sin(angle)] + 0.4 * rng.normal(size=40) > 0, 1.0, -1.0)
        parts = (X[:20], y[:20], X[20:], y[20:]) if test else (X[:20], y[:20])
        tasks.append(Task(f"t{k}", *parts))
    return TaskSet("small", tuple(tasks))


@pytest.fixture(scope="module")
def orders() -> Orders:
    return every_order(small_set(), C=10.0)


def test_percentiles_count_ties_half() -> None:
    values = np.array([0.1, 0.2, 0.2, 0.4])
    assert [percentile(values, value) for value in (0.05, 0.1, 0.2, 0.3, 0.4, 1.0)] == [0, 12.5, 50, 75, 87.5, 100]


def test_the_rank_correlation_is_spearmans(orders: Orders) -> None:
    assert orders.test_errors is not None
    expected = spearmanr(np.round(orders.bounds, 9), np.round(orders.test_errors, 9)).statistic
    assert agreement(orders) == pytest.approx(expected)


def test_no_correlation_of_constants_or_without_test_data(orders: Orders) -> None:
    flat = Orders(orders.names, orders.orders, orders.bounds, np.full(24, 0.1), orders.C)
    assert agreement(flat) is None
    assert agreement(every_order(small_set(test=False), C=10.0)) is None


def test_best_worst_and_the_expectation_of_random(orders: Orders) -> None:
    assert orders.test_errors is not None
    best, worst, mean = extremes(orders)
    assert best.test_error == orders.test_errors.min()
    assert worst.test_error == orders.test_errors.max()
    assert mean.test_error == pytest.approx(orders.test_errors.mean())
    assert mean.order is None
    assert best.order is not None
    again = learn(small_set(), "order", C=10.0, order=best.order)
    assert again.mean_test_error == pytest.approx(best.test_error)
    assert best.percentile < mean.percentile < worst.percentile


def test_a_learned_sequence_lands_on_its_row(orders: Orders) -> None:
    assert orders.test_errors is not None
    learned = learn(small_set(), "seqmt", C=10.0)
    place = place_learned(orders, "SeqMT", learned)
    row = orders.row(learned.order)
    assert row is not None
    assert place.test_error == pytest.approx(orders.test_errors[row])
    assert place.bound == pytest.approx(orders.bounds[row])
    assert place.percentile == percentile(orders.test_errors, orders.test_errors[row])


def test_without_test_data_places_are_by_bound() -> None:
    bare = every_order(small_set(test=False), C=10.0)
    best, worst, mean = extremes(bare)
    assert (best.bound, worst.bound) == (bare.bounds.min(), bare.bounds.max())
    assert best.test_error is None
    assert best.percentile < mean.percentile < worst.percentile


@pytest.mark.parametrize("C", [10.0, "shared", "each"])
def test_walking_in_pieces_gives_the_same_and_shows_more_and_more(C: float | str) -> None:
    task_set, parts, calls = small_set(), [], []
    whole = every_order(task_set, C=C)
    pieces = every_order(task_set, C=C, keep=parts.append, progress=lambda done, total: calls.append(done / total))
    assert np.array_equal(pieces.orders, whole.orders)
    assert pieces.bounds == pytest.approx(whole.bounds, abs=1e-7)
    assert pieces.test_errors == pytest.approx(whole.test_errors)
    assert [len(part.orders) for part in parts] == sorted(len(part.orders) for part in parts)
    assert len(parts) == PIECES
    assert parts[-1].complete
    assert not parts[0].complete
    first = parts[0]
    rows = [whole.row(first.named(k)) for k in range(len(first.orders))]
    assert first.bounds == pytest.approx(whole.bounds[rows], abs=1e-7)
    assert max(calls) == 1.0


def test_a_cancelled_walk_has_kept_its_pieces() -> None:
    parts: list[Orders] = []

    def progress(done: int, total: int) -> None:
        if done > total / 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        every_order(small_set(), C=10.0, keep=parts.append, progress=progress)
    assert 0 < len(parts) < PIECES


def test_only_orders_that_are_clearly_worse_are_beaten() -> None:
    values = np.array([0.1, 0.2, 0.2, 0.3])
    assert beaten(values, 0.1) == 75.0
    assert beaten(values, 0.2) == 25.0
    assert beaten(values, 0.3) == 0.0
