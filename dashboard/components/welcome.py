"""A short start for whoever opens the dashboard for the first time; hidden for good in a browser that says so.

Browsers remember it, sessions do not: the component shows itself, and the server only hears of the lesson.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.session import links, widgets
from data.published import PAPER

ARTICLE = "https://arxiv.org/abs/1412.1353"
_HTML = Path(__file__).with_suffix(".html").read_text(encoding="utf-8").format(paper=PAPER, article=ARTICLE)
_start = widgets.own_part("start", __file__, html=_HTML)


def show() -> None:
    """Three sentences, the paper, and the way to the first lesson."""
    asked = _start(key="start", on_lesson_change=links.ignore_stale_address)
    if asked.get("lesson"):
        links.put(lesson=1)
        st.switch_page("pages/lessons/page.py")
