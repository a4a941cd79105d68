"""What is odd about a set is found, and nothing is found where nothing is odd."""

import numpy as np
import pytest
import scipy.sparse as sp

from core import Task, TaskSet
from core.analysis.oddities import balanced_error, oddities


def task(name, positive=10, negative=10, test=6, seed=0, scale=1.0):
    rng = np.random.default_rng([seed, sum(name.encode())])
    y, y_test = np.repeat([1.0, -1.0], [positive, negative]), np.repeat([1.0, -1.0], test)
    X, X_test = rng.normal(size=(len(y), 3)), rng.normal(size=(len(y_test), 3))
    X[:, 2] *= scale
    return Task(name, X, y, X_test, y_test) if test else Task(name, X, y)


def kinds(*tasks):
    return {odd.kind: odd for odd in oddities(TaskSet("set", tasks))}


def test_an_ordinary_set_has_nothing_odd():
    assert kinds(task("a"), task("b")) == {}


def test_unbalanced_and_tiny_tasks_are_named():
    found = kinds(task("a"), task("b", positive=2, negative=200), task("c", positive=3, negative=4))
    assert found["unbalanced"].tasks == ("b",)
    assert found["unbalanced"].much == 100.0
    assert (found["tiny"].tasks, found["tiny"].much) == (("c",), 7)
    assert "unbalanced" not in kinds(task("a", positive=10, negative=20))  # exactly 2 : 1


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_points_seen_before_and_points_of_two_tasks_are_counted(kind):
    a, b = task("a"), task("b")
    X_test = np.vstack([b.X_test[:4], b.X[:2]])
    again = Task("b", kind(b.X), b.y, kind(X_test), np.array([1.0, 1, 1, -1, -1, -1]))
    found = kinds(Task("a", kind(a.X), a.y, kind(a.X_test), a.y_test), again)
    assert (found["duplicates"].tasks, found["duplicates"].much) == (("b",), 2)
    assert "shared" not in found
    mixed = Task("c", kind(np.vstack([a.X[:3], b.X[:5]])), np.repeat([1.0, -1.0], 4))
    found = kinds(Task("a", kind(a.X), a.y), again, mixed)
    assert (found["shared"].tasks, found["shared"].much) == (("a", "b", "c"), 8)
    assert found["untested"].tasks == ("a", "c")


def test_columns_a_thousandfold_apart_are_named():
    found = kinds(task("a", scale=1e4), task("b", scale=1e4))["scales"]
    assert found.columns[0] == 2
    assert found.much == pytest.approx(1e4, rel=0.5)
    assert "scales" not in kinds(task("a", scale=100.0))


def test_balanced_error_is_the_mean_over_the_classes():
    X_test = np.array([[1.0], [1.0], [1.0], [1.0]])
    one = Task(
        "a", np.array([[1.0], [-1.0], [-2.0], [-3.0]]), np.array([1.0, -1, -1, -1]), X_test, np.array([1.0, -1, -1, -1])
    )
    always_negative = np.array([-1.0])
    assert one.test_error(always_negative) == 0.25
    assert balanced_error(one, always_negative) == 0.5


def test_without_a_test_point_of_either_class_there_is_no_balanced_error():
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    for X_test, y_test in (([[1.0]], [1.0]), ([[1.0]], [-1.0])):
        assert balanced_error(Task("a", X, y, np.array(X_test), np.array(y_test)), np.array([1.0])) is None
