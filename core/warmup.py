"""Compile the kernels ahead of first use: `python -m core.warmup`. Later processes load them from disk."""

from __future__ import annotations

import numpy as np

from core.curriculum.learn import learn
from core.orders.all_orders import every_order
from core.solver.backends import KERNEL
from core.task_set import Task, TaskSet


def warm() -> None:
    """Run each kernel once on the smallest data it accepts."""
    X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-2.0, -1.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    tiny = TaskSet("warm-up", (Task("a", X, y), Task("b", X + 0.5, y)))
    wide = TaskSet("warm-up", tuple(Task(task.name, np.hstack([task.X, task.X]), y) for task in tiny.tasks))
    learn(wide, C="shared")  # with more features than points other kernels do the work
    learn(tiny, C="shared")
    learn(tiny, C="each")
    learn(tiny, C=1.0, solver=KERNEL)
    every_order(wide, C="shared")


if __name__ == "__main__":
    warm()
