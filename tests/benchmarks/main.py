"""What `python -m tests.benchmarks` does."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import growth, instant, memory, problems, screen, work
from tests.benchmarks.report import Results, growth_table, write_page
from tests.benchmarks.rows import Row, comparison_table
from tests.benchmarks.timing import machine

ROOT = Path(__file__).parents[2]


def comparisons(full: bool) -> Iterator[Row]:
    """All comparisons with peers, those with targets first."""
    shoes, awa, small = problems.shoes_size(), problems.awa_size(), problems.small_size()
    part = shoes if full else shoes.subset(shoes.names[:4])
    note = "" if full else "4 of the 10 tasks on both sides"
    yield from work.one_grid(shoes)
    yield work.search(part, "seqmt", "each", 50.0 if full else None, note)
    yield work.search(part, "multiseqmt", "each", 120.0 if full else None, note)
    yield work.search(part, "seqmt", "shared", 80.0 if full else None, note)
    yield work.orders_fixed_C(problems.awa_size(0), 30.0)
    yield work.orders_fixed_C(awa, 30.0)
    for task_set in (shoes, awa, small):
        yield from work.one_fit(task_set)
    yield from work.one_grid(awa)
    yield from work.one_grid(small)
    if full:
        yield work.search(part, "multiseqmt", "shared", 80.0, note)
    for task_set in (awa, small):
        for method in ("seqmt", "multiseqmt"):
            for C in ("each", "shared"):
                yield work.search(task_set, method, C, None, "")
    yield work.orders_shared_C(awa.subset(awa.names[: 5 if full else 3]), "" if full else "3 of the 5 tasks, as theirs")
    yield work.comparison(20 if full else 2, "" if full else "2 of the 20 repeats on both sides")


def first_use() -> dict[str, float]:
    """Seconds until the first result in a fresh process: with nothing compiled, and with the kernels on the disk."""
    found = {}
    for C in ("shared", "each"):
        code = f"from tests.benchmarks.problems import small_size; from core import learn; learn(small_size(), C={C!r})"
        with tempfile.TemporaryDirectory() as fresh:  # the kernels are kept beside their sources
            for room in ("core", "tests"):
                shutil.copytree(ROOT / room, Path(fresh) / room, ignore=shutil.ignore_patterns("__pycache__"))
            times = []
            for _ in range(3):
                started = time.perf_counter()
                subprocess.run(
                    [sys.executable, "-c", code], check=True, cwd=fresh, env=os.environ | {"PYTHONPATH": fresh}
                )
                times.append(time.perf_counter() - started)
        found[f"first result, C {C}, kernels compiled now (at most 10 s)"] = times[0]
        found[f"first result, C {C}, kernels on the disk"] = min(times[1:])
    return found


def waitings(full: bool) -> list[screen.Waiting]:
    """What a person waits for in the dashboard; the start needs Chromium and is left out without it."""
    start = [instant.start(5 if full else 3)] if shutil.which("chromium") else []
    return [*screen.waitings(), *start, *instant.pages(15)]


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all of the long literal work (about half an hour)")
    parser.add_argument(
        "--only", choices=("peers", "growth", "memory", "screen", "first", "around"), help="one part, printed only"
    )
    parser.add_argument("--json", type=Path, default=Path("build/benchmarks.json"), help="where to write the figures")
    parser.add_argument("--page", action="store_true", help="also write docs/performance.md (implied by --full)")
    options = parser.parse_args()

    def wanted(part: str) -> bool:
        return options.only in (None, part)

    rows: list[Row] = []
    if wanted("peers"):
        for row in comparisons(options.full):
            rows.append(row)
            print(comparison_table([row]).splitlines()[-1], flush=True)
    curves: list[growth.Curve] = []
    if wanted("growth"):
        for curve in growth.curves(options.full):
            curves.append(curve)
            print(growth_table([curve]).splitlines()[-1], flush=True)
    results = Results(
        machine=machine(),
        full=options.full,
        first_use=first_use() if wanted("first") else {},
        rows=rows,
        curves=curves,
        megabytes=memory.megabytes() if wanted("memory") else {},
        waitings=waitings(options.full) if wanted("screen") else [],
        around=instant.around() if wanted("around") else {},
    )
    print("\n" + results.text())
    if options.only is None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(results.as_dict(), indent=1), encoding="utf-8")
        if options.full or options.page:
            write_page(results)
