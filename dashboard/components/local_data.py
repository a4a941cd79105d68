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

_GIVEN = "_data_folder"
MOST_CHARACTERS = 1000


def folder() -> str | None:
    """The folder given in this session; None for the one of the environment."""
    given = "" if serving().public else str(st.session_state.get(_GIVEN, ""))
    return None if problem_with(given) else given or None


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
            **widgets.synced("w-data-folder", folder() or "", _put),
        )
        if problem := problem_with(st.session_state.get(_GIVEN, "")):
            st.error(text.md(problem))
        for source in catalogue.sources(folder()):
            if not source.available:
                st.caption(f"**{text.md(source.name)}**: {text.md(source.missing)}")


def _put(given: str) -> None:
    st.session_state[_GIVEN] = given.strip()


def problem_with(wanted: str) -> str:
    """Why a folder cannot be used, in a sentence; empty if it can."""
    shown = text.short(wanted, 60)
    try:
        there = not wanted or (len(wanted) <= MOST_CHARACTERS and os.path.isdir(Path(wanted).expanduser()))
    except (OSError, ValueError, RuntimeError):  # too long, a character that no path has, an unknown user
        there = False
    return "" if there else f"There is no folder {shown!r} that can be opened; give the path of one"
