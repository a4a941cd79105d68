"""Progress on a terminal: one line that rewrites itself."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]
EVERY = 0.1  # seconds between two lines


def say_if_compiling() -> None:
    """Before the first use of all, which takes longer than others: what is being prepared."""
    from core.solver.compiled import have_own_process, on_disk

    have_own_process()
    if not on_disk():
        print("preparing: compiling the kernels for this machine, once; about ten seconds", file=sys.stderr, flush=True)


@contextmanager
def terminal_progress(what: str) -> Iterator[Progress | None]:
    """A callback `(done, total)` that keeps one line on standard error; None where no person watches."""
    say_if_compiling()
    if not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    shown = 0.0

    def show(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown < EVERY:
            return
        shown = now
        left = (now - started) * (total - done) / done if done else 0.0
        estimate = f", about {left:.0f} s left" if left >= 1 else ""
        print(f"\r\033[K{what}: {done} of {total}{estimate}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
