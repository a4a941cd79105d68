"""All task sets with their stories, in groups: a dialog from which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dashboard import text
from dashboard.session import links
from data.sources.source import Source

KINDS = {
    "offered": "This server's sets",
    "real": "Images of digits",
    "plane": "Points in the plane",
    "synthetic": "Made up, at the paper's sizes",
    "optional": "Sensors",
    "local": "Local copies of the paper's data",
}


def show(sources: Sequence[Source], choose: Callable[[str], None]) -> None:
    """A button that opens the dialog; `choose` is called with a set's name."""
    if st.button(
        "All sets and their stories",
        key="all-sets",
        type="tertiary",
        icon=":material/menu_book:",
        on_click=links.ignore_stale_address,
    ):
        _dialog(sources, choose)


@st.dialog("Task sets", width="medium")
def _dialog(sources: Sequence[Source], choose: Callable[[str], None]) -> None:
    for kind, heading in KINDS.items():
        members = [source for source in sources if source.kind == kind]
        if members:
            st.markdown(f"##### {heading}", anchors=False)
        for source in members:
            with st.container(key=f"set-{source.name}", gap="xxsmall"):
                pressed = st.button(f"**{text.md(source.name)}**", key=f"choose-{source.name}", type="tertiary")
                st.caption(text.md(f"{source.story} {source.note}".strip()))
            if pressed:  # no callback: those of a dialog run before the page knows its link
                choose(source.name)
                links.rerun()
