"""Test data for task sets that come without it: an explicit, stratified share of every task's points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.errors import SettingsError, TaskError
from core.tasks import Task, TaskSet


def with_test_split(task_set: TaskSet, share: float = 0.3, seed: int = 0) -> TaskSet:
    """Hold out `share` of each class of every task that has no test data; at least one point of each class stays
    on both sides. Tasks that have test data keep it.
    """
    if not 0.0 < share < 1.0:
        raise SettingsError(f"the share held out for testing is {share:g}; use a number between 0 and 1")
    rng = np.random.default_rng(seed)
    tasks = tuple(task if task.n_test else _split(task, share, rng) for task in task_set.tasks)
    return replace(task_set, tasks=tasks)


def split_sentence(task_set: TaskSet, share: float = 0.3, seed: int = 0) -> str:
    """What `with_test_split` does to this set, for the screen and the report."""
    without = sum(not task.n_test for task in task_set.tasks)
    if without == 0:
        return "Every task has its own test data."
    tasks = "every task" if without == len(task_set) else f"{without} of {len(task_set)} tasks"
    return f"Of {tasks}, {share:.0%} of each class is held out as test data, drawn with seed {seed}."


def _split(task: Task, share: float, rng: np.random.Generator) -> Task:
    held_out = np.zeros(task.n_points, dtype=bool)
    for label in (1.0, -1.0):
        members = np.flatnonzero(task.y == label)
        if len(members) < 2:
            raise TaskError(
                f"task {task.name!r} has one point of class {label:+.0f}; holding out test data needs at least two"
            )
        count = min(max(round(share * len(members)), 1), len(members) - 1)
        held_out[rng.choice(members, count, replace=False)] = True
    kept = ~held_out
    return Task(task.name, task.X[kept], task.y[kept], task.X[held_out], task.y[held_out])
