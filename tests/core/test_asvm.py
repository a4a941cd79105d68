"""The classifier: scikit-learn's own checks, agreement with its SVMs, and what a source does."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from core import AdaptiveSVC
from core.errors import SettingsError
from tests.core import cases


@pytest.mark.slow
def test_passes_the_whole_of_check_estimator() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)  # the array-API check needs an environment variable
        results = check_estimator(AdaptiveSVC())
    assert {result["status"] for result in results} <= {"passed", "skipped"}
    assert sum(result["status"] == "passed" for result in results) > 40


@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
def test_without_a_source_it_is_scikit_learns_svm_at_the_matching_C(C: float) -> None:
    task = cases.draw(0, n=1, m=40, d=3).prepared().tasks[0]
    ours = AdaptiveSVC(C=C).fit(task.X, task.y)
    matching = C / (2 * len(task.y))  # ½‖w‖² + C'Σξ is half of ‖w‖² + (C/m)Σξ
    linear = LinearSVC(loss="hinge", C=matching, fit_intercept=False, tol=1e-10, max_iter=2_000_000)
    np.testing.assert_allclose(ours.coef_, linear.fit(task.X, task.y).coef_, atol=2e-4)
    assert ours.duality_gap_ <= 1e-6


def test_a_source_that_separates_with_margin_comes_back_unchanged() -> None:
    X = np.array([[2.0, 0.0], [3.0, 1.0], [-2.0, 0.5], [-4.0, 0.0]])
    y = np.array([1, 1, -1, -1])
    source = np.array([1.0, 0.0])
    model = AdaptiveSVC(C=1e3).fit(X, y, source=source)
    np.testing.assert_array_equal(model.coef_.ravel(), source)
    assert model.duality_gap_ == 0.0


def test_the_farther_C_falls_the_nearer_the_weights_stay_to_the_source() -> None:
    task = cases.draw(1, n=1, m=30, d=5).tasks[0]
    source = np.full(5, 2.0)
    moved = [np.linalg.norm(AdaptiveSVC(C=C).fit(task.X, task.y, source=source).coef_ - source) for C in (1e-2, 1, 1e2)]
    assert moved[0] < moved[1] < moved[2]


def test_dense_and_sparse_features_agree() -> None:
    task = cases.draw(2, n=1, m=30, d=20).tasks[0]
    dense = AdaptiveSVC(C=10).fit(task.X, task.y)
    thin = AdaptiveSVC(C=10).fit(sp.csr_matrix(task.X), task.y)
    np.testing.assert_allclose(dense.coef_, thin.coef_, atol=1e-10)
    np.testing.assert_array_equal(dense.predict(task.X), thin.predict(sp.csr_matrix(task.X)))


def test_a_point_on_the_hyperplane_gets_the_lesser_label() -> None:
    model = AdaptiveSVC().fit(np.array([[1.0], [-1.0]]), ["yes", "no"])
    assert model.predict([[0.0], [2.0]]).tolist() == ["no", "yes"]


@pytest.mark.parametrize("C", [0, -1.0, float("nan"), float("inf"), True, "1"])
def test_bad_C_is_refused(C) -> None:
    with pytest.raises(SettingsError, match="use a number above 0"):
        AdaptiveSVC(C=C).fit([[1.0], [-1.0]], [1, -1])


def test_a_source_of_another_length_is_refused() -> None:
    with pytest.raises(SettingsError, match="source has 3 weights; give 2"):
        AdaptiveSVC().fit(np.eye(2), [1, -1], source=np.ones(3))


def test_the_support_vectors_of_svc_with_the_same_kernel() -> None:
    task = cases.separable().prepared(bias=False).tasks[0]
    ours = AdaptiveSVC(C=1e5).fit(np.vstack([task.X, -task.X]), np.concatenate([task.y, -task.y]))
    theirs = SVC(kernel="linear", C=1e5, tol=1e-10).fit(
        np.vstack([task.X, -task.X]), np.concatenate([task.y, -task.y])
    )  # mirrored points make the best intercept zero
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)


def test_a_fit_that_fails_leaves_the_one_before_as_it_was():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(30, 5)), np.tile([0.0, 1.0], 15)
    spoiled = X.copy()
    spoiled[0, 0] = np.nan
    fitted = AdaptiveSVC().fit(X, labels)
    said = fitted.predict(X)
    for bad, y in ((spoiled, labels + 5.0), (spoiled[:, :3], labels), (X[:, :3], np.ones(30))):
        with pytest.raises(ValueError, match="NaN" if np.isnan(bad).any() else "one class"):
            fitted.fit(bad, y)
        if np.isnan(bad).any():
            np.testing.assert_array_equal(fitted.predict(X), said)
    with pytest.raises(ValueError, match="NaN"):
        AdaptiveSVC().fit(spoiled, np.ones(30))  # before it is said that there is one class
    with pytest.raises(ValueError, match="NaN"):
        AdaptiveSVC().fit(spoiled, labels, source=[1.0])  # and before what is wrong with the source
    never = AdaptiveSVC()
    with pytest.raises(ValueError, match="NaN"):
        never.fit(spoiled, labels)
    with pytest.raises(NotFittedError):
        never.predict(X)
