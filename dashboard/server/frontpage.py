"""The page a browser loads first: Streamlit's own, which is told where its server is and what will be needed.

Streamlit looks for its server below the page's own address first (two requests that fail), and fetches the script that
draws figures, its largest by far, only when the first figure has arrived.
"""

from __future__ import annotations

import json
from pathlib import Path

import streamlit
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route

PAGES = (
    ("tasks", "Tasks", ":material/category:"),
    ("step", "Step through", ":material/footprint:"),
    ("subsequences", "Subsequences", ":material/account_tree:"),
    ("orders", "Orders", ":material/swap_vert:"),
    ("compare", "Compare", ":material/leaderboard:"),
    ("runs", "Runs", ":material/history:"),
    ("lessons", "Lessons", ":material/school:"),
    ("draw", "Draw", ":material/draw:"),
)
"""Address, title and icon of every page."""
SOON = (
    "PlotlyChart", "BidiComponent", "Html", "Selectbox", "Button", "ButtonGroup", "Checkbox", "DownloadButton",
    "FileUploader", "ImageList", "NumberInput", "TextInput",
)  # fmt: skip
"""Of Streamlit's scripts, those that the first page needs."""
_STATIC = Path(streamlit.__file__).parent / "static"
_BEFORE = "<title>"
_NAMES = [name for name, _, _ in PAGES]


def routes() -> list[Route]:
    """The front page at the root and at the address of every page; the first page's is the root."""
    page = text()

    async def answer(_: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"Cache-Control": "no-cache"})

    async def to_root(request: Request) -> RedirectResponse:
        return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")

    first, *others = _NAMES
    return [
        Route(f"/{first}", to_root, methods=["GET"]),
        *(Route(f"/{name}", answer, methods=["GET"]) for name in ("", *others)),
    ]


def text() -> str:
    """Streamlit's page with two additions to its head."""
    plain = (_STATIC / "index.html").read_text(encoding="utf-8")
    scripts = [path.name for path in sorted((_STATIC / "static" / "js").glob("*.js"))]
    soon = [name for name in scripts if name.split(".")[0] in SOON]
    links = "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{name}">' for name in soon)
    # To run the script of figures takes a browser most of a second: it begins once the server is asked for the page.
    ready = (
        "const Socket = window.WebSocket; window.WebSocket = class extends Socket { send(data) {"
        "super.send(data); if (window.WebSocket === Socket) return; window.WebSocket = Socket;"
        f"setTimeout(() => {json.dumps(soon)}.map(name => import('./static/js/' + name))); }} }};"
    )
    # Behind a proxy the app may live below a path of its own: all but the name of the page belongs to it.
    base = (
        f"const pages = {json.dumps(_NAMES)}, parts = location.pathname.split('/');"
        "if (!parts.at(-1) || pages.includes(parts.at(-1))) parts.pop();"
        "const base = location.origin + parts.join('/') + '/';"
        "window.__streamlit = { BACKEND_BASE_URL: base, MAIN_PAGE_BASE_URL: base };"
    )
    return plain.replace(_BEFORE, f"<script>{{{base}{ready}}}</script>{links}{_BEFORE}", 1)
