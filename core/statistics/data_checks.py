"""What is odd about a task set and bears on its figures, as facts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.features import FloatArray, is_sparse, row_keys
from core.task_set import Task, TaskSet

Kind = Literal["unbalanced", "tiny", "duplicates", "coarse", "shared", "scales", "untested"]
UNBALANCED = 1.5
"""Beyond so many points of the larger class for one of the smaller, classes are called unequal."""
TINY = 10
UNLIKE = 1000.0
"""Beyond so many times the root mean square of another column, a column is said to be of another scale."""
COARSE = 0.01
"""Share of all points from which on it is worth saying that they equal points with the other label."""


Rows = Sequence[tuple[list[bytes], list[bytes]]]


@dataclass(frozen=True, slots=True)
class DataWarning:
    """One thing that is odd: the tasks it is about (of `scales`, none), and how much.

    `much` is the greatest ratio of the classes (unbalanced) or of the columns (scales), the fewest points (tiny), the
    number of test points that are training points, too (duplicates), of points in several tasks (shared), or of
    tasks (untested); of coarse features, the share that has the other label, too, among the points that equal another
    of their task in all features. `columns` are the largest and the smallest, counted from 0.
    """

    kind: Kind
    tasks: tuple[str, ...]
    much: float
    columns: tuple[int, int] | None = None


def check_data(task_set: TaskSet) -> tuple[DataWarning, ...]:
    """All that is odd, in a fixed order."""
    tasks = task_set.tasks
    found = []
    if uneven := imbalances(task_set):
        found.append(DataWarning("unbalanced", tuple(uneven), max(uneven.values())))
    small = {task.name: task.n_points for task in tasks if task.n_points < TINY}
    if small:
        found.append(DataWarning("tiny", tuple(small), min(small.values())))
    rows = [(row_keys(task.X), [] if task.X_test is None else row_keys(task.X_test)) for task in tasks]
    coarse = _coarse(tasks, rows)
    known = all(task.ids is not None for task in tasks)
    if known or not coarse:  # where different rows look alike, that they do is no sign of a repeated one
        found += _seen_before(tasks, rows)
    found += coarse
    if known:
        found += _shared({task.name: task.ids.tolist() for task in tasks if task.ids is not None})
    elif not coarse:
        found += _shared({task.name: keys for task, (keys, _) in zip(tasks, rows, strict=True)})
    if task_set.image_shape is None:
        found += _scales(task_set)
    untested = tuple(task.name for task in tasks if not task.n_test)
    if untested:
        found.append(DataWarning("untested", untested, len(untested)))
    return tuple(found)


def imbalances(task_set: TaskSet) -> dict[str, float]:
    """Training points of the larger class over those of the smaller one, of the tasks where that is above `UNBALANCED`.

    Their errors should be read beside the balanced ones.
    """
    ratios = {task.name: (task.n_points - task.smaller_class) / task.smaller_class for task in task_set.tasks}
    return {name: ratio for name, ratio in ratios.items() if ratio > UNBALANCED}


def unequal(task_set: TaskSet) -> bool:
    """Whether there is such a task."""
    return bool(imbalances(task_set))


def _seen_before(tasks: Sequence[Task], rows: Rows) -> list[DataWarning]:
    """Test points that are training points of their task: by their ids, or else equal in features and label."""
    again = {}
    for task, (train, test) in zip(tasks, rows, strict=True):
        if task.ids is not None and task.ids_test is not None:
            again[task.name] = int(np.isin(task.ids_test, task.ids).sum())
        elif task.y_test is not None:
            known = set(zip(train, task.y, strict=True))
            again[task.name] = sum(key in known for key in zip(test, task.y_test, strict=True))
    names = tuple(name for name, n in again.items() if n)
    return [DataWarning("duplicates", names, sum(again.values()))] if names else []


def _coarse(tasks: Sequence[Task], rows: Rows) -> list[DataWarning]:
    """Points that equal another of their task in all features, where most of them equal one with the other label."""
    twins = mixed = points = 0
    names = []
    for task, (train, test) in zip(tasks, rows, strict=True):
        labels: dict[bytes, list[float]] = {}
        y = task.y if task.y_test is None else np.concatenate([task.y, task.y_test])
        for key, label in zip((*train, *test), y.tolist(), strict=True):
            labels.setdefault(key, []).append(label)
        both = sum(len(found) for found in labels.values() if len(set(found)) > 1)
        twins += sum(len(found) for found in labels.values() if len(found) > 1)
        mixed += both
        points += len(y)
        names += [task.name] * (both > 0)
    return [DataWarning("coarse", tuple(names), mixed / twins)] if mixed > max(twins / 2, COARSE * points) else []


def _shared(training: Mapping[str, Sequence[Hashable]]) -> list[DataWarning]:
    tasks_of: dict[Hashable, set[str]] = {}
    for name, keys in training.items():
        for key in keys:
            tasks_of.setdefault(key, set()).add(name)
    shared = [names for names in tasks_of.values() if len(names) > 1]
    if not shared:
        return []
    among = set().union(*shared)
    return [DataWarning("shared", tuple(name for name in training if name in among), len(shared))]


def _scales(task_set: TaskSet) -> list[DataWarning]:
    """Columns whose root mean squares differ a thousandfold; a column of zeros says nothing."""
    squares = np.zeros(task_set.n_features)
    points = 0
    for task in task_set.tasks:
        X = task.X
        with np.errstate(over="ignore"):
            squares += np.asarray((X.multiply(X) if is_sparse(X) else X * X).sum(axis=0)).ravel()
        points += task.n_points
    found = unlike_sizes(np.sqrt(squares / points))
    return [] if found is None else [DataWarning("scales", (), found[2], found[:2])]


def unlike_sizes(sizes: FloatArray) -> tuple[int, int, float] | None:
    """The places of the largest and the smallest size and their ratio, where that is `UNLIKE` or more; 0 is no size."""
    used = np.flatnonzero((sizes > 0) & np.isfinite(sizes))
    if len(used) < 2:
        return None
    large, small = int(used[sizes[used].argmax()]), int(used[sizes[used].argmin()])
    ratio = float(sizes[large] / sizes[small])
    return (large, small, ratio) if ratio >= UNLIKE else None
