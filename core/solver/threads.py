"""Threads for the compiled kernels, which release the interpreter lock; one BLAS thread each, for equal bits."""

from __future__ import annotations

import contextvars
import functools
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TypeVar

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

VARIABLE = "CURRICULAB_THREADS"
"""Environment variable with the number of threads; workers of a process pool set it to 1."""


def count() -> int:
    """How many threads a computation may use."""
    wanted = os.environ.get(VARIABLE, "")
    return int(wanted) if wanted.isdigit() and int(wanted) > 0 else (os.cpu_count() or 1)


@functools.cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[object]:
    """Hold BLAS to one thread: small matrices gain nothing, and results must not depend on the number of cores."""
    limited: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limited


def spread(function: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """`[function(item) for item in items]` over the threads; the first exception stops what has not begun."""
    todo = list(items)
    workers = min(count(), len(todo))
    if workers <= 1:
        return [function(item) for item in todo]
    with ThreadPoolExecutor(workers) as pool:
        # Each in a context of its own, so that `pause.point` is heard in every thread.
        futures = [pool.submit(contextvars.copy_context().run, function, item) for item in todo]
        try:
            return [future.result() for future in futures]
        except BaseException:
            for future in futures:
                future.cancel()
            raise
