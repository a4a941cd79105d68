"""Between two fits: the place where a long computation may be cancelled.

`progress` tells how far a computation is, and comes as often as there is something to tell; `checkpoint` comes before
every fit, fold and product of points, in every thread, so that a cancelled computation ends soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def cancellable(check: Callable[[], None]) -> Iterator[None]:
    """Inside, `check` is called between fits; what it raises (`Cancelled`, say) ends the computation."""
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def checkpoint() -> None:
    """End the computation here if it was cancelled."""
    check = _check.get()
    if check is not None:
        check()
