"""`curriculab` without a command: the dashboard in the browser."""

from __future__ import annotations

import argparse
import errno
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from core.errors import SettingsError
from dashboard.server.serving import ALLOW_RUNS, PUBLIC, serving

HERE = Path(__file__).resolve().parent.parent
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 (named, to refuse them without --public)


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the dashboard's options, which belong to `curriculab` itself."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8501, help="port to listen on (default: %(default)s)")
    parser.add_argument("--no-browser", action="store_true", help="only serve; open no browser window")
    parser.add_argument(
        "--public",
        action="store_true",
        help="strangers come: no field for folders of the server, runs are only looked at, limits for every visitor",
    )
    parser.add_argument("--allow-runs", action="store_true", help="with --public: visitors may start runs of their own")
    parser.add_argument("--sets", metavar="FOLDER", help="offer every task-set and recipe file in it to every visitor")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Serve the dashboard until it is stopped."""
    check_visitors(arguments.host, arguments.public, arguments.allow_runs)
    check_address(arguments.host, arguments.port)
    # A server that listens everywhere asks a public service for its address unless it is told one.
    shown = "localhost" if arguments.host in ("127.0.0.1", *EVERY_ADDRESS) else arguments.host
    options = dict(settings()) | {
        "server.address": arguments.host,
        "server.port": arguments.port,
        "browser.serverAddress": shown,
        "browser.serverPort": arguments.port,
    }
    if arguments.public:
        os.environ[PUBLIC] = "1"
        os.environ.pop(ALLOW_RUNS, None)
        if arguments.allow_runs:
            os.environ[ALLOW_RUNS] = "1"
        options |= {"server.headless": True, "server.maxUploadSize": serving().upload_megabytes}
        logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s %(message)s")
        logging.getLogger("curriculab").setLevel(logging.INFO)
    if arguments.sets:
        offer(arguments.sets)
    if arguments.no_browser:
        options["server.headless"] = True
    address = f"http://{shown}:{arguments.port}"
    print(f"Curriculab is at {address} (Ctrl-C stops it)", flush=True)
    serve(options, address, arguments.public)


def serve(options: Mapping[str, object], address: str, public: bool) -> None:
    """Run the app with Streamlit's settings until it is stopped; open a browser, if they and the machine allow one."""
    import streamlit as st
    from starlette.middleware import Middleware
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.requests import Request
    from starlette.responses import RedirectResponse
    from starlette.routing import Route

    from dashboard.server import streamlit_internals, warmup

    async def to_first_page(request: Request) -> RedirectResponse:
        return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")

    @asynccontextmanager
    async def while_it_runs(_: object) -> AsyncIterator[None]:
        if public:
            streamlit_internals.check_upload_limits()
        warmup.start()
        if not st.get_option("server.headless"):
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        yield
        from dashboard.session import job  # the first page has imported it; the server is not to wait for that

        job.cancel_all()

    if public:
        streamlit_internals.install_upload_limits()
    streamlit_internals.send_at_once()
    streamlit_internals.take_no_folder_for_pages()
    # Streamlit takes the program's own arguments for those of the script.
    sys.argv = [str(HERE / "app.py")]
    app = st.App(
        HERE / "app.py",
        lifespan=while_it_runs,
        routes=[Route("/tasks", to_first_page)],  # Streamlit knows its first page by no other address than the root
        middleware=[Middleware(GZipMiddleware, compresslevel=5)],
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # raised once more when the server has stopped
    with suppress(KeyboardInterrupt):
        app.run(config=options)


def offer(folder: str) -> None:
    """Read the sets of a folder once, say which are offered and which are not, and why."""
    from dashboard.commands.terminal import printable
    from data.sources import offered
    from data.task_names import counted

    os.environ[offered.FOLDER] = str(offered.checked(folder))
    for name, found in offered.everything().items():
        if isinstance(found, str):
            print(f"Not offered: {printable(name)} ({printable(found, 400)})", flush=True)
        else:
            print(f"Offered: {printable(name)} ({counted(len(found.task_set), 'task')})", flush=True)


def check_visitors(host: str, public: bool, allow_runs: bool) -> None:
    """Refuse to let others in by accident: what a person may do on their own machine, a stranger may not."""
    if allow_runs and not public:
        raise SettingsError("--allow-runs belongs to --public; on your own machine runs are allowed anyway")
    if not public and not own_machine(host):
        raise SettingsError(
            f"host {host!r} lets other people in; add --public, which keeps them from your folders and runs, or leave "
            "--host out to serve this machine alone"
        )


def own_machine(host: str) -> bool:
    """Whether only this machine can reach an address; one that is unknown is judged later."""
    try:
        found = {entry[4][0] for entry in socket.getaddrinfo(host, None)}
        return all(ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in found)
    except (OSError, UnicodeError, ValueError):
        return True


def check_address(host: str, port: int) -> None:
    """Refuse an address on which nothing can listen, before anything is started."""
    if not 1 <= port <= 65535:
        raise SettingsError(f"port {port} does not exist; choose --port between 1 and 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except PermissionError:
        raise SettingsError(f"port {port} needs more rights; choose another with --port, such as 8501") from None
    except (socket.gaierror, UnicodeError):
        raise SettingsError(f"host {host!r} is unknown; use an address of this machine, such as 127.0.0.1") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SettingsError(f"port {port} of {host} is in use; choose another with --port") from None
        raise SettingsError(f"cannot listen on {host}, port {port}: {error.strerror}; choose another --host") from None


def settings() -> Iterator[tuple[str, object]]:
    """Streamlit's settings of `streamlit.toml`, as flat names such as `theme.dark.primaryColor`."""

    def flat(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
        for name, value in table.items():
            if isinstance(value, Mapping):
                yield from flat(value, f"{prefix}{name}.")
            else:
                yield f"{prefix}{name}", value

    return flat(tomllib.loads((HERE / "streamlit.toml").read_text(encoding="utf-8")), "")
