"""Quantities that are reported, each against its definition written out once more."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from core import Task, TaskSet, every_order, learn
from core.curriculum.steps import first_best
from core.experiments.difference import Average
from core.experiments.experiment import Outcome, Settings
from core.experiments.summary import results_of
from core.fitting.cross_validation import C_GRID, REPEATS, Folds
from core.fitting.joint import Joint, Kind
from core.fitting.pool import Pool
from core.orders.all_orders import Orders
from core.orders.ranking import beaten, percentile
from tests.core import cases


@pytest.mark.parametrize(
    ("method", "structures"),
    [
        ("seqmt", lambda n: n),
        ("error", lambda n: n),
        ("compl", lambda n: n),
        ("diversity", lambda n: n),
        ("random", lambda n: n),
        ("multiseqmt", lambda n: 2 * n),
        ("randommultiseq", lambda n: 2 * n),
        ("indsvm", lambda n: 2 * n),
        ("treemt", lambda n: n + 1),
    ],
)
def test_each_method_pays_for_the_structures_it_could_have_chosen(method: str, structures) -> None:
    task_set = cases.draw(3, n=5)
    bound = learn(task_set, method, C=10.0).bound
    assert bound.union == pytest.approx(math.log(structures(5)) / math.sqrt(task_set.m_bar))


def test_a_test_point_on_the_line_counts_as_wrong() -> None:
    X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    y = np.array([1.0, -1.0])
    on_the_line = np.array([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0], [-1.0, 0.0]])
    task = Task("t", X, y, on_the_line, np.array([1.0, -1.0, 1.0, -1.0]))
    assert task.test_error(np.array([1.0, 0.0])) == 0.5
    task_set = TaskSet("s", (task, replace(task, name="u")), normalize="none", bias=False)
    assert learn(task_set, "seqmt", C=1.0).mean_test_error == 0.5
    assert every_order(task_set, C=1.0).test_errors.tolist() == [0.5, 0.5]


def test_validation_errors_are_averaged_over_tasks_not_pooled_over_points() -> None:
    """A small task counts as much as a large one: two wrong counts with different winners by the two readings."""
    small, large = (
        Task(name, rng.normal(size=(m, 2)), np.tile([1.0, -1.0], m // 2))
        for name, m, rng in (("small", 10, np.random.default_rng(0)), ("large", 100, np.random.default_rng(1)))
    )
    folds = Folds.draw(Pool(TaskSet("s", (small, large)).prepared()), seed=0)
    parts = 5 * REPEATS

    def count_wrong(inside, outside):
        assert [len(rows) for rows in outside] == [2, 20]
        wrong = np.full((len(C_GRID), 2), [2.0, 20.0])
        wrong[2] = [0.0, 10.0]  # right on the small task: mean error (0 + 0.5)/2, pooled 10/22
        wrong[5] = [1.0, 4.0]  # right on the large one: mean error (0.5 + 0.2)/2, pooled 5/22
        return wrong

    errors = folds.shared_errors(count_wrong)
    assert errors[2] == pytest.approx((0 / 10 + parts * 10 / (REPEATS * 100)) / 2)
    assert errors[5] == pytest.approx((parts * 1 / (REPEATS * 10) + parts * 4 / (REPEATS * 100)) / 2)
    assert errors.argmin() == 2


def test_ties_go_to_the_first_task_then_to_no_source_then_to_the_source_solved_first() -> None:
    equal = cases.equal_tasks()
    assert learn(equal, "multiseqmt", C=10.0).order == equal.names
    apart = learn(equal, "multiseqmt", C=10.0, choices=[("t2", None), ("t1", None)])
    third = apart.steps[2].chosen
    assert (third.task, third.source) == ("t0", "t2"), "both sources have equal weights: the one solved first"
    # Points that contradict each other leave the weights at zero, so that no source and a zero source are the same.
    X = np.array([[1.0, 2.0], [1.0, 2.0], [-2.0, 1.0], [-2.0, 1.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0])
    nothing = TaskSet("nothing", tuple(Task(name, X, y) for name in "ab"))
    assert learn(nothing, "treemt", C=10.0).sources == {"a": None, "b": None}


def outcome(repeat: int, method: str, error: float) -> Outcome:
    return Outcome(repeat, method, 1.0, ("t",), {"t": None}, {"t": 1.0}, {"t": error}, None)


def test_methods_are_paired_by_repeat_not_by_position() -> None:
    settings = Settings("s", ("seqmt", "indsvm"), repeats=4, C=1.0)
    seqmt = [outcome(repeat, "seqmt", error) for repeat, error in ((0, 0.9), (1, 0.2), (2, 0.1))]
    indsvm = [outcome(repeat, "indsvm", error) for repeat, error in ((1, 0.3), (2, 0.4), (3, 0.9))]
    paired = results_of(settings, [*seqmt, *indsvm]).paired("seqmt", "indsvm")
    assert paired.count == 2
    assert paired.difference == pytest.approx(((0.2 - 0.3) + (0.1 - 0.4)) / 2)
    assert paired.interval is not None
    assert paired.interval.low < paired.difference < paired.interval.high


def test_the_standard_error_divides_by_the_root_of_the_count() -> None:
    values = np.array([0.1, 0.2, 0.4, 0.5])
    average = Average.of(values)
    assert average.standard_error == pytest.approx(math.sqrt(((values - 0.3) ** 2).sum() / 3) / 2)


@pytest.mark.parametrize(
    ("scale", "apart", "ties"), [(1, 5e-10, True), (1, 2e-9, False), (1e3, 5e-7, True), (1e3, 2e-6, False)]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_values_tie_within_a_billionth_of_their_size(scale: float, apart: float, ties: bool, sign: int) -> None:
    """In the search and in every rank among orders."""
    least = sign * scale
    values = np.array([least + apart, least])
    assert first_best(values) == (0 if ties else 1)
    orders = Orders(("a",), np.zeros((2, 1), dtype=int), values, None, np.ones(2))
    assert orders.rank_by_bound(values[0]) == (1 if ties else 2)
    assert percentile(values, values[0]) == (50.0 if ties else 75.0)
    assert beaten(values, least) == (0.0 if ties else 50.0)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("kind", "own"), [("mergedsvm", 0.0), ("mt", 3.0)])
def test_the_joint_problem_is_that_of_equation_5_and_its_factor_is_a_factor(
    kind: Kind, own: float, sparse: bool
) -> None:
    task_set = cases.draw(4, n=3, m=16, d=4)
    if sparse:
        tasks = [replace(task, X=sp.csr_array(task.X)) for task in task_set.tasks]
        task_set = replace(task_set, tasks=tuple(tasks))
    joint = Joint.of(Pool(task_set.prepared("none", bias=False)), kind)
    Z = np.vstack([task.y[:, None] * np.asarray(task.X @ np.eye(4)) for task in task_set.tasks])
    task_of = np.repeat(np.arange(3), [16, 18, 20])
    np.testing.assert_allclose(joint.Q, 0.5 * Z @ Z.T * (1.0 + own * (task_of[:, None] == task_of)), atol=1e-12)
    assert joint.factor is not None
    assert joint.factor.shape == (54, 4 if kind == "mergedsvm" else 16)
    np.testing.assert_allclose(joint.factor @ joint.factor.T, joint.Q, atol=1e-12)


def test_the_joint_problem_has_a_factor_only_where_it_is_no_wider_than_the_points_are_many() -> None:
    pool = Pool(cases.draw(4, n=3, m=16, d=13, more=0).prepared("none", bias=False))
    assert Joint.of(pool, "mt").factor is None  # 52 columns, 48 points
    assert Joint.of(pool, "mergedsvm").factor is not None
