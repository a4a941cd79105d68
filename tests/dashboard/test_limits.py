"""Limits by their effects: what is too long or too large is stopped or refused, and the advice that is given helps."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace

import numpy as np
import pytest

from core.task_set import Task, TaskSet
from dashboard.cli import parser
from dashboard.commands import serve
from dashboard.server.serving import OWN_MACHINE, PUBLIC
from dashboard.session import current, job, job_panel
from dashboard.session.job import Work
from dashboard.session.job_panel import Jobs
from data import limits
from data.limits import MEMORY_ENVIRONMENT, FormatError, TooLargeError, check_fit, check_memory, predicted_fit_seconds
from tests.dashboard.screens import SET, charts, open_page


def test_a_computation_ends_when_it_has_taken_as_long_as_it_may_and_what_was_finished_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_panel, "GRACE_SECONDS", 0.0)
    monkeypatch.setattr(job, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(job, "serving", lambda: replace(OWN_MACHINE, seconds=0.2))

    def endless(report: Work[str]) -> str:
        report.keep("half")
        while True:
            report(1, 2)
            time.sleep(0.005)

    session = Jobs()  # whose end would cancel its jobs
    found = session.run("orders", "too long", "Trying orders", endless)
    assert found.wait(60)
    assert (found.work.state, found.work.result, found.work.best) == ("failed", None, "half")
    assert found.work.message.startswith(
        "Trying orders: stopped after 1 s, the longest that one computation may take on this"
    )
    quick = session.run("orders", "quick", "Trying orders", lambda report: report(1, 1) or "whole")
    assert quick.wait(60)
    assert quick.work.best == "whole"


def test_of_a_job_that_is_done_the_result_counts_though_it_kept_a_part() -> None:
    def work(report: Work[str]) -> str:
        report.keep("part")
        return "whole"

    session = Jobs()
    found = session.run("orders", "with a part", "Trying orders", work)
    assert found.wait(60)
    assert (found.work.state, found.work.partial, found.work.best) == ("done", "part", "whole")


def test_a_set_of_which_a_fit_would_take_too_long_or_too_much_memory_is_refused_on_its_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = open_page("step", SET, C="9")
    assert not whole.warning
    assert charts(whole)
    with monkeypatch.context() as short:
        short.setattr(current, "serving", lambda: replace(OWN_MACHINE, fit_seconds=predicted_fit_seconds(SET) / 2))
        refused = open_page("step", SET, C="9.5")
        assert "so that one fit might take" in refused.warning[0].value.replace("\\", "")
        assert not charts(refused)
    monkeypatch.setenv(MEMORY_ENVIRONMENT, "1e-9")
    refused = open_page("step", SET, C="9.75")
    assert "of memory, and 0.0 GB may be used" in refused.warning[0].value.replace("\\", "")
    assert not charts(refused)


@pytest.mark.parametrize("features", [3, 900])
def test_as_many_points_as_are_advised_may_be_fitted_and_a_tenth_more_may_not(features: int) -> None:
    def of(points: int) -> TaskSet:
        small = Task("b", np.ones((4, features)), np.array([1.0, -1.0, 1.0, -1.0]))
        return TaskSet("s", (Task("a", np.ones((points, features)), np.resize([1.0, -1.0], points)), small))

    with pytest.raises(TooLargeError) as refused:
        check_fit(of(6000), 5.0)
    [advised] = re.findall(r"take at most ([\d,]+) points per task", str(refused.value))
    most = int(advised.replace(",", ""))
    check_fit(of(most), 5.0)
    with pytest.raises(TooLargeError):
        check_fit(of(most * 11 // 10), 5.0)


@pytest.mark.parametrize("sizes", [(6000, 6000), (20_000, 500), (900, 800, 700)])
def test_as_many_points_as_memory_is_said_to_hold_are_taken_and_a_twentieth_more_are_not(
    sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(share: float) -> TaskSet:
        counts = [int(share * n) for n in sizes]
        return TaskSet(
            "s", tuple(Task(f"t{k}", np.ones((n, 2)), np.resize([1.0, -1.0], n)) for k, n in enumerate(counts))
        )

    monkeypatch.setenv(MEMORY_ENVIRONMENT, "0.5" if sum(sizes) > 10_000 else "0.05")
    with pytest.raises(TooLargeError) as refused:
        check_memory(of(1.0))
    [advised] = re.findall(r"about ([\d,]+) of them", str(refused.value))
    share = int(advised.replace(",", "")) / sum(sizes)
    check_memory(of(share))
    with pytest.raises(TooLargeError):
        check_memory(of(1.05 * share))


def test_what_a_stranger_s_file_may_unpack_to_shrinks_with_the_numbers_that_it_may_hold() -> None:
    most = limits.MAX_UNPACKED_BYTES
    for share in (1, 2, 10):
        with limits.at_most(limits.MAX_CELLS // share):
            limits.check_unpacked("f.zip", most // share)
            with pytest.raises(FormatError, match=f"the most that is unpacked is {most // share // 2**20} MB"):
                limits.check_unpacked("f.zip", most // share + 1)
    with limits.at_most(2 * limits.MAX_CELLS), pytest.raises(FormatError):
        limits.check_unpacked("f.zip", most + 1)
    limits.check_unpacked("f.zip", most)


def test_streamlit_is_told_how_large_a_file_a_stranger_may_send(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, object]] = []
    monkeypatch.setattr(serve, "serve", lambda options, *rest: told.append(options))
    monkeypatch.setattr(serve, "check_address", lambda *where: None)
    monkeypatch.setattr(serve.logging, "basicConfig", lambda **how: None)
    for words in (["--no-browser"], ["--public"]):
        monkeypatch.setattr(os, "environ", dict(os.environ))  # `--public` is told to all that follows by it
        os.environ.pop(PUBLIC, None)
        serve.run(parser().parse_args(words))
    own, public = told
    assert (own["server.maxUploadSize"], public["server.maxUploadSize"]) == (200, 20)
    assert public["server.headless"] is True


@pytest.mark.parametrize("sizes", [(6000,), (5000, 3000), (8000, 500)])
def test_about_as_many_points_as_are_advised_fit_into_memory_and_a_fifth_more_do_not(
    sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(share: float) -> TaskSet:
        points = [round(share * size) for size in sizes]
        tasks = (Task(f"t{k}", np.ones((n, 1)), np.resize([1.0, -1.0], n)) for k, n in enumerate(points))
        return TaskSet("s", tuple(tasks))

    monkeypatch.setenv(MEMORY_ENVIRONMENT, "0.5")
    with pytest.raises(TooLargeError) as refused:
        check_memory(of(1.0))
    [advised] = re.findall(r"take fewer points: about ([\d,]+) of them", str(refused.value))
    share = int(advised.replace(",", "")) / sum(sizes)
    check_memory(of(0.99 * share))
    with pytest.raises(TooLargeError):
        check_memory(of(1.2 * share))
