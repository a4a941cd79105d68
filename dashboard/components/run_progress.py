"""How far a run is, with Stop or Resume: in the list of runs, and above the results of a run that goes on."""

from __future__ import annotations

import streamlit as st

from core.errors import CurriculabError
from core.experiments.experiment import NAMES
from dashboard import text
from dashboard.components import run_launcher
from dashboard.server.serving import told
from dashboard.session import links
from data.runs.computation import STOPPED
from data.runs.lock import is_waiting
from data.runs.store import Run, Store

POLL_SECONDS = 2.0


def look(store: Store, listed: Run) -> tuple[Run, bool]:
    """The run as it is now, and whether a process computes it: one that ended since it was listed is read again."""
    running = run_launcher.is_running(store, listed)
    return listed if running or listed.finished else store.run(listed.id), running


def state(store: Store, run: Run, running: bool) -> str:
    """In a word or a few."""
    if run.imported:
        return "imported, to be looked at"
    if run.finished:
        return "finished"
    if not running:
        return "stopped"
    return "waiting for its turn" if is_waiting(store.folder, run.id) else "running"


def show(store: Store, run: Run, running: bool) -> None:
    """What is done of a run that is not finished, how long the rest takes, and why it stopped."""
    if not run.finished:
        left = store.seconds_left(run) if running else None
        estimate = f", about {text.in_words(left)} left" if left and left >= 1 else ""
        st.progress(run.done_in_all / run.total, text=f"{run.done_in_all} of {run.total} pieces{estimate}")
        done = [f"{NAMES.get(method, 'all orders')} {count}" for method, count in run.done.items()]
        st.caption(f"Finished repeats: {', '.join(done) or 'none yet'}")
    if run.stopped and not running and run.stopped != STOPPED:  # which the state says
        st.caption(f"Stopped: {text.md(told(run.stopped))}.")


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
def watch(drawn: Run) -> None:
    """The progress of a run whose results are on the page; results that arrive draw the page anew."""
    try:
        with Store() as store:
            run, running = look(store, store.run(drawn.id))
            st.markdown(f"Run {run.id} is **{state(store, run, running)}**.")
            show(store, run, running)
            stop_or_resume(store, run, running)  # before the page is drawn anew, which would lose a click
    except CurriculabError as error:
        st.error(text.md(told(error)), icon=":material/error:")
        return
    if (run.done_in_all, run.finished) != (drawn.done_in_all, drawn.finished):
        links.rerun()
