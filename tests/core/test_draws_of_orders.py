"""The same orders on several draws: equal to walking each draw alone, kept as they come, and told from noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core import Problem, Task, TaskSet, every_order, learn
from core.errors import Cancelled, SettingsError
from core.orders.orders_by_draw import OrdersByDraw, noise_over, orders_over_draws
from core.orders.ranking import noise_of
from core.statistics import noise


def sample(seed: int, n: int = 3, test: bool = True) -> TaskSet:
    """Directions of which the first is far from the others, so that orders differ."""
    rng = np.random.default_rng(seed)
    tasks = []
    for k in range(n):
        angle = 0.3 * k if k else 2.5
        X = rng.normal(size=(80, 2))
        y = np.where(X @ [np.cos(angle), np.sin(angle)] + 0.4 * rng.normal(size=80) > 0, 1.0, -1.0)
        tasks.append(Task(f"t{k}", X[:16], y[:16], *((X[16:], y[16:]) if test else (None, None))))
    return TaskSet("drawn", tuple(tasks), semantic_order=tuple(f"t{k}" for k in range(n)))


def problem(seed: int, **settings: Any) -> Problem:
    return Problem(sample(seed), seed=seed, **settings)


@pytest.fixture(scope="module")
def found() -> OrdersByDraw:
    return orders_over_draws(problem, range(7, 11), C=10.0)


def test_every_draw_is_what_it_would_be_alone(found: OrdersByDraw) -> None:
    assert found.draws == 4
    assert found.means.complete
    for k in range(4):
        alone = every_order(sample(7 + k), C=10.0, seed=7 + k)
        np.testing.assert_array_equal(found.means.orders, alone.orders)
        np.testing.assert_array_equal(found.errors[k], alone.test_errors)
        np.testing.assert_array_equal(found.bounds[k], alone.bounds)
        for label, method in (("SeqMT", "seqmt"), ("Semantic", "semantic"), ("Diversity", "diversity")):
            learned = learn(sample(7 + k), method, C=10.0, seed=7 + k)
            assert learned.bound is not None
            assert found.methods[label][:, k].tolist() == [learned.mean_test_error, learned.bound.value]


def test_the_lowest_bound_is_that_of_each_draw_and_never_above_seqmts(found: OrdersByDraw) -> None:
    errors, bounds = found.lowest
    np.testing.assert_array_equal(bounds, found.bounds.min(axis=1))
    assert (bounds <= found.methods["SeqMT"][1] + 1e-12).all()
    assert errors[0] == found.errors[0, found.bounds[0].argmin()]


def test_places_have_means_and_standard_errors_over_draws(found: OrdersByDraw) -> None:
    places = {place.label: place for place in found.places}
    assert set(places) == {"SeqMT", "Semantic", "Diversity", "Random", "Lowest bound", "Best", "Worst"}
    seqmt = found.methods["SeqMT"][0]
    assert places["SeqMT"].test_error == pytest.approx(seqmt.mean())
    whisker = places["SeqMT"].whisker
    assert whisker is not None
    assert whisker.high - seqmt.mean() == pytest.approx(seqmt.std(ddof=1) / 2)
    means = found.errors.mean(axis=0)
    assert places["Best"].test_error == means.min()
    assert places["Best"].order == found.means.named(int(means.argmin()))
    assert places["Random"].test_error == pytest.approx(found.errors.mean())
    assert found.place("one", found.of_row(0)[:, :1]).whisker is None


def test_a_sample_has_the_same_orders_on_every_draw() -> None:
    some = orders_over_draws(lambda seed: Problem(sample(seed, 4), seed=seed), range(3), C=1.0, orders=5)
    assert some.errors.shape == (3, 5)
    assert not some.means.complete
    assert "Lowest bound" not in {place.label for place in some.places}
    again = every_order(sample(2, 4), C=1.0, seed=2, only=some.means.orders)
    np.testing.assert_array_equal(some.errors[2], again.test_errors)


def test_draws_come_one_by_one_and_a_cancel_keeps_those_that_came() -> None:
    kept: list[OrdersByDraw] = []

    def progress(done: float, total: float) -> None:
        if kept:
            raise Cancelled

    with pytest.raises(Cancelled):
        orders_over_draws(problem, range(50), C=1.0, progress=progress, keep=kept.append)
    assert 1 <= kept[-1].draws < 50
    whole: list[OrdersByDraw] = []
    found = orders_over_draws(problem, range(3), C=1.0, keep=whole.append)
    done = [one.draws for one in whole]
    assert done == sorted(done)  # two threads may finish a draw at the same time
    assert (len(done), done[-1]) == (3, 3)
    np.testing.assert_array_equal(whole[-1].errors, found.errors)


def test_draws_without_test_data_are_refused() -> None:
    with pytest.raises(SettingsError, match="without test data"):
        orders_over_draws(lambda seed: Problem(sample(seed, test=False)), range(2))


def test_the_points_that_orders_get_wrong_make_up_their_test_errors() -> None:
    for C in (10.0, "shared", "each"):
        walked = every_order(sample(3), C=C, points=True, own_C=True)
        assert walked.points is not None
        per_task = np.array([walked.points.counts(row) for row in range(6)]) / walked.points.sizes
        assert per_task.mean(axis=1) == pytest.approx(walked.test_errors)
        assert walked.points.wrong.shape == (6, 3 * 64)
    kept: list[float] = []
    every_order(sample(3), C=10.0, points=True, keep=lambda part: kept.append(len(part.points.wrong)))  # type: ignore[union-attr]
    assert kept[-1] == 6
    assert every_order(sample(3), C=10.0).points is None


def test_what_is_told_of_one_draw_and_of_many(found: OrdersByDraw) -> None:
    walked = every_order(sample(7), C=10.0, points=True)
    assert walked.points is not None
    one, many = noise_of(walked), noise_over(found)
    assert one is not None
    assert many is not None
    assert one.tested == noise.cochran_q(walked.points.wrong)
    assert one.gap == noise.split_half(walked.points.wrong, walked.points.groups)
    assert one.point == pytest.approx(1 / (3 * 64))
    assert (one.draws, many.draws) == (1, 4)
    best, worst = noise.held_out_gap(found.errors)
    assert many.gap == worst - best
    assert many.tested == noise.friedman(found.errors)
    assert noise_of(every_order(sample(7), C=10.0)) is None
    assert noise_over(orders_over_draws(problem, range(1), C=1.0)) is None


@pytest.mark.parametrize("own_C", [False, True])
def test_with_a_shared_C_all_bounds_pay_for_its_choice_so_that_they_compare(own_C: bool) -> None:
    over = orders_over_draws(
        lambda seed: problem(seed, normalize="none", bias=False), range(3, 5), C="shared", own_C=own_C, delta=0.2
    )
    for k in range(2):
        settings = {"normalize": "none", "bias": False, "delta": 0.2, "seed": 3 + k}
        alone = every_order(sample(3 + k), C="shared", own_C=own_C, **settings)
        np.testing.assert_allclose(over.bounds[k], alone.bounds, rtol=1e-12)
        np.testing.assert_array_equal(over.errors[k], alone.test_errors)
        greedy = learn(sample(3 + k), C="shared", **settings)
        assert greedy.bound is not None
        assert over.methods["SeqMT"][:, k].tolist() == [greedy.mean_test_error, greedy.bound.value]
        if not own_C:
            row = alone.row(greedy.order)
            assert over.bounds[k][row] == pytest.approx(greedy.bound.value, rel=1e-12)
            semantic = alone.row(("t0", "t1", "t2"))
            assert over.methods["Semantic"][1, k] == pytest.approx(over.bounds[k][semantic], rel=1e-12)
