"""Let mutmut make all mutants in `mutants/`, then learn which test reaches which function; what stands is kept.

A script of its own, so that nothing of this project is imported before mutmut puts its copies in front. mutmut's own
way of running tests is not used: it ends at the first test that does not bear being copied, and runs all of them twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mutmut import __main__ as mutmut
from mutmut.state import state

FOLDERS = ("tests/core", "tests/data", "tests/dashboard")
ARGUMENTS = ["--rootdir=.", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not browser and not slow"]


class Reached:
    """A plugin: the functions that every test reaches, its seconds, and whether it passes on unchanged code."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Forget what was reached between tests."""
        state()._stats.clear()
        self.tests[nodeid] = {"seconds": 0.0, "passes": True, "reaches": []}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Set-up, test and tear-down."""
        own = self.tests[report.nodeid]
        own["seconds"] += report.duration
        own["passes"] &= report.outcome != "failed"
        own["reaches"] = sorted({*own["reaches"], *state()._stats})


def make() -> None:
    """All mutants, of files that changed since."""
    mutmut.set_mutant_under_test("mutant_generation")
    os.makedirs("mutants", exist_ok=True)
    mutmut.copy_src_dir()
    mutmut.copy_also_copy_files()
    mutmut.setup_source_paths()
    mutmut.store_lines_covered_by_tests()
    mutmut.create_mutants(os.cpu_count() or 1)


def learn(files: list[Path], first: int, step: int) -> None:
    """Run every `step`-th file of tests that has not been run as it is."""
    os.chdir("mutants")
    mutmut.set_mutant_under_test("stats")
    os.environ["PY_IGNORE_IMPORTMISMATCH"] = "1"
    os.environ["MUTMUT_DEPENDENCY_DEPTH"] = "-1"
    for path in files[first::step]:
        kept = Path("reached") / f"{path.stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}.json"
        if kept.exists():
            continue
        found = Reached()
        pytest.main([*ARGUMENTS, str(path)], plugins=[found])
        for old in Path("reached").glob(f"{path.stem}-*.json"):
            old.unlink()
        kept.write_text(json.dumps(found.tests), encoding="utf-8")
        bad = [name for name, test in found.tests.items() if not test["passes"]]
        print(path, len(found.tests), "left out:" if bad else "", *bad, file=sys.__stdout__, flush=True)


def main() -> None:
    """Make, then learn in two processes."""
    make()
    files = sorted(path for folder in FOLDERS for path in Path(folder).glob("test_*.py"))
    Path("mutants/reached").mkdir(exist_ok=True)
    workers = []
    for k in range(2):
        pid = os.fork()
        if pid == 0:
            learn(files, k, 2)  # an exception ends this process with another code than 0
            os._exit(0)
        workers.append(pid)
    if any(status for _, status in [os.waitpid(pid, 0) for pid in workers]):
        sys.exit("not all files of tests were run, so some functions would seem to be reached by none")


if __name__ == "__main__":
    main()
