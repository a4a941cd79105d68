"""Long work: its progress, its end in every way, and that one session's work never touches another's."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core.curriculum.learn import Problem
from core.errors import TaskError
from core.fitting.cross_validation import part_of
from dashboard import text
from dashboard.server.scheduler import Ticket, Turns
from dashboard.server.serving import PUBLIC, serving
from dashboard.session import job_panel
from dashboard.session.job import Job, Work, cancel_all, status
from dashboard.session.job_panel import KEPT, Jobs
from dashboard.text import in_words
from tests.dashboard.screens import SECONDS, drawn

PATIENCE = 60.0
"""Seconds until a test gives up; more than compiling all kernels takes on a busy machine."""


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_panel, "GRACE_SECONDS", 0.0)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Work that waits for this; opened at the end, so that no test leaves a thread behind."""
    event = threading.Event()
    yield event
    event.set()


def endless(gate: threading.Event) -> Callable[[Work[str]], str]:
    def work(report: Work[str]) -> str:
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
    session = Jobs()
    job = session.run("orders", "a", "Counting", lambda report: report(1, 1) or 42)
    assert job.wait(PATIENCE)
    assert (job.state, job.work.result, job.work.best, job.work.fraction) == ("done", 42, 42, 1.0)


def test_the_same_key_finds_the_same_job_and_does_the_work_once() -> None:
    session, calls = Jobs(), []
    first = session.run("orders", "a", "Counting", lambda report: calls.append(1))
    assert first.wait(PATIENCE)
    assert session.run("orders", "a", "Counting", lambda report: calls.append(1)) is first
    assert calls == [1]


def test_cancel_stops_at_the_next_progress_and_keeps_what_was_finished(gate: threading.Event) -> None:
    session = Jobs()
    job = session.run("orders", "a", "Counting", endless(gate))
    until(lambda: job.work.partial is not None)
    job.cancel()
    assert job.wait(PATIENCE)
    assert (job.state, job.work.result, job.work.best) == ("cancelled", None, "first half")


def test_a_crash_leaves_a_sentence_and_a_mistake_its_own() -> None:
    def crash(report: Work[int]) -> int:
        raise RuntimeError("out of luck\nsecond line")

    def mistake(report: Work[int]) -> int:
        raise TaskError("task 'a' has no points; give it some")

    session = Jobs()
    crashed, mistaken = session.run("one", "a", "Counting", crash), session.run("two", "a", "Counting", mistake)
    assert crashed.wait(PATIENCE)
    assert mistaken.wait(PATIENCE)
    assert crashed.state == mistaken.state == "failed"
    assert crashed.work.message.startswith("Counting stopped with an unexpected error (RuntimeError: out of luck)")
    assert mistaken.work.message == "task 'a' has no points; give it some"


def test_a_new_key_in_a_slot_cancels_the_old_one_but_not_another_session(gate: threading.Event) -> None:
    mine, theirs = Jobs(), Jobs()
    other = theirs.run("orders", "other", "Theirs", endless(gate))
    old = mine.run("orders", "a", "Old", endless(gate))
    new = mine.run("orders", "b", "New", endless(gate))
    assert old.wait(PATIENCE)
    assert old.state == "cancelled"
    assert new.running
    assert other.running
    gate.set()
    assert new.wait(PATIENCE)
    assert other.wait(PATIENCE)
    assert (new.work.result, other.work.result) == ("whole", "whole")


def test_two_sessions_that_ask_for_the_same_share_one_work_until_both_have_left(gate: threading.Event) -> None:
    here, calls = [True, True], []

    def counted(report: Work[str]) -> str:
        calls.append(1)
        return endless(gate)(report)

    sessions = [Jobs("a", lambda: here[0]), Jobs("b", lambda: here[1])]
    first, second = (session.run("orders", "same", "Counting", counted) for session in sessions)
    until(lambda: second.work.partial is not None)
    assert calls == [1]
    first.cancel()
    assert first.wait(PATIENCE)
    assert (first.state, first.work.best) == ("cancelled", "first half")
    assert second.running
    here[1] = False
    assert second.wait(PATIENCE)
    assert second.work.state == "cancelled"
    third = Jobs("c")
    again = third.run("orders", "same", "Counting", counted)
    until(lambda: len(calls) == 2)
    gate.set()
    assert again.wait(PATIENCE)
    assert again.work.result == "whole"


def test_only_so_many_compute_at_once_and_a_waiting_one_can_be_cancelled(gate: threading.Event) -> None:
    sessions = [Jobs(f"visitor {k}") for k in range(serving().turns + 2)]
    busy = [session.run("busy", str(k), "Busy", endless(gate)) for k, session in enumerate(sessions[:-2])]
    until(lambda: all(job.state == "running" for job in busy))
    waiting, last = (sessions[k].run("last", str(k), "Waiting", endless(gate)) for k in (-2, -1))
    until(lambda: "number 2" in status(last))
    assert waiting.state == "waiting"
    assert status(waiting).startswith("Waiting · waiting for its turn, number 1 in the queue")
    waiting.cancel()
    assert waiting.wait(PATIENCE)
    assert waiting.state == "cancelled"
    assert "number 1 in the queue" in status(last)
    gate.set()
    assert all(job.wait(PATIENCE) for job in (*busy, last))


def test_nobody_has_two_turns_while_another_has_none() -> None:
    turns = Turns()
    tickets = {name: Ticket(name[0], 0.0) for name in ("a1", "a2", "a3", "b1", "c1")}
    turns._waiting += tickets.values()
    begun: list[str] = []
    while turns._waiting:
        name = next(name for name, ticket in tickets.items() if ticket in turns._waiting and turns._may_run(ticket))
        turns._begin(tickets[name])
        begun.append(name)
        turns._running = turns._running[-1:]  # the older of two ends
    assert begun == ["a1", "b1", "c1", "a2", "a3"]


def test_what_needs_much_memory_waits_until_there_is_room() -> None:
    turns = Turns(lambda: 100.0)
    running, large, small = Ticket("a", 60.0), Ticket("b", 50.0), Ticket("c", 40.0)
    turns._running.append(running)
    turns._waiting += [large]
    assert not turns._may_run(large)
    turns._waiting[:] = [small]
    assert turns._may_run(small)
    turns._running.clear()
    turns._waiting[:] = [Ticket("d", 1000.0)]
    assert turns._may_run(turns._waiting[0])


def test_on_a_public_server_a_visitor_has_one_turn_and_so_many_that_wait(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PUBLIC, "1")
    tabs = [Jobs("one browser") for _ in range(serving().waiting_each + 2)]
    first = tabs[0].run("tab", "0", "Counting", endless(gate))
    until(lambda: first.state == "running")
    jobs = [tab.run("tab", str(k), "Counting", endless(gate)) for k, tab in enumerate(tabs[1:], start=1)]
    until(lambda: any(job.state == "failed" for job in jobs))
    [refused] = [job for job in jobs if job.state == "failed"]
    assert "computations of yours wait already" in refused.work.message
    another = Jobs("another browser")
    other = another.run("tab", "other", "Counting", endless(gate))
    until(lambda: other.state == "running")
    assert [job.state for job in jobs].count("waiting") == serving().waiting_each
    gate.set()
    assert all(job.wait(PATIENCE) for job in (first, other, *jobs))


def test_on_a_public_server_a_computation_ends_after_its_time(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PUBLIC, "1")
    session = Jobs()
    job = session.run("orders", "long", "Counting", endless(gate))
    until(lambda: job.work.partial is not None)
    job.work.started -= 1000.0
    assert job.wait(PATIENCE)
    assert (job.state, job.work.best) == ("failed", "first half")
    assert job.work.message.startswith("Counting: stopped after 2 min, the longest")


def test_on_a_public_server_a_crash_tells_nothing_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PUBLIC, "1")

    def crash(report: Work[int]) -> int:
        raise RuntimeError("/home/someone/secret")

    session = Jobs()
    job = session.run("one", "crash", "Counting", crash)
    assert job.wait(PATIENCE)
    assert job.work.message == "Counting stopped with an unexpected error; change a setting or try again"


def test_work_that_tells_no_progress_ends_between_two_fits() -> None:
    begun = threading.Event()

    def work(report: Work[str]) -> str:
        problem = Problem(drawn(3, points=12))
        while True:
            problem.learn("seqmt", 10.0)
            begun.set()

    jobs = Jobs()
    job = jobs.run("learn", "x", "Learning", work)
    assert begun.wait(PATIENCE)
    job.cancel()
    assert job.wait(PATIENCE)
    assert job.state == "cancelled"


def test_a_session_remembers_only_the_latest() -> None:
    session = Jobs()
    for k in range(KEPT + 1):
        assert session.run("orders", str(k), "Counting", lambda report: 1).wait(PATIENCE)
    assert session.find("orders", "0") is None
    assert session.find("orders", "1") is not None


def test_work_stops_when_its_session_is_gone(gate: threading.Event) -> None:
    session = Jobs()
    job = session.run("orders", "gone", "Counting", endless(gate))
    del session
    gc.collect()
    assert job.wait(PATIENCE)
    assert job.state == "cancelled"


def test_parts_add_up_and_progress_never_goes_back() -> None:
    work: Work[None] = Work("orders", "a", "Counting", Ticket("a", 0.0))
    Job(work)  # somebody wants it
    part_of(work, 1, 4)(5, 10)
    assert work.fraction == pytest.approx(0.375)
    work(1, 10)
    assert work.fraction == pytest.approx(0.375)
    work(1, 0)
    assert work.fraction == pytest.approx(0.375)


def test_the_estimate_follows_the_speed_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    work: Work[None] = Work("orders", "a", "Counting", Ticket("a", 0.0))
    job, start = Job(work), work.started
    monkeypatch.setattr(time, "monotonic", lambda: start + 10.0)
    assert job.work.seconds_left is None
    work.fraction, work.state = 0.25, "running"
    assert job.work.seconds_left == pytest.approx(30.0)
    assert status(job) == "Counting · 25\u00a0% · about 30 s left"


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
    st.write(f"{job.state} {job.work.best}")


def test_the_widget_shows_progress_cancels_and_starts_again() -> None:
    page = AppTest.from_function(app, default_timeout=SECONDS).run()
    assert not page.exception
    assert [button.label for button in page.button] == ["Cancel"]
    assert "partial 1" in [text.value for text in page.markdown]
    page.button[0].click().run()
    assert not page.exception
    assert page.info[0].value == text.md("Counting *stars*: cancelled. What was finished is shown below.")
    assert [text.value for text in page.markdown] == ["cancelled 1"]
    page.button[0].click().run()
    assert [button.label for button in page.button] == ["Cancel"]
    page.button[0].click().run()


def test_who_asks_for_work_that_all_have_given_up_gets_work_of_their_own(gate: threading.Event) -> None:
    begun: list[threading.Event] = []

    def silent(report: Work[str]) -> str:
        begun.append(threading.Event())
        gate.wait(PATIENCE)  # it tells nothing, so that it does not hear of the end yet
        report(1, 2)
        return "whole"

    first, second = Jobs("a"), Jobs("b")
    given_up = first.run("orders", "same", "Counting", silent)
    until(lambda: len(begun) == 1)
    given_up.cancel()
    job = second.run("orders", "same", "Counting", silent)
    assert job.work is not given_up.work
    until(lambda: len(begun) == 2)
    gate.set()
    assert job.wait(PATIENCE)
    assert (job.state, job.work.result) == ("done", "whole")
    assert given_up.work.ended.wait(PATIENCE)
    assert (given_up.state, given_up.work.result) == ("cancelled", None)


def test_the_wait_is_the_median_of_recent_turns_for_each_round_before_this_one() -> None:
    turns, tickets = Turns(), [Ticket(f"visitor {k}", 0.0) for k in range(3)]
    turns._waiting.extend(tickets)
    assert [turns.place(ticket) for ticket in tickets] == [1, 2, 3]
    assert turns.seconds_to_wait(tickets[2]) is None
    turns._recent.extend([10.0, 100.0, 20.0])
    assert serving().turns == 2
    assert [turns.seconds_to_wait(ticket) for ticket in tickets] == [10.0, 20.0, 30.0]
    assert turns.seconds_to_wait(Ticket("another", 0.0)) is None


def test_all_work_ends_before_the_server_does_and_that_is_no_failure() -> None:
    session = Jobs()
    found = [session.run(slot, "a key", "Counting", endless(threading.Event())) for slot in ("orders", "transfer")]
    cancel_all()
    assert {one.work.state for one in found} == {"cancelled"}
    assert all(one.work.ended.is_set() for one in found)
