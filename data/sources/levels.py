"""Difficulty levels of labelled images, and the tasks made of them: the paper's first experiment in small."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.task_set import FloatArray, Task
from data.recipes import machine_levels
from data.sources.sampling import Pools, labels
from data.sources.source import Sizes

IntArray = npt.NDArray[np.int64]
LEVELS = machine_levels.LEVELS
FOLDS = 10
LEVELS_NOTE = "The levels are a machine's, not a person's: quintiles of a linear SVM's out-of-fold margin."


def difficulty_levels(X: FloatArray, classes: IntArray, C: float = 1.0) -> IntArray:
    """Quintile (0 easiest ... 4 hardest) of every point within its class, by its out-of-fold margin.

    The margin is the score of the point's own class minus the best other, from one-against-rest linear SVMs
    that did not see the point (10 stratified folds).
    """
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.svm import LinearSVC

    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    scores = cross_val_predict(LinearSVC(C=C, random_state=0), X, classes, cv=folds, method="decision_function")
    rows = np.arange(len(classes))
    own = scores[rows, classes].copy()
    scores[rows, classes] = -np.inf
    margins = own - scores.max(axis=1)
    return quintiles(-margins, classes)


def quintiles(difficulty: FloatArray, classes: IntArray) -> IntArray:
    """The fifth (0 easiest ... 4 hardest) of its class in which every point's difficulty lies."""
    return machine_levels.split_levels(difficulty, classes, len(LEVELS))


def level_tasks(
    rng: np.random.Generator, X: FloatArray, classes: IntArray, levels: IntArray, chosen: tuple[int, ...], sizes: Sizes
) -> tuple[Task, ...]:
    """A task for each chosen class and level: its images against equally many of the other classes.

    Other chosen classes are among the negatives, too, so all positives are drawn before any negative. No image is
    in two tasks or in both parts of one.
    """
    pools = Pools(rng, list(zip(classes.tolist(), levels.tolist(), strict=True)))
    kinds = [(name, level) for name in chosen for level in range(len(LEVELS))]
    words = {(name, level): f"{name} {LEVELS[level]}" for name, level in kinds}
    positive = {kind: [pools.take([kind], count, words[kind]) for count in sizes] for kind in kinds}
    taken = np.isin(np.arange(len(classes)), np.concatenate([part for parts in positive.values() for part in parts]))
    pools = Pools(rng, [None if gone else name for name, gone in zip(classes.tolist(), taken, strict=True)])
    tasks = []
    for kind in kinds:
        others = [int(name) for name in np.unique(classes) if name != kind[0]]
        train, test = (
            np.concatenate([part, pools.take(others, count, words[kind])])
            for part, count in zip(positive[kind], sizes, strict=True)
        )
        tasks.append(Task(words[kind], X[train], labels(sizes.train), X[test], labels(sizes.test)))
    return tuple(tasks)


def easiest_first(chosen: tuple[int, ...]) -> tuple[str, ...]:
    """The semantic order: all easiest tasks, then all easy ones, and so on."""
    return tuple(f"{name} {word}" for word in LEVELS for name in chosen)


def groups_by_class(chosen: tuple[int, ...]) -> dict[str, str]:
    """Every task's group: the digit that it is about."""
    return {f"{name} {word}": f"digit {name}" for name in chosen for word in LEVELS}
