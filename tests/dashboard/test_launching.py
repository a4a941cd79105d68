"""Runs in processes of their own: one for each, one computed at a time, and whatever ends one is kept with it."""

from __future__ import annotations

import html
import json
import os
import stat
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core import Problem, learn
from core.errors import SettingsError
from core.experiments.experiment import Settings
from dashboard.components import run_choice, run_launcher
from dashboard.reports import report
from dashboard.session import current
from dashboard.session.current import Current
from dashboard.session.uploads import Upload
from data import make_tasks
from data.archives import formats
from data.recipes.recipe import Recipe, split_name
from data.runs.computation import compute_in_turn, find_or_begin
from data.runs.export import run_json
from data.runs.lock import computed_by, computing, is_waiting, turn
from data.runs.store import Store, keep_task_set
from data.sources.catalogue import open_source
from data.sources.table import TableSource
from data.tables.reading import read_table
from tests.data import strangers
from tests.data.runhelp import settings_for, write_tasks


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return tmp_path / "home"


def wait_until(true: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)


def test_equal_starts_at_one_moment_are_one_run_that_is_computed(home: Path, tmp_path: Path) -> None:
    settings = settings_for(write_tasks(tmp_path / "three.csv"), 1, ("indsvm",))
    Store().close()
    ids: list[int] = []

    def start() -> None:
        with Store() as store:
            ids.append(run_launcher.start(store, settings).id)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ids == [1, 1, 1, 1]
    with Store() as store:
        wait_until(lambda: store.run(1).finished is not None)
        assert store.run(1).stopped == ""


def test_a_run_waits_for_its_turn_and_can_be_cancelled_meanwhile(home: Path, tmp_path: Path) -> None:
    settings = settings_for(write_tasks(tmp_path / "three.csv"), 1, ("indsvm",))
    with Store() as store, computing(store.folder, 99), turn(store.folder, 99):
        run = run_launcher.start(store, settings)
        wait_until(lambda: is_waiting(store.folder, run.id))
        assert computed_by(store.folder, run.id) is not None
        assert not store.run(run.id).done
        run_launcher.cancel(store, run.id)
        wait_until(lambda: computed_by(store.folder, run.id) is None)
        assert store.run(run.id).stopped == "it was stopped"


def test_what_ends_a_run_is_kept_with_it(home: Path, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    settings = settings_for(tasks, 1, ("indsvm",))
    with Store() as store, computing(store.folder, 99), turn(store.folder, 99):
        run = run_launcher.start(store, settings)
        wait_until(lambda: is_waiting(store.folder, run.id))
        write_tasks(tasks, tasks=4)
    with Store() as store:
        wait_until(lambda: store.run(run.id).stopped != "")
        assert store.run(run.id).stopped == "the data of three.csv changed since run 1 began; begin a new run"
        store.delete(run.id)
    assert not list(home.glob("run-1.*"))


def test_only_so_many_are_on_their_way(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_launcher, "MOST_ON_THEIR_WAY", 0)
    with Store() as store:
        with pytest.raises(SettingsError, match="on their way already"):
            run_launcher.start(store, settings_for(write_tasks(tmp_path / "three.csv"), 1, ("indsvm",)))
        assert store.runs() == ()


def test_an_upload_is_kept_for_its_runs_alone(home: Path, tmp_path: Path) -> None:
    task_set = formats.read(write_tasks(tmp_path / "three.csv")).task_set
    with Store() as store:
        path = Path(keep_task_set(store.folder, "/my/three.csv", task_set, task_set.digest))
        assert path.name == "three.npz"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert os.listdir(path.parent) == [path.name]
        assert formats.read(path).task_set.digest == task_set.digest
        first, second = (store.begin(settings_for(path, 1, ("indsvm",)), "", task_set.digest) for _ in range(2))
        store.delete(first.id)
        assert path.exists()
        store.delete(second.id)
        assert not path.parent.exists()


def test_a_run_of_an_uploaded_table_keeps_table_and_recipe_under_their_names(home: Path) -> None:
    contents = strangers.emotions(80).to_csv(index=False).encode()
    recipe = Recipe("columns", labels=("amazed", "happy"), standardize=True)
    table = TableSource.of(read_table(contents, "my emotions?.csv"), recipe)
    held = Upload(Path("my emotions?.csv"), table.sample(0), table, (), contents=contents)
    settings = current.Settings(10.0)
    now = Current(held.task_set, settings, False, upload=held)
    with Store() as store:
        source = run_launcher.keep_source(store, now)
        path, kept = split_name(source)
        assert Path(path).read_bytes() == contents
        assert Path(path).name == "my emotions_.csv"
        assert kept == recipe
        sampler = open_source(source)
        name = sampler.full_name
        run = find_or_begin(store, Settings(name, ("indsvm", "seqmt"), 2, **settings.learner()), sampler, resume=True)
        compute_in_turn(store, run.id, 1)  # as the process does, from what the store has
        finished = store.run(run.id)
        results = store.results(finished)
        assert finished.title == (
            "my emotions_.csv: recipe columns, label amazed happy, standardize, test 0.3"  # which a run needs
        )
        assert run_choice.is_of_set(finished, now)
        other = TableSource.of(table.table, replace(recipe, standardize=False))
        assert not run_choice.is_of_set(
            finished, replace(now, task_set=other.sample(0), upload=replace(held, source=other))
        )
        with_test = table.with_test(0.3)
        for seed, outcome in enumerate(results.of("seqmt")):
            alone = learn(with_test.sample(seed), "seqmt", C=10.0, seed=seed)
            assert outcome.test_error == alone.test_error
        digest = with_test.sample(0).digest
        assert finished.digest == json.loads(run_json(finished, results))["digest"] == digest
        assert digest in report.run_report(finished, results)
        assert finished.title in html.unescape(report.run_report(finished, results))
        store.delete(run.id)
        assert not Path(path).parent.exists()


def test_the_report_of_a_set_has_the_digest_on_screen(home: Path) -> None:
    task_set = make_tasks(strangers.emotions(60), recipe="columns", label=["amazed", "happy"], test=0.3, name="e.csv")
    made = report.set_report(Problem(task_set), task_set.digest, 10.0, 0.05)
    assert task_set.digest in made
    assert "recipe columns, label amazed happy, test 0.3" in html.unescape(made)
