"""Slide mode: one figure at a time, large, by arrow keys; no sidebar. `?slides=1`, a button, key F; Esc leads back.

The browser knows what is on screen and shows one of its figures (`slides.js`); `figure_card` plots figures larger where
its `large()` says so.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.components import figure_card
from dashboard.session import current, links, widgets

PAGES = ("step", "subsequences", "orders", "compare")
"""Those that follow each other in slide mode; lessons stay by themselves."""
_KEY = "slides"
_HEARD = "_slides_heard"
_PAGE_STYLE = Path(__file__).with_name("slides-page.css").read_text(encoding="utf-8")
_slides = widgets.own_part("slides", __file__)


def show(page: str) -> None:
    """The way into slide mode on a page that has it, or the bar below the slides."""
    if page not in (*PAGES, "lessons"):
        if figure_card.large():
            links.put(slides=None, figure=None)
        return
    if not figure_card.large():
        with st.container(key="slides-enter"):
            st.button(
                "Slides",
                icon=":material/slideshow:",
                shortcut="F",
                type="tertiary",
                key="enter-slides",
                on_click=lambda: links.put(slides=1),
            )
        return
    st.html(f"<style>{_PAGE_STYLE}</style>")
    with st.container(key="slides-bar"):
        _slides(
            key=_KEY,
            data={
                "figure": links.whole("figure", 1, -1, 99),
                "where": f"{page} {links.text('lesson')} {links.text('screen')}",
                "pages": _around(page),
                "lesson": page == "lessons" and bool(links.text("lesson")),
                "about": current.about(),
            },
            on_wish_change=lambda: _wished(page),
        )


def _around(page: str) -> dict[str, bool]:
    """Whether slides go on before and after those of this page; within lessons the lesson knows."""
    if page in PAGES:
        return {"before": page != PAGES[0], "after": page != PAGES[-1]}
    return {"before": False, "after": not links.text("lesson")}


def _wished(page: str) -> None:
    """Show a figure, leave, or turn to the first figure of the next page or to the last (-1) of the one before."""
    wish = widgets.sent(_KEY, "wish")
    if not wish or wish.get("time") == st.session_state.get(_HEARD):
        return  # a page that is drawn for the first time hears the last wish of the page before once more
    st.session_state[_HEARD] = wish.get("time")
    figure, turn = wish.get("figure"), wish.get("turn")
    if isinstance(figure, int):
        links.put(figure=None if figure == 1 else figure)
    elif wish.get("leave"):
        links.put(slides=None, figure=None)
    elif turn == 1 and page == "lessons":
        links.put(lesson=1, screen=None, figure=None, guess=None)
    elif turn in (1, -1) and page in PAGES and 0 <= PAGES.index(page) + turn < len(PAGES):
        links.open_page(PAGES[PAGES.index(page) + turn])
        links.put(figure=None if turn == 1 else -1)
