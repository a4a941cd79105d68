"""The form that starts a run of the set on screen, and how far a run is, with Stop or Resume."""

from __future__ import annotations

import streamlit as st

from core.experiments.experiment import MOST_REPEATS, NAMES, Settings, usual_methods
from dashboard import text
from dashboard.components import figure_card, run_launcher
from dashboard.server.serving import error_for_visitor, serving
from dashboard.session import links
from dashboard.session.current import Current
from data.runs.computation import STOPPED
from data.runs.lock import is_waiting
from data.runs.store import Run, Store

POLL_SECONDS = 2.0


def refusal(now: Current | None) -> str:
    """Why no run of the set on screen can be started here, in a sentence; empty where one can."""
    if not serving().runs:
        return "On this server runs are looked at; start your own on your own machine."
    if now is not None and now.uploaded and serving().public:
        return "An upload stays in your window here, so no run can be made of it; start one on your own machine."
    return ""


def start(now: Current | None) -> Run | None:
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
        if not st.form_submit_button("Start", icon=":material/play_arrow:", type="primary"):
            return None
        run: Run | None = None
        with figure_card.guarded(), Store() as store:
            source = run_launcher.keep_source(store, now)
            settings = Settings(source, tuple(methods), int(repeats), **now.settings.learner())
            run = run_launcher.start(store, settings)
            st.toast(f"Run {run.id} is on its way", icon=":material/play_arrow:")
    return run


def look(store: Store, listed: Run) -> tuple[Run, bool]:
    """The run as it is now, and whether a process computes it: one that ended since it was listed is read again."""
    running = run_launcher.is_running(store, listed)
    return listed if running or listed.finished else store.run(listed.id), running


def state(store: Store, run: Run, running: bool) -> str:
    """The state of a run in a few words."""
    if run.imported:
        return "imported, to be looked at"
    if run.finished:
        return "finished"
    if not running:
        return "stopped"
    return "waiting for its turn" if is_waiting(store.folder, run.id) else "running"


def progress(store: Store, run: Run, running: bool) -> None:
    """What is done of a run that is not finished, how long the rest takes, and why it stopped."""
    if not run.finished:
        left = store.seconds_left(run) if running else None
        estimate = f", about {text.in_words(left)} left" if left and left >= 1 else ""
        st.progress(run.done_in_all / run.total, text=f"{run.done_in_all} of {run.total} pieces{estimate}")
        done = [f"{NAMES.get(method, 'all orders')} {count}" for method, count in run.done.items()]
        st.caption(f"Finished repeats: {', '.join(done) or 'none yet'}")
    if run.stopped and not running and run.stopped != STOPPED:  # which the state says
        st.caption(f"Stopped: {text.md(error_for_visitor(run.stopped))}.")


def stop_or_resume(store: Store, run: Run, running: bool) -> None:
    """The button for it, where this visitor may."""
    if not run_launcher.may_change(run) or run.finished or run.imported:
        return
    if running:
        if st.button("Stop", key=f"cancel-{run.id}", icon=":material/stop:"):
            run_launcher.cancel(store, run.id)
    elif st.button("Resume", key=f"resume-{run.id}", icon=":material/play_arrow:"):
        run_launcher.resume(store, run)
        st.rerun(scope="fragment")


@st.fragment(run_every=POLL_SECONDS)
def watch(shown: Run) -> None:
    """The progress of a run whose results are on the page; results that arrive draw the page anew."""
    with figure_card.guarded():
        with Store() as store:
            run, running = look(store, store.run(shown.id))
            st.markdown(f"Run {run.id} is **{state(store, run, running)}**.")
            progress(store, run, running)
            stop_or_resume(store, run, running)  # before the page is drawn anew, which would lose a click
        if (run.done_in_all, run.finished) != (shown.done_in_all, shown.finished):
            links.rerun()
