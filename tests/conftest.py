"""What all tests share: where Chromium is, and one loud line where it is not."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Shared machines stall now and then: a slow example is no failure. CI tries the same examples every time.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "default")

# Begun in the background, the tests and all they start would ignore the interrupts that some of them send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The same Chromium; built without windows it loads a page in three quarters of the time."""
NO_CHROMIUM = "Chromium is missing, so the browser tests cannot run: install Debian's chromium"


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Streamlit's AppTest leaves the app as `__main__`, which the workers of a later test would run at their start."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels before the first test of all, so that none waits for that; half a second if all are there.

    Some being there does not mean that all are: whatever was tried since the last change of core has left a few.
    """
    if hasattr(config, "workerinput"):  # of pytest-xdist; the process that starts the workers comes first
        return
    from core.solver.jit import on_disk
    from core.warmup import warm

    if not on_disk() or not os.environ.get("MUTANT_UNDER_TEST"):  # a wrong change would stop all tests here
        warm()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lies in tests/browser; one file's tests share a worker, and so a server and a Chromium.

    In CI one that fails is run once more by itself; its name is printed at the end, for somebody to explain.
    """
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group(f"browser-{item.path.stem}"))
            if os.environ.get("CI") == "true":
                item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Without Chromium a browser test skips, but never in CI."""
    if CHROMIUM is None and item.get_closest_marker("browser"):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(NO_CHROMIUM)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The loud line; and why a browser test had to be run once more."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_line(f"*** RUN ONCE MORE: {report.nodeid}\n{report.longreprtext}", yellow=True)
    skipped = terminalreporter.stats.get("skipped", [])
    if any(NO_CHROMIUM in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(f"*** BROWSER TESTS SKIPPED: {NO_CHROMIUM} ***", red=True, bold=True)
