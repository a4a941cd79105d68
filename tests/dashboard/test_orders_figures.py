"""The figures of all orders show exactly the arrays of the walk; orders survive the link."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core import Problem, Task, TaskSet
from core.curriculum.learn import CSetting
from core.orders.all_orders import Orders, every_order
from core.orders.orders_by_draw import OrdersByDraw
from core.orders.ranking import OrderNoise, agreement, place_row
from core.orders.ranking import place as placed
from core.statistics.noise import Interval, Significance
from dashboard.figures import agreement as relation
from dashboard.figures import by_draw
from dashboard.figures import orders as drawn
from dashboard.figures.by_draw import Draws
from dashboard.figures.orders import Spread
from dashboard.pages.orders import cards, study
from dashboard.pages.orders.study import Study
from dashboard.server.scheduler import Ticket
from dashboard.session import links
from dashboard.session.current import Settings
from dashboard.session.job import Job, Result, Work
from data.sources.source import Source


def small_set(n: int = 4, test: bool = True, same: bool = False, seed: int = 5) -> TaskSet:
    rng = np.random.default_rng(seed)
    tasks = []
    for k in range(n):
        X = rng.normal(size=(60, 2))
        y = np.where(X @ [np.cos(0.5 * k), np.sin(0.5 * k)] + 0.4 * rng.normal(size=60) > 0, 1.0, -1.0)
        if same:
            X, y = np.array([[1.0, 0.0], [-1.0, 0.0]]).repeat(30, axis=0), np.array([1.0, -1.0]).repeat(30)
        part = np.arange(60) % 2 == 0
        tasks.append(Task(f"t{k}", X[part], y[part], *((X[~part], y[~part]) if test else ())))
    return TaskSet("small", tuple(tasks), tuple(f"t{k}" for k in range(n)))


def wanted_work(kind: type[Result]) -> Work[Result]:
    work: Work[Result] = Work("orders", "a", "Trying", Ticket("a", 0.0))
    Job(work)  # somebody wants it
    return work


def selected(problem: Problem, **settings: Any) -> Any:
    """What the page knows of the selected set."""
    upload = SimpleNamespace(source=Fresh("fresh", ""))
    return SimpleNamespace(problem=problem, settings=Settings(**settings), upload=upload)


def walk(task_set: TaskSet, C: CSetting = 10.0, limit: int = 5040, own_C: bool = True) -> tuple[Study, Work[Study]]:
    work = wanted_work(Study)
    return study.on_one_draw(selected(Problem(task_set), C=C), limit, own_C, work), work


@pytest.fixture(scope="module")
def found() -> Study:
    return walk(small_set())[0]


def test_the_strip_and_the_violin_are_the_test_errors(found: Study) -> None:
    assert found.orders.test_errors is not None
    chart = drawn.figure(Spread(found.orders, found.places), False)
    violin, strip, *rows = chart.data
    assert violin.type == "violin"
    assert strip.type == "scattergl"
    assert np.array_equal(violin.x, 100 * found.orders.test_errors)
    assert np.array_equal(strip.x, 100 * found.orders.test_errors)
    assert list(strip.customdata) == list(range(24))
    expected = {place.label: 100 * (place.test_error or 0) for place in found.places}
    assert {mark.name: mark.x[0] for mark in rows} == pytest.approx(expected)
    assert set(expected) == {"SeqMT", "Semantic", "Diversity", "Random", "Lowest bound", "Best", "Worst"}
    lowest = next(place for place in found.places if place.label == "Lowest bound")
    assert lowest.bound == found.orders.bounds.min()
    assert lowest.test_error == found.orders.test_errors[found.orders.bounds.argmin()]


def test_marks_carry_the_interval_of_their_test_error(found: Study) -> None:
    assert found.orders.points is not None
    greedy = found.places[0]
    assert greedy.whisker is not None
    assert greedy.test_error in greedy.whisker
    mark = next(
        trace for trace in drawn.figure(Spread(found.orders, found.places), False).data if trace.name == "SeqMT"
    )
    assert mark.error_x.array[0] == pytest.approx(100 * (greedy.whisker.high - (greedy.test_error or 0)))
    assert mark.error_x.arrayminus[0] == pytest.approx(100 * ((greedy.test_error or 0) - greedy.whisker.low))
    assert "over this draw's test points" in mark.hovertext[0]


def test_no_two_marks_look_alike() -> None:
    assert len(set(drawn.SYMBOLS.values())) == len(drawn.SYMBOLS)
    for dark in (False, True):
        assert drawn.colour("SeqMT", dark) != drawn.colour("Yours", dark)


def test_methods_stand_where_they_were_learned(found: Study) -> None:
    assert found.orders.test_errors is not None
    for place in found.places[:3]:
        learned = found.learned[place.label]
        assert place.test_error == learned.mean_test_error
        row = found.orders.row(learned.order)
        assert row is not None
        assert place.test_error == pytest.approx(found.orders.test_errors[row])
    assert found.places[3].test_error == pytest.approx(found.orders.test_errors.mean())


def noise(draws: int = 1, p: float = 0.001, rho: float | None = 0.5, low: float = 0.2, high: float = 0.7) -> OrderNoise:
    return OrderNoise(draws, 0.012, Significance(300.0, 8.0, p), 1 / 120, rho, Interval(low, high), draws)


def test_bound_against_error_has_a_dot_an_order(found: Study) -> None:
    assert found.orders.test_errors is not None
    greedy = found.learned["SeqMT"].bound
    assert greedy is not None
    spread = Spread(found.orders, found.places, found.noise)
    title, words = relation.title(spread, "C = 10"), relation.greedy_words(spread, found.greedy_rank)
    dots = relation.figure(spread, True).data[0]
    assert np.array_equal(dots.x, found.orders.bounds)
    assert np.array_equal(dots.y, 100 * found.orders.test_errors)
    assert f"{agreement(found.orders):.2f}".replace("-", "−") in title
    assert "on this draw, at C = 10" in title
    lower = int(np.sum(found.orders.bounds < greedy.value - 1e-9))
    assert found.greedy_rank == 1 + lower
    has = f"{lower:,} of all 24 orders" if lower else "No order among all 24 orders has a lower bound"
    assert has in words
    lowest = found.orders.test_errors[found.orders.bounds.argmin()]
    assert f"lowest bound has a mean test error of {100 * lowest:.1f}\u00a0%" in words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0.1, 0.7, "go with lower"), (-0.1, 0.7, "no better than chance"), (-0.9, -0.1, "misleads")],
)
def test_the_title_claims_what_the_interval_bears(found: Study, low: float, high: float, words: str) -> None:
    title = relation.title(Spread(found.orders, (), noise(20, rho=0.3, low=low, high=high)))
    assert words in title
    assert "over 20 draws" in title
    assert (
        f"(mean of the draws' rank correlations 0.30, 95\u00a0% interval {low:.2f} to {high:.2f})".replace("-", "−")
        in title
    )


@pytest.mark.parametrize(("draws", "where"), [(1, "on this draw"), (20, "over 20 draws")])
def test_the_bound_is_judged_only_where_orders_can_be_told_apart(found: Study, draws: int, where: str) -> None:
    chance, sure = (relation.title(Spread(found.orders, (), noise(draws, p))) for p in (0.2, 0.01))
    assert f"Nobody can tell whether the bound chooses well {where}" in chance
    assert "0.50" in chance
    assert f"Lower bounds go with lower test errors {where}" in sure


def test_an_order_is_sure_to_differ_only_beyond_what_the_best_of_all_shown_would_by_chance() -> None:
    """A difference of 1 ± 0.9 points on 10 draws has p = 0.0066: clear of two orders, not of 24."""
    wobble = 0.9 * np.tile([1.0, -1.0], 5) * np.sqrt(0.9)
    assert stats.ttest_1samp(1 + wobble, 0).pvalue == pytest.approx(0.0066, abs=1e-4)
    for n, clear in ((2, True), (4, False)):
        orders = np.array(list(permutations(range(n))))
        errors = np.full((10, len(orders)), 0.2)
        errors[:, 0] -= 0.01 * (1 + wobble)
        methods = {"SeqMT": np.full((2, 10), 0.2)}
        walked = tuple(Orders(tuple("abcd"[:n]), orders, row, row, np.ones(len(row))) for row in errors)
        drawn = Study.of_draws(OrdersByDraw(walked, methods), 1.0, True)
        mine = place_row(drawn.orders, "Yours", 0)
        assert cards.is_sure(mine, drawn) is clear


def test_on_how_many_draws_seqmt_is_better_is_said_with_whether_that_could_be_chance() -> None:
    rng = np.random.default_rng(0)

    def told(gain: float, overlap: float | None = None) -> str:
        differences = gain + (gain > 0) * rng.normal(size=20)
        return by_draw.title(Draws({"SeqMT": 30 - differences, "Random": np.full(20, 30.0)}, "", overlap), "error")

    assert told(5.0) == "SeqMT makes fewer mistakes than a random order can expect on 20 of 20 draws"
    assert told(0.1).endswith(" of 20 draws, which could be chance")
    assert told(0.9, 3.0).endswith(" of 20 draws, which could be chance")
    assert told(0.0) == "SeqMT and a random order have the same test error on all 20 draws"


def test_a_title_of_one_draw_says_so_and_claims_no_more_than_holds(found: Study) -> None:
    assert found.orders.test_errors is not None
    low, high = 100 * found.orders.test_errors.min(), 100 * found.orders.test_errors.max()
    sure, chance = (Spread(found.orders, found.places, noise(p=p)).title for p in (0.001, 0.3))
    assert sure == (
        f"On this draw the order moves the mean test error from {low:.1f}\u00a0% to {high:.1f}\u00a0%; "
        "1.2 points of that hold on other test points"
    )
    assert chance.startswith(f"On this draw orders cannot be told apart: {low:.1f}\u00a0% to {high:.1f}\u00a0%, ")
    many = Spread(found.orders, found.places, noise(20)).title
    assert many.startswith("Over 20 draws the worst order loses 1.2 points against the best; SeqMT is")


def test_a_student_is_told_whether_orders_differ() -> None:
    assert "Yes, orders differ** on the same test points" in drawn.noise_words(noise())
    assert "moves a mean test error by 0.83 points" in drawn.noise_words(noise())
    assert "Nobody can tell" in drawn.noise_words(noise(p=0.3))
    assert "30.0\u00a0% of the time" in drawn.noise_words(noise(p=0.3))
    assert "Cochran's Q" in drawn.noise_details(noise())
    assert "Friedman's test over the draws: χ² = 300.0, p = 0.0010" in drawn.noise_details(noise(20))


def test_two_tasks_are_two_orders_and_not_equal() -> None:
    two = walk(small_set(2))[0]
    orders = replace(two.orders, bounds=np.array([0.9, 1.0]), test_errors=np.array([0.075, 0.15]), points=None)
    title = relation.title(Spread(orders, ()))
    assert "that of the lower bound has the lower test error on this draw" in title
    assert "equal" not in title


def test_equal_orders_are_a_strip_without_a_violin() -> None:
    flat = walk(small_set(3, same=True))[0]
    spread = Spread(flat.orders, flat.places)
    assert spread.flat
    assert [trace.type for trace in drawn.figure(spread, False).data[:1]] == ["scattergl"]
    assert "makes no difference" in spread.title
    assert "All orders have the same test error, so nothing can be told" in relation.title(
        Spread(flat.orders, (), flat.noise)
    )


def test_without_test_data_the_bound_is_shown() -> None:
    bare = walk(small_set(3, test=False))[0]
    spread = Spread(bare.orders, bare.places)
    assert spread.by_bound
    assert np.array_equal(drawn.figure(spread, False).data[1].x, bare.orders.bounds)
    assert "bound" in spread.title


def test_one_C_for_all_is_the_one_of_SeqMT_and_partial_results_are_kept() -> None:
    one, job = walk(small_set(3), "shared", own_C=False)
    assert set(one.orders.C) == set(one.learned["SeqMT"].chosen_C.values()) == {one.C}
    assert isinstance(job.partial, Study)
    assert job.partial.orders.complete
    assert walk(small_set(3), "shared", own_C=True)[0].C == "shared"


@pytest.mark.parametrize("own_C", [False, True])
def test_bounds_compare_where_C_is_shared_and_each_order_has_its_own_where_asked(own_C: bool) -> None:
    problem = Problem(small_set(3), normalize="none", bias=False, seed=2)
    found = study.on_one_draw(selected(problem, delta=0.2), 5040, own_C, wanted_work(Study))
    expected = every_order(
        small_set(3), C="shared", own_C=own_C, normalize="none", bias=False, seed=2, delta=0.2, points=True
    )
    np.testing.assert_allclose(found.orders.bounds, expected.bounds, rtol=1e-12)
    np.testing.assert_array_equal(found.orders.C, expected.C)
    greedy = found.learned["SeqMT"].bound
    assert greedy is not None
    assert found.greedy_rank == expected.rank_by_bound(greedy.value)
    for name in ("SeqMT", "Semantic", "Diversity"):
        learned = found.learned[name]
        assert learned.bound is not None
        assert learned.bound.C_choices == 8
        if not own_C:
            row = expected.row(learned.order)
            assert learned.bound.value == pytest.approx(expected.bounds[row], rel=1e-12)


def test_tables_hold_every_order_and_every_mark(found: Study) -> None:
    frame = drawn.orders_table(found.orders)
    assert np.array_equal(frame["bound"], found.orders.bounds)
    assert frame["order"][0] == " > ".join(found.orders.named(0))
    rows = drawn.table(Spread(found.orders, found.places))
    assert rows["better than % of orders"].tolist() == [place.beaten for place in found.places]
    assert "percentile" not in rows


def test_orders_survive_the_link() -> None:
    names = ("a", "b", "c")
    assert links.decode_order(links.encode_order(("c", "a", "b"), names), names) == ("c", "a", "b")
    for nonsense in ("", "1.2", "1.2.2", "1.2.9", "x.y.z", "1..2", "0.1.2"):
        assert links.decode_order(nonsense, names) is None


def test_standing_never_flatters_and_never_says_none_for_some() -> None:
    def stands(values: list[float], bound: float) -> str:
        count = len(values)
        orders = Orders(("a",), np.zeros((count, 1), dtype=int), np.array(values), None, np.ones(count))
        return drawn.standing(placed(orders, "SeqMT", None, bound, None))

    thousand = [float(k) for k in range(1000)]
    assert stands(thousand, 4.0) == "better than 99\u00a0% of orders"
    assert stands(thousand, 996.0) == "better than 0.3\u00a0% of orders"
    assert stands(thousand, 999.0) == "better than none of the orders"
    assert stands(thousand, 0.0) == "as good as the best order"
    assert stands(thousand, -1.0) == "better than all orders shown"
    assert stands([1.0, 1.0], 1.0) == "as good as all orders"


def test_over_draws_the_violins_are_the_errors_of_each_draw() -> None:
    found = drawn_over(6)
    over = found.over
    assert over is not None
    assert found.noise is not None
    spread = Spread(found.orders, found.places, found.noise)
    assert np.array_equal(drawn.figure(spread, False).data[1].x, 100 * over.errors.mean(axis=0))
    assert spread.quantity == "mean test error over 6 draws (%)"
    interest = by_draw.info(over, {"Yours": over.errors[:, 3]})
    assert list(interest.values) == [
        "SeqMT", "Semantic", "Diversity", "Random", "Lowest bound", "Best", "Worst", "Yours",
    ]  # fmt: skip
    seqmt, random = over.methods["SeqMT"][0], over.errors.mean(axis=1)
    better = int(np.sum(seqmt < random - 1e-9))
    assert (
        by_draw.title(interest, "error")
        == f"SeqMT makes fewer mistakes than a random order can expect on {better} of 6 draws"
    )
    traces = {trace.name: trace for trace in by_draw.figure(interest, True, 500).data}
    assert np.allclose(traces["Yours draws"].x, 100 * over.errors[:, 3], atol=1e-6)
    assert traces["Yours"].x[0] == pytest.approx(100 * over.errors[:, 3].mean())
    half = 100 * over.errors[:, 3].std(ddof=1) / np.sqrt(6)
    assert traces["Yours"].error_x.array[0] == pytest.approx(half)
    assert list(by_draw.table(interest)["SeqMT"]) == pytest.approx(list(100 * seqmt))


class Fresh(Source):
    """Samples that differ by their noise alone."""

    def sample(self, seed: int) -> TaskSet:
        return small_set(3, seed=seed)


def drawn_over(count: int) -> Study:
    return study.on_draws(selected(Problem(small_set(3)), C=10.0), count, 5040, True, wanted_work(Study))


def test_an_order_of_interest_is_placed_among_the_means() -> None:
    found = drawn_over(3)
    over = found.over
    assert over is not None
    mine = found.place("Yours", 2)
    assert mine.order == found.orders.named(2)
    assert mine.test_error == pytest.approx(over.errors[:, 2].mean())
    assert mine.bound == pytest.approx(over.bounds[:, 2].mean())
    assert over.greedy_lowest == int(np.sum(over.methods["SeqMT"][1] <= over.bounds.min(axis=1) + 1e-9))
