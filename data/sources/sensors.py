"""An optional set made of the smartwatch recordings that seglearn brings along: a task per person and arm."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

import numpy as np

from core.task_set import FloatArray, TaskSet
from data.sources.pools import Pools, balanced_task
from data.sources.source import BuiltIn, Sizes

INSTALL = "install it with: pip install 'curriculab[datasets]'"
WINDOW = 25  # samples at 50 Hz: half a second
EXERCISES = ("ABD", "FEL")  # abduction and forward elevation: the arm goes up sideways or to the front


@cache
def windows() -> tuple[FloatArray, list[tuple[int, int, str, bool]]]:
    """Features of every half-second window, and its (person, side, exercise, late half of its recording).

    Windows do not overlap. Features: mean, deviation, least, greatest and mean step of the six channels, each
    divided by its deviation over all windows.
    """
    from seglearn.datasets import load_watch

    recordings = load_watch()
    rows, keys = [], []
    for X, exercise, person, side in zip(
        recordings["X"], recordings["y"], recordings["subject"], recordings["side"], strict=True
    ):
        parts = X[: len(X) // WINDOW * WINDOW].reshape(-1, WINDOW, X.shape[1])
        steps = np.abs(np.diff(parts, axis=1)).mean(axis=1)
        rows.append(np.hstack([parts.mean(1), parts.std(1), parts.min(1), parts.max(1), steps]))
        word = str(recordings["y_labels"][int(exercise)])
        keys += [(int(person), int(side), word, 2 * k >= len(parts)) for k in range(len(parts))]
    features = np.concatenate(rows)
    return features / features.std(axis=0), keys


def watch(rng: np.random.Generator, sizes: Sizes) -> TaskSet:
    """Abduction against forward elevation; training windows from early in a recording, test windows late."""
    X, keys = windows()
    pools = Pools(rng, keys)
    tasks, groups = [], {}
    for person, side in sorted({key[:2] for key in keys}):
        arm = "right" if side else "left"
        name = f"person {person} {arm}"
        groups[name] = f"{arm} arm"
        parts = [
            np.concatenate([pools.take([(person, side, word, late)], count, name) for word in EXERCISES])
            for late, count in zip((False, True), sizes, strict=True)
        ]
        tasks.append(balanced_task(name, X[parts[0]], X[parts[1]]))
    return TaskSet("watch", tuple(tasks), groups=groups)


def watch_source() -> BuiltIn:
    """`watch`."""
    return BuiltIn(
        name="watch",
        story="Half a second of a smartwatch, ten people, left and right: does the arm go up sideways or to the front?",
        kind="optional",
        licence="BSD 3-Clause",
        origin="Shoulder exercises (Burns et al., arXiv:1802.01489), bundled with seglearn",
        make=watch,
        sizes=Sizes(8, 12),
        tasks=20,
        missing="" if find_spec("seglearn") else f"the package seglearn is not there; {INSTALL}",
        groups="the side",
    )
