"""Long work in a thread of its own, shared by all who ask for it at the same time; it knows nothing of the screen.

A `Work` is computed once; a `Job` is one session's interest in it. Cancelling a job ends the interest, and the work
stops when nobody is interested any more: all have cancelled or left.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from core.errors import Cancelled, CurriculabError
from core.solver import cancellation
from dashboard import text
from dashboard.server.scheduler import Ticket, Turns
from dashboard.server.serving import error_for_visitor, serving
from data.limits import allowed_bytes

Result = TypeVar("Result")
State = Literal["waiting", "running", "done", "cancelled", "failed"]

SOON_SECONDS = 0.5
"""Before that nothing is said of the time left."""
LOOK_SECONDS = 0.5
"""Between two looks at whether anybody still wants the work."""
END_SECONDS = 5.0
"""The longest that the end of the server waits for a piece of work to hear of it."""

_log = logging.getLogger("curriculab.jobs")
_turns = Turns(allowed_bytes)
_works: dict[tuple[str, str], Work[Any]] = {}
_joining = threading.Lock()


class Work(Generic[Result]):
    """One piece of work, from waiting to its end; `result` is there once `state` is 'done'.

    `fraction` of it is done, `partial` is its latest partial result, `noted` says in words how much is finished, and
    `message` why it failed. What does the work is given this to tell of it: calling it is the `progress` of the core's
    functions.
    """

    def __init__(self, slot: str, key: str, title: str, ticket: Ticket) -> None:
        self.slot, self.key, self.title, self.ticket = slot, key, title, ticket
        self.state: State = "waiting"
        self.noted = ""
        self.message = ""
        self.result: Result | None = None
        self.partial: Result | None = None
        self.fraction = 0.0
        self.ended = threading.Event()
        self.started = time.monotonic()
        self.jobs: list[Job[Result]] = []
        self._lock = threading.Lock()
        self._looked = 0.0

    @property
    def best(self) -> Result | None:
        """The result, or the latest partial one."""
        return self.partial if self.result is None else self.result

    @property
    def seconds_left(self) -> float | None:
        """What remains if the rest goes as fast as the work so far; None while that cannot be said."""
        elapsed = time.monotonic() - self.started
        if not self.fraction or elapsed < SOON_SECONDS:
            return None
        return elapsed * (1.0 - self.fraction) / self.fraction

    @property
    def unwanted(self) -> bool:
        """Whether nobody waits for it: all have cancelled, or left."""
        return not any(job.wanted for job in list(self.jobs))

    def __call__(self, done: float, total: float) -> None:
        """`done` of `total` is finished; raises `Cancelled` if nobody wants the rest."""
        self.look()
        with self._lock:  # some of the core's loops report from several threads, not always in order
            self.fraction = max(self.fraction, min(done / total, 1.0) if total > 0 else 0.0)

    def keep(self, partial: Result) -> None:
        """Show this meanwhile, and keep it if the work is cancelled or fails."""
        self.partial = partial

    def note(self, words: str) -> None:
        """Say in a few words how much is finished, such as '2 of 5 draws'."""
        self.noted = words

    def look(self) -> None:
        """Raise `Cancelled` where nobody wants the result any more, or an error after the longest it may take."""
        now = time.monotonic()
        if now - self._looked > LOOK_SECONDS or any(job.cancelling for job in list(self.jobs)):
            self._looked = now
            if self.unwanted:
                raise Cancelled
            longest = serving().seconds
            if longest is not None and now - self.started > longest:
                raise CurriculabError(
                    f"{self.title}: stopped after {text.in_words(longest)}, the longest that one computation may take "
                    "on this server; take fewer points or tasks, or run it on your own machine"
                )

    def run(self, work: Callable[[Work[Result]], Result]) -> None:
        """In its thread: wait for the turn, compute, and say how it ended, whatever happens."""
        try:
            with _turns.turn(self.ticket, lambda: self.unwanted), cancellation.cancellable(self.look):
                self.state, self.started = "running", time.monotonic()
                self.look()
                self.result = work(self)
            self.fraction, self.state = 1.0, "done"
        except Cancelled:
            self.state = "cancelled"
        except CurriculabError as error:
            self.message, self.state = error_for_visitor(error), "failed"
        except MemoryError:
            self.message, self.state = f"{self.title}: there is not enough memory; take fewer points", "failed"
        except Exception as error:  # the app must outlive whatever happens here
            _log.exception("%s failed", self.slot)
            what = "" if serving().public else f" ({f'{type(error).__name__}: {error}'.splitlines()[0][:200]})"
            self.message = f"{self.title} stopped with an unexpected error{what}; change a setting or try again"
            self.state = "failed"
        finally:
            with _joining:
                if _works.get((self.slot, self.key)) is self:
                    del _works[self.slot, self.key]
            _log.info("%s %s after %.2f s", self.slot, self.state, time.monotonic() - self.started)
            self.ended.set()


@dataclass(eq=False)
class Job(Generic[Result]):
    """One session's interest in a work; `here` says whether that session is still connected."""

    work: Work[Result]
    here: Callable[[], bool] = lambda: True
    cancelling: bool = False

    def __post_init__(self) -> None:
        self.work.jobs.append(self)

    @property
    def state(self) -> State:
        """As the work's, unless this session has cancelled it while it goes on for others."""
        if self.work.ended.is_set() or self.running:
            return self.work.state
        return "cancelled"

    @property
    def running(self) -> bool:
        """Whether it has not ended yet; a cancelled job of a work that others want has ended."""
        return not self.work.ended.is_set() and not (self.cancelling and not self.work.unwanted)

    @property
    def wanted(self) -> bool:
        """Whether this session still waits for it."""
        return not self.cancelling and self.here()

    def cancel(self) -> None:
        """This session wants it no more; the work stops at its next progress call unless others do."""
        self.cancelling = True

    def wait(self, seconds: float) -> bool:
        """Wait for its end, but no longer than that; whether it has ended."""
        return not self.running or self.work.ended.wait(seconds)


def join(
    slot: str,
    key: str,
    title: str,
    work: Callable[[Work[Result]], Result],
    ticket: Ticket,
    here: Callable[[], bool] = lambda: True,
) -> Job[Result]:
    """A job of the work of that key: the one that runs for somebody else already, or a new one."""
    with _joining:
        running = _works.get((slot, key))
        if running is not None and not running.unwanted:
            return Job(running, here)
        made: Work[Result] = Work(slot, key, title, ticket)
        job = Job(made, here)
        _works[slot, key] = made
    # A daemon, so that it never keeps the server from stopping.
    threading.Thread(target=made.run, args=(work,), name=f"job {slot}", daemon=True).start()
    return job


def cancel_all() -> None:
    """Cancel all work and wait for its end, before the interpreter ends: from then on no thread can start another."""
    with _joining:
        works = list(_works.values())
    for job in [job for work in works for job in work.jobs]:
        job.cancel()
    for work in works:
        work.ended.wait(END_SECONDS)


def status(job: Job[Result]) -> str:
    """A line on a running job: what, how far or which place in the queue, how long still."""
    work = job.work
    parts = [work.title, work.noted]
    if job.cancelling:
        parts.append("cancelling")
    elif job.state == "waiting":
        place, wait = _turns.place(work.ticket), _turns.seconds_to_wait(work.ticket)
        parts.append("waiting for its turn" + (f", number {place} in the queue" if place else ""))
        if wait is not None:
            parts.append(f"begins in about {text.in_words(wait)}")
    else:
        parts.append(text.percent(work.fraction, 0))
        if work.seconds_left is not None:
            parts.append(f"about {text.in_words(work.seconds_left)} left")
    return " · ".join(part for part in parts if part)
