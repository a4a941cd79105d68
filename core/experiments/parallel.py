"""Pieces of an experiment on all cores or on a Dask cluster, each handed over as soon as it is done."""

from __future__ import annotations

import functools
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from core.errors import CurriculabError, SettingsError
from core.solver import threads

Result = TypeVar("Result")
Call = tuple[Callable[..., Result], tuple[Any, ...]]
CONNECT_SECONDS = 10


def check_jobs(jobs: int | None) -> int:
    """How many processes to use; None is one a core."""
    if jobs is None:
        import joblib

        return int(joblib.cpu_count())
    if isinstance(jobs, bool) or not isinstance(jobs, int) or not 1 <= jobs <= 1024:
        raise SettingsError(f"{jobs!r} jobs are asked for; use a whole number from 1 to 1024")
    return jobs


def one_at_a_time(calls: Iterable[Call[Result]]) -> Iterator[Result]:
    """In this process, on one thread."""
    before = os.environ.get(threads.VARIABLE)
    os.environ[threads.VARIABLE] = "1"
    try:
        for function, arguments in calls:
            yield function(*arguments)
    finally:
        if before is None:
            del os.environ[threads.VARIABLE]
        else:
            os.environ[threads.VARIABLE] = before


def on_all_cores(calls: Iterable[Call[Result]], jobs: int) -> Iterator[Result]:
    """In `jobs` processes of this machine; results in the order in which they are done."""
    from joblib import parallel_config

    with parallel_config("loky", inner_max_num_threads=1):
        with _no_interrupts():
            outcomes = _as_done(calls, os.getpid(), n_jobs=jobs, pre_dispatch=2 * jobs)
        try:
            for outcome in outcomes:  # noqa: UP028 (its own end, by `yield from`, would warn of what it gives up)
                yield outcome
        except BrokenProcessPool:  # what joblib raises is one
            raise CurriculabError(
                "a worker process was killed, perhaps for want of memory; go on with --resume and fewer --jobs"
            ) from None
        finally:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*still being processed")
                outcomes.close()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: a terminal sends it to all, and each would complain by itself.

    What is ignored when a program is started stays ignored in it. They end with the process that asked for them. For
    the few milliseconds that starting takes, this process does not hear it either.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def on_cluster(calls: Iterable[Call[Result]], scheduler: str) -> Iterator[Result]:
    """On the workers of a Dask cluster; a piece whose worker is lost is computed again by another."""
    from joblib import parallel_config

    with _client(scheduler) as client, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")  # a piece may carry its own draw
        with parallel_config("dask", client=client, wait_for_workers_timeout=CONNECT_SECONDS):
            try:
                yield from _as_done(calls, None)
            except CurriculabError:
                raise
            except Exception as error:
                if type(error).__module__.split(".")[0] not in ("distributed", "builtins", "concurrent"):
                    raise
                said = " ".join(str(error).split())[:200]
                raise CurriculabError(
                    f"the cluster at {scheduler} failed ({type(error).__name__}: {said}); see that every worker has "
                    "curriculab installed, then go on with --resume"
                ) from error


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    try:
        import distributed
    except ImportError:
        raise SettingsError("a Dask cluster needs the package distributed; install curriculab[cluster]") from None
    try:
        connect: Any = distributed.Client  # which has no types
        client = connect(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception as error:  # whatever else listens there may answer anything
        raise SettingsError(
            f"no Dask scheduler answers at {scheduler[:80]!r} ({type(error).__name__}); give its address, such as "
            "tcp://host:8786"
        ) from None
    try:
        if not client.ncores():
            raise SettingsError(f"the Dask scheduler at {scheduler[:80]!r} has no workers; start some first")
        yield client
    finally:
        client.close()


def _as_done(calls: Iterable[Call[Result]], parent: int | None, **settings: int) -> Generator[Result]:
    """Hand the calls to joblib's workers; yields each result as soon as it is there."""
    from joblib import Parallel, delayed

    todo = (delayed(_in_worker)(parent, function, *arguments) for function, arguments in calls)
    outcomes: Generator[Result] = Parallel(return_as="generator_unordered", batch_size=1, **settings)(todo)
    return outcomes


def _in_worker(parent: int | None, function: Callable[..., Result], *arguments: Any) -> Result:
    _settle_in(parent)
    return function(*arguments)


@functools.cache
def _settle_in(parent: int | None) -> None:
    """Once a worker process: one thread for everything, and no life without the process that asked for it."""
    from threadpoolctl import threadpool_limits

    os.environ[threads.VARIABLE] = "1"
    threadpool_limits(limits=1, user_api="blas")
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)
