"""A long computation can be stopped between any two fits, in every thread, whether or not it tells its progress."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from core.curriculum.learn import Problem
from core.errors import Cancelled
from core.fitting import stage
from core.orders.all_orders import every_order
from core.orders.orders_by_draw import orders_over_draws
from core.orders.transfer import pairwise
from core.solver import cancellation
from core.statistics.projection import projection
from core.task_set import Task, TaskSet


def tasks(count: int = 3, points: int = 12) -> TaskSet:
    rng = np.random.default_rng(3)
    made = []
    for k in range(count):
        X, X_test = rng.normal(size=(2, points, 4))
        y = np.where(np.arange(points) % 2, 1.0, -1.0)
        made.append(Task(f"t{k}", X, y, X_test, y))
    return TaskSet("set", tuple(made))


LONG: dict[str, Callable[[], object]] = {
    "fixed C": lambda: Problem(tasks()).learn("seqmt", 10.0),
    "shared C": lambda: Problem(tasks()).learn("multiseqmt", "shared"),
    "each C": lambda: Problem(tasks()).learn("treemt", "each"),
    "joint": lambda: Problem(tasks()).learn("mt", "shared"),
    "orders": lambda: every_order(tasks(), C=10.0),
    "orders with their own C": lambda: every_order(tasks(), own_C=True),
    "orders over draws": lambda: orders_over_draws(lambda seed: Problem(tasks()), range(2), C=10.0),
    "pairs": lambda: pairwise(Problem(tasks()), 10.0),
    "projection": lambda: projection(tasks()),
}


@pytest.mark.parametrize("name", LONG)
def test_every_computation_can_be_stopped_at_its_pauses(name: str) -> None:
    seen: list[None] = []
    with cancellation.cancellable(lambda: seen.append(None)):
        LONG[name]()
    assert len(seen) >= 2

    def stop() -> None:
        raise Cancelled

    with cancellation.cancellable(stop), pytest.raises(Cancelled):
        LONG[name]()
    LONG[name]()  # outside, nobody looks


def test_progress_is_told_with_a_fixed_C_too() -> None:
    told: list[tuple[int, int]] = []
    Problem(tasks(4)).learn("seqmt", 10.0, progress=lambda done, total: told.append((done, total)))
    assert told == [(4, 10), (7, 10), (9, 10), (10, 10)]


@pytest.mark.parametrize("C", ["shared", 10.0])
def test_pauses_between_large_fits_change_nothing(C: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks with many points are fitted one by one, so that somebody may stop it between two."""
    usual = Problem(tasks(4), solver="kernel").learn("treemt", C)  # type: ignore[arg-type]
    orders = every_order(tasks(4), own_C=True)
    monkeypatch.setattr(stage, "_SECONDS_A_CUBE", 1e6)
    paused = Problem(tasks(4), solver="kernel").learn("treemt", C)  # type: ignore[arg-type]
    assert (paused.order, paused.sources, paused.chosen_C) == (usual.order, usual.sources, usual.chosen_C)
    for task, weights in usual.weights.items():
        np.testing.assert_allclose(paused.weights[task], weights, atol=1e-9)
    np.testing.assert_array_equal(every_order(tasks(4), own_C=True).C, orders.C)
