"""Widgets that show a value which something else may change, too: the link, another set, a button, a recipe."""

from __future__ import annotations

import streamlit as st

_TURNS = "_widget_turns"


def shown(name: str, value: object, typed: bool = False) -> str:
    """The key of the widget of that name, which shows this value. `typed`: never set it, which would empty what is
    being typed there; only for a widget that stands on every page and whose default is this value.

    A change by the reader keeps the widget. A change by anything else (another set, Back, Reset) gets a new one: what
    the browser sends meanwhile still has the old one's value, which would be taken for the reader's wish and undo it.
    """
    turns: dict[str, int] = st.session_state.setdefault(_TURNS, {})
    key = _key(name, turns)
    if key in st.session_state and st.session_state[key] != value:
        turns[name] = turns.get(name, 0) + 1
        key = _key(name, turns)
    if not typed:
        st.session_state[key] = value
    return key


def _key(name: str, turns: dict[str, int]) -> str:
    turn = turns.get(name, 0)
    return f"{name}-{turn}" if turn else name
