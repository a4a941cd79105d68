"""What the tests of runs share: a small file of tasks, and `curriculab` in a process of its own."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.curriculum.learn import CSetting
from core.experiments.experiment import Settings
from core.experiments.summary import Results
from data.runs.computation import compute_run, find_or_begin
from data.runs.export import run_csv
from data.runs.store import Run, Store
from data.sources.catalogue import open_source

METHODS = ("indsvm", "seqmt", "multiseqmt", "mt", "random", "best", "worst")


def write_tasks(path: Path, test: bool = True, tasks: int = 3) -> Path:
    """Tasks in the plane whose line turns, as CSV."""
    rng = np.random.default_rng(1)
    lines = ["task,label,split,x1,x2" if test else "task,label,x1,x2"]
    for k in range(tasks):
        normal = np.array([np.cos(0.4 * k), np.sin(0.4 * k)])
        for part in ("train", "test") if test else ("train",):
            for label in (1, -1):
                X = rng.normal(size=(9, 2))
                X *= label * np.sign(X @ normal + 0.4 * rng.normal(size=9))[:, None]
                words = f"{label},{part}" if test else f"{label}"
                lines += [f"t{k},{words},{a:.6f},{b:.6f}" for a, b in X]
    path.write_text("\n".join(lines) + "\n")
    return path


def settings_for(path: Path, repeats: int = 2, methods: tuple[str, ...] = METHODS, C: CSetting = 10.0) -> Settings:
    return Settings(str(path.resolve()), methods, repeats, C)


def finished_run(
    store: Store, path: Path, repeats: int = 2, methods: tuple[str, ...] = METHODS, C: CSetting = 10.0
) -> Run:
    sampler = open_source(str(path))
    run = find_or_begin(store, settings_for(path, repeats, methods, C), sampler, resume=False)
    return compute_run(store, run, sampler, jobs=1)


def untimed_rows(results: Results) -> list[list[str]]:
    """The CSV's rows without the seconds."""
    return [row[:-1] for row in csv.reader(io.StringIO(run_csv(results)))]


def command(home: Path, *arguments: object) -> list[str]:
    return [sys.executable, "-m", "dashboard.cli", *map(str, arguments)]


def environment(home: Path) -> dict[str, str]:
    return os.environ | {"CURRICULAB_HOME": str(home), "OMP_NUM_THREADS": "1"}


def curriculab(home: Path, *arguments: object, **how: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(home, *arguments), env=environment(home), capture_output=True, text=True, timeout=120, **how
    )  # type: ignore[call-overload,no-any-return]
