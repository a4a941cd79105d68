"""Task sets for tests: random ones and every kind of degenerate one."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core import Task, TaskSet
from core.solver.box_qp import BoxQP


def draw(seed=0, n=4, m=12, d=3, noise=0.3, test=0, drift=0.5, name="random", more=2) -> TaskSet:
    """Related linear tasks with some wrong labels: of m points, of `more`, of twice as many more, and so on in turns.

    Where there are `test` points, every second task has 3 more of them.
    """
    rng = np.random.default_rng(seed)
    w = rng.normal(size=d)
    tasks = []
    for k in range(n):
        w = w + drift * rng.normal(size=d)
        size = m + more * (k % 3)
        points = size + test + (3 * (k % 2) if test and more else 0)
        X = rng.normal(size=(points, d))
        y = np.where(X @ w + noise * rng.normal(size=points) > 0, 1.0, -1.0)
        y[:2] = 1.0, -1.0
        X_test, y_test = (X[size:], y[size:]) if test else (None, None)
        tasks.append(Task(f"t{k}", X[:size], y[:size], X_test, y_test))
    return TaskSet(name, tuple(tasks))


def _with(task_set: TaskSet, change) -> TaskSet:
    return TaskSet(task_set.name, tuple(change(task) for task in task_set.tasks))


def duplicated() -> TaskSet:
    return _with(draw(1), lambda t: Task(t.name, np.repeat(t.X, 3, axis=0), np.repeat(t.y, 3)))


def contradictory() -> TaskSet:
    return _with(draw(2), lambda t: Task(t.name, np.vstack([t.X, t.X[:5]]), np.concatenate([t.y, -t.y[:5]])))


def two_points() -> TaskSet:
    return _with(draw(3), lambda t: Task(t.name, t.X[:2], t.y[:2]))


def one_feature() -> TaskSet:
    return draw(4, d=1)


def one_task() -> TaskSet:
    return draw(5, n=1)


def equal_tasks() -> TaskSet:
    first = draw(6).tasks[0]
    return TaskSet("equal", tuple(Task(f"t{k}", first.X, first.y) for k in range(4)))


def separable() -> TaskSet:
    return draw(7, d=30, noise=0.0)


def uneven() -> TaskSet:
    sizes = [4, 400, 40, 8]
    parts = [draw(8 + k, n=1, m=m, d=4).tasks[0] for k, m in enumerate(sizes)]
    return TaskSet("uneven", tuple(Task(f"t{k}", part.X, part.y) for k, part in enumerate(parts)))


def sparse() -> TaskSet:
    rng = np.random.default_rng(12)

    def thin(task: Task) -> Task:
        return Task(task.name, sp.csr_array(task.X * (rng.random(task.X.shape) < 0.2)), task.y)

    return _with(draw(13, d=40), thin)


def zero_rows() -> TaskSet:
    def blank(task: Task) -> Task:
        X = task.X.copy()
        X[:3] = 0.0
        return Task(task.name, X, task.y)

    return _with(draw(14), blank)


DEGENERATE = (
    duplicated,
    contradictory,
    two_points,
    one_feature,
    one_task,
    equal_tasks,
    separable,
    uneven,
    sparse,
    zero_rows,
)


def landmine(seed=0, signal=0.0, test=True, n=5) -> TaskSet:
    """Tasks of unequal sizes with 6 % positive points, which stand `signal` apart from the others in two features."""
    rng = np.random.default_rng([seed, 6])
    tasks = []
    for k in range(n):
        parts = []
        for m in (100 + 20 * k, 150 + 10 * k):
            y = np.where(np.arange(m) < max(round(0.06 * m), 2), 1.0, -1.0)
            X = rng.normal(size=(m, 8))
            X[:, :2] += signal * (y[:, None] > 0)
            parts += [X, y]
        tasks.append(Task(f"field {k + 1}", *parts[: 4 if test else 2]))
    return TaskSet("landmine", tuple(tasks))


def box_qp(Q: np.ndarray, factor: np.ndarray | None = None, solver: str = "osqp", name: str = "QP") -> BoxQP:
    """With limits of 1 at C = 1."""
    return BoxQP.of(Q, np.ones(len(Q)), factor, solver, name)
