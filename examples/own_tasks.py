"""Three tasks of one's own: learn them one after another, and read off the order, the sources and the bound."""

import numpy as np

from core import Task, TaskSet, learn

rng = np.random.default_rng(0)
tasks = []
for name, angle in (("east", 0.0), ("north-east", 0.5), ("north", 1.2)):
    X = rng.standard_normal((40, 2))
    y = np.where(X @ [np.cos(angle), np.sin(angle)] > 0, 1.0, -1.0)
    tasks.append(Task(name, X[:20], y[:20], X[20:], y[20:]))

learned = learn(TaskSet("directions", tuple(tasks)), "seqmt", C=10.0)
for step in learned.steps:
    chosen = step.chosen
    print(f"{chosen.task:11} from {chosen.source or 'nothing':11} criterion {chosen.criterion:.3f}")
print(f"bound on half the expected error: {learned.bound.value:.3f}")
print(f"mean test error: {learned.mean_test_error:.3f}")
