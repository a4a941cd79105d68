"""Problems that are hard to solve: random pairs of tasks, raw, standardised or of unit length, and raw real data.

`python -m tests.core.hard 60` learns all of them with C `shared` and `each`, and says how many end in an error.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine

from core import CurriculabError, Task, TaskSet, learn

KINDS = {"raw": "none", "standardised": "none", "unit": "l2"}
"""Kind of features to the `normalize` they are learned with."""


def random_pair(seed: int, kind: str) -> TaskSet:
    """Two related tasks with 40 to 300 points and 1 to 99 features; raw ones differ in scale and offset by 1000."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 100))
    w = rng.standard_normal(d)
    tasks = []
    for k in range(2):
        m = int(rng.integers(40, 301))
        X = rng.standard_normal((m, d))
        score = X @ w + np.sqrt(d) * rng.standard_normal(m)
        if kind == "raw":
            X = X * 10.0 ** rng.uniform(-1, 2, d) + 10.0 ** rng.uniform(-1, 2, d)
        tasks.append(Task(f"t{k}", X, np.where(score > np.median(score), 1.0, -1.0)))
    return TaskSet(f"{kind} {seed}", tuple(tasks))


def real() -> tuple[TaskSet, ...]:
    """Raw breast cancer, diabetes and wine, each cut in two tasks."""
    sets = []
    for loader in (load_breast_cancer, load_diabetes, load_wine):
        X, target = loader(return_X_y=True)
        y = np.where(target > np.median(target) if len(np.unique(target)) > 3 else target > 0, 1.0, -1.0)
        halves = np.random.default_rng(0).permutation(len(y)) % 2
        tasks = tuple(Task(f"half {h}", X[halves == h], y[halves == h]) for h in (0, 1))
        sets.append(TaskSet(loader.__name__[5:], tasks))
    return tuple(sets)


def main(count: int) -> None:
    """Learn everything and tell how it went."""
    for C in ("each", "shared"):
        for kind, normalize in KINDS.items():
            task_sets = [random_pair(seed, kind) for seed in range(count)] + list(real() if kind == "raw" else ())
            begun, failed, worst = time.process_time(), [], 0.0
            for task_set in task_sets:
                try:
                    worst = max(worst, learn(task_set, C=C, normalize=normalize).solver.worst_gap)
                except CurriculabError as error:
                    failed.append(str(error))
            seconds = time.process_time() - begun
            print(
                f"C {C}, {kind}: {len(failed)} of {len(task_sets)} fail, worst gap {worst:.0e}, {seconds:.0f} s",
                flush=True,
            )
            print(*failed[:3], sep="\n", end="\n" if failed else "")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
