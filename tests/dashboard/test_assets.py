"""Streamlit's own files as they are served: the right bytes, for good, compressed for those far away."""

from __future__ import annotations

import asyncio
import gzip
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from streamlit.components.v2 import manifest_scanner
from streamlit.web.server.starlette import starlette_server

from dashboard.server import assets, streamlit_internals, warmup

SCRIPT = next(path for path in sorted((assets.FOLDER / "js").glob("*.js")) if path.stat().st_size > 10_000)
FONT = next((assets.FOLDER / "media").glob("*.woff2"))
BEHIND = "what Streamlit answers"


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    content: bytes


def asked(
    path: str, client: str = "127.0.0.1", encodings: str = "identity", method: str = "GET", **headers: str
) -> Answer:
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [
            (b"accept-encoding", encodings.encode()),
            *((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()),
        ],
        "client": (client, 4711),
    }
    sent: list[dict] = []

    async def receive() -> dict:
        return {"type": "http.request"}

    async def send(message: dict) -> None:
        sent.append(message)

    with ThreadPoolExecutor(1) as alone:  # this thread may have a loop that runs, Playwright's
        alone.submit(asyncio.run, assets.Assets(PlainTextResponse(BEHIND))(scope, receive, send)).result()
    got = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], got, b"".join(message.get("body", b"") for message in sent))


@pytest.mark.parametrize(
    "file", [SCRIPT, FONT, next((assets.FOLDER / "css").glob("*.css"))], ids=lambda file: file.suffix
)
def test_a_file_is_sent_as_it_is_and_kept_by_the_browser_for_good(file: Path) -> None:
    answer = asked(f"/static/{file.parent.name}/{file.name}")
    assert answer.status == 200
    assert answer.content == file.read_bytes()
    assert answer.headers["cache-control"] == "public, immutable, max-age=31536000"
    kind = {".js": "text/javascript", ".woff2": "font/woff2", ".css": "text/css"}[file.suffix]
    assert answer.headers["content-type"].split(";")[0] == kind
    assert "content-encoding" not in answer.headers


def test_scripts_are_compressed_for_those_who_are_not_on_this_machine_and_can_read_it() -> None:
    path = f"/static/js/{SCRIPT.name}"
    far = asked(path, "192.0.2.7", "gzip, br")
    assert far.headers["content-encoding"] == "gzip"
    assert gzip.decompress(far.content) == SCRIPT.read_bytes()
    assert len(far.content) < SCRIPT.stat().st_size / 2
    assert far.headers["vary"] == asked(path).headers["vary"] == "Accept-Encoding"
    for encodings in ("gzip", "br, GZIP", "br;q=1.0, gzip;q=0.8, *;q=0.1"):
        assert asked(path, "192.0.2.7", encodings).headers["content-encoding"] == "gzip"
    nobody = [("192.0.2.7", refused) for refused in ("identity", "", "gzip;q=0", "br, gzip; q=0.00", "xgzip")]
    for client, encodings in (*nobody, ("127.0.0.1", "gzip"), ("::1", "gzip")):
        assert "content-encoding" not in asked(path, client, encodings).headers
    assert "content-encoding" not in asked(f"/static/media/{FONT.name}", "192.0.2.7", "gzip").headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/js/nothing.js",
        f"/static/css/{SCRIPT.name}",
        f"/other/static/js/{SCRIPT.name}",
        "/static/js/../css",
        "/static/js/..%2f..%2findex.html",
        "/static/index.html",
        "/",
    ],
)
def test_all_else_is_left_to_streamlit(path: str) -> None:
    assert asked(path).content == BEHIND.encode()
    assert asked(f"/static/js/{SCRIPT.name}", method="POST").content == BEHIND.encode()


@pytest.mark.parametrize("header", ["range", "if_none_match", "if_modified_since"])
def test_who_asks_for_a_part_or_whether_it_changed_is_answered_by_streamlit(header: str) -> None:
    assert asked(f"/static/js/{SCRIPT.name}", **{header: "bytes=0-9"}).content == BEHIND.encode()


def test_the_first_question_of_a_browser_that_has_its_files_lets_imports_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(warmup, "has_files", lambda: heard.append("asked"))
    asked(f"/static/js/{SCRIPT.name}")
    asked("/")
    assert heard == []
    assert asked("/_stcore/health").content == BEHIND.encode()
    assert heard == ["asked"]


def test_a_connection_to_the_server_sends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starlette_server, "_bind_socket", starlette_server._bind_socket)  # put back afterwards
    streamlit_internals.send_at_once()
    with (
        starlette_server._bind_socket("127.0.0.1", 0, 5) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        listening.setblocking(True)
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_streamlit_without_these_parts_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(starlette_server, "_bind_socket")
    streamlit_internals.send_at_once()
    assert not hasattr(starlette_server, "_bind_socket")
    monkeypatch.delattr(manifest_scanner, "scan_component_manifests")
    streamlit_internals.look_for_no_components()
    assert not hasattr(manifest_scanner, "scan_component_manifests")
    for module in (starlette_server, manifest_scanner):
        monkeypatch.setitem(sys.modules, module.__name__, None)  # is not there at all
    streamlit_internals.send_at_once()
    streamlit_internals.look_for_no_components()


def test_no_installed_package_is_searched_for_components(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", manifest_scanner.scan_component_manifests)
    streamlit_internals.look_for_no_components()
    assert manifest_scanner.scan_component_manifests() == []
