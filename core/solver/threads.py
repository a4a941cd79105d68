"""Threads for the compiled kernels, which release the interpreter lock; one BLAS thread each, for equal bits."""

from __future__ import annotations

import contextvars
import functools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, as_completed, wait
from contextlib import contextmanager
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

VARIABLE = "CURRICULAB_THREADS"
"""Environment variable with the number of threads; workers of a process pool set it to 1."""


def count() -> int:
    """How many threads a computation may use."""
    wanted = os.environ.get(VARIABLE, "")
    return int(wanted) if wanted.isdigit() and int(wanted) > 0 else (os.cpu_count() or 1)


_lock = threading.Lock()
_inside = 0
_before: list[tuple[Any, int]] = []
"""The libraries that had more threads, and how many."""


def _set_threads(wanted: list[tuple[Any, int]]) -> None:
    for library, threads in wanted:
        # Otherwise OpenBLAS obeys only the thread that set a limit first, as long as that thread lives.
        getattr(library, "clear_controlling_thread", lambda force: None)(force=True)
        library.set_num_threads(threads)


@functools.cache
def _libraries() -> list[Any]:
    found: list[Any] = ThreadpoolController().select(user_api="blas").lib_controllers
    return found


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Hold BLAS to one thread: small matrices gain nothing, and results must not depend on the number of cores.

    `ThreadpoolController.limit` for many threads at once: the last that leaves lifts the limit, whichever set it.
    """
    global _inside
    with _lock:
        _inside += 1
        many = [(library, threads) for library in _libraries() if (threads := library.num_threads) != 1]
        _before.extend(many)
        _set_threads([(library, 1) for library, _ in many])
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _set_threads(_before)
                _before.clear()


def spread(
    function: Callable[[Item], Result], items: Iterable[Item], keep: Callable[[list[Result]], None] | None = None
) -> list[Result]:
    """`[function(item) for item in items]` over the threads; `keep` gets all results so far, sorted, after each.

    An exception stops what has not begun, and that of the first item that failed is raised; an interrupt goes first.
    """
    todo = list(items)
    if count() == 1 or len(todo) <= 1:
        found: list[Result] = []
        for item in todo:
            found.append(function(item))
            if keep is not None:
                keep(found)
        return found
    with ThreadPoolExecutor(min(count(), len(todo))) as pool:
        # Each in a copy of the context, so that `cancellation.checkpoint` works in every thread.
        futures = [pool.submit(contextvars.copy_context().run, function, item) for item in todo]
        try:
            if keep is None:
                wait(futures, return_when=FIRST_EXCEPTION)
            else:
                for future in as_completed(futures):
                    if future.exception():
                        break
                    keep([one.result() for one in futures if one.done() and not one.exception()])
        finally:
            pool.shutdown(cancel_futures=True)
    failed = [error for future in futures if not future.cancelled() and (error := future.exception())]
    if failed:
        raise next((error for error in failed if not isinstance(error, Exception)), failed[0])
    return [future.result() for future in futures]
