"""Long work in a worker thread: progress, an estimate of the time left, cancel, and partial results that are kept.

A page asks its session's `Jobs` for a job and shows what is there:

    job = session_jobs().run("orders", key, "Trying every order", lambda report: every_order(..., progress=report))
    watch(job)                          # progress, estimate and Cancel while it runs, its one sentence if it failed
    if job.work.best is not None: ...   # the result, or what was finished before it was cancelled

Inside the work there are no `st.*` calls: it talks to the screen only through its `Work`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import cast

import streamlit as st

from dashboard import text
from dashboard.server import warmup
from dashboard.server.scheduler import Ticket
from dashboard.server.streamlit_internals import still_here, visitor
from dashboard.session import links
from dashboard.session.job import Job, Result, Work, join, status

KEPT = 6
"""Jobs that a session remembers; the oldest is cancelled and forgotten when another is started."""
GRACE_SECONDS = 0.8
"""How long a page waits for a job before it shows progress instead: quick work never flickers."""
POLL_SECONDS = 0.5
DRAW_SECONDS = 2.0
"""Partial results are drawn less often than progress, so that Cancel answers at once while a chart is drawn."""


class Jobs:
    """The jobs of one session: at most one runs in each slot, and all stop when the session is gone."""

    def __init__(self, visitor: str = "", here: Callable[[], bool] = lambda: True) -> None:
        self.visitor, self._here = visitor or f"session {id(self)}", here
        self._jobs: list[Job[object]] = []
        weakref.finalize(self, _cancel_all, self._jobs)

    def find(self, slot: str, key: str) -> Job[object] | None:
        """The job of that key, if it is remembered."""
        return next((job for job in self._jobs if (job.work.slot, job.work.key) == (slot, key)), None)

    def run(
        self, slot: str, key: str, title: str, work: Callable[[Work[Result]], Result], needs: float = 0.0
    ) -> Job[Result]:
        """The job of that key, started if it is not there; another one that still runs in the slot is cancelled.

        `key` must name everything that the result depends on (settings, and a digest of the data): sessions that ask
        for the same at the same time share one work. `needs` is the memory that it is predicted to take, in bytes.
        """
        known = self.find(slot, key)
        if known is not None:
            return cast(Job[Result], known)
        self.cancel(slot)
        job = join(slot, key, title, work, Ticket(self.visitor, needs), self._here)
        self._jobs.append(cast(Job[object], job))
        while len(self._jobs) > KEPT:
            self._jobs.pop(0).cancel()
        job.wait(GRACE_SECONDS)
        return job

    def cancel(self, slot: str) -> None:
        """Cancel what still runs in a slot."""
        for job in self._jobs:
            if job.work.slot == slot:
                job.cancel()

    def forget(self, job: Job[Result]) -> None:
        """Cancel a job and forget it, so that the next `run` starts anew."""
        job.cancel()
        self._jobs[:] = [other for other in self._jobs if other is not job]


def _cancel_all(jobs: list[Job[object]]) -> None:
    for job in jobs:
        job.cancel()


def session_jobs() -> Jobs:
    """The jobs of the session that asks; other people's are out of reach."""
    if "_jobs" not in st.session_state:
        st.session_state["_jobs"] = Jobs(visitor(), still_here())
    return cast(Jobs, st.session_state["_jobs"])


def watch(job: Job[Result], partial: Callable[[Result], None] | None = None) -> None:
    """Show a job's progress with Cancel while it runs; how it ended, if not well, with a way to try again.

    `partial` draws the latest partial result while the job runs; a job that is done shows nothing.
    """
    if job.running:
        _progress(job, partial is None or job.work.partial is not None)
        if partial is not None:
            _meanwhile(job, partial)
    elif job.state in ("cancelled", "failed"):
        after = f" after {job.work.noted}" if job.work.noted else ""
        kept = "What was finished is shown below." if job.work.best is not None else "Nothing was finished yet."
        message = job.work.message if job.state == "failed" else f"{job.work.title}: cancelled{after}. {kept}"
        (st.error if job.state == "failed" else st.info)(text.md(message))
        if st.button("Start again", key=f"again-{job.work.slot}"):
            session_jobs().forget(job)
            links.rerun()


@st.fragment(run_every=POLL_SECONDS)
def _progress(job: Job[Result], drawn: bool) -> None:
    if not job.running or (not drawn and job.work.partial is not None):  # the first partial result is drawn at once
        links.rerun()
    bar, button = st.columns([5, 1], vertical_alignment="center")
    first = "compiling the kernels for this machine, once · " if warmup.compiling() else ""
    bar.progress(job.work.fraction, text=text.md(first + status(job)))
    if button.button("Cancel", key=f"cancel-{job.work.slot}", width="stretch"):
        job.cancel()
        job.wait(2 * POLL_SECONDS)
        links.rerun()


@st.fragment(run_every=DRAW_SECONDS)
def _meanwhile(job: Job[Result], partial: Callable[[Result], None]) -> None:
    if job.work.partial is not None:
        partial(job.work.partial)
