"""Who asks: the person or browser behind a session, and whether they are still there."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable

import streamlit as st
from streamlit.runtime import Runtime, exists
from streamlit.runtime.scriptrunner import get_script_run_ctx

GRACE_SECONDS = 5.0
"""After a connection is lost, so that a reload or a weak network cancels nothing."""
_COOKIE = "_streamlit_xsrf"


def visitor() -> str:
    """The same for all tabs of a browser, and for one who signed in on all their machines; tells nothing of them."""
    try:
        person = st.user.get("email") if st.user.get("is_logged_in") else None
    except Exception:  # no sign-in is set up
        person = None
    cookie = str(st.context.cookies.get(_COOKIE, ""))
    return hashlib.sha256(f"{person or _token(cookie) or _session()}".encode()).hexdigest()[:16]


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


def _token(cookie: str) -> str:
    """The constant part of the cookie that guards against forged requests: it is masked anew with every answer."""
    parts = cookie.split("|")
    if len(parts) != 4:
        return ""
    try:
        mask, masked = bytes.fromhex(parts[1]), bytes.fromhex(parts[2])
    except ValueError:
        return ""
    return bytes(byte ^ mask[k % len(mask)] for k, byte in enumerate(masked)).hex() if mask else ""
