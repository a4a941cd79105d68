"""The pages Compare and Runs: a run started there is computed by a process of its own and shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.experiments.experiment import Settings
from dashboard.components import run_controls, run_launcher
from data.runs import bundle
from data.runs.computation import compute_run, find_or_begin
from data.runs.lock import computed_by, computing
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.dashboard.screens import jobs
from tests.data.runhelp import finished_run, settings_for, write_tasks

APP = str(Path(__file__).resolve().parents[2] / "dashboard" / "app.py")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return tmp_path / "home"


def opened(page: str, **link: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["set"] = "plane-unrelated"
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    app.switch_page(f"pages/{page}/page.py").run()
    assert not app.exception
    return app


def wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.1)


def text(app: AppTest) -> str:
    return " ".join(str(part.value) for part in (*app.markdown, *app.info, *app.caption, *app.error))


def test_compare_and_runs_show_the_example_on_a_first_visit(home: Path) -> None:
    app = opened("compare")
    assert app.selectbox(key="w-run").value == bundle.EXAMPLE
    assert "An example that comes with Curriculab" in text(app)
    assert bundle.EXAMPLE_COMMAND in text(app)
    assert "SeqMT, MultiSeqMT and Compl share the lowest mean test error" in text(app).replace("\\", "")
    app = opened("runs")
    assert "**Example**" in text(app)
    assert bundle.EXAMPLE_COMMAND in text(app)
    assert not [button for button in app.button if "Delete" in button.label]


def test_two_runs_stand_side_by_side_with_what_differs(home: Path, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    with Store() as store:
        runs = [store.results(finished_run(store, tasks, 3, C=C)) for C in (10.0, 1.0)]
    better = [np.mean(list(one.means("seqmt").values())) < one.order_means.mean() - 1e-9 for one in runs]
    app = opened("compare", run="1", beside="2")
    assert app.multiselect(key="w-beside").value == [2]
    assert "What differs between the two" in text(app)
    assert app.dataframe[0].value["setting"].tolist() == ["C"]
    assert len(app.get("plotly_chart")) == 6
    assert f"in {sum(better)} of 2 runs" in text(app)
    three = opened("compare", run="2", beside=f"1.{bundle.EXAMPLE}")
    assert "of 3 runs" in text(three)


def test_orders_of_a_stored_run_are_shown_without_computing(home: Path) -> None:
    app = opened("orders", set="mnist-levels:2", draws="run0", C="1000")
    assert "20 draws" in text(app)
    assert "Yes, orders differ" in text(app)
    assert not [job for job in jobs(app) if job.work.slot == "orders"]
    assert len(app.get("plotly_chart")) == 3


def test_compare_shows_the_run_of_the_link_with_its_baseline(home: Path, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    with Store() as store:
        finished_run(store, tasks, 3)
        finished_run(store, tasks, 1, ("indsvm",))
    app = opened("compare", run="1", base="mt")
    assert app.selectbox(key="w-run").value == 1
    assert app.selectbox(key="w-base").value == "mt"
    assert len(app.get("plotly_chart")) == 4
    assert "the lowest mean test error" in text(app)


def test_a_run_is_started_computed_and_listed(home: Path) -> None:
    app = opened("runs", C="1", normalize="none", bias="0", seed="4", delta="0.2")
    app.multiselect(key="w-run-methods").set_value(["indsvm", "seqmt"])
    app.number_input(key="w-run-repeats").set_value(2)
    [start] = [button for button in app.button if button.label == "Start"]
    start.click().run()
    assert not app.exception

    def finished() -> bool:
        with Store() as store:
            return bool(store.runs()) and store.runs()[0].finished is not None

    wait_until(finished)
    app.run()
    assert "Run 1" in text(app)
    assert "finished" in text(app)
    with Store() as store:
        asked = Settings("plane-unrelated", ("indsvm", "seqmt"), 2, 1.0, "none", False, 4, 0.2)
        assert store.run(1).settings == asked
        assert len(store.runs()) == 1


def test_bad_settings_are_told_on_the_page(home: Path) -> None:
    app = opened("runs")
    app.multiselect(key="w-run-methods").set_value([])
    [start] = [button for button in app.button if button.label == "Start"]
    start.click().run()
    assert "no method is named" in app.error[0].value.replace("\\", "")


def test_a_run_is_cancelled_and_goes_on(home: Path, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "six.csv", tasks=6)
    settings = settings_for(tasks, 40, ("indsvm", "seqmt", "multiseqmt", "treemt"), "shared")
    with Store() as store:
        run = run_launcher.start(store, settings)
        assert run_launcher.on_its_way(store, run.id) or computed_by(store.folder, run.id)
        wait_until(lambda: store.run(run.id).done_in_all > 0)
        assert not run_launcher.on_its_way(store, run.id)
        run_launcher.cancel(store, run.id)
        wait_until(lambda: computed_by(store.folder, run.id) is None)
        stopped = store.run(run.id)
        assert not stopped.finished
        assert stopped.stopped
        again = run_launcher.start(store, settings)
        assert again.id == run.id
        wait_until(lambda: store.run(run.id).done_in_all > stopped.done_in_all)
        run_launcher.cancel(store, run.id)
        wait_until(lambda: computed_by(store.folder, run.id) is None)


def test_a_run_that_ends_while_it_is_listed_is_finished_not_stopped(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    sampler = open_source(str(tasks))
    with Store(tmp_path) as store:
        listed = find_or_begin(store, settings_for(tasks, 2, ("indsvm",)), sampler, resume=False)
        assert run_controls.look(store, listed) == (listed, False)
        with computing(tmp_path, listed.id):
            assert run_controls.look(store, listed) == (listed, True)
        compute_run(store, listed, sampler, jobs=1)
        run, running = run_controls.look(store, listed)
        assert run_controls.state(store, run, running) == "finished"


def test_a_run_that_is_stopped_before_it_began_can_go_on(home: Path, tmp_path: Path) -> None:
    settings = settings_for(write_tasks(tmp_path / "three.csv"), 2, ("indsvm",))
    with Store() as store:
        run = run_launcher.start(store, settings)
        run_launcher.cancel(store, run.id)
        wait_until(lambda: not run_launcher.on_its_way(store, run.id) and computed_by(store.folder, run.id) is None)
        if not store.run(run.id).finished:
            assert run_launcher.start(store, settings).id == run.id
        wait_until(lambda: store.run(run.id).finished is not None)
        assert [one.id for one in store.runs()] == [run.id]


def test_strangers_are_not_told_where_the_store_lies(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    sampler = open_source(str(tasks))
    with Store() as store:
        run = find_or_begin(store, settings_for(tasks), sampler, resume=False)
        store.stop(run.id, f"the store {store.path} is in use by another process; try again in a moment")
    assert str(home) in text(opened("runs")).replace("\\", "")
    monkeypatch.setenv("CURRICULAB_PUBLIC", "1")
    shown = text(opened("runs")).replace("\\", "")
    assert "Stopped: the store runs.sqlite is in use" in shown
    assert str(tmp_path) not in shown
