"""Model selection against the plain reading of it: build every fold's task set, run the whole method, count errors."""

from __future__ import annotations

import numpy as np
import pytest

from core import AdaptiveSVC, Task, TaskSet, learn
from core.errors import SettingsError
from core.fitting.cross_validation import C_GRID, FOLDS, REPEATS, smallest_best, stratified_folds
from tests.core import cases

AS_IS = {"normalize": "none", "bias": False}


def plain_shared_errors(task_set: TaskSet, method: str, seed: int) -> np.ndarray:
    prepared = task_set.prepared()
    folds = {task.name: stratified_folds(task, seed) for task in prepared.tasks}
    errors = np.zeros((len(C_GRID), len(prepared)))
    for repeat in range(REPEATS):
        for fold in range(FOLDS):
            inside = {task.name: folds[task.name][repeat] != fold for task in prepared.tasks}
            part = TaskSet(
                prepared.name,
                tuple(
                    Task(t.name, t.X[inside[t.name]], t.y[inside[t.name]], t.X[~inside[t.name]], t.y[~inside[t.name]])
                    for t in prepared.tasks
                ),
            )
            for c, C in enumerate(C_GRID):
                weights = learn(part, method, C=float(C), seed=seed, **AS_IS).weights
                for k, task in enumerate(part.tasks):
                    errors[c, k] += np.sum(task.y_test * (task.X_test @ weights[task.name]) <= 0)
    return (errors / [REPEATS * task.n_points for task in prepared.tasks]).mean(axis=1)


@pytest.mark.parametrize("method", ["seqmt", "multiseqmt", "treemt", "random", "indsvm", "mergedsvm", "mt"])
def test_shared_runs_the_whole_method_in_every_fold(method: str) -> None:
    task_set = cases.draw(3, n=3, m=20, d=4, noise=1.0)
    errors = plain_shared_errors(task_set, method, seed=1)
    learned = learn(task_set, method, C="shared", seed=1)
    assert set(learned.chosen_C.values()) == {C_GRID[smallest_best(errors)]}


@pytest.mark.parametrize("method", ["seqmt", "treemt"])
def test_each_tunes_every_candidate_given_its_source(method: str) -> None:
    task_set = cases.draw(4, n=3, m=15, d=3, noise=1.0)
    learned = learn(task_set, method, C="each", seed=2)
    prepared = task_set.prepared()
    for step in learned.steps:
        for candidate in step.candidates:
            task = prepared[candidate.task]
            wrong = np.zeros(len(C_GRID))
            for repeat in stratified_folds(task, 2):
                for fold in range(FOLDS):
                    inside = repeat != fold
                    for c, C in enumerate(C_GRID):
                        model = AdaptiveSVC(C=float(C)).fit(task.X[inside], task.y[inside], candidate.source_weights)
                        margins = task.y[~inside] * (task.X[~inside] @ model.coef_.ravel())
                        wrong[c] += np.sum(margins <= 0)
            assert C_GRID[np.argmin(wrong)] == candidate.C
            model = AdaptiveSVC(C=candidate.C).fit(task.X, task.y, candidate.source_weights)
            np.testing.assert_allclose(candidate.weights, model.coef_.ravel(), atol=1e-6)


def test_folds_are_stratified_and_cover_every_point_once_a_repeat() -> None:
    task = cases.draw(0, n=1, m=43).tasks[0]
    folds = stratified_folds(task, 0)
    assert folds.shape == (REPEATS, 43)
    for repeat in folds:
        for label in (-1.0, 1.0):
            counts = np.bincount(repeat[task.y == label], minlength=FOLDS)
            assert counts.max() - counts.min() <= 1
        sizes = np.bincount(repeat, minlength=FOLDS)
        assert sizes.max() - sizes.min() <= 1
    assert len({tuple(repeat) for repeat in folds}) == REPEATS


def test_few_points_of_a_class_mean_fewer_folds_and_one_means_a_clear_error() -> None:
    X = np.arange(8.0).reshape(4, 2)
    assert stratified_folds(Task("small", X, [1, 1, -1, -1]), 0).max() == 1
    lonely = TaskSet("s", (Task("lonely", X, [1, 1, 1, -1]),))
    for C in ("shared", "each"):
        with pytest.raises(SettingsError, match=r"task 'lonely': 1 training point is labelled -1; .* fixed C"):
            learn(lonely, C=C)
    assert learn(lonely, C=1.0).order == ("lonely",)


def test_smallest_C_among_the_best() -> None:
    assert smallest_best(np.array([0.3, 0.1, 0.2, 0.1])) == 1
    assert smallest_best(np.array([0.3, 0.1 + 1e-16, 0.1])) == 1
