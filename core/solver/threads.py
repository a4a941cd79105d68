"""Threads for the compiled kernels, which release the interpreter lock; one BLAS thread each, for equal bits."""

from __future__ import annotations

import contextvars
import functools
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, TypeVar, cast

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

VARIABLE = "CURRICULAB_THREADS"
"""Environment variable with the number of threads; workers of a process pool set it to 1."""


def count() -> int:
    """How many threads a computation may use."""
    wanted = os.environ.get(VARIABLE, "")
    return int(wanted) if wanted.isdigit() and int(wanted) > 0 else (os.cpu_count() or 1)


class _OneBlasThread:
    """`ThreadpoolController.limit` without what it does beside: on a small fit it would be a tenth of the time."""

    def __enter__(self) -> None:
        self._before = [(library, library.num_threads) for library in _libraries()]
        for library, threads in self._before:
            if threads != 1:
                library.set_num_threads(1)

    def __exit__(self, *_: object) -> None:
        for library, threads in self._before:
            if threads != 1:
                library.set_num_threads(threads)


@functools.cache
def _libraries() -> list[Any]:
    found: list[Any] = ThreadpoolController().select(user_api="blas").lib_controllers
    return found


def one_blas_thread() -> AbstractContextManager[None]:
    """Hold BLAS to one thread: small matrices gain nothing, and results must not depend on the number of cores."""
    return _OneBlasThread()


def spread(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """`[function(item) for item in items]` over the threads, this one among them; the first exception stops what has
    not begun."""
    todo = list(items)
    done: list[Result | None] = [None] * len(todo)
    left = iter(range(len(todo)))
    failed: list[BaseException] = []

    def work() -> None:
        try:
            for place in left:
                if failed:
                    return
                done[place] = function(todo[place])
        except BaseException as error:
            failed.append(error)

    # Each in a context of its own, so that `pause.point` is heard in every thread. A pool would cost more than a fit.
    others = [
        threading.Thread(target=contextvars.copy_context().run, args=(work,))
        for _ in range(min(count(), len(todo)) - 1)
    ]
    for thread in others:
        thread.start()
    work()
    for thread in others:
        _wait(thread, failed)
    if failed:
        raise failed[0]
    return cast(list[Result], done)


def _wait(thread: threading.Thread, failed: list[BaseException]) -> None:
    """Until the thread has ended; who interrupts the wait stops it after what it has begun."""
    while thread.is_alive():
        try:
            thread.join()
        except BaseException as error:
            failed.append(error)
