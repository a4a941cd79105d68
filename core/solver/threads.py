"""Threads for the compiled kernels, which release the interpreter lock; one BLAS thread each, for equal bits."""

from __future__ import annotations

import contextvars
import functools
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar, TypeVar, cast

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

_PARTED = 4_000
"""Entries of a matrix from which a product with it may be parted between threads; OpenBLAS begins at 9,216."""
VARIABLE = "CURRICULAB_THREADS"
"""Environment variable with the number of threads; workers of a process pool set it to 1."""


def count() -> int:
    """How many threads a computation may use."""
    wanted = os.environ.get(VARIABLE, "")
    return int(wanted) if wanted.isdigit() and int(wanted) > 0 else (os.cpu_count() or 1)


class _OneBlasThread:
    """`ThreadpoolController.limit` for many threads at once: the last that leaves lifts the limit, whoever set it."""

    _lock = threading.Lock()
    _inside = 0
    _before: ClassVar[list[tuple[Any, int]]] = []

    def __enter__(self) -> None:
        held = _OneBlasThread
        with held._lock:
            held._inside += 1
            many = [(library, threads) for library in _libraries() if (threads := library.num_threads) != 1]
            held._before += many
            _set_threads([(library, 1) for library, _ in many])

    def __exit__(self, *_: object) -> None:
        held = _OneBlasThread
        with held._lock:
            held._inside -= 1
            if not held._inside:
                _set_threads(held._before)
                held._before = []


def _set_threads(wanted: list[tuple[Any, int]]) -> None:
    for library, threads in wanted:
        # Otherwise the thread that did it first is the only one that is heard, as long as it lives.
        getattr(library, "clear_controlling_thread", lambda force: None)(force=True)
        library.set_num_threads(threads)


@functools.cache
def _libraries() -> list[Any]:
    found: list[Any] = ThreadpoolController().select(user_api="blas").lib_controllers
    return found


def one_blas_thread(entries: int = _PARTED) -> AbstractContextManager[None]:
    """Hold BLAS to one thread: small matrices gain nothing, and results must not depend on the number of cores.

    `entries` are those of the largest matrix inside, if known: a small one BLAS leaves to one thread by itself.
    """
    return _OneBlasThread() if entries >= _PARTED else nullcontext()


def spread(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """`[function(item) for item in items]` over the threads, this one among them.

    An exception stops what has not begun, and that of the first item that failed is raised."""
    todo = list(items)
    done: list[Result | None] = [None] * len(todo)
    left = iter(range(len(todo)))
    failed: dict[int, BaseException] = {}

    def work() -> None:
        for place in left:
            if failed:
                return
            try:
                done[place] = function(todo[place])
            except BaseException as error:
                failed[place if isinstance(error, Exception) else -1] = error

    # Each in a context of its own, so that `pause.point` is heard in every thread. A pool would cost more than a fit.
    others = [
        threading.Thread(target=contextvars.copy_context().run, args=(work,))
        for _ in range(min(count(), len(todo)) - 1)
    ]
    begun: list[threading.Thread] = []
    try:
        for thread in others:
            thread.start()
            begun.append(thread)
        work()
    except BaseException as error:  # Ctrl-C between two items
        failed[-1] = error
    while any(thread.is_alive() for thread in begun):
        try:
            for thread in begun:
                thread.join()
        except BaseException as error:  # who interrupts the wait stops it after what it has begun
            failed[-1] = error
    if failed:
        raise failed[min(failed)]
    return cast(list[Result], done)
