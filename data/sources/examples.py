"""A template (the form, with placeholder numbers) and an example (a small real set) of every format."""

from __future__ import annotations

import numpy as np

from core.task_set import Task, TaskSet
from data.archives.formats import Kind, dump


def template(kind: Kind) -> bytes:
    """A smallest file of that kind: two tasks, three features, to be overwritten with one's own."""
    rows = np.array([[0.9, 0.1, 0.5], [0.8, 0.3, 0.4], [0.1, 0.9, 0.6], [0.2, 0.7, 0.5]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    tasks = tuple(
        Task(name, rows + shift, y, rows[[1, 2]] + shift + 0.05, y[[1, 2]])
        for name, shift in (("first task", 0.0), ("second task", 0.25))
    )
    return dump(TaskSet("template", tasks), kind)


def example(kind: Kind) -> bytes:
    """A small real set in that format: one digit's levels of difficulty, as 8 x 8 images."""
    from data.sources.catalogue import find

    return dump(find("digits-levels:8").sample(0, (10, 5)), kind)
