"""The real server and a real Chromium.

`page` is a fresh Chromium page whose relative addresses are the server's, as in `page.goto("/")`; at the end of the
test it must have had no error in its console. `settle(page)` waits until Streamlit has finished drawing.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, expect, sync_playwright

from tests.conftest import CHROMIUM

# Generous, for shared machines: a wait ends as soon as its condition holds.
START_SECONDS = 120
WAIT_MILLISECONDS = 60_000
expect.set_options(timeout=WAIT_MILLISECONDS)
# Under a debugger, V8 parses every script a second time to know where its functions stand: a quarter of a page load.
BELOW_THE_PAGE = re.compile(r":\d+/[a-z]+/_stcore/(health|host-config)$")
"""Streamlit looks for its server below the address of a page first, and then at the root."""
EAGER_POSITIONS = "--js-flags=--no-enable-lazy-source-positions"


@contextmanager
def serve(home: Path, *options: str, port: int = 0, **how: Any) -> Iterator[str]:
    """The address of a dashboard of its own, with its own store of runs, started as a user would; ends with it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    log = home / "server.log"
    environment = {"CURRICULAB_HOME": str(home / "curriculab"), "HOME": str(home)} | how.pop("env", {})
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard.cli", "--port", str(port), "--no-browser", *options],
            cwd=Path(__file__).parents[2],
            env=os.environ | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            **how,
        )
        try:
            wait_for(address, process, log)
            yield address
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One for all tests of a worker."""
    with serve(tmp_path_factory.mktemp("home")) as address:
        yield address


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return once the server answers; fail with its log if it does not."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the server did not start:\n{log.read_text()}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests of a worker."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", EAGER_POSITIONS],
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, server: str) -> Iterator[Page]:
    """A page with no history, 1440 pixels wide; a console error or an exception in it fails the test."""
    problems: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not BELOW_THE_PAGE.search(message.location["url"]):
            problems.append(f"console: {message.text} ({message.location['url']})")

    def thrown(error: Error) -> None:
        problems.append(f"exception: {error}")

    context = chromium.new_context(
        base_url=server, viewport={"width": 1440, "height": 900}, accept_downloads=True, reduced_motion="reduce"
    )
    context.set_default_timeout(WAIT_MILLISECONDS)
    context.on("console", heard)
    context.on("weberror", lambda error: thrown(error.error))
    yield context.new_page()
    context.close()
    assert not problems, "\n".join(problems)


def settle(page: Page) -> None:
    """Wait until the app is there and its script has run to its end."""
    page.locator("[data-testid='stApp'][data-test-script-state='notRunning']").wait_for()


def becomes(page: Page, read: Callable[[], object], wanted: object) -> None:
    """Wait until what is read from the page is what is wanted; what is being drawn anew is read again."""
    deadline = time.monotonic() + WAIT_MILLISECONDS / 1000
    while True:
        try:
            found = read()
        except Error as gone:
            found = gone
        if found == wanted or time.monotonic() > deadline:
            break
        page.wait_for_timeout(50)
    assert found == wanted


def width(page: Page) -> int:
    """How wide the page is, what sticks out of the window included."""
    found: int = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    return found
