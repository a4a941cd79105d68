"""How much memory learning from a task set takes, and how long a fit, predicted before anything is computed."""

from __future__ import annotations

import os
from pathlib import Path

from core.errors import CurriculabError
from core.task_set import TaskSet

ENVIRONMENT = "CURRICULAB_MEMORY_GB"
GIGABYTE = 1e9
_ENTRY_BYTES = 8
_COPIES_OF_POOL = 2
_COPIES_OF_TASK = 6  # its inner products, the solver's copy, and the factor that the solver makes of it
_SECONDS_A_CUBE = 4e-9  # of a fold's four fifths, by the kernel; with as many features as points or more
_SECONDS_A_CUBE_THIN = 1.5e-10
_MOST_POOLED = 100_000_000  # entries of inner products between all points that are kept at once


class TooLargeError(CurriculabError):
    """Learning from these points would take more memory than it may."""


def predicted_bytes(task_set: TaskSet, share: float = 1.0) -> float:
    """Inner products of all points (rows²), of the largest task's points several times over, and the points twice.

    With only this share of the points of every task.
    """
    rows = share * sum(task.n_points for task in task_set.tasks)
    largest = share * max(task.n_points for task in task_set.tasks)
    pooled = min(rows**2, _MOST_POOLED)
    points = rows + share * sum(task.n_test for task in task_set.tasks)
    return _ENTRY_BYTES * (_COPIES_OF_POOL * pooled + _COPIES_OF_TASK * largest**2 + 2.0 * points * task_set.n_features)


def predicted_fit_seconds(task_set: TaskSet) -> float:
    """The longest single fit, which nothing can stop: about the cube of the largest task's points.

    Measured at 1,000 to 3,000 points with labels at random, the hardest there are; with many more points than features
    a fit is a solve in as many variables as there are features, and its active set.
    """
    largest = max(task.n_points for task in task_set.tasks)
    thin = 2 * task_set.n_features <= largest
    return (_SECONDS_A_CUBE_THIN if thin else _SECONDS_A_CUBE) * float(largest) ** 3


def check_fit(task_set: TaskSet, most_seconds: float | None) -> None:
    """Refuse tasks of which a single fit would take longer than that; None refuses none."""
    needed = predicted_fit_seconds(task_set)
    if most_seconds is None or needed <= most_seconds:
        return
    largest = max(task.n_points for task in task_set.tasks)
    raise TooLargeError(
        f"the largest task has {largest:,} training points, so that one fit might take {needed:.0f} s, and on this "
        f"server {most_seconds:.0f} s are the most; take at most {int(largest * (most_seconds / needed) ** (1 / 3)):,} "
        "points per task, or learn from them on your own machine"
    )


def allowed_bytes() -> float:
    """What all computations of a server may take together: as the environment says, else half of the machine's."""
    try:
        return float(os.environ[ENVIRONMENT]) * GIGABYTE
    except (KeyError, ValueError):
        return 0.5 * machine_bytes()


def machine_bytes() -> float:
    """The memory of this machine, or of the container if that has less."""
    found = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) if hasattr(os, "sysconf") else 8 * GIGABYTE
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
    except OSError:
        return found
    return min(found, float(limit)) if limit.isdigit() else found


def check_memory(task_set: TaskSet) -> None:
    """Refuse, before anything is computed, what would take more than is allowed."""
    needed, allowed = predicted_bytes(task_set), allowed_bytes()
    if needed <= allowed:
        return
    rows = sum(task.n_points for task in task_set.tasks)
    largest = max(task.n_points for task in task_set.tasks)
    share = max(k / 1000 for k in range(1000) if predicted_bytes(task_set, k / 1000) <= allowed)
    raise TooLargeError(
        f"learning from {rows:,} training points ({largest:,} in the largest task) would take about "
        f"{needed / GIGABYTE:.1f} GB of memory, and {allowed / GIGABYTE:.1f} GB may be used; take fewer points: "
        f"about {int(rows * share):,} of them, shared out in the same way, would do"
    )
