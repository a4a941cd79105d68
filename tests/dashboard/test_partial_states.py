"""What is not finished, or was stopped, is never shown as final: on pages, in reports, in tables, to the next."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import every_order
from core.solver import cancellation
from dashboard.cli import main
from dashboard.pages.orders import study
from data.runs.computation import find_or_begin
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.dashboard import screens
from tests.dashboard.screens import SECONDS, drawn, jobs, open_page, settled, texts
from tests.data.runhelp import finished_run, settings_for, write_tasks

SET = drawn(4, points=11)


def said(app: AppTest) -> str:
    assert not app.exception
    return texts(app).replace("\\", "")


def test_a_walk_that_was_cancelled_is_shown_as_a_sample_and_nobody_else_gets_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = study.every_order

    def slow(*given: Any, keep: Any, **named: Any) -> Any:
        def kept(partial: Any) -> None:
            keep(partial)
            while len(partial.orders) < 24:
                cancellation.checkpoint()
                time.sleep(0.005)

        return real(*given, keep=kept, **named)

    with monkeypatch.context() as slowly:
        slowly.setattr(study, "every_order", slow)
        slowly.setattr(screens, "settled", lambda app: app)
        app = screens.open_page("orders", SET, C="7")
        [job] = [job for job in jobs(app) if job.work.slot == "orders"]
        deadline = time.monotonic() + 60
        while job.work.partial is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        count = len(job.work.partial.orders.orders)  # type: ignore[attr-defined]
        assert 0 < count < 24
        app.run()
        assert f"So far {count:,} orders: " in said(app)
        assert "**All 24 orders**" not in said(app)
        next(button for button in app.button if button.label == "Cancel").click().run()
        job.wait(60)
        app.run()
        assert f"**A random sample of {count}** of 24 orders" in said(app)
        assert "**All 24 orders**" not in said(app)
        assert "Trying orders: cancelled. What was finished is shown below." in app.info[0].value.replace("\\", "")
        assert "Lowest bound" not in [place.label for place in job.work.best.places]  # type: ignore[attr-defined]
    other = open_page("orders", SET, C="7")
    assert not other.info
    assert "**All 24 orders** of 4 tasks" in said(other)
    next(button for button in app.button if button.label == "Start again").click().run()
    settled(app)
    assert not app.info
    assert "**All 24 orders** of 4 tasks" in said(app)


def test_orders_that_were_walked_so_far_are_a_random_part_of_all() -> None:
    whole = every_order(SET, C=7.0)
    parts: list[Any] = []
    every_order(SET, C=7.0, keep=parts.append)
    assert len(parts) > 2
    assert [part.complete for part in parts] == [len(part.orders) == 24 for part in parts]
    for part in parts:
        rows = [whole.row(part.named(row)) for row in range(len(part.orders))]
        np.testing.assert_allclose(part.bounds, whole.bounds[rows], rtol=1e-12)
        np.testing.assert_array_equal(part.test_errors, whole.test_errors[rows])  # type: ignore[index]
    assert [whole.row(parts[0].named(row)) for row in range(len(parts[0].orders))] != list(range(len(parts[0].orders)))


@pytest.fixture
def unfinished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A run of three repeats of which one and a half are done."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    tasks = write_tasks(tmp_path / "three.csv")
    with Store() as store:
        whole = store.results(finished_run(store, tasks, 3, ("indsvm", "seqmt")))
        store.delete(1)
        sampler = open_source(str(tasks))
        run = find_or_begin(store, settings_for(tasks, 3, ("indsvm", "seqmt")), sampler, resume=False)
        for outcome in whole.outcomes[:3]:
            store.add(run.id, outcome)
        return run.id


def test_an_unfinished_run_says_how_much_of_it_is_shown(
    unfinished: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_page("compare", set="plane-equal", C="10", run=str(unfinished))
    assert "**Not finished: 3 of 6 pieces are shown.**" in said(app)
    assert main(["runs", "list"]) in (0, None)
    listed = capsys.readouterr().out.splitlines()[-1]
    assert "3/6" in listed
    assert " finished " not in listed
    assert main(["runs", "show", str(unfinished)]) in (0, None)
    shown = capsys.readouterr().out
    assert "3 of 6 pieces" in shown
    report = tmp_path / "run.html"
    assert main(["report", str(unfinished), "-o", str(report)]) in (0, None)
    assert "3 of 6" in report.read_text(encoding="utf-8")


def hold_three() -> None:
    """Three uploads of one visitor."""
    from pathlib import Path

    import streamlit as st

    from dashboard.session import uploads
    from data.sources.file import FileSource
    from tests.dashboard.screens import drawn

    for count in (2, 3, 4):
        task_set = drawn(count)
        uploads.hold(uploads.Upload(Path(f"{count}.csv"), task_set, FileSource.of(task_set), ()))
    st.code(" ".join(held.filename for held in uploads.held().values()))


def test_of_three_uploads_a_stranger_keeps_the_last_two(monkeypatch: pytest.MonkeyPatch) -> None:
    assert AppTest.from_function(hold_three, default_timeout=SECONDS).run().code[0].value == "2.csv 3.csv 4.csv"
    monkeypatch.setenv("CURRICULAB_PUBLIC", "1")
    assert AppTest.from_function(hold_three, default_timeout=SECONDS).run().code[0].value == "3.csv 4.csv"
