"""`curriculab` without a command: the dashboard in the browser."""

from __future__ import annotations

import argparse
import errno
import socket
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.errors import SettingsError

HERE = Path(__file__).resolve().parent.parent
EVERY_ADDRESS = ("0.0.0.0", "::")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the dashboard's options, which belong to `curriculab` itself."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8501, help="port to listen on (default: %(default)s)")
    parser.add_argument("--no-browser", action="store_true", help="only serve; open no browser window")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Serve the dashboard until it is stopped."""
    check_address(arguments.host, arguments.port)
    # A server that listens everywhere asks a public service for its address unless it is told one.
    shown = "localhost" if arguments.host in ("127.0.0.1", *EVERY_ADDRESS) else arguments.host
    options = dict(settings()) | {
        "server.address": arguments.host,
        "server.port": arguments.port,
        "browser.serverAddress": shown,
        "browser.serverPort": arguments.port,
    }
    if arguments.no_browser:
        options["server.headless"] = True
    from streamlit.web import bootstrap

    bootstrap.load_config_options(options)
    print(f"Curriculab is at http://{shown}:{arguments.port} (Ctrl-C stops it)", flush=True)
    bootstrap.run(str(HERE / "app.py"), False, [], options)


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
