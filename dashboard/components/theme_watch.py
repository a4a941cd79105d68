"""Draws the page anew when the reader switches between light and dark, and when a lost connection is back.

Streamlit changes its own parts at once and runs nothing, so figures would keep the ink of the other theme, and steps
would be asked of a server that has been started anew and does not know them.
"""

from __future__ import annotations

import streamlit as st

from dashboard.session import links, widgets

_KEY = "theme-watch"
_watch = widgets.own_part("theme", __file__)


def dark() -> bool:
    """Whether the reader's theme is dark: as last seen by `show`, at first as Streamlit says."""
    seen = st.session_state.get(_KEY) or {}
    return bool(seen["dark"]) if "dark" in seen else st.context.theme.type == "dark"


def show() -> None:
    """Compare what the browser shows with the theme in which this run draws."""
    _watch(
        key=_KEY,
        data={"dark": dark()},
        on_dark_change=links.ignore_stale_address,
        on_back_change=links.ignore_stale_address,
    )
