"""Seconds, memory and the machine they were measured on."""

from __future__ import annotations

import gc
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Timed(Generic[Result]):
    """The least seconds of several runs, the least processor time of all threads, and what the last run returned."""

    seconds: float
    cpu: float
    result: Result


def best_of(work: Callable[[], Result], runs: int = 7, enough: float = 3.0) -> Timed[Result]:
    """Wall-clock time, the best of `runs` after a warm-up, or of the two or more that fit into `enough` seconds."""
    best = cpu = float("inf")
    spent = 0.0
    gc.collect()
    for run in range(runs + 1):
        started, cpu_started = time.perf_counter(), time.process_time()
        result = work()
        seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - cpu_started
        spent += seconds
        if run > 0 or seconds > enough:  # the first run warms up, unless it is long enough to count
            best, cpu = min(best, seconds), min(cpu, cpu_seconds)
        if (run > 1 and spent > enough) or (run == 0 and seconds > enough):
            break
    return Timed(best, cpu, result)


def peer_time(work: Callable[[], Result], runs: int = 5, enough: float = 3.0) -> Timed[Result]:
    """CPU time of a peer, which runs in one thread: on a busy machine its wall-clock time would flatter us.

    Work that takes longer than `enough` is run once.
    """
    best, spent, done = float("inf"), 0.0, 0
    gc.collect()
    while done < 1 or (done < runs and spent < enough):
        started = time.process_time()
        result = work()
        seconds = time.process_time() - started
        best, spent, done = min(best, seconds), spent + seconds, done + 1
    return Timed(best, best, result)


def peak_megabytes(code: str) -> float:
    """Peak resident memory of a fresh process that runs `code`."""
    # Not getrusage: its peak includes that of the process that started this one.
    ending = "\nprint([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])"
    done = subprocess.run([sys.executable, "-c", code + ending], check=True, capture_output=True, text=True)
    return int(done.stdout.split()[-1]) / 1024.0


def machine() -> dict[str, str]:
    """What the figures depend on; nothing that names the machine."""
    model = platform.processor()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as info:
            model = next((line.split(":")[1].strip() for line in info if line.startswith("model name")), model)
    packages = ("numpy", "numba", "osqp", "qpsolvers", "cvxopt", "scikit-learn", "daqp", "piqp", "streamlit")
    return {
        "processor": f"{model}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "packages": ", ".join(f"{name} {version(name)}" for name in packages),
        "load": f"{os.getloadavg()[0]:.1f} processes wanted to run at the end (1 to 2 is this benchmark alone)",
        "date": time.strftime("%Y-%m-%d"),
    }
