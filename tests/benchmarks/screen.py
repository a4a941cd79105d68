"""What a person waits for in the dashboard: one step forward, and the first figure after the start."""

from __future__ import annotations

import json
import os
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.sync.client import connect

ROOT = Path(__file__).parents[2]
OURS = [sys.executable, "-m", "dashboard.cli", "--no-browser", "--port"]
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


@contextmanager
def _server(command: list[str]) -> Iterator[str]:
    """A server on a free port with a home of its own; yields its address without the scheme."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen(
            [*command, str(port)],
            cwd=ROOT,
            env=os.environ | {"CURRICULAB_HOME": home},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield f"127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


class Session:
    """A session with a Streamlit server by its own protocol, without a browser: only the server's time is measured."""

    def __init__(self, address: str, page: str = "", query: str = "") -> None:
        for _ in range(600):
            try:
                opened = connect(f"ws://{address}/_stcore/stream", max_size=None, subprotocols=["streamlit"])
                self.socket = opened.__enter__()  # until the process ends, or `socket.close()`
                break
            except OSError:
                time.sleep(0.1)
        self.page_hash, self.query = "", query
        self.buttons: dict[str, tuple[str, str]] = {}
        self.player: tuple[str, str] | None = None
        self.wishes = 0
        self.received = 0
        self.charts: list[str] = []
        self.page = page
        self._run(page_name=page)

    def press(self, label: str) -> float:
        """Press a button; seconds until the server has sent all that changes."""
        button, fragment = self.buttons[label]
        states = WidgetStates(widgets=[WidgetState(id=button, trigger_value=True)])
        return self._run(page_script_hash=self.page_hash, fragment_id=fragment, widget_states=states)

    def step(self, number: int) -> float:
        """Ask for a step as the player does; seconds until the server has sent all that changes."""
        assert self.player is not None
        player, fragment = self.player
        self.wishes += 1
        wish = json.dumps({"at": {"step": number, "seq": self.wishes}})
        states = WidgetStates(widgets=[WidgetState(id=player, json_value=wish)])
        return self._run(page_script_hash=self.page_hash, fragment_id=fragment, widget_states=states)

    def again(self, query: str | None = None) -> float:
        """Run the page as it stands, or at another address; seconds until the server has sent all."""
        if query is not None:
            self.query = query
        return self._run(page_script_hash=self.page_hash, page_name=self.page)

    def wait_for_player(self) -> None:
        """Run the page until it has a player of steps."""
        for _ in range(100):
            if self.player is not None:
                return
            time.sleep(0.3)
            self._run(page_script_hash=self.page_hash)
        raise RuntimeError("no player of steps")

    def _run(self, **request: object) -> float:
        started = time.perf_counter()
        message = BackMsg(rerun_script=ClientState(query_string=self.query, **request))
        self.charts, self.busy = [], False
        before = self._bytes()
        self.socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(self.socket.recv(timeout=120))
            kind = answer.WhichOneof("type")
            if kind == "delta" and answer.delta.new_element.WhichOneof("type") == "plotly_chart":
                self.charts.append(answer.delta.new_element.plotly_chart.spec)
            if kind == "delta" and answer.delta.new_element.WhichOneof("type") == "progress":
                self.busy = True
            if kind == "new_session":
                self.page_hash = answer.new_session.page_script_hash
            elif kind == "navigation":
                self.page_hash = answer.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = answer.page_info_changed.query_string
            elif kind == "delta" and answer.delta.new_element.WhichOneof("type") == "button":
                button = answer.delta.new_element.button
                self.buttons[button.label] = (button.id, answer.delta.fragment_id)
            elif kind == "delta" and answer.delta.new_element.WhichOneof("type") == "bidi_component":
                component = answer.delta.new_element.bidi_component
                if component.component_name == "curriculab_player":
                    self.player = (component.id, answer.delta.fragment_id)
            elif kind == "delta" and answer.delta.new_element.WhichOneof("type") == "exception":
                raise RuntimeError(answer.delta.new_element.exception.message)
            elif kind == "script_finished":
                self.received = self._bytes() - before
                return time.perf_counter() - started

    def _bytes(self) -> int:
        """All that has come over the wire, compressed as it comes, by the kernel's own count."""
        info = self.socket.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 192)
        return int(struct.unpack_from("Q", info, 128)[0])  # tcpi_bytes_received


def _empty_rerun(runs: int) -> list[float]:
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(EMPTY_PAGE)
        script.flush()
        options = ["--server.headless=true", "--browser.gatherUsageStats=false", "--server.port"]
        with _server([sys.executable, "-m", "streamlit", "run", script.name, *options]) as address:
            session = Session(address)
            return [session.press("again") for _ in range(runs)]


def _step_forward(runs: int) -> list[float]:
    with _server(OURS) as address:
        session = Session(address, "step")
        session.wait_for_player()
        times = []
        for _ in range(runs):
            before = session.query
            times.append(session.step(2))
            if session.query == before:
                raise RuntimeError("a step forward did not move")
            session.step(1)
        return times


def _until_shown(command: list[str], selector: str) -> float:
    """Seconds from starting a server to what the selector names in Chromium, which runs already.

    The page itself notes the time: asking it from here would find out up to half a second later.
    """
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.add_init_script(
            f"""new MutationObserver((_, watch) => {{
                const found = document.querySelector({selector!r});
                if (!found?.getClientRects().length) return;
                watch.disconnect();
                requestAnimationFrame(() => {{ window.shownAt = Date.now(); }});
            }}).observe(document, {{subtree: true, childList: true, attributes: true}});"""
        )
        started = time.time()
        with _server(command) as address:
            _wait_until_listening(address)
            page.goto(f"http://{address}/")
            taken = page.wait_for_function("() => window.shownAt", timeout=120_000).json_value() / 1000 - started
            browser.close()
            return taken


def _wait_until_listening(address: str) -> None:
    """As a browser is opened once the server listens: one that is sent there before shows an error page first."""
    host, port = address.split(":")
    for _ in range(3_000):
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))) == 0:
                return
        time.sleep(0.01)
    raise TimeoutError(f"nothing listens on {address}")


def waitings(runs: int = 5) -> list[Waiting]:
    """A step forward."""
    return [
        Waiting(
            "server time of a rerun, one step forward",
            "rerun of an empty page with one Plotly chart",
            # Medians: Streamlit's search for garbage ends now before, now after its last message.
            statistics.median(_step_forward(8 * runs)),
            statistics.median(_empty_rerun(8 * runs)),
            2.0,
        )
    ]
