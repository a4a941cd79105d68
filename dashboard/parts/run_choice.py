"""Which run is on screen, and which stand beside it: those of the store, and the example that is shipped."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.experiments.statistics import Results
from dashboard import text
from dashboard.session import links, widgets
from dashboard.session.current import Current
from data.runs import example
from data.runs.store import Run, Store

MOST_BESIDE = 11


def readable(store: Store) -> dict[int, Run]:
    """The runs that have results, the newest first; the example last."""
    runs = [run for run in store.runs() if run.done_in_all > run.done.get("orders", 0)]
    return {run.id: run for run in (*runs, example.example()[0])}


def results_of(store: Store, run: Run) -> Results:
    """The outcomes of a run so far."""
    return example.example()[1] if run.id == example.ID else store.results(run)


def choose(runs: dict[int, Run], now: Current) -> Run:
    """The run of the link, else the newest of the selected set, else the newest, else the example; never unasked one
    that was imported, which is a stranger's word.
    """
    wanted = links.whole("run", -1, -1, 2**31)
    computed = [run for run in runs.values() if not run.imported]
    own = [run for run in computed if run.settings.source == now.origin]
    usual = (*own, *computed, example.example()[0])[0]
    run_key = widgets.shown("w-run", wanted if wanted in runs else usual.id)
    st.selectbox(
        "Run",
        list(runs),
        key=run_key,
        format_func=lambda run: label(runs[run]),
        on_change=lambda: links.put(run=st.session_state[run_key], beside=None),
    )
    return runs[st.session_state[run_key]]


def beside(runs: dict[int, Run], chosen: Run) -> list[Run]:
    """Other runs to compare it with, as the link has them."""
    others = [run for run in runs if run != chosen.id]
    if not others:
        return []
    held = [int(part) for part in links.text("beside").split(".") if part.isdecimal() and len(part) < 10]
    beside_key = widgets.shown("w-beside", [run for run in held if run in others][:MOST_BESIDE])
    st.multiselect(
        "Side by side with",
        others,
        key=beside_key,
        max_selections=MOST_BESIDE,
        placeholder="other runs",
        format_func=lambda run: label(runs[run]),
        on_change=lambda: links.put(beside=".".join(map(str, st.session_state[beside_key]))),
    )
    return [runs[run] for run in st.session_state[beside_key]]


def name(run: Run) -> str:
    """A run in two or three words."""
    source = text.short(Path(run.settings.source).name, 24)
    return f"the example ({source})" if run.id == example.ID else f"run {run.id} ({source})"


def label(run: Run) -> str:
    """A run in a line."""
    state = "" if run.finished else f", {run.done_in_all} of {run.total} pieces"
    state += ", imported" if run.imported and run.id != example.ID else ""
    source = text.short(Path(run.settings.source).name, 40)
    head = "Example" if run.id == example.ID else str(run.id)
    return f"{head}: {source}, {run.settings.repeats} repeats, C {text.setting(run.settings.C)}{state}"
