"""Widgets whose value something else may change, too (the link, another set, a button, a recipe), and our own parts of
the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.session import links

_TURNS = "_widget_turns"
_FAILED = "_widget_failed"


def synced(name: str, value: object, changed: Callable[[Any], None], typed: bool = False) -> dict[str, Any]:
    """The `key` and the `on_change` of the widget of that name, which shows this value; `changed` gets the reader's.

    A change by the reader keeps the widget. A change by anything else (another set, Back, Reset) gets a new one, with a
    new key: what the browser sends meanwhile still has the old one's value, which would be taken for the reader's wish
    and undo it. `typed`: never set the value, which would empty what is being typed there; only for a widget that
    stands on every page and whose default is this value.
    """
    turns: dict[str, int] = st.session_state.setdefault(_TURNS, {})
    key = _key(name, turns)
    if st.session_state.get(key, value) != value:
        turns[name] = turns.get(name, 0) + 1
        key = _key(name, turns)
    if not typed:
        st.session_state[key] = value
    return {"key": key, "on_change": safe(lambda: changed(st.session_state[key]))}


def _key(name: str, turns: Mapping[str, int]) -> str:
    return f"{name}-{turns[name]}" if name in turns else name


def choice(
    name: str,
    label: str,
    options: Mapping[str, str],
    default: str,
    put: Callable[[str], None] | None = None,
    **look: Any,
) -> str:
    """A control of a few options with their words, which the link holds under `name` where it is not the default.

    `put` takes what the reader chose to the link in another way.
    """

    def changed(chosen: str) -> None:
        links.put(**{name: None if chosen == default else chosen})

    shown = synced(f"w-{name}", links.choice(name, tuple(options), default), put or changed)
    picked = st.segmented_control(label, list(options), required=True, format_func=options.__getitem__, **shown, **look)
    return str(picked)


def safe(callback: Callable[[], None]) -> Callable[[], None]:
    """The same callback, whose failure is told by `tell_failure`.

    Callbacks run before the script: an exception in one would leave neither page nor sidebar.
    """

    def called() -> None:
        try:
            callback()
        except Exception as error:
            st.session_state[_FAILED] = error
            links.ignore_stale_address()

    return called


def tell_failure() -> None:
    """Raise what the last callback failed with, where a guard can show it."""
    error = st.session_state.pop(_FAILED, None)
    if error is not None:
        raise error


def own_part(name: str, module: str, html: str | None = None) -> Any:
    """A part of the page made of the HTML, CSS and JavaScript that stand beside a module, under its name."""
    files = {kind: Path(module).with_suffix(f".{kind}") for kind in ("html", "css", "js")}
    texts = {kind: file.read_text(encoding="utf-8") for kind, file in files.items() if file.exists()}
    return st.components.v2.component(
        f"curriculab_{name}", html=html or texts.get("html"), css=texts.get("css"), js=texts.get("js")
    )


def sent(key: str, name: str) -> dict[str, Any]:
    """What such a part sent last under that name; empty where that is no dictionary."""
    found = (st.session_state.get(key) or {}).get(name)
    return found if isinstance(found, dict) else {}
