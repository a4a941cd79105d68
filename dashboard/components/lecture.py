"""A lecturer's link, which fixes the set and the settings and hides chosen controls; and the same to embed."""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from dashboard import text
from dashboard.session import links
from dashboard.session.current import Current

CONTROLS = {
    "set": "task set and own data",
    "learner": "settings of the learner",
    "pages": "list of pages",
    "code": "link and code",
}
_HIDE = "without"
_SEPARATOR = "."


def hidden() -> tuple[str, ...]:
    """The controls that the link hides."""
    asked = links.text(_HIDE).split(_SEPARATOR)
    return tuple(name for name in CONTROLS if name in asked)


@contextmanager
def control(name: str) -> Iterator[None]:
    """What is drawn inside can be hidden by a lecturer's link."""
    with st.container(key=f"control-{name}"):
        yield


def apply(now: Current | None) -> None:
    """Hide what the link says; without the choice of a set, say which one it is."""
    gone = hidden()
    selectors = [f".st-key-control-{name}" for name in gone]
    selectors += ['[data-testid="stSidebarNav"]'] * ("pages" in gone)
    if selectors:
        st.html(f"<style>{', '.join(selectors)} {{ display: none !important; }}</style>")
    if "set" in gone and now is not None:
        st.caption(f"Task set: **{text.md(text.short(now.name, 40))}**")


def fixed(now: Current, gone: list[str]) -> dict[str, str]:
    """What a lecturer's link holds: all that is on screen, set and settings spelled out, and what is hidden."""
    settings = now.settings
    spelled = {"C": settings.C if isinstance(settings.C, str) else f"{settings.C:g}", "seed": str(settings.seed)}
    if not now.uploaded:
        spelled["set"] = now.name
    shown = {name: value for name, value in links.state().items() if name != _HIDE}
    return shown | spelled | ({_HIDE: _SEPARATOR.join(gone)} if gone else {})


def offer(now: Current) -> None:
    """A link for a lecture, with the choice of what to hide; and the same for another page to embed."""
    with st.popover("For a lecture, or to embed", icon=":material/co_present:", type="tertiary"):
        st.multiselect(
            "Hide", list(CONTROLS), default=["set", "learner"], key="w-lecture", format_func=CONTROLS.__getitem__
        )
        gone = [name for name in CONTROLS if name in st.session_state["w-lecture"]]
        st.checkbox("As slides", key="w-lecture-slides")
        values = fixed(now, gone) | ({"slides": "1"} if st.session_state["w-lecture-slides"] else {})
        st.caption("This link fixes the task set and the settings.")
        st.code(links.address(values=values), language=None, wrap_lines=True)
        st.caption("To embed it in another page:")
        address = html.escape(links.address(values=values | {"embed": "true"}))
        st.code(f'<iframe src="{address}" width="100%" height="720"></iframe>', language=None, wrap_lines=True)
