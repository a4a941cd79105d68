"""The folder of local copies of the paper's data: a field in the sidebar, for this session, on one's own machine."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from dashboard import text
from dashboard.server.serving import serving
from dashboard.session import widgets
from data.sources import catalogue
from data.sources.local import ENVIRONMENT, data_folder

_CHOSEN = "_data_folder"
_PROBLEM = "_data_folder_problem"
MOST_CHARACTERS = 1000


def folder() -> str | None:
    """The folder given in this session; None for the one of the environment."""
    return None if serving().public else st.session_state.get(_CHOSEN) or None


def environment() -> dict[str, str]:
    """For processes that this session starts."""
    chosen = folder()
    return {} if chosen is None else {ENVIRONMENT: chosen}


def show() -> None:
    """The field, and what is missing with where to put it; where strangers come there is no such field."""
    if serving().public:
        return
    with st.expander("The paper's data", icon=":material/folder_open:"):
        st.text_input(
            "Folder on the server with local copies",
            placeholder=str(data_folder()),
            max_chars=MOST_CHARACTERS,
            help=f"For this session; `{ENVIRONMENT}` sets it for all. Only files of the documented names are read.",
            **widgets.synced("w-data-folder", folder() or "", _changed),
        )
        if problem := st.session_state.get(_PROBLEM):
            st.error(text.md(problem))
        for source in catalogue.sources(folder()):
            if not source.available:
                st.caption(f"**{text.md(source.name)}**: {text.md(source.missing)}")


def _changed(given: str) -> None:
    wanted = given.strip()
    problem = problem_with(wanted)
    st.session_state[_PROBLEM] = problem
    st.session_state[_CHOSEN] = "" if problem else wanted


def problem_with(wanted: str) -> str:
    """Why a folder cannot be used, in a sentence; empty if it can."""
    shown = text.short(wanted, 60)
    try:
        there = not wanted or (len(wanted) <= MOST_CHARACTERS and os.path.isdir(Path(wanted).expanduser()))
    except (OSError, ValueError, RuntimeError):  # too long, a character that no path has, an unknown user
        there = False
    return "" if there else f"There is no folder {shown!r} that can be opened; give the path of one"
