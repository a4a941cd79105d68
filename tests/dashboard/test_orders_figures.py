"""The figures of all orders show exactly the arrays of the walk; orders survive the link."""

from __future__ import annotations

import numpy as np
import pytest

from core import Problem, Task, TaskSet
from core.analysis.all_orders import Orders
from core.analysis.ranking import agreement
from core.curriculum.learn import CSetting
from dashboard.figures import orders as drawn
from dashboard.figures.agreement import Agreement
from dashboard.figures.agreement import figure as agreement_figure
from dashboard.figures.orders import Spread
from dashboard.parts import order_study
from dashboard.parts.order_study import Tried
from dashboard.session.job_panel import Job, Report


def small_set(n: int = 4, test: bool = True, same: bool = False) -> TaskSet:
    rng = np.random.default_rng(5)
    tasks = []
    for k in range(n):
        X = rng.normal(size=(60, 2))
        y = np.where(X @ [np.cos(0.5 * k), np.sin(0.5 * k)] + 0.4 * rng.normal(size=60) > 0, 1.0, -1.0)
        if same:
            X, y = np.array([[1.0, 0.0], [-1.0, 0.0]]).repeat(30, axis=0), np.array([1.0, -1.0]).repeat(30)
        part = np.arange(60) % 2 == 0
        tasks.append(Task(f"t{k}", X[part], y[part], *((X[~part], y[~part]) if test else ())))
    return TaskSet("small", tuple(tasks), tuple(f"t{k}" for k in range(n)))


def walk(task_set: TaskSet, C: CSetting = 10.0, limit: int = 5040, own_C: bool = True) -> tuple[Tried, Job[Tried]]:
    job: Job[Tried] = Job("orders", "a", "Trying", lambda report: pytest.fail("not run"))
    return order_study.try_orders(Problem(task_set), C, 0.05, limit, own_C, Report(job)), job


@pytest.fixture(scope="module")
def found() -> Tried:
    return walk(small_set())[0]


def test_the_strip_and_the_violin_are_the_test_errors(found: Tried) -> None:
    assert found.orders.test_errors is not None
    chart = drawn.figure(Spread(found.orders, found.places), False)
    violin, strip, *marks = chart.data
    assert violin.type == "violin"
    assert strip.type == "scattergl"
    assert np.array_equal(violin.x, 100 * found.orders.test_errors)
    assert np.array_equal(strip.x, 100 * found.orders.test_errors)
    assert list(strip.customdata) == list(range(24))
    expected = {place.label: 100 * (place.test_error or 0) for place in found.places}
    assert {mark.name: mark.x[0] for mark in marks} == pytest.approx(expected)
    assert set(expected) == {"SeqMT", "Semantic", "Diversity", "Random", "Best", "Worst"}


def test_methods_stand_where_they_were_learned(found: Tried) -> None:
    assert found.orders.test_errors is not None
    for place in found.places[:3]:
        learned = found.learned[place.label]
        assert place.test_error == learned.mean_test_error
        row = found.orders.row(learned.order)
        assert row is not None
        assert place.test_error == pytest.approx(found.orders.test_errors[row])
    assert found.places[3].test_error == pytest.approx(found.orders.test_errors.mean())


def test_bound_against_error_has_a_dot_an_order(found: Tried) -> None:
    assert found.orders.test_errors is not None
    greedy = found.learned["SeqMT"].bound
    assert greedy is not None
    relation = Agreement(found.orders, found.places, agreement(found.orders), found.orders.rank_by_bound(greedy.value))
    dots = agreement_figure(relation, True).data[0]
    assert np.array_equal(dots.x, found.orders.bounds)
    assert np.array_equal(dots.y, 100 * found.orders.test_errors)
    assert f"{relation.correlation:.2f}".replace("-", "−") in relation.title
    lower = int(np.sum(found.orders.bounds < greedy.value - 1e-9))
    assert relation.greedy_rank == 1 + lower
    assert (f"{lower:,} of all 24" in relation.greedy_words) or lower == 0


@pytest.mark.parametrize(("rho", "word"), [(0.8, "chooses well"), (0.1, "says little"), (-0.5, "misleads")])
def test_the_title_says_what_the_correlation_means(found: Tried, rho: float, word: str) -> None:
    assert word in Agreement(found.orders, (), rho, None).title


def test_equal_orders_are_a_strip_without_a_violin() -> None:
    flat = walk(small_set(3, same=True))[0]
    spread = Spread(flat.orders, flat.places)
    assert spread.flat
    assert [trace.type for trace in drawn.figure(spread, False).data[:1]] == ["scattergl"]
    assert "makes no difference" in spread.title
    assert "nothing can be told" in Agreement(flat.orders, (), agreement(flat.orders), None).title


def test_without_test_data_the_bound_is_shown() -> None:
    bare = walk(small_set(3, test=False))[0]
    spread = Spread(bare.orders, bare.places)
    assert spread.by_bound
    assert np.array_equal(drawn.figure(spread, False).data[1].x, bare.orders.bounds)
    assert "bound" in spread.title


def test_one_C_for_all_is_the_one_of_SeqMT_and_partial_results_are_kept() -> None:
    one, job = walk(small_set(3), "shared", own_C=False)
    assert set(one.orders.C) == set(one.learned["SeqMT"].chosen_C.values()) == {one.C}
    assert isinstance(job.partial, Tried)
    assert job.partial.orders.complete
    assert walk(small_set(3), "shared", own_C=True)[0].C == "shared"


def test_tables_hold_every_order_and_every_mark(found: Tried) -> None:
    frame = drawn.orders_table(found.orders)
    assert np.array_equal(frame["bound"], found.orders.bounds)
    assert frame["order"][0] == " > ".join(found.orders.named(0))
    marks = drawn.table(Spread(found.orders, found.places))
    assert marks["percentile"].tolist() == [place.percentile for place in found.places]


def test_orders_survive_the_link() -> None:
    names = ("a", "b", "c")
    assert order_study.decode(order_study.encode(("c", "a", "b"), names), names) == ("c", "a", "b")
    for nonsense in ("", "1.2", "1.2.2", "1.2.9", "x.y.z", "1..2", "0.1.2"):
        assert order_study.decode(nonsense, names) is None


def test_standing_never_flatters() -> None:
    orders = Orders(("a",), np.zeros((1000, 1), dtype=int), np.arange(1000.0), None, np.ones(1000), True)
    from core.analysis.ranking import place

    assert drawn.standing(place(orders, "SeqMT", None, 4.0, None)) == "better than 99 % of orders"


def test_the_command_line_walks_the_same_orders() -> None:
    learning = "curriculab learn 'my file.npz' --method seqmt --C 100 --no-bias --seed 3"
    expected = "curriculab orders 'my file.npz' --C 100 --no-bias --seed 3 --limit 200 --csv orders.csv"
    assert order_study.command(learning, 200) == expected
