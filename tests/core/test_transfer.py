"""The pairwise transfer matrix equals what the learner itself says of two-task curricula."""

from dataclasses import replace

import numpy as np
import pytest

from core import Task, TaskSet, learn
from core.curriculum.learn import Problem
from core.errors import Cancelled
from core.orders.transfer import pairwise


def three_tasks(test: bool = True) -> TaskSet:
    rng = np.random.default_rng(3)
    tasks = []
    for k, angle in enumerate((0.0, 0.4, 2.5)):
        w = np.array([np.cos(angle), np.sin(angle), 0.0])
        X, X_test = rng.normal(size=(14, 3)), rng.normal(size=(40, 3))
        y, y_test = np.sign(X @ w), np.sign(X_test @ w)
        tasks.append(Task(f"t{k}", X, y, X_test if test else None, y_test if test else None))
    return TaskSet("three", tuple(tasks))


@pytest.mark.parametrize("C", [10.0, "each", "shared"])
def test_each_pair_equals_a_sequence_of_the_two_tasks(C: float | str) -> None:
    task_set = three_tasks()
    problem = Problem(task_set)
    transfer = pairwise(problem, C)
    shared = next(iter(learn(task_set, "indsvm", C="shared").chosen_C.values()))
    used = shared if C == "shared" else C
    alone = learn(task_set, "indsvm", C=used)
    assert transfer.quantity == "test error"
    np.testing.assert_allclose(transfer.alone, list(alone.test_error.values()))
    for i, source in enumerate(task_set.names):
        for j, task in enumerate(task_set.names):
            if i == j:
                assert np.isnan(transfer.started[i, j])
                continue
            pair = learn(task_set.subset([source, task]), "order", C=used, order=[source, task])
            assert transfer.started[i, j] == pytest.approx(pair.test_error[task])
            assert transfer.C[i, j] == pair.chosen_C[task]


def test_without_test_data_it_compares_the_criterion() -> None:
    task_set = three_tasks(test=False)
    transfer = pairwise(Problem(task_set), 10.0)
    first = learn(task_set, "treemt", C=10.0, choices=[("t0", None)]).steps
    alone = {c.task: c.criterion for c in first[0].candidates}
    started = {c.task: c.criterion for c in first[1].candidates if c.source == "t0"}
    assert transfer.quantity == "criterion"
    np.testing.assert_allclose(transfer.alone, [alone[name] for name in task_set.names], rtol=1e-6)
    np.testing.assert_allclose(transfer.started[0, 1:], [started["t1"], started["t2"]], rtol=1e-6)
    np.testing.assert_allclose(transfer.difference[0, 1:], transfer.started[0, 1:] - transfer.alone[1:])


def test_the_best_pair_is_the_lowest_difference_and_one_task_has_none() -> None:
    transfer = pairwise(Problem(three_tasks()), 10.0)
    assert transfer.helped + transfer.hurt <= 6
    transfer = replace(transfer, p_values=np.where(np.eye(3, dtype=bool), np.nan, 0.01))  # as on many more points
    source, task, value = transfer.best_pair()
    assert value == np.nanmin(transfer.difference)
    assert transfer.difference[transfer.names.index(source), transfer.names.index(task)] == value
    single = pairwise(Problem(three_tasks().subset(["t1"])), 10.0)
    assert single.best_pair() is None
    assert single.started.shape == (1, 1)


def test_it_counts_the_sources_and_can_be_cancelled() -> None:
    seen = []
    pairwise(Problem(three_tasks()), 10.0, lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]

    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        pairwise(Problem(three_tasks()), 10.0, stop)


def test_only_differences_beyond_noise_are_counted() -> None:
    """Tasks without relation: what a source seems to do on 20 test points is chance; 4 alarms in 40 at most."""
    false_alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        tasks = []
        for name in "abc":
            X, y = rng.normal(size=(40, 8)), np.tile([1.0, -1.0], 20)
            tasks.append(Task(name, X[:20], y[:20], X[20:], y[20:]))
        found = pairwise(Problem(TaskSet("noise", tuple(tasks))), 10.0)
        raw = np.nansum(np.abs(found.difference) > 0)
        assert raw > 0
        false_alarms += found.helped + found.hurt > 0
    assert false_alarms <= 4
