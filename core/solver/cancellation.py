"""Between two fits: the place where whoever asked for a long computation may stop it.

`progress` tells how far a computation is, and comes as often as there is something to tell; `point` comes before every
fit, fold and product of points, in every thread, so that nothing goes on for long that nobody wants any more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_look: ContextVar[Callable[[], None] | None] = ContextVar("look", default=None)


@contextmanager
def looking(look: Callable[[], None]) -> Iterator[None]:
    """Inside, `look` is called between fits; what it raises (`Cancelled`, say) ends the computation."""
    before = _look.set(look)
    try:
        yield
    finally:
        _look.reset(before)


def checkpoint() -> None:
    """Here the computation may end."""
    look = _look.get()
    if look is not None:
        look()
