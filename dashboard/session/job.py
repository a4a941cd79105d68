"""One piece of long work in a worker thread, and what it says of itself; it knows nothing of the screen."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from core.errors import Cancelled, CurriculabError

Result = TypeVar("Result")
State = Literal["waiting", "running", "done", "cancelled", "failed"]

AT_ONCE = 2
"""Jobs of all sessions that compute at the same time; the others wait for their turn."""
SOON_SECONDS = 0.5
"""Before that nothing is said of the time left."""

_turns = threading.BoundedSemaphore(AT_ONCE)
_log = logging.getLogger(__name__)


class Report(Generic[Result]):
    """What the work may say while it runs; calling it is the `progress` of the core's functions."""

    def __init__(self, job: Job[Result]) -> None:
        self._job = job

    def __call__(self, done: float, total: float) -> None:
        """`done` of `total` is finished; raises `Cancelled` if someone pressed Cancel."""
        self._job._advance(done, total)

    def part(self, index: int, parts: int) -> Callable[[float, float], None]:
        """The `progress` of one of several equal parts of the work, counted from 0."""

        def progress(done: float, total: float) -> None:
            self((index + done / max(total, 1)) / parts, 1)

        progress(0, 1)
        return progress

    def keep(self, partial: Result) -> None:
        """Show this meanwhile, and keep it if the work is cancelled or fails."""
        self._job.partial = partial

    def note(self, words: str) -> None:
        """Say in a few words what is being done."""
        self._job.note = words


class Job(Generic[Result]):
    """One piece of work, from waiting to its end; `result` is there once `state` is 'done'."""

    def __init__(self, slot: str, key: str, title: str, work: Callable[[Report[Result]], Result]) -> None:
        self.slot, self.key, self.title = slot, key, title
        self.state: State = "waiting"
        self.note = ""
        self.message = ""
        self.result: Result | None = None
        self.partial: Result | None = None
        self.fraction = 0.0
        self._work: Callable[[Report[Result]], Result] | None = work
        self._cancel = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._started = time.monotonic()

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return not self._ended.is_set()

    @property
    def cancelling(self) -> bool:
        """Whether it was asked to stop."""
        return self._cancel.is_set()

    @property
    def best(self) -> Result | None:
        """The result, or the latest partial one."""
        return self.partial if self.result is None else self.result

    @property
    def seconds_left(self) -> float | None:
        """What remains if the rest goes as fast as the work so far; None while that cannot be said."""
        elapsed = time.monotonic() - self._started
        if not self.fraction or elapsed < SOON_SECONDS:
            return None
        return elapsed * (1.0 - self.fraction) / self.fraction

    def cancel(self) -> None:
        """Ask the work to stop at its next progress call."""
        self._cancel.set()

    def wait(self, seconds: float) -> bool:
        """Wait for its end, but no longer than that; whether it has ended."""
        return self._ended.wait(seconds)

    def begin(self) -> None:
        """Start the worker; a daemon, so that it never keeps the server from stopping."""
        threading.Thread(target=self._run, name=f"job {self.slot}", daemon=True).start()

    def _advance(self, done: float, total: float) -> None:
        if self._cancel.is_set():
            raise Cancelled
        with self._lock:  # some of the core's loops report from several threads, not always in order
            self.fraction = max(self.fraction, min(done / total, 1.0) if total > 0 else 0.0)

    def _run(self) -> None:
        try:
            while not _turns.acquire(timeout=0.1):
                if self._cancel.is_set():
                    raise Cancelled
            try:
                self._compute()
            finally:
                _turns.release()
        except Cancelled:
            self.state = "cancelled"
        except CurriculabError as error:
            self.message, self.state = str(error), "failed"
        except Exception as error:  # the app must outlive whatever happens here
            _log.exception("%s failed", self.title)
            what = f"{type(error).__name__}: {error}".splitlines()[0][:200]
            self.message = f"{self.title} stopped with an unexpected error ({what}); change a setting or try again"
            self.state = "failed"
        finally:
            self._work = None  # lets go of the task set that it holds
            self._ended.set()

    def _compute(self) -> None:
        work = self._work
        if self._cancel.is_set() or work is None:
            raise Cancelled
        self.state, self._started = "running", time.monotonic()
        self.result = work(Report(self))
        self.fraction, self.state = 1.0, "done"


def in_words(seconds: float) -> str:
    """A rough duration: '8 s', '3 min', '2 h'."""
    if seconds < 60:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"


def status(job: Job[Result]) -> str:
    """A line on a running job: what, how far, how long still."""
    parts = [job.title, job.note]
    if job.state == "waiting":
        parts.append("waiting for its turn")
    else:
        parts.append(f"{job.fraction:.0%}")
        if job.cancelling:
            parts.append("cancelling")
        elif job.seconds_left is not None:
            parts.append(f"about {in_words(job.seconds_left)} left")
    return " · ".join(part for part in parts if part)
