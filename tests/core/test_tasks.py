"""Tasks and task sets: what is accepted, what is refused and with which sentence, and how features are prepared."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from core import Task, TaskSet
from core.errors import CurriculabError, SettingsError, TaskError
from core.features import row_norms
from core.fitting.pool import Pool
from tests.core import cases

X = np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0]])
Y = np.array([1, -1, 1])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"y": [1, 1, 1]}, "task 'a': all 3 training labels are [+]1; a task needs both classes"),
        ({"y": [-1, -1, -1]}, "all 3 training labels are -1"),
        ({"y": [1, -1, 0]}, "label 0 found; labels must be -1 or [+]1"),
        ({"y": [1, -1]}, "3 rows of features but 2 labels"),
        ({"X": [[1.0, 2.0], [3.0], [4.0, 5.0]]}, "not a rectangular table of numbers"),
        ({"X": [["a", "b"]] * 3}, "not a rectangular table of numbers"),
        ({"X": np.array([[1, 2], [np.nan, 1], [0, 1]])}, "row 2, feature 1 is not a finite number"),
        ({"X": sp.csr_array(np.array([[1, 2], [0, np.inf], [0, 1]]))}, "row 2, feature 2 is not a finite number"),
        ({"X": np.ones(3)}, "X has 1 and y 1 dimensions"),
        ({"X": np.ones((3, 0))}, "3 rows and 0 features"),
        ({"name": "  "}, "give every task a name"),
        ({"X_test": X}, "X_test is given without y_test"),
        ({"y_test": Y}, "y_test is given without X_test"),
        ({"X_test": np.ones((2, 3)), "y_test": [1, -1]}, "3 test features but 2 training features"),
    ],
)
def test_bad_tasks_are_refused_in_one_sentence(wrong, message) -> None:
    with pytest.raises(TaskError, match=message) as caught:
        Task(**{"name": "a", "X": X, "y": Y, **wrong})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TaskSet("s", ()), "has no tasks"),
        (lambda: TaskSet("s", (Task("a", X, Y), Task("a", X, Y))), "two tasks are named 'a'"),
        (lambda: TaskSet("s", (Task("a", X, Y), Task("b", X[:, :1], Y))), "'b' has 1 features but task 'a' has 2"),
        (lambda: TaskSet("s", (Task("a", X, Y),), groups={"b": "g"}), "groups name other tasks"),
        (lambda: TaskSet("s", (Task("a", X, Y),), image_shape=(3, 3)), "does not match 2 features"),
        (lambda: TaskSet("s", (Task("a", X, Y),), semantic_order=("b",)), "names 'b', which is no task"),
        (lambda: TaskSet("s", (Task("a", X, Y),))["z"], "has no task 'z'; its tasks are 'a'"),
    ],
)
def test_bad_sets_are_refused_in_one_sentence(make, message) -> None:
    with pytest.raises(CurriculabError, match=message):
        make()


def test_rows_are_normalised_and_the_bias_comes_last() -> None:
    prepared = TaskSet("s", (Task("a", X, Y, X, Y),)).prepared()
    expected = np.array([[0.6, 0.8, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    np.testing.assert_allclose(prepared.tasks[0].X, expected)
    np.testing.assert_allclose(prepared.tasks[0].X_test, expected)
    np.testing.assert_array_equal(prepared.prepared().tasks[0].X, prepared.tasks[0].X)


def test_features_as_they_are() -> None:
    prepared = TaskSet("s", (Task("a", X, Y),)).prepared("none", bias=False)
    np.testing.assert_array_equal(prepared.tasks[0].X, X)
    assert TaskSet("s", (Task("a", X, Y),)).prepared("none", bias=True).n_features == 3


def test_a_set_may_ask_for_its_own_preparing() -> None:
    own = TaskSet("s", (Task("a", X, Y),), normalize="none", bias=True)
    np.testing.assert_array_equal(own.prepared().tasks[0].X[:, :2], X)
    with pytest.raises(SettingsError, match="'l2' or 'none'"):
        own.prepared("max")


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_row_norms_neither_overflow_nor_vanish(scale: float) -> None:
    rows = np.array([[3.0, 4.0], [0.0, 0.0]]) * scale
    np.testing.assert_allclose(row_norms(rows), [5.0 * scale, 0.0])
    np.testing.assert_allclose(row_norms(sp.csr_array(rows)), [5.0 * scale, 0.0])


def test_harmonic_mean_of_the_sizes() -> None:
    assert cases.uneven().m_bar == pytest.approx(4 / (1 / 4 + 1 / 400 + 1 / 40 + 1 / 8))


def test_the_digest_sees_every_part() -> None:
    base = TaskSet("s", (Task("a", X, Y, X, Y),))
    nudged = X.copy()
    nudged[2, 1] = np.nextafter(0.0, 1.0)
    others = [
        TaskSet("s", (Task("b", X, Y, X, Y),)),
        TaskSet("s", (Task("a", nudged, Y, X, Y),)),
        TaskSet("s", (Task("a", X, Y),)),
        TaskSet("s", (Task("a", X, Y, X, -Y),)),
        TaskSet("s", (Task("a", X, Y, X, Y),), bias=False),
        TaskSet("s", (Task("a", X, Y, X, Y),), image_shape=(1, 2)),
    ]
    assert len({task_set.digest for task_set in [base, *others]}) == 7
    assert base.digest == TaskSet("another name", (Task("a", X, Y, X, Y),)).digest


@pytest.mark.parametrize("make", [cases.draw, cases.sparse, lambda: cases.draw(0, m=40, d=3)])
def test_margins_follow_the_weights(make) -> None:
    """Gram matrix or features, dense or sparse: the pool's margins are y<w,x>."""
    pool = Pool(make().prepared())
    alpha = np.random.default_rng(0).random(int(pool.sizes[1]))
    w = pool.weight_step(1, alpha)
    margins = pool.moved(np.zeros(pool.n_points), pool.rows[1], alpha)
    expected = np.concatenate([task.y * (task.X @ w) for task in pool.task_set.tasks])
    np.testing.assert_allclose(margins, expected, atol=1e-10)
    own = pool.own_points(2)
    np.testing.assert_allclose(pool.moved(np.zeros(pool.n_points), pool.rows[1], alpha, own), expected[own], atol=1e-10)


def test_features_that_overflow_are_refused() -> None:
    huge = TaskSet("s", (Task("a", X * 1e200, Y),)).prepared("none", bias=False)
    with pytest.raises(TaskError, match="inner products overflow"), np.errstate(over="ignore"):
        Pool(huge)


def test_text_labels_and_complex_features_are_refused_in_words() -> None:
    X = np.eye(2)
    with pytest.raises(TaskError, match=r"task 'a', training data: label 'cat' is text; turn the two classes into -1"):
        Task("a", X, ["cat", "dog"])
    with pytest.raises(TaskError, match=r"test data: label 'dog' is text"):
        Task("a", X, [1, -1], X, np.array(["dog", "cat"]))
    for features in (X * 1j, (X * 1j).tolist(), sp.csr_array(X * 1j)):
        with pytest.raises(TaskError, match="the features are complex; give real ones"):
            Task("a", features, [1, -1])


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0], [2.0]], [b"a", b"b"], "label b'a' is text"),
        ([[1.0], [2.0]], [1 + 2j, -1 + 0j], "the labels are complex"),
        (np.array([["2024-01-01"], ["2024-01-02"]], dtype="datetime64[D]"), [1, -1], "dates or times"),
    ],
)
def test_what_is_no_number_is_told(X: object, y: object, words: str) -> None:
    with pytest.raises(TaskError, match=words):
        Task("a", X, y)  # type: ignore[arg-type]


@pytest.mark.parametrize("normalize", ["l2", "none"])
@pytest.mark.parametrize("bias", [True, False])
def test_a_row_is_prepared_as_each_of_the_four_ways_says(normalize: str, bias: bool) -> None:
    first = [*([0.6, 0.8] if normalize == "l2" else [3.0, 4.0]), *([1.0] if bias else [])]
    X, y = np.array([[3.0, 4.0], [-1.0, 0.0]]), np.array([1.0, -1.0])
    prepared = TaskSet("rows", (Task("a", X, y, X, y),)).prepared(normalize, bias)
    np.testing.assert_allclose(prepared.tasks[0].X[0], first)
    np.testing.assert_allclose(prepared.tasks[0].X_test[0], first)
    assert (prepared.normalize, prepared.bias) == ("none", False)


def test_of_equal_classes_neither_is_larger_and_the_negative_one_is_answered() -> None:
    for y, larger in (([1, 1, -1], 1.0), ([1, -1, -1], -1.0), ([1, -1], -1.0), ([1, 1, -1, -1], -1.0)):
        assert Task("a", np.ones((len(y), 1)), np.array(y, float)).larger_class == larger
