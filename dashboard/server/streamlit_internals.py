"""What Streamlit does when a server starts that this one does otherwise.

Both change a part of Streamlit that is not its public face: where another version has no such part, nothing happens.
"""

from __future__ import annotations

import functools
import importlib
import socket
from types import ModuleType


def send_at_once() -> None:
    """Have the server's connections send what is written at once (TCP_NODELAY).

    Streamlit binds a socket that asyncio does not recognise as one of TCP, so that the kernel holds every second small
    message back until the browser has confirmed the first, which takes it 40 ms.
    """
    module = _part("streamlit.web.server.starlette.starlette_server", "_bind_socket")
    if module is None:
        return
    bind = vars(module)["_bind_socket"]

    @functools.wraps(bind)
    def prompt(*arguments: object) -> socket.socket:
        bound: socket.socket = bind(*arguments)
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # handed on to every connection
        return bound

    vars(module)["_bind_socket"] = prompt


def look_for_no_components() -> None:
    """Spare the look through the descriptions of all installed packages: our components are our own."""
    module = _part("streamlit.components.v2.manifest_scanner", "scan_component_manifests")
    if module is not None:
        vars(module)["scan_component_manifests"] = lambda *_: []


def _part(name: str, function: str) -> ModuleType | None:
    """The module of that name, if there is one with that function."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        return None
    return module if hasattr(module, function) else None
