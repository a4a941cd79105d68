"""How much a file may hold, and how much memory and time learning from it may take: every limit is checked beforehand.

Files are judged by sizes and headers, before the contents are unpacked; learning by the sizes of its tasks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import CurriculabError

if TYPE_CHECKING:
    from core.task_set import TaskSet

MAX_FILE_BYTES = 200 * 2**20
MAX_UNPACKED_BYTES = 512 * 2**20
MAX_MEMBERS = 5_000
MAX_DIRECTORY_BYTES = 4 * 2**20  # a ZIP's table of contents; 5,000 members with long names need about 2 MB
MAX_TASKS = 500
MAX_ROWS = 1_000_000
MAX_FEATURES = 50_000
MAX_CELLS = 50_000_000  # rows times features: 400 MB as float64
MAX_NAME_CHARACTERS = 200
MAX_LINE_BYTES = 5 * 2**20  # of a header or row of text: 100 for each of the most features

MEMORY_ENVIRONMENT = "CURRICULAB_MEMORY_GB"
GIGABYTE = 1e9
_ENTRY_BYTES = 8
_COPIES_OF_POOL = 2
_COPIES_OF_TASK = 6  # its inner products, the solver's copy, and the factor that the solver makes of it
_SECONDS_A_CUBE = 4e-9  # of a fold's four fifths, by the kernel; with as many features as points or more
_SECONDS_A_CUBE_THIN = 1.5e-10
_MOST_POOLED = 100_000_000  # entries of inner products between all points that are kept at once

_most_cells: ContextVar[int | None] = ContextVar("most_cells", default=None)


class FormatError(CurriculabError):
    """A file that is not a task set, or one that is too large."""


class TooLargeError(CurriculabError):
    """Learning from these points would take more memory than it may."""


@contextmanager
def at_most(cells: int | None) -> Iterator[None]:
    """Inside, files may hold no more numbers than that, and unpack to a size in proportion; None leaves it as it is."""
    before = _most_cells.set(cells)
    try:
        yield
    finally:
        _most_cells.reset(before)


def max_cells() -> int:
    """Rows times features that a file may hold here."""
    fewer = _most_cells.get()
    return MAX_CELLS if fewer is None else min(fewer, MAX_CELLS)


def check_bytes(file: str, size: int) -> None:
    """Refuse a file that is empty or larger than `MAX_FILE_BYTES`."""
    if size == 0:
        raise FormatError(f"{file} is empty; choose a file with a task set in it")
    if size > MAX_FILE_BYTES:
        raise FormatError(
            f"{file} has {size / 2**20:,.0f} MB; the most that is read is {MAX_FILE_BYTES // 2**20} MB, "
            "so take fewer rows or features"
        )


def check_unpacked(file: str, size: int) -> None:
    """Refuse contents that unpack to more than `MAX_UNPACKED_BYTES`, or to its share of the numbers allowed here."""
    if size > (most := MAX_UNPACKED_BYTES * max_cells() // MAX_CELLS):
        raise FormatError(
            f"{file} unpacks to {size / 2**20:,.0f} MB; the most that is unpacked is "
            f"{most // 2**20} MB, so take fewer rows or features"
        )


def check_line(file: str, size: int) -> None:
    """Refuse a first line longer than `MAX_LINE_BYTES`."""
    if size > MAX_LINE_BYTES:
        raise FormatError(
            f"{file}: the first line has {size:,} characters; the longest that is read has {MAX_LINE_BYTES:,}, "
            "so check its line ends"
        )


def check_shape(file: str, rows: int, features: int) -> None:
    """Refuse more rows, features or cells than the limits allow."""
    for count, most, what in (
        (rows, MAX_ROWS, "rows"),
        (features, MAX_FEATURES, "features"),
        (rows * features, max_cells(), "numbers (rows times features)"),
    ):
        if count > most:
            raise FormatError(f"{file} holds {count:,} {what}; the most that is read is {most:,}, so take fewer")


def check_tasks(file: str, tasks: int) -> None:
    """Refuse a file without tasks or with more than `MAX_TASKS`."""
    if tasks == 0:
        raise FormatError(f"{file} holds no task; see the template for the expected form")
    if tasks > MAX_TASKS:
        raise FormatError(f"{file} holds {tasks:,} tasks; the most that is read is {MAX_TASKS}, so take fewer")


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
        return float(os.environ[MEMORY_ENVIRONMENT]) * GIGABYTE
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
