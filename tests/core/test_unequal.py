"""Tasks of unequal sizes, and ties between tasks that are not equal: what equal ones would hide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import Problem, Task, TaskSet, every_order, learn
from core.curriculum.methods import GREEDY
from core.orders.best_order import best_order
from tests.core import cases


def twice(task: Task, name: str) -> Task:
    """Every training point two times: the mean loss is the same, and so are weights, error term and distance."""
    X, y = (np.concatenate([part, part]) for part in (task.X, task.y))
    return replace(task, name=name, X=X, y=y)


@pytest.mark.parametrize("sizes", [(12, 12, 12), (30, 6, 11), (5, 40, 8)])
def test_mt_is_optimal_for_equation_5_whatever_the_sizes(sizes: tuple[int, ...]) -> None:
    """No small change of the prototype or of a task's weights lowers the objective."""
    parts = [cases.draw(10 + k, n=1, m=m).tasks[0] for k, m in enumerate(sizes)]
    task_set = TaskSet("s", tuple(replace(part, name=f"t{k}") for k, part in enumerate(parts)))
    tasks, C, n = task_set.prepared().tasks, 20.0, 3
    own = np.array([learn(task_set, "mt", C=C).weights[task.name] for task in tasks])

    def objective(w: np.ndarray) -> float:
        prototype = w.sum(axis=0) / (2 * n)  # the best w_0 for given w_i: w_0 = Σ w_i/(2n)
        hinge = sum(np.mean(np.maximum(0, 1 - t.y * (t.X @ w_i))) for t, w_i in zip(tasks, w, strict=True))
        return float(prototype @ prototype + np.sum((w - prototype) ** 2) / n + C / n * hinge)

    rng = np.random.default_rng(0)
    least = objective(own)
    for scale in (1e-1, 1e-2, 1e-3):
        for _ in range(50):
            assert objective(own + scale * rng.normal(size=own.shape)) >= least - 1e-9


def test_merged_svm_counts_every_point_alike() -> None:
    task_set = cases.uneven()
    merged = Task("all", np.vstack([t.X for t in task_set.tasks]), np.concatenate([t.y for t in task_set.tasks]))
    alone = learn(TaskSet("all", (merged,)), "indsvm", C=7.0).weights["all"]
    for weights in learn(task_set, "mergedsvm", C=7.0).weights.values():
        np.testing.assert_allclose(weights, alone, atol=1e-7)


@pytest.mark.parametrize("C", [0.1, 10.0, "shared", "each"])
@pytest.mark.parametrize("method", ["seqmt", "multiseqmt", "treemt", "diversity", "error", "compl"])
def test_of_two_tasks_that_tie_without_being_equal_the_first_of_the_set_goes_first(method: str, C: float | str) -> None:
    """A task and the same with all points twice; with one more that is unlike them."""
    first, other = cases.draw(3, n=2, m=14, noise=1.0, drift=2.0).tasks
    single, double = replace(first, name="single"), twice(first, "double")
    for pair in ((single, double), (double, single)):
        for place in (0, 1, 2):
            tasks = [*pair[:place], other, *pair[place:]] if place < 2 else [*pair, other]
            order = learn(TaskSet("s", tuple(tasks)), method, C=10.0 if C == "each" else C).order
            assert [name for name in order if name != other.name] == [task.name for task in pair]


def test_the_search_for_the_lowest_bound_breaks_such_a_tie_in_the_same_way() -> None:
    first, other = cases.draw(3, n=2, m=14, noise=1.0, drift=2.0).tasks
    for pair in ((replace(first, name="a"), twice(first, "b")), (twice(first, "b"), replace(first, name="a"))):
        task_set = TaskSet("s", (*pair, other))
        orders = every_order(task_set, C=10.0)
        found = best_order(Problem(task_set), 10.0)
        assert found.bound == pytest.approx(orders.bounds.min(), abs=1e-9)
        swapped = {pair[0].name: pair[1].name, pair[1].name: pair[0].name, other.name: other.name}
        for row in range(6):
            twin = orders.row(tuple(swapped[name] for name in orders.named(row)))
            assert orders.bounds[row] == pytest.approx(orders.bounds[twin], abs=1e-9)


@pytest.mark.parametrize("method", [*GREEDY, "order", "random", "semantic", "indsvm"])
def test_the_mean_error_is_that_over_tasks_and_not_over_points(method: str) -> None:
    """Test data of unequal sizes: 10 points of one task weigh as much as 90 of another."""
    made = cases.draw(4, n=3, m=12, noise=1.5, test=90)
    cut = tuple(
        replace(t, X_test=t.X_test[:m], y_test=t.y_test[:m]) for t, m in zip(made.tasks, (90, 10, 40), strict=True)
    )
    task_set = TaskSet("s", cut, semantic_order=("t2", "t0", "t1"))
    order = ("t1", "t2", "t0") if method == "order" else None
    learned = learn(task_set, method, C=10.0, order=order)
    prepared = task_set.prepared()
    wrong = {t.name: t.y_test * (t.X_test @ learned.weights[t.name]) <= 0 for t in prepared.tasks}
    assert learned.test_error == {name: pytest.approx(own.mean()) for name, own in wrong.items()}
    assert learned.mean_test_error == pytest.approx(np.mean([own.mean() for own in wrong.values()]))
    assert learned.mean_test_error != pytest.approx(np.concatenate(list(wrong.values())).mean(), abs=1e-6)


def test_every_order_is_told_by_the_mean_over_tasks() -> None:
    made = cases.draw(4, n=3, m=12, noise=1.5, test=90)
    cut = tuple(
        replace(t, X_test=t.X_test[:m], y_test=t.y_test[:m]) for t, m in zip(made.tasks, (90, 10, 40), strict=True)
    )
    task_set = TaskSet("s", cut)
    walked = every_order(task_set, C=10.0, points=True)
    for row in range(6):
        learned = learn(task_set, "order", C=10.0, order=walked.named(row))
        assert walked.test_errors[row] == pytest.approx(learned.mean_test_error)
        wrong = walked.points.wrong[row]
        shares = [wrong[:90].mean(), wrong[90:100].mean(), wrong[100:].mean()]
        assert shares == pytest.approx([learned.test_error[name] for name in task_set.names])
