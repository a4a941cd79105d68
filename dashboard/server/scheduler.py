"""Turns to compute: a bounded number at once, shared out fairly, so that nobody has two while another has none."""

from __future__ import annotations

import statistics
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.errors import Cancelled, SettingsError
from dashboard.server.serving import serving

CHECK_SECONDS = 0.1


@dataclass(eq=False, slots=True)
class Ticket:
    """A visitor's place among those who wait; `needs` is the memory, in bytes, that its work is predicted to take."""

    visitor: str
    needs: float
    begun: float = field(default_factory=time.monotonic)


class Turns:
    """Who computes and who waits. At most `room` bytes are in use at once, unless one alone needs more."""

    def __init__(self, room: Callable[[], float] = lambda: float("inf")) -> None:
        self._room = room
        self._changed = threading.Condition()
        self._waiting: list[Ticket] = []
        self._running: list[Ticket] = []
        self._recent: deque[float] = deque(maxlen=20)
        self._served: dict[str, float] = {}  # when each visitor had a turn last

    @contextmanager
    def turn(self, ticket: Ticket, unwanted: Callable[[], bool]) -> Iterator[None]:
        """Wait for the turn of this ticket and hold it; `Cancelled` as soon as nobody wants it any more."""
        self._queue(ticket)
        try:
            with self._changed:
                while not self._may_run(ticket):
                    self._changed.wait(CHECK_SECONDS)
                    if unwanted():
                        raise Cancelled
                self._begin(ticket)
            yield
        finally:
            with self._changed:
                if ticket in self._running:
                    self._running.remove(ticket)
                    self._recent.append(time.monotonic() - ticket.begun)
                else:
                    self._waiting.remove(ticket)
                self._changed.notify_all()

    def place(self, ticket: Ticket) -> int:
        """How many turns it will be, counted from 1; 0 for a ticket that does not wait."""
        with self._changed:
            order = self._order()
        return order.index(ticket) + 1 if ticket in order else 0

    def seconds_to_wait(self, ticket: Ticket) -> float | None:
        """An estimate: the median of recent turns for each round before this one; None before there is one."""
        place = self.place(ticket)
        if not place or not self._recent:
            return None
        return statistics.median(self._recent) * place / serving().turns

    def _queue(self, ticket: Ticket) -> None:
        rules = serving()
        with self._changed:
            if len(self._waiting) >= rules.waiting:
                raise SettingsError("the server is busy: too many computations wait already; try again in a minute")
            if sum(other.visitor == ticket.visitor for other in self._waiting) >= rules.waiting_each:
                raise SettingsError(
                    f"{rules.waiting_each} computations of yours wait already; wait for them or cancel some"
                )
            self._waiting.append(ticket)

    def _begin(self, ticket: Ticket) -> None:
        self._waiting.remove(ticket)
        self._running.append(ticket)
        ticket.begun = time.monotonic()
        self._served.pop(ticket.visitor, None)
        self._served[ticket.visitor] = ticket.begun
        while len(self._served) > 1000:
            del self._served[next(iter(self._served))]

    def _may_run(self, ticket: Ticket) -> bool:
        rules = serving()
        if len(self._running) >= rules.turns:
            return False
        used = sum(running.needs for running in self._running)
        if self._running and used + ticket.needs > self._room():
            return False
        held = Counter(running.visitor for running in self._running)
        if held[ticket.visitor] >= rules.turns_each:
            return False
        order = self._order()
        return all(held[before.visitor] >= rules.turns_each for before in order[: order.index(ticket)])

    def _order(self) -> list[Ticket]:
        """Those who wait, in the order of their turns: everybody's first before anybody's second, and before those who
        had one already.
        """
        rounds = Counter(running.visitor for running in self._running)
        places = {}
        for ticket in self._waiting:  # sorting keeps the order of arrival where all else is equal
            places[ticket] = (rounds[ticket.visitor], self._served.get(ticket.visitor, 0.0))
            rounds[ticket.visitor] += 1
        return sorted(self._waiting, key=places.__getitem__)
