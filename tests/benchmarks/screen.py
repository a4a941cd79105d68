"""What a person waits for in the dashboard: one step forward, and the first figure after the start."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Error, sync_playwright
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
EMPTY_PAGE = """
import plotly.graph_objects as go
import streamlit as st
st.button("again")
st.plotly_chart(go.Figure(go.Bar(x=[1, 2, 3], y=[1, 2, 3])))
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Seconds of ours and of the yardstick; `most` is the largest multiple of it asked for, if any."""

    what: str
    yardstick: str
    ours: float
    theirs: float
    most: float | None = None

    @property
    def multiple(self) -> float:
        """Ours as a multiple of the yardstick."""
        return self.ours / self.theirs

    @property
    def verdict(self) -> str:
        """Whether the target is met; empty without one."""
        return "" if self.most is None else ("met" if self.multiple <= self.most else "missed")

    def as_dict(self) -> dict[str, object]:
        """For the JSON."""
        names = ("what", "yardstick", "ours", "theirs", "most", "multiple", "verdict")
        return {name: getattr(self, name) for name in names}


def _empty_rerun(runs: int) -> float:
    page = AppTest.from_string(EMPTY_PAGE, default_timeout=60).run()
    return min(_seconds(lambda: page.button[0].click().run()) for _ in range(runs))


def _step_forward(runs: int) -> float:
    page = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=300).run()
    page.switch_page("views/step.py").run()
    for _ in range(200):  # the curriculum is learned in the background the first time
        if any(button.key == "go-Forward" for button in page.button):
            break
        time.sleep(0.2)
        page.run()
    if page.exception:
        raise RuntimeError(f"the step page failed: {page.exception[0].message}")
    best = float("inf")
    for _ in range(runs):
        before = page.selectbox(key="w-step").value
        best = min(best, _seconds(lambda: page.button(key="go-Forward").click().run()))
        if page.exception:
            raise RuntimeError(f"a step forward failed: {page.exception[0].message}")
        if page.selectbox(key="w-step").value == before:
            raise RuntimeError("a step forward did not move")
        page.button(key="go-Back").click().run()
    return best


def _seconds(work: object) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _until_shown(command: list[str], selector: str) -> float:
    """Seconds from starting a server to what the selector names in Chromium, which runs already."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as home, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        environment = os.environ | {"CURRICULAB_HOME": home}
        started = time.perf_counter()
        server = subprocess.Popen(
            [*command, port], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while True:
                try:
                    page.goto(f"http://127.0.0.1:{port}/")
                    break
                except Error:
                    if time.perf_counter() - started > 120:
                        raise
                    time.sleep(0.02)
            page.locator(selector).first.wait_for(timeout=120_000)
            return time.perf_counter() - started
        finally:
            browser.close()
            server.terminate()
            server.wait()


def waitings(runs: int = 5) -> list[Waiting]:
    """Both; the second needs Chromium and is left out without it."""
    found = [
        Waiting(
            "server time of a rerun, one step forward",
            "rerun of an empty page with one Plotly chart",
            _step_forward(4 * runs),
            _empty_rerun(4 * runs),
            2.0,
        )
    ]
    if shutil.which("chromium"):
        ours = [sys.executable, "-m", "dashboard.cli", "--no-browser", "--port"]
        hello = [sys.executable, "-m", "streamlit", "hello", "--server.headless=true", "--server.port"]
        found.append(
            Waiting(
                "from process start to the first figure",
                "`streamlit hello`: to its first heading",
                min(_until_shown(ours, ".js-plotly-plot") for _ in range(runs)),
                min(_until_shown(hello, "h1") for _ in range(runs)),
            )
        )
    return found
