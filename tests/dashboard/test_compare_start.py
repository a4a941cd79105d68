"""Compare shows runs of the set on screen; where there is none it starts one, and says whose numbers it shows."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.runs import bundle
from data.runs.computation import find_or_begin
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.dashboard.screens import charts, drawn, link, open_page, texts
from tests.data.runhelp import finished_run, settings_for, write_tasks


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a run of another set, newer than anything else."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    with Store() as store:
        finished_run(store, write_tasks(tmp_path / "three.csv"), 2, ("indsvm", "seqmt"))
    return tmp_path


def heading(app: AppTest) -> str:
    """The heading above the figures."""
    [found] = [line for line in texts(app).splitlines() if line.startswith("### ")]
    return found.removeprefix("### ").replace("\\", "").replace("\u2060", "")


def starts(app: AppTest) -> list[str]:
    return [button.label for button in app.button if button.label == "Start"]


def test_an_upload_without_a_run_shows_no_other_sets_run_as_its_own() -> None:
    app = open_page("compare", drawn(3), C="10")
    assert app.selectbox(key="w-run").value == bundle.EXAMPLE
    assert heading(app) == "Example: mnist-levels:2, not your set mine.csv"
    assert "There is no run of **mine\\.csv** yet" in texts(app)
    assert starts(app) == ["Start"]


def test_a_built_in_set_without_a_run_shows_the_example_as_such() -> None:
    assert heading(open_page("compare", set="plane-tree")) == "Example: mnist-levels:2, not the selected set plane-tree"
    assert heading(open_page("compare", set="mnist-levels:2")) == "Example: mnist-levels:2"


def test_a_run_that_the_link_names_is_opened_and_named() -> None:
    app = open_page("compare", drawn(3), C="10", run="1")
    assert app.selectbox(key="w-run").value == 1
    assert heading(app) == "Run 1: three.csv, not your set mine.csv"


def test_a_run_of_an_upload_is_started_and_shown_on_compare() -> None:
    app = open_page("compare", drawn(3), C="10")
    app.multiselect(key="w-run-methods").set_value(["indsvm", "seqmt"])
    app.number_input(key="w-run-repeats").set_value(2)
    next(button for button in app.button if button.label == "Start").click().run()
    assert not app.exception
    assert link(app, "run") == "2"
    assert heading(app) == "Run 2: mine.csv"
    deadline = time.monotonic() + 60
    with Store() as store:
        while store.run(2).finished is None:
            assert time.monotonic() < deadline, "it took too long"
            time.sleep(0.1)
    app.run()
    assert heading(app) == "Run 2: mine.csv"
    assert charts(app) == 3
    assert "the lowest mean test error" in texts(app)
    again = open_page("compare", drawn(3), C="10")
    assert heading(again) == "Run 2: mine.csv"  # the newest of this set, without being named
    another = open_page("compare", drawn(4), C="10")
    assert heading(another) == "Example: mnist-levels:2, not your set mine.csv"


def test_a_run_without_results_shows_how_far_it_is(home: Path) -> None:
    tasks = home / "three.csv"
    sampler = open_source(str(tasks))
    with Store() as store:
        run = find_or_begin(store, settings_for(tasks, 3, ("indsvm",)), sampler, resume=False)
    app = open_page("compare", drawn(3), C="10", run=str(run.id))
    assert heading(app) == f"Run {run.id}: three.csv, not your set mine.csv"
    assert "is **stopped**" in texts(app)
    assert app.get("progress")[0].proto.text == "0 of 3 pieces"
    assert [button.label for button in app.button if button.key == f"resume-{run.id}"] == ["Resume"]
    assert charts(app) == 0


def test_a_server_for_looking_says_so_instead_of_offering_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURRICULAB_PUBLIC", "1")
    app = open_page("compare", drawn(3), C="10")
    assert starts(app) == []
    assert "On this server runs are looked at" in app.info[0].value
    assert "An example that comes with Curriculab" in texts(app)
    monkeypatch.setenv("CURRICULAB_ALLOW_RUNS", "1")
    app = open_page("compare", drawn(3), C="10")
    assert starts(app) == []
    assert "An upload stays in your window here" in app.info[0].value
    assert starts(open_page("compare", set="plane-tree")) == ["Start"]
