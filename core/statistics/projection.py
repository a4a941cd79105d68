"""Pictures of feature spaces: the two principal components of pooled points, and angles between weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.features import IntArray, prepare
from core.fitting.pool import half_gram, stacked
from core.solver import cancellation
from core.task_set import FloatArray, TaskSet

MOST_POINTS = 1200


@dataclass(frozen=True, eq=False, slots=True)
class Projection:
    """Training points of all tasks in two dimensions: `points[k]` belongs to task `task[k]` and has label `y[k]`.

    `explained` is the share of variance along each axis; `complete` is False if only a sample was drawn.
    """

    points: FloatArray
    task: IntArray
    y: FloatArray
    explained: tuple[float, float]
    complete: bool


def projection(task_set: TaskSet, most: int = MOST_POINTS, seed: int = 0) -> Projection:
    """The two leading principal components of at most about `most` training points, equally many a task.

    They come from the eigenvectors of the centred Gram matrix, XXᵀ = UΛUᵀ with scores U√Λ, so the cost hardly depends
    on the number of features.
    """
    rng = np.random.default_rng(seed)
    share = max(most // len(task_set), 4)
    rows = [
        np.sort(rng.choice(task.n_points, share, replace=False)) if task.n_points > share else np.arange(task.n_points)
        for task in task_set.tasks
    ]
    X = stacked([(task.X[own], np.ones(len(own))) for task, own in zip(task_set.tasks, rows, strict=True)])
    gram = 2.0 * half_gram(X, X)
    centred = gram - gram.mean(axis=0) - gram.mean(axis=1)[:, None] + gram.mean()
    cancellation.checkpoint()
    values, vectors = np.linalg.eigh(centred)
    leading = np.maximum(values[::-1][:2], 0.0)
    points = np.zeros((len(gram), 2))
    points[:, : len(leading)] = vectors[:, ::-1][:, :2] * np.sqrt(leading)
    # An eigenvector has no sign of its own.
    signs = np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    total = max(float(np.maximum(values, 0.0).sum()), np.finfo(float).tiny)
    shares = [float(value) / total for value in leading] + [0.0, 0.0]
    return Projection(
        points * signs,
        np.repeat(np.arange(len(rows)), [len(own) for own in rows]),
        np.concatenate([task.y[own] for task, own in zip(task_set.tasks, rows, strict=True)]),
        (shares[0], shares[1]),
        all(len(own) == task.n_points for own, task in zip(rows, task_set.tasks, strict=True)),
    )


def cosines(weights: Mapping[str, FloatArray], bias: bool) -> FloatArray:
    """cos∠(w_i, w_j) of all pairs, without the last coordinate if that is a bias; 0 for a zero vector."""
    W = np.array([w[:-1] if bias else w for w in weights.values()])
    unit = prepare(W, "l2", bias=False)
    return np.clip(2.0 * half_gram(unit, unit), -1.0, 1.0)


def scores_on_grid(
    weights: FloatArray, box: tuple[float, float, float, float], normalize: bool, bias: bool, side: int = 90
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """<w, x> on a grid over the plane, x prepared as for the learner: the weights' line is where it is 0.

    Returns the grid's two axes over the box (x0, x1, y0, y1) and the scores, one row per y.
    """
    xs, ys = np.linspace(box[0], box[1], side), np.linspace(box[2], box[3], side)
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    scores = prepare(points, "l2" if normalize else "none", bias) @ weights[: 2 + bias]
    return xs, ys, np.asarray(scores).reshape(side, side)
