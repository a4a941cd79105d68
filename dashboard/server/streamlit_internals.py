"""Everything that reaches inside Streamlit, and nothing else does.

Each piece names the private part that it needs; `tests/dashboard/test_streamlit_internals.py` fails where Streamlit
has moved one. A server under such a Streamlit says so in its log and does without, but never without a limit.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import socket
import time
from collections.abc import Callable
from typing import Any

import streamlit as st
from starlette.exceptions import HTTPException
from streamlit.runtime import Runtime, exists, memory_uploaded_file_manager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.web.server.starlette import starlette_server
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from dashboard.server.serving import serving

GRACE_SECONDS = 5.0
"""After a connection is lost, so that a reload or a weak network cancels nothing."""
_MEGABYTE = 2**20
_LOG = logging.getLogger("curriculab.streamlit")


@functools.cache
def _missing(part: str, effect: str) -> None:
    """Say once that this Streamlit has no such part, and what that means."""
    _LOG.warning("Streamlit %s has no %s: %s", st.__version__, part, effect)


def send_at_once() -> None:
    """Have the server's connections send what is written at once (TCP_NODELAY); before the server starts.

    Streamlit binds a socket that asyncio does not recognise as one of TCP, so that the kernel holds every second small
    message back until the browser has confirmed the first, which takes it 40 ms.
    """
    bind: Callable[..., socket.socket] | None = getattr(starlette_server, "_bind_socket", None)
    if bind is None:
        _missing("starlette_server._bind_socket", "every answer comes 40 ms later")
        return

    def bind_without_delay(*arguments: object) -> socket.socket:
        bound = bind(*arguments)
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # every connection inherits it
        return bound

    vars(starlette_server)["_bind_socket"] = bind_without_delay


def take_no_folder_for_pages() -> None:
    """Have Streamlit learn of our pages from `st.navigation` alone; before the server starts.

    It takes a folder called `pages` beside the script for a list of scripts, and tells the first visitor of a server
    who opens another page than the first that there is no such page.
    """
    if hasattr(PagesManager, "uses_pages_directory"):
        PagesManager.uses_pages_directory = False
    else:
        _missing("PagesManager.uses_pages_directory", "its first visitor may read 'Page not found'")


class BoundedFiles(MemoryUploadedFileManager):
    """Streamlit's store of files as browsers send them, which it keeps until their window closes: with limits.

    The widget takes one file, but anybody may send others straight to the address it sends to. The oldest files of a
    window go when it sends too many; what all windows together may not hold is refused.
    """

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file of a session, in place of its oldest if need be."""
        rules = serving()
        with self._lock:
            own = {name: len(kept.data) for name, kept in self.file_storage.get(session_id, {}).items()}
        own.pop(file.file_id, None)
        for oldest in list(own):
            if sum(own.values()) + len(file.data) <= rules.window_megabytes * _MEGABYTE:
                break
            self.remove_file(session_id, oldest)
            del own[oldest]
        if self._total_bytes + len(file.data) > rules.files_megabytes * _MEGABYTE:
            raise HTTPException(status_code=503, detail="the server holds as many files as it may; try again later")
        super().add_file(session_id, file)


def install_upload_limits() -> None:
    """Have Streamlit keep files in `BoundedFiles`; before the server is made."""
    memory_uploaded_file_manager.MemoryUploadedFileManager = BoundedFiles  # type: ignore[misc]


def check_upload_limits() -> None:
    """Refuse to serve strangers where Streamlit keeps files elsewhere; once the server is made."""
    store = type(Runtime.instance().uploaded_file_mgr)
    if store is not BoundedFiles:
        raise RuntimeError(f"Streamlit {st.__version__} keeps uploads in a {store.__name__}, which has no limits")


def visitor() -> str:
    """The same for all tabs of a browser, and for one who signed in on all their machines; tells nothing of them."""
    try:
        person = st.user.get("email") if st.user.get("is_logged_in") else None
    except Exception:  # no sign-in is set up
        person = None
    # The cookie guards against forged requests and is masked anew with every answer; the token inside stays.
    token, _ = decode_xsrf_token_string(str(st.context.cookies.get(XSRF_COOKIE_NAME, "")))
    return hashlib.sha256(f"{person or (token or b'').hex() or _session()}".encode()).hexdigest()[:16]


def still_here() -> Callable[[], bool]:
    """A question that any thread may ask later: whether the session that runs now is still connected."""
    session, last_seen = _session(), [time.monotonic()]

    def here() -> bool:
        if not session or not exists() or Runtime.instance().is_active_session(session):
            last_seen[0] = time.monotonic()
        return time.monotonic() - last_seen[0] < GRACE_SECONDS

    return here


def _session() -> str:
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None else ""


def forget_callbacks() -> None:
    """At the end of a run of the whole page: let go of the callbacks of widgets that it did not show.

    Streamlit keeps them as long as the session lives, and with them all data they were made with. And a request that
    left the browser before it knew that a widget is gone still has its value, which would count as the reader's change.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or context.fragment_ids_this_run:
        return
    try:
        shown, known = set(context.shared.widget_ids_this_run.snapshot()), _widgets(context).widget_metadata
    except AttributeError as error:
        _missing(str(error), "memory grows with every change in a session, and quick changes may be undone")
        return
    for widget in [widget for widget in known if widget not in shown]:
        del known[widget]


def is_late() -> bool:
    """Whether the request left the browser before it knew what the last whole run shows: it has widgets that are gone.

    Who goes through the browser's history does not wait for that, and says so.
    """
    context: Any = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return False
    try:
        widgets = _widgets(context)
        return not context.is_history_navigation and not widgets.states.keys() <= widgets.widget_metadata.keys()
    except AttributeError as error:
        _missing(str(error), "quick changes may be undone")
        return False


def _widgets(context: Any) -> Any:
    """What Streamlit knows of a session's widgets."""
    state = context.session_state
    while isinstance(state, SafeSessionState):  # in Streamlit's own tests one wraps another
        state = state._state
    return state._new_widget_state


__all__ = [
    "BoundedFiles", "UploadedFile", "check_upload_limits", "forget_callbacks", "install_upload_limits", "is_late",
    "send_at_once", "still_here", "take_no_folder_for_pages", "visitor",
]  # fmt: skip
