"""Draws the page anew when the reader switches between light and dark.

Streamlit changes its own parts at once and runs nothing, so figures would keep the ink of the other theme.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_watch = st.components.v2.component(
    "curriculab_theme", js=Path(__file__).with_name("themewatch.js").read_text(encoding="utf-8")
)


def show(dark: bool) -> None:
    """Compare what the browser shows with the theme in which this run draws."""
    _watch(key="theme-watch", data={"dark": dark}, on_switched_change=lambda: None)
