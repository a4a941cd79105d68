"""Projections, angles and rank correlations against what other libraries compute."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA

from core import Task, TaskSet
from core.statistics.noise import rank_correlation
from core.statistics.projection import cosines, projection, scores_on_grid


def drawn(n_points: int = 20, d: int = 7) -> TaskSet:
    rng = np.random.default_rng(0)
    y = np.where(np.arange(n_points) % 2, 1.0, -1.0)
    return TaskSet("drawn", tuple(Task(f"t{k}", rng.normal(size=(n_points, d)) + k, y) for k in range(3)))


def test_the_projection_is_that_of_principal_component_analysis() -> None:
    task_set = drawn()
    found = projection(task_set)
    X = np.vstack([task.X for task in task_set.tasks])
    pca = PCA(2).fit(X)
    expected = pca.transform(X)
    for axis in (0, 1):
        sign = np.sign(expected[:, axis] @ found.points[:, axis])
        np.testing.assert_allclose(found.points[:, axis], sign * expected[:, axis], atol=1e-8)
    np.testing.assert_allclose(found.explained, pca.explained_variance_ratio_, atol=1e-10)
    assert found.complete
    assert found.task.tolist() == [0] * 20 + [1] * 20 + [2] * 20


def test_sparse_features_project_as_dense_ones_and_many_points_are_sampled() -> None:
    task_set = drawn()
    sparse = TaskSet("sparse", tuple(Task(task.name, sp.csr_array(task.X), task.y) for task in task_set.tasks))
    np.testing.assert_allclose(projection(sparse).points, projection(task_set).points, atol=1e-8)
    sample = projection(task_set, most=30)
    assert not sample.complete
    assert np.bincount(sample.task).tolist() == [10, 10, 10]


def test_one_feature_has_a_second_axis_of_zeros() -> None:
    found = projection(drawn(d=1))
    np.testing.assert_allclose(found.points[:, 1], 0.0, atol=1e-6)
    assert found.explained[0] == pytest.approx(1.0)


def test_cosines_leave_the_bias_out_and_know_zero() -> None:
    weights = {"a": np.array([1.0, 0.0, 9.0]), "b": np.array([1.0, 1.0, -9.0]), "zero": np.zeros(3)}
    found = cosines(weights, bias=True)
    assert found[0, 1] == pytest.approx(np.sqrt(0.5))
    assert found[2].tolist() == [0.0, 0.0, 0.0]
    assert cosines(weights, bias=False)[0, 1] < 0


def test_rank_correlation_is_spearmans() -> None:
    a, b = [1, 2, 3, 4, 5], [0.1, 0.1, 0.3, 0.2, 0.9]
    ranks = np.array([1.5, 1.5, 4.0, 3.0, 5.0])  # of b, ties shared
    assert rank_correlation(a, b) == pytest.approx(np.corrcoef(a, ranks)[0, 1])
    assert rank_correlation(a, [1.0] * 5) is None
    assert rank_correlation([1, 2], [1, 2]) is None


def test_grid_scores_are_those_of_the_prepared_points() -> None:
    weights = np.array([1.0, -2.0, 0.3])
    xs, ys, scores = scores_on_grid(weights, (-1.0, 2.0, -1.0, 1.0), True, True, side=5)
    grid = np.array([[x, y] for y in ys for x in xs])
    task_set = TaskSet("grid", (Task("t", grid, np.where(np.arange(len(grid)) % 2, 1.0, -1.0)),)).prepared("l2", True)
    np.testing.assert_allclose(scores.ravel(), task_set.tasks[0].X @ weights)
    _, _, plain = scores_on_grid(weights[:2], (-1.0, 2.0, -1.0, 1.0), False, False, side=5)
    np.testing.assert_allclose(plain.ravel(), grid @ weights[:2])
