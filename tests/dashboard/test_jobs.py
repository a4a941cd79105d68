"""Long work: its progress, its end in every way, and that one session's work never touches another's."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import TaskError
from dashboard import text as words
from dashboard.session import job_panel
from dashboard.session.job_panel import AT_ONCE, KEPT, Job, Jobs, Report, in_words, status

PATIENCE = 20.0


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_panel, "GRACE_SECONDS", 0.0)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Work that waits for this; opened at the end, so that no test leaves a thread behind."""
    event = threading.Event()
    yield event
    event.set()


def endless(gate: threading.Event) -> Callable[[Report[str]], str]:
    def work(report: Report[str]) -> str:
        report.keep("first half")
        report(1, 2)
        while not gate.wait(0.005):
            report(1, 2)
        return "whole"

    return work


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_job_ends_with_its_result() -> None:
    job = Jobs().run("orders", "a", "Counting", lambda report: report(1, 1) or 42)
    assert job.wait(PATIENCE)
    assert (job.state, job.result, job.best, job.fraction) == ("done", 42, 42, 1.0)


def test_the_same_key_finds_the_same_job_and_does_the_work_once() -> None:
    session, calls = Jobs(), []
    first = session.run("orders", "a", "Counting", lambda report: calls.append(1))
    assert first.wait(PATIENCE)
    assert session.run("orders", "a", "Counting", lambda report: calls.append(1)) is first
    assert calls == [1]


def test_cancel_stops_at_the_next_progress_and_keeps_what_was_finished(gate: threading.Event) -> None:
    job = Jobs().run("orders", "a", "Counting", endless(gate))
    until(lambda: job.partial is not None)
    job.cancel()
    assert job.wait(PATIENCE)
    assert (job.state, job.result, job.best) == ("cancelled", None, "first half")


def test_a_crash_leaves_a_sentence_and_a_mistake_its_own() -> None:
    def crash(report: Report[int]) -> int:
        raise RuntimeError("out of luck\nsecond line")

    def mistake(report: Report[int]) -> int:
        raise TaskError("task 'a' has no points; give it some")

    session = Jobs()
    crashed, mistaken = session.run("one", "a", "Counting", crash), session.run("two", "a", "Counting", mistake)
    assert crashed.wait(PATIENCE)
    assert mistaken.wait(PATIENCE)
    assert crashed.state == mistaken.state == "failed"
    assert crashed.message.startswith("Counting stopped with an unexpected error (RuntimeError: out of luck)")
    assert mistaken.message == "task 'a' has no points; give it some"


def test_a_new_key_in_a_slot_cancels_the_old_one_but_not_another_session(gate: threading.Event) -> None:
    mine, theirs = Jobs(), Jobs()
    other = theirs.run("orders", "a", "Theirs", endless(gate))
    old = mine.run("orders", "a", "Old", endless(gate))
    new = mine.run("orders", "b", "New", endless(gate))
    assert old.wait(PATIENCE)
    assert old.state == "cancelled"
    assert new.running
    assert other.running
    gate.set()
    assert new.wait(PATIENCE)
    assert other.wait(PATIENCE)
    assert (new.result, other.result) == ("whole", "whole")


def test_only_so_many_compute_at_once_and_a_waiting_one_can_be_cancelled(gate: threading.Event) -> None:
    session = Jobs()
    busy = [session.run(f"slot {k}", "a", "Busy", endless(gate)) for k in range(AT_ONCE)]
    until(lambda: all(job.state == "running" for job in busy))
    waiting = session.run("last", "a", "Waiting", endless(gate))
    time.sleep(0.05)
    assert waiting.state == "waiting"
    assert status(waiting) == "Waiting · waiting for its turn"
    waiting.cancel()
    assert waiting.wait(PATIENCE)
    assert waiting.state == "cancelled"
    gate.set()
    assert all(job.wait(PATIENCE) for job in busy)


def test_a_session_remembers_only_the_latest() -> None:
    session = Jobs()
    for k in range(KEPT + 1):
        assert session.run("orders", str(k), "Counting", lambda report: 1).wait(PATIENCE)
    assert session.find("orders", "0") is None
    assert session.find("orders", "1") is not None


def test_work_stops_when_its_session_is_gone(gate: threading.Event) -> None:
    session = Jobs()
    job = session.run("orders", "a", "Counting", endless(gate))
    del session
    gc.collect()
    assert job.wait(PATIENCE)
    assert job.state == "cancelled"


def test_parts_add_up_and_progress_never_goes_back() -> None:
    job: Job[None] = Job("orders", "a", "Counting", lambda report: None)
    report = Report(job)
    report.part(1, 4)(5, 10)
    assert job.fraction == pytest.approx(0.375)
    report(1, 10)
    assert job.fraction == pytest.approx(0.375)
    report(1, 0)
    assert job.fraction == pytest.approx(0.375)


def test_the_estimate_follows_the_speed_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    job: Job[None] = Job("orders", "a", "Counting", lambda report: None)
    start = job._started
    monkeypatch.setattr(time, "monotonic", lambda: start + 10.0)
    assert job.seconds_left is None
    job.fraction, job.state = 0.25, "running"
    assert job.seconds_left == pytest.approx(30.0)
    assert status(job) == "Counting · 25% · about 30 s left"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (59, "59 s"), (100, "2 min"), (5000, "83 min"), (8000, "2 h")]
)
def test_durations_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


def app() -> None:
    import streamlit as st

    from dashboard.session.job_panel import session_jobs, watch

    def work(report):
        import time

        report.keep(1)
        for k in range(10_000):
            report(k, 10_000)
            time.sleep(0.005)
        return 2

    job = session_jobs().run("test", "a", "Counting *stars*", work)
    watch(job, lambda partial: st.write(f"partial {partial}"))
    st.write(f"{job.state} {job.best}")


def test_the_widget_shows_progress_cancels_and_starts_again() -> None:
    page = AppTest.from_function(app).run()
    assert not page.exception
    assert [button.label for button in page.button] == ["Cancel"]
    assert "partial 1" in [text.value for text in page.markdown]
    page.button[0].click().run()
    assert not page.exception
    assert page.info[0].value == words.md("Counting *stars*: cancelled. What was finished is kept.")
    assert [text.value for text in page.markdown] == ["cancelled 1"]
    page.button[0].click().run()
    assert [button.label for button in page.button] == ["Cancel"]
    page.button[0].click().run()
