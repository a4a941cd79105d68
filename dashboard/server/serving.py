"""What limits visitors: how this server is run, and the points that it holds for all of them together.

It serves one person on their own machine, or strangers: `curriculab --public` says so in the environment, before
anything else is started, and everybody asks `serving()`. A set counts, unpacked, for as long as anybody holds it: a
session, a cache, a computation. Before a visitor is refused, caches let go of what no session needs. The scheduler says
who computes when; `streamlit_internals` limits files as browsers send them.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from core.errors import SettingsError
from data import limits
from data.task_names import without_folders

if TYPE_CHECKING:
    from core.task_set import TaskSet

Thing = TypeVar("Thing")
READERS = 2
"""Files of visitors that are read at a time, where strangers come."""
PUBLIC = "CURRICULAB_PUBLIC"
ALLOW_RUNS = "CURRICULAB_ALLOW_RUNS"

_held: weakref.WeakKeyDictionary[object, float] = weakref.WeakKeyDictionary()
_caches: list[Callable[[], bool]] = []
_lock = threading.RLock()
_readers = threading.BoundedSemaphore(READERS)


@dataclass(frozen=True, slots=True)
class Serving:
    """What visitors may do, and how much of it.

    `turns` of all visitors compute at once, `turns_each` of one; `seconds` is the longest that one computation may
    take and `fit_seconds` a single fit, which nothing can stop (None: as long as it needs), `waiting` and
    `waiting_each` how many may wait; `bundle_megabytes` is the most that an imported run may unpack to,
    `upload_cells` and `set_cells` the most numbers of an upload and of a built-in
    set with turned knobs, `held_megabytes` what the task sets of all visitors may take together (None: no limit).
    Files as browsers send them: `window_megabytes` of one window (two of the largest size, for the task set and for a
    run to import), `files_megabytes` of all.
    """

    public: bool
    runs: bool
    turns: int = 2
    turns_each: int = 2
    seconds: float | None = None
    fit_seconds: float | None = None
    waiting: int = 1000
    waiting_each: int = 100
    upload_megabytes: int = 200
    uploads_each: int = 4
    bundle_megabytes: int = 200
    upload_cells: int | None = None
    set_cells: int | None = None
    held_megabytes: float | None = None
    window_megabytes: int = 45
    files_megabytes: int = 400


OWN_MACHINE = Serving(public=False, runs=True)


def serving() -> Serving:
    """The rules for visitors: those of `--public` where the environment has `CURRICULAB_PUBLIC`, else `OWN_MACHINE`."""
    if not os.environ.get(PUBLIC):
        return OWN_MACHINE
    return Serving(
        public=True,
        runs=bool(os.environ.get(ALLOW_RUNS)),
        turns_each=1,
        seconds=120.0,
        fit_seconds=5.0,
        waiting=60,
        waiting_each=6,
        upload_megabytes=20,
        uploads_each=2,
        bundle_megabytes=8,
        upload_cells=5_000_000,
        set_cells=8_000_000,
        held_megabytes=800.0,
    )


def error_for_visitor(what: Exception | str) -> str:
    """What went wrong, for the screen: strangers are told no folders of the server."""
    return without_folders(str(what)) if serving().public else str(what)


def points_bytes(task_set: TaskSet) -> float:
    """Of all its points, as they lie in memory."""
    import scipy.sparse as sp  # the command line reads this module before anything heavy

    parts = [X for task in task_set.tasks for X in (task.X, task.X_test) if X is not None]
    return float(sum(12 * X.nnz if isinstance(X, sp.csr_array) else X.nbytes for X in parts))


def register_cache(drop: Callable[[], bool]) -> None:
    """A cache from which one thing at a time may be dropped; `drop` says whether there was one."""
    _caches.append(drop)


def used() -> float:
    """The bytes that are held now."""
    with _lock:
        return sum(_held.values())


def hold_bytes(thing: Thing, size: float) -> Thing:
    """Count something of that many bytes until nobody holds it any more; refused where there is no room for it."""
    most = serving().held_megabytes
    with _lock:
        if thing not in _held:
            if most is not None:
                _make_room(size, most * 1e6)
            _held[thing] = size
    return thing


def hold_set(task_set: TaskSet) -> TaskSet:
    """Count a task set by its points until nobody holds it any more; refused where there is no room for it."""
    return hold_bytes(task_set, points_bytes(task_set))


def _make_room(size: float, most: float) -> None:
    while used() + size > most:
        if not any(drop() for drop in _caches):
            raise SettingsError(
                f"the server holds {used() / 1e6:,.0f} MB of task sets for its visitors, and has no room for another "
                f"{size / 1e6:,.0f} MB; try again in some minutes, or with fewer points"
            )


@contextmanager
def reading_limits() -> Iterator[None]:
    """While a visitor's file is read: few at a time, and smaller ones than the owner's, where strangers come."""
    rules = serving()
    with _readers if rules.public else nullcontext(), limits.at_most(rules.upload_cells):
        yield
