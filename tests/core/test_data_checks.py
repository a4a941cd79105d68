"""What is odd about a set is found, and nothing is found where nothing is odd."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from core import Task, TaskSet
from core.statistics.data_checks import check_data, unequal


def task(name, positive=10, negative=10, test=6, seed=0, scale=1.0):
    rng = np.random.default_rng([seed, sum(name.encode())])
    y, y_test = np.repeat([1.0, -1.0], [positive, negative]), np.repeat([1.0, -1.0], test)
    X, X_test = rng.normal(size=(len(y), 3)), rng.normal(size=(len(y_test), 3))
    X[:, 2] *= scale
    return Task(name, X, y, X_test, y_test) if test else Task(name, X, y)


def kinds(*tasks):
    return {odd.kind: odd for odd in check_data(TaskSet("set", tasks))}


def test_an_ordinary_set_has_nothing_odd():
    assert kinds(task("a"), task("b")) == {}


def test_unbalanced_and_tiny_tasks_are_named():
    found = kinds(task("a"), task("b", positive=2, negative=200), task("c", positive=3, negative=4))
    assert found["unbalanced"].tasks == ("b",)
    assert found["unbalanced"].much == 100.0
    assert (found["tiny"].tasks, found["tiny"].much) == (("c",), 7)
    assert "unbalanced" not in kinds(task("a", positive=10, negative=15))  # exactly 1.5 : 1
    assert not unequal(TaskSet("set", (task("a", positive=10, negative=15),)))
    assert unequal(TaskSet("set", (task("a"), task("b", positive=16, negative=10))))


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_points_seen_before_and_points_of_two_tasks_are_counted(kind):
    a, b = task("a"), task("b")
    X_test = np.vstack([b.X_test[:4], b.X[:2]])
    again = Task("b", kind(b.X), b.y, kind(X_test), np.array([1.0, -1, -1, -1, 1, 1]))
    found = kinds(Task("a", kind(a.X), a.y, kind(a.X_test), a.y_test), again)
    assert (found["duplicates"].tasks, found["duplicates"].much) == (("b",), 2)
    assert "shared" not in found
    mixed = Task("c", kind(np.vstack([a.X[:3], b.X[:5]])), np.repeat([1.0, -1.0], 4))
    found = kinds(Task("a", kind(a.X), a.y), again, mixed)
    assert (found["shared"].tasks, found["shared"].much) == (("a", "b", "c"), 8)
    assert found["untested"].tasks == ("a", "c")


def test_equal_features_are_no_repeated_point_where_the_label_differs():
    b = task("b")
    opposite = Task("b", b.X, b.y, np.vstack([b.X_test, b.X[:1]]), np.append(b.y_test, -b.y[0]))
    assert "duplicates" not in kinds(task("a"), opposite)


def coarse(ids=False):
    """Points with one coarse feature and labels that have little to do with it."""
    rng = np.random.default_rng(4)
    made = []
    for name in "ab":
        X, y = rng.integers(0, 4, (60, 1)).astype(float), rng.choice([1.0, -1.0], 60)
        numbers = np.arange(60) + 100 * (name == "b") if ids else None
        parts = (None, None) if numbers is None else (numbers[:40], numbers[40:])
        made.append(Task(name, X[:40], y[:40], X[40:], y[40:], *parts))
    return made


@pytest.mark.parametrize("ids", [True, False])
def test_where_equal_features_have_both_labels_features_are_coarse_and_no_point_is_called_repeated(ids):
    found = kinds(*coarse(ids))
    assert set(found) == {"coarse"}
    assert found["coarse"].tasks == ("a", "b")
    assert found["coarse"].much == 1.0


def test_rows_of_a_table_are_repeated_only_where_every_column_is():
    a, b = coarse(ids=True)
    again = replace(a, ids_test=np.append(a.ids_test[:-2], a.ids[:2]))
    found = kinds(again, replace(b, ids=np.append(b.ids[:-1], a.ids[0])))
    assert (found["duplicates"].tasks, found["duplicates"].much) == (("a",), 2)
    assert (found["shared"].tasks, found["shared"].much) == (("a", "b"), 1)


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
    assert one.test_error(always_negative, "balanced") == 0.5


def test_test_points_of_one_class_have_that_class_error_as_balanced_error():
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    for sign in (1.0, -1.0):
        one = Task("a", X, y, np.array([[1.0], [1.0], [-1.0]]), np.full(3, sign))
        assert one.test_error(np.array([1.0]), "balanced") == one.test_error(np.array([1.0]))
    assert Task("a", X, y).test_error(np.array([1.0]), "balanced") is None
