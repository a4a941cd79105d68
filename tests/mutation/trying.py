"""Try mutants: each in a fork of a process that has imported all tests but run none, so that no cache hides a change.

    python tests/mutation/trying.py MINUTES < NAMES

Of a mutant, the tests that reach its function run, the quickest first, up to `MOST_SECONDS`: what slower tests alone
would notice counts as not noticed. A kill counts when the test that failed fails again with the mutant and passes
without it, as a machine under load fails tests by itself. Prints `NAME CODE` for each: 0 survived, 33 no test reaches
it, 34 a failure that did not repeat, else killed.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from pathlib import Path

MOST_SECONDS = 60.0
"""Of tests for one mutant."""
NO_TEST, UNSURE, TIMEOUT = 33, 34, 36
ARGUMENTS = ["--rootdir=.", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
SELECTION = ["tests/core", "tests/data", "tests/dashboard", "-m", "not browser and not slow"]


def main() -> None:
    """Two mutants at a time, in the order given, until the time is up."""
    names = sys.stdin.read().split()
    end = time.monotonic() + 60 * float(sys.argv[1])
    os.chdir("mutants")
    sys.path.insert(0, os.getcwd())
    tests_of, seconds_of = reached()
    told = os.fdopen(os.dup(1), "w", buffering=1)
    quiet()
    import pytest

    pytest.main(["--collect-only", *ARGUMENTS, *SELECTION])
    running: set[int] = set()
    for name in names:
        tests = reaching(name, tests_of, seconds_of)
        if not tests:
            print(name, NO_TEST, file=told)
            continue
        while len(running) >= (os.cpu_count() or 1):
            running.discard(os.wait()[0])
        if time.monotonic() > end:
            break
        pid = os.fork()
        if pid == 0:
            print(name, judged(name, tests, seconds_of), file=told, flush=True)
            os._exit(0)
        running.add(pid)
    while running:
        running.discard(os.wait()[0])


def judged(name: str, tests: list[str], seconds_of: dict[str, float]) -> int:
    """The code of a mutant, after its failure was seen twice and the same test passed without it."""
    code, failed = alone(name, tests, sum(seconds_of[test] for test in tests))
    if code == 1 and failed in seconds_of:
        seconds = seconds_of[failed]
        again, without = alone(name, [failed], seconds)[0], alone("", [failed], seconds)[0]
        return UNSURE if again == 0 or without != 0 else 1
    return code


def reached() -> tuple[dict[str, list[str]], dict[str, float]]:
    """For each function the tests that reach it, and each test's seconds; without tests that fail as it is."""
    tests_of: dict[str, list[str]] = {}
    seconds_of: dict[str, float] = {}
    for path in Path("reached").glob("*.json"):
        for test, told in json.loads(path.read_text(encoding="utf-8")).items():
            if told["passes"]:
                seconds_of[test] = told["seconds"]
                for function in told["reaches"]:
                    tests_of.setdefault(function, []).append(test)
    return tests_of, seconds_of


def reaching(name: str, tests_of: dict[str, list[str]], seconds_of: dict[str, float]) -> list[str]:
    """The tests that reach a mutant's function, the quickest first."""
    tests = sorted(tests_of.get(name.rpartition("__mutmut_")[0], ()), key=lambda test: seconds_of[test])
    chosen, seconds = [], 0.0
    for test in tests:
        seconds += seconds_of[test]
        if chosen and seconds > MOST_SECONDS:
            break
        chosen.append(test)
    return chosen


class Failed:
    """A plugin: the test that failed first."""

    name = ""

    def pytest_runtest_logreport(self, report: object) -> None:
        """Set-up, test and tear-down."""
        if report.outcome == "failed" and not self.name:  # type: ignore[attr-defined]
            self.name = report.nodeid  # type: ignore[attr-defined]


def alone(name: str, tests: list[str], seconds: float) -> tuple[int, str]:
    """Run the tests with the mutant in place, in a fork: its code, and the test that failed."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.environ["MUTANT_UNDER_TEST"] = name
        limit = int(60 + 5 * seconds)  # of processor time, which load does not touch
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        import pytest

        found = Failed()
        code = int(pytest.main([*ARGUMENTS, *tests], plugins=[found]))
        os.write(writing, found.name.encode())
        os._exit(code)
    os.close(writing)
    end, status = time.monotonic() + 120 + 10 * seconds, 0
    while (done := os.waitpid(pid, os.WNOHANG))[0] == 0:
        time.sleep(0.02)
        if time.monotonic() > end:
            os.killpg(pid, signal.SIGKILL)
            done = os.waitpid(pid, 0)
            break
    status = os.waitstatus_to_exitcode(done[1])
    with os.fdopen(reading, "rb") as said:
        failed = said.read().decode()
    return (TIMEOUT if status < 0 else status), failed


def quiet() -> None:
    """What tests print is of no interest here."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


if __name__ == "__main__":
    main()
