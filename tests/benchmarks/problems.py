"""The task sets that are measured: of the sizes of the paper's experiments, and one that grows. Fixed seeds."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from core.task_set import Task, TaskSet

SPECTRUM = 0.7
"""Feature j has standard deviation (1 + j)^-SPECTRUM, so that the points resemble image descriptors: many features, few
directions that matter. Without it a thousand features make every task trivially separable."""


def related_tasks(
    n: int, m: int, d: int, n_test: int = 0, noise: float = 0.5, seed: int = 0, name: str = ""
) -> TaskSet:
    """n balanced tasks that share a direction and each have one of their own, later ones noisier; bias not included."""
    rng = np.random.default_rng([seed, n, m, d])
    scale = (1.0 + np.arange(d)) ** -SPECTRUM
    mean = np.abs(rng.normal(size=d)) * scale
    shared = rng.normal(size=d)
    tasks = []
    for k in range(n):
        w = shared + rng.normal(size=d)
        w /= np.linalg.norm(w * scale)
        total = m + n_test
        drawn = rng.normal(size=(4 * total, d)) * scale
        score = drawn @ w + noise * (k + 1) / n * rng.normal(size=4 * total)
        order = np.argsort(score)
        half = total // 2
        picked = rng.permutation(
            np.concatenate(
                [
                    rng.choice(order[: 2 * total], half, replace=False),
                    rng.choice(order[2 * total :], total - half, replace=False),
                ]
            )
        )
        X, y = drawn[picked] + mean, np.where(score[picked] > np.median(score), 1.0, -1.0)
        test = (X[m:], y[m:]) if n_test else (None, None)
        tasks.append(Task(f"task {k + 1}", X[:m], y[:m], *test))
    return TaskSet(name or f"n={n} m={m} d={d}", tuple(tasks))


def sparse_tasks(n: int, m: int, d: int, entries: int = 30, seed: int = 0) -> TaskSet:
    """Like bags of words: `entries` features a point, a label that some of them vote for."""
    rng = np.random.default_rng([seed, n, m, d, entries])
    tasks = []
    for k in range(n):
        y = np.where(rng.permutation(m) % 2 == 0, 1.0, -1.0)
        columns = np.minimum((d * rng.random((m, entries)) ** 2).astype(np.int64), d - 1)
        values = 1.0 + rng.random((m, entries)) + 0.5 * y[:, None] * np.where((columns + k) % 3 == 0, 1.0, 0.0)
        X = sp.csr_array((values.ravel(), (np.repeat(np.arange(m), entries), columns.ravel())), shape=(m, d))
        tasks.append(Task(f"task {k + 1}", X, y))
    return TaskSet(f"sparse n={n} m={m} d={d}", tuple(tasks))


def shoes_size(n_test: int = 0) -> TaskSet:
    """n = 10, m = 100, d = 991 with the bias: the paper's second experiment."""
    return related_tasks(10, 100, 990, n_test, seed=1, name="Shoes size")


def awa_size(n_test: int = 77 * 2, seed: int = 2) -> TaskSet:
    """n = 5, m = 42, d = 2001 with the bias: the paper's first experiment."""
    return related_tasks(5, 42, 2000, n_test, seed=seed, name="AwA size")


def small_size() -> TaskSet:
    """n = 5, m = 40 in the plane (d = 3 with the bias): a picture in the dashboard."""
    return related_tasks(5, 40, 2, 200, seed=3, name="small")
