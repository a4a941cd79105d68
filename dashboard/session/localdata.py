"""The folder of local copies of the paper's data: a field in the sidebar, for this session."""

from __future__ import annotations

import streamlit as st

from dashboard import text
from data.sets import catalogue
from data.sets.local import ENVIRONMENT, data_folder

_CHOSEN = "_data_folder"


def folder() -> str | None:
    """The folder given in this session; None for the one of the environment."""
    return st.session_state.get(_CHOSEN) or None


def environment() -> dict[str, str]:
    """For processes that this session starts."""
    chosen = folder()
    return {} if chosen is None else {ENVIRONMENT: chosen}


def show() -> None:
    """The field, and what is missing with where to put it."""
    with st.expander("The paper's data", icon=":material/folder_open:"):
        st.session_state["w-data-folder"] = folder() or ""
        st.text_input(
            "Folder on the server with local copies",
            key="w-data-folder",
            placeholder=str(data_folder()),
            help=f"For this session; `{ENVIRONMENT}` sets it for all. Only files of the documented names are read.",
            on_change=lambda: st.session_state.update({_CHOSEN: st.session_state["w-data-folder"].strip()}),
        )
        for source in catalogue.sources(folder()):
            if not source.available:
                st.caption(f"**{text.md(source.name)}**: {text.md(source.missing)}")
