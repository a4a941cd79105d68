"""The address holds all that is on screen: one flat dictionary of texts, kept by the session and shown in the link.

Pages read with `text`, `whole` or `choice` (which fall back to the default where the link holds nonsense) and write
with `put`; a value that stands at its default is left out. Names in use: set, holdout, C, normalize, bias, delta, seed
(the sidebar); method, step, pick, whatif, ifC (Step through); other pages add their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

OF_SETTINGS = ("set", "holdout", "C", "normalize", "bias", "delta", "seed")
"""What belongs to no page; all else speaks of one task set's tasks."""
_STATE = "_link"
_SHOWN = "_link_shown"


def read() -> None:
    """At the start of a run: a new or edited address replaces the state; a page switch, which empties it, does not."""
    shown = {name: values[-1] for name in st.query_params if (values := st.query_params.get_all(name))}
    if _STATE not in st.session_state or (shown and shown != st.session_state.get(_SHOWN)):
        st.session_state[_STATE] = dict(shown)
    _show()


def state() -> dict[str, str]:
    """A copy of what the link holds."""
    return dict(st.session_state.get(_STATE, {}))


def text(name: str, default: str = "") -> str:
    """A value as it stands in the link."""
    return str(st.session_state.get(_STATE, {}).get(name, default))


def whole(name: str, default: int, least: int, most: int) -> int:
    """A whole number, brought into its range."""
    try:
        return min(max(int(text(name, str(default))), least), most)
    except ValueError:
        return default


def choice(name: str, options: Sequence[str], default: str) -> str:
    """One of the options, in any case."""
    wanted = text(name, default).lower()
    return next((option for option in options if option.lower() == wanted), default)


def put(**values: str | int | float | None) -> None:
    """Change what the link holds; None takes a value out."""
    held = st.session_state.setdefault(_STATE, {})
    for name, value in values.items():
        if value is None or value == "":
            held.pop(name, None)
        else:
            held[name] = str(value)
    _show()


def keep_settings() -> None:
    """Drop what speaks of tasks that are no longer there, after another set was chosen."""
    put(**dict.fromkeys(set(state()) - set(OF_SETTINGS)))


def drop_whatif() -> None:
    """Forget choices that belong to other settings."""
    put(whatif=None, ifC=None, pick=None)


def address(page: str = "", values: Mapping[str, str] | None = None) -> str:
    """The whole link of what is on screen, or of other values."""
    here = str(st.context.url or "").split("?")[0]
    query = urlencode(state() if values is None else values)
    return f"{here}{page}" + (f"?{query}" if query else "")


def _show() -> None:
    wanted = state()
    shown = {name: st.query_params[name] for name in st.query_params}
    if wanted != shown:
        st.query_params.from_dict(wanted)
    st.session_state[_SHOWN] = wanted
