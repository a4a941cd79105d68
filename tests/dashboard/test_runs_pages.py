"""The pages Compare and Runs: a run started there is computed by a process of its own and shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.parts import launching
from data.runs.lock import computed_by
from data.runs.store import Store
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
    app.switch_page(f"views/{page}.py").run()
    assert not app.exception
    return app


def wait_until(true: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.1)


def text(app: AppTest) -> str:
    return " ".join(str(part.value) for part in (*app.markdown, *app.info, *app.caption, *app.error))


def test_compare_without_runs_says_what_to_do(home: Path) -> None:
    app = opened("compare")
    assert "no run with results yet" in text(app)


def test_compare_shows_the_run_of_the_link_with_its_baseline(home: Path, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    with Store() as store:
        finished_run(store, tasks, 3)
        finished_run(store, tasks, 1, ("indsvm",))
    app = opened("compare", run="1", base="mt")
    assert app.selectbox(key="w-run").value == 1
    assert app.selectbox(key="w-base").value == "mt"
    assert len(app.get("plotly_chart")) == 4
    assert "has the lowest mean test error" in text(app)


def test_a_run_is_started_computed_and_listed(home: Path) -> None:
    app = opened("runs", C="1")
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
        assert store.run(1).settings.methods == ("indsvm", "seqmt")
        assert store.run(1).settings.C == 1.0
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
        run = launching.start(store, settings)
        wait_until(lambda: store.run(run.id).done_in_all > 0)
        launching.cancel(store, run.id)
        wait_until(lambda: computed_by(store.folder, run.id) is None)
        stopped = store.run(run.id)
        assert not stopped.finished
        assert stopped.stopped
        again = launching.start(store, settings)
        assert again.id == run.id
        wait_until(lambda: store.run(run.id).done_in_all > stopped.done_in_all)
        launching.cancel(store, run.id)
        wait_until(lambda: computed_by(store.folder, run.id) is None)
