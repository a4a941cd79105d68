"""What is odd about a task set and bears on its figures, as facts; and errors that class sizes do not sway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.features import Features, FloatArray, is_sparse
from core.tasks import Task, TaskSet

Kind = Literal["unbalanced", "tiny", "duplicates", "shared", "scales", "untested"]
UNBALANCED = 2.0
TINY = 10
UNLIKE = 1000.0


@dataclass(frozen=True, slots=True)
class Oddity:
    """One thing that is odd: the tasks it is about (of `scales`, none), and how much.

    `much` is the greatest ratio of the classes (unbalanced) or of the columns (scales), the fewest points (tiny), the
    number of test points that are training points, too (duplicates), of points in several tasks (shared), or of
    tasks (untested). `columns` are the largest and the smallest, counted from 0.
    """

    kind: Kind
    tasks: tuple[str, ...]
    much: float
    columns: tuple[int, int] | None = None


def oddities(task_set: TaskSet) -> tuple[Oddity, ...]:
    """All that is odd, in a fixed order."""
    tasks = task_set.tasks
    found = []
    uneven = {task.name: imbalance(task) for task in tasks if imbalance(task) > UNBALANCED}
    if uneven:
        found.append(Oddity("unbalanced", tuple(uneven), max(uneven.values())))
    small = {task.name: task.n_points for task in tasks if task.n_points < TINY}
    if small:
        found.append(Oddity("tiny", tuple(small), min(small.values())))
    training = {task.name: row_keys(task.X) for task in tasks}
    again = {}
    for task in tasks:
        if task.X_test is not None:
            known = set(training[task.name])
            again[task.name] = sum(key in known for key in row_keys(task.X_test))
    if sum(again.values()):
        found.append(Oddity("duplicates", tuple(name for name, n in again.items() if n), sum(again.values())))
    found += _shared(training)
    if task_set.image_shape is None:
        found += _scales(task_set)
    untested = tuple(task.name for task in tasks if not task.n_test)
    if untested:
        found.append(Oddity("untested", untested, len(untested)))
    return tuple(found)


def imbalance(task: Task) -> float:
    """Points of the larger class over those of the smaller one, in training."""
    positive = int(np.sum(task.y > 0))
    return max(positive, task.n_points - positive) / min(positive, task.n_points - positive)


def balanced_error(task: Task, weights: FloatArray) -> float | None:
    """The mean of the error on positive and the error on negative test points; None where either class has none."""
    if task.X_test is None or task.y_test is None:
        return None
    wrong = task.y_test * (task.X_test @ weights) <= 0
    classes = [wrong[task.y_test == sign] for sign in (1.0, -1.0)]
    return None if not all(map(len, classes)) else float(np.mean([part.mean() for part in classes]))


def balanced_errors(task_set: TaskSet, weights: Mapping[str, FloatArray]) -> dict[str, float]:
    """Balanced errors of the tasks whose classes differ by more than 2 : 1; the set is prepared as for learning."""
    found = {
        task.name: balanced_error(task, weights[task.name]) for task in task_set.tasks if imbalance(task) > UNBALANCED
    }
    return {name: error for name, error in found.items() if error is not None}


def row_keys(X: Features) -> list[bytes]:
    """Every row as bytes: two rows are equal where these are."""
    if is_sparse(X):
        return [
            X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in zip(X.indptr[:-1], X.indptr[1:], strict=True)
        ]
    plain = np.ascontiguousarray(X + 0.0)  # minus zero is zero
    return [row.tobytes() for row in plain]


def _shared(training: Mapping[str, list[bytes]]) -> list[Oddity]:
    tasks_of: dict[bytes, set[str]] = {}
    for name, keys in training.items():
        for key in keys:
            tasks_of.setdefault(key, set()).add(name)
    shared = [names for names in tasks_of.values() if len(names) > 1]
    if not shared:
        return []
    among = set().union(*shared)
    return [Oddity("shared", tuple(name for name in training if name in among), len(shared))]


def _scales(task_set: TaskSet) -> list[Oddity]:
    """Columns whose root mean squares differ a thousandfold; a column of zeros says nothing."""
    squares = np.zeros(task_set.n_features)
    points = 0
    for task in task_set.tasks:
        X = task.X
        with np.errstate(over="ignore"):
            squares += np.asarray((X.multiply(X) if is_sparse(X) else X * X).sum(axis=0)).ravel()
        points += task.n_points
    sizes = np.sqrt(squares / points)
    used = np.flatnonzero((sizes > 0) & np.isfinite(sizes))
    if len(used) < 2:
        return []
    large, small = int(used[sizes[used].argmax()]), int(used[sizes[used].argmin()])
    ratio = float(sizes[large] / sizes[small])
    return [Oddity("scales", (), ratio, (large, small))] if ratio >= UNLIKE else []
