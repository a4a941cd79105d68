"""The points that the server holds for all visitors together: where strangers come, no more bytes than it may.

A set counts, unpacked, for as long as anybody holds it: a session, a shelf, a computation. Before a visitor is refused,
shelves let go of what no session needs.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeVar

import scipy.sparse as sp

from core.errors import SettingsError
from core.task_set import TaskSet
from dashboard.server.serving import serving
from data import limits

Thing = TypeVar("Thing")
READERS = 2
_held: weakref.WeakKeyDictionary[object, float] = weakref.WeakKeyDictionary()
_shelves: list[Callable[[], bool]] = []
_lock = threading.RLock()
_readers = threading.BoundedSemaphore(READERS)


def points_bytes(task_set: TaskSet) -> float:
    """Of all its points, as they lie in memory."""
    parts = [X for task in task_set.tasks for X in (task.X, task.X_test) if X is not None]
    return float(sum(12 * X.nnz if isinstance(X, sp.csr_array) else X.nbytes for X in parts))


def may_drop(drop: Callable[[], bool]) -> None:
    """A shelf from which one thing at a time may be dropped; `drop` says whether there was one."""
    _shelves.append(drop)


def used() -> float:
    """The bytes that are held now."""
    with _lock:
        return sum(_held.values())


def take(thing: Thing, size: float) -> Thing:
    """Count something of that many bytes until nobody holds it any more; refused where there is no room for it."""
    most = serving().held_megabytes
    with _lock:
        if thing not in _held:
            if most is not None:
                _make_room(size, most * 1e6)
            _held[thing] = size
    return thing


def take_set(task_set: TaskSet) -> TaskSet:
    """The same for a task set."""
    return take(task_set, points_bytes(task_set))


def _make_room(size: float, most: float) -> None:
    while used() + size > most:
        if not any(drop() for drop in _shelves):
            raise SettingsError(
                f"the server holds {used() / 1e6:,.0f} MB of task sets for its visitors, and has no room for another "
                f"{size / 1e6:,.0f} MB; try again in some minutes, or with fewer points"
            )


@contextmanager
def reading() -> Iterator[None]:
    """While a visitor's file is read: few at a time, and smaller ones than the owner's, where strangers come."""
    rules = serving()
    with _readers if rules.public else nullcontext(), limits.at_most(rules.upload_cells):
        yield
