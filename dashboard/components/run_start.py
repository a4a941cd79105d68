"""The form that starts a run of the set on screen: on Runs, and on Compare where that set has none yet."""

from __future__ import annotations

import streamlit as st

from core.errors import CurriculabError
from core.experiments.experiment import MOST_REPEATS, NAMES, Settings, usual_methods
from dashboard import text
from dashboard.components import run_launcher
from dashboard.server.serving import serving, told
from dashboard.session.current import Current
from data.runs.store import Run, Store


def refusal(now: Current | None) -> str:
    """Why no run of the set on screen can be started here, in a sentence; empty where one can."""
    if not run_launcher.may_begin():
        return "On this server runs are looked at; start your own on your own machine."
    if now is not None and now.uploaded and serving().public:
        return "An upload stays in your window here, so no run can be made of it; start one on your own machine."
    return ""


def show(now: Current | None) -> Run | None:
    """The form, with the learner's settings of the sidebar; the run that it has just started."""
    if why := refusal(now):
        st.info(why, icon=":material/visibility:")
        return None
    if now is None:
        return None
    usual = usual_methods(now.task_set) if now.task_set.has_test or now.uploaded else ()
    with st.form("begin-run", border=True):
        st.markdown(f"**New run of {text.md(text.short(now.task_set.name, 60))}** with the sidebar's settings")
        methods = st.multiselect(
            "Methods",
            list(NAMES),
            default=list(usual),
            format_func=NAMES.__getitem__,
            key="w-run-methods",
            help="Best and Worst try all orders, which takes long for more than six tasks.",
        )
        each = "Each splits the points anew." if now.uploaded else "Each is a fresh draw."
        repeats = st.number_input("Repeats", 1, MOST_REPEATS, 10, key="w-run-repeats", help=each)
        if st.form_submit_button("Start", icon=":material/play_arrow:", type="primary"):
            return _start(now, tuple(methods), int(repeats))
    return None


def _start(now: Current, methods: tuple[str, ...], repeats: int) -> Run | None:
    """Begin it, or say what is wrong with it."""
    chosen = now.settings
    try:
        with Store() as store:
            source = run_launcher.source_of(store, now)
            settings = Settings(source, methods, repeats, **chosen.learner())
            run = run_launcher.start(store, settings)
    except CurriculabError as error:
        st.error(text.md(told(error)), icon=":material/error:")
        return None
    st.toast(f"Run {run.id} is on its way", icon=":material/play_arrow:")
    return run
