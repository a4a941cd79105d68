"""Runs in processes of their own: one for each, one computed at a time, and whatever ends one is kept with it."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import SettingsError
from dashboard.parts import launching
from data.files import formats
from data.runs.lock import computed_by, computing, is_waiting, turn
from data.runs.store import Store
from data.runs.uploads import keep_upload
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
            ids.append(launching.start(store, settings).id)

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
        run = launching.start(store, settings)
        wait_until(lambda: is_waiting(store.folder, run.id))
        assert computed_by(store.folder, run.id) is not None
        assert not store.run(run.id).done
        launching.cancel(store, run.id)
        wait_until(lambda: computed_by(store.folder, run.id) is None)
        assert store.run(run.id).stopped == "it was stopped"


def test_what_ends_a_run_is_kept_with_it(home: Path, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    settings = settings_for(tasks, 1, ("indsvm",))
    with Store() as store, computing(store.folder, 99), turn(store.folder, 99):
        run = launching.start(store, settings)
        wait_until(lambda: is_waiting(store.folder, run.id))
        write_tasks(tasks, tasks=4)
    with Store() as store:
        wait_until(lambda: store.run(run.id).stopped != "")
        assert store.run(run.id).stopped == "the data of three.csv changed since run 1 began; begin a new run"
        store.delete(run.id)
    assert not list(home.glob("run-1.*"))


def test_only_so_many_are_on_their_way(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "MOST_ON_THEIR_WAY", 0)
    with Store() as store:
        with pytest.raises(SettingsError, match="on their way already"):
            launching.start(store, settings_for(write_tasks(tmp_path / "three.csv"), 1, ("indsvm",)))
        assert store.runs() == ()


def test_an_upload_is_kept_for_its_runs_alone(home: Path, tmp_path: Path) -> None:
    task_set = formats.read(write_tasks(tmp_path / "three.csv")).task_set
    with Store() as store:
        path = Path(keep_upload(store.folder, task_set, task_set.digest))
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert os.listdir(path.parent) == [path.name]
        assert formats.read(path).task_set.digest == task_set.digest
        first, second = (store.begin(settings_for(path, 1, ("indsvm",)), "", task_set.digest) for _ in range(2))
        store.delete(first.id)
        assert path.exists()
        store.delete(second.id)
        assert not path.exists()
