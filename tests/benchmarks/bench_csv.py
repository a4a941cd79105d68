"""How long reading a 50 MB CSV of 20 tasks takes, against pandas parsing the same file.

Run as `python -m tests.benchmarks.bench_csv [MEGABYTES]`; prints both times and their ratio, which should be at most 2.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from data.archives import formats

TASKS, FEATURES, BYTES_A_NUMBER = 20, 100, 9
REPEATS = 7


def write_csv(path: Path, megabytes: float) -> None:
    """A long-form table with a train and a test part, of about that many megabytes."""
    rng = np.random.default_rng(0)
    rows = int(megabytes * 2**20 / (FEATURES * BYTES_A_NUMBER))
    frame = pd.DataFrame(rng.standard_normal((rows, FEATURES)).round(5), columns=[f"x{k + 1}" for k in range(FEATURES)])
    frame.insert(0, "task", [f"task {k * TASKS // rows}" for k in range(rows)])
    frame.insert(1, "label", rng.integers(0, 2, rows))
    frame.insert(2, "split", np.where(rng.random(rows) < 0.7, "train", "test"))
    frame.to_csv(path, index=False)


def seconds(action: Callable[[], object]) -> tuple[float, float]:
    """Wall-clock and processor seconds of one run."""
    start, start_cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - start, time.process_time() - start_cpu


def main(megabytes: float = 50.0) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        write_csv(path, megabytes)
        # in turns, and the best of each, because other work on the machine comes and goes
        runs = [(seconds(lambda: pd.read_csv(path)), seconds(lambda: formats.read(path))) for _ in range(REPEATS)]
        print(f"{path.stat().st_size / 2**20:.1f} MB, best of {REPEATS}")
        for k, clock in enumerate(("wall-clock", "processor")):
            alone, ours = (min(run[side][k] for run in runs) for side in (0, 1))
            print(f"{clock}: pandas {alone:.2f} s, formats.read {ours:.2f} s, ratio {ours / alone:.2f} (at most 2)")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
