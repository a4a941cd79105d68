"""Streamlit's own scripts, styles and fonts, of which a browser asks for a hundred before it shows anything.

Streamlit reads each from the disk in another thread, which waits for its turn several times while imports keep the
interpreter busy, and sends it as it is. Here they are kept once read, and compressed for those on other machines.
"""

from __future__ import annotations

import functools
import gzip
import ipaddress
import mimetypes
import re
from pathlib import Path

import anyio.to_thread
import streamlit
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.server import warmup

FOLDER = Path(streamlit.__file__).parent / "static" / "static"
KINDS = ("js", "css", "media")
_FOR_GOOD = {"Cache-Control": "public, immutable, max-age=31536000"}  # as Streamlit says: a name holds its file's hash
_FIRST_QUESTION = "/_stcore/health"  # of Streamlit's scripts, once they run
_COMPRESSIBLE = {"js": "text/javascript", "css": "text/css"}  # what the machine takes them for may differ
_OF_PARTS = ("range", "if-none-match", "if-modified-since")
_LEVEL = 6


class Assets:
    """Middleware before all of Streamlit's, which answers for these files and leaves the rest alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on."""
        answer: ASGIApp = self.app
        if scope.get("path", "").endswith(_FIRST_QUESTION):
            warmup.has_files()
        if scope["type"] == "http" and scope["method"] == "GET":
            _, _, within = scope["path"].partition("/static/")
            kind, _, name = within.partition("/")
            whole = scope["path"] == f"/static/{kind}/{name}" and kind in KINDS and name in _names(kind)
            request = Request(scope)
            if whole and not any(header in request.headers for header in _OF_PARTS):
                answer = await _answer(kind, name, request)
        await answer(scope, receive, send)


async def _answer(kind: str, name: str, request: Request) -> Response:
    guess = mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = _FOR_GOOD | {"Content-Type": _COMPRESSIBLE.get(kind, guess)}
    if kind not in _COMPRESSIBLE:
        return Response(_content(kind, name), headers=headers)
    headers["Vary"] = "Accept-Encoding"
    if _near(request) or not _takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(_content(kind, name), headers=headers)
    body = await anyio.to_thread.run_sync(_compressed, kind, name)
    return Response(body, headers=headers | {"Content-Encoding": "gzip"})


def _near(request: Request) -> bool:
    """Whether the browser is on this machine, to which bytes cost nothing."""
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def _takes_gzip(accepted: str) -> bool:
    offers = dict(part.replace(" ", "").partition(";")[::2] for part in accepted.lower().split(","))
    return "gzip" in offers and not re.fullmatch(r"q=0(\.0*)?", offers["gzip"])


@functools.cache
def _names(kind: str) -> frozenset[str]:
    return frozenset(path.name for path in (FOLDER / kind).iterdir())


@functools.cache  # of a few hundred files that there are, those that anybody asked for
def _content(kind: str, name: str) -> bytes:
    return (FOLDER / kind / name).read_bytes()


@functools.cache
def _compressed(kind: str, name: str) -> bytes:
    return gzip.compress(_content(kind, name), _LEVEL)
