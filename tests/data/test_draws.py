"""Where repeats get their points from: every repeat is a draw of its own, and holding out empties no class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core import Task, TaskSet
from core.errors import TaskError
from core.experiments.experiment import Settings
from data.runs.computation import check_data, compute_in_turn, compute_run, find_or_begin
from data.runs.store import Store
from data.sources.catalogue import find, open_source
from data.sources.file import FileSource, with_test_split
from data.sources.source import BuiltIn
from tests.data.runhelp import finished_run, settings_for, write_tasks


def test_repeats_of_a_built_in_set_are_different_draws() -> None:
    sampler = open_source("digits-levels:8")
    assert len({sampler.sample(seed).digest for seed in range(5)}) == 5


def test_repeats_of_a_run_see_different_draws(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "tasks.csv")
    with Store(tmp_path / "store") as store:
        run = finished_run(store, tasks, repeats=4, methods=("indsvm",))
        errors = {tuple(outcome.test_error.values()) for outcome in store.results(run).of("indsvm")}
    assert len(errors) > 1


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_holding_out_leaves_both_classes_on_both_sides(share: float) -> None:
    X = np.arange(12.0).reshape(6, 2)
    task_set = TaskSet("s", (Task("t", X, np.array([1.0, 1.0, -1.0, -1.0, -1.0, -1.0])),))
    task = with_test_split(task_set, share, seed=3).tasks[0]
    for y in (task.y, task.y_test):
        assert set(y) == {-1.0, 1.0}
    assert sorted(np.vstack([task.X, task.X_test]).tolist()) == X.tolist(), "every point is on exactly one side"


def test_the_share_is_of_each_class() -> None:
    X = np.arange(80.0).reshape(40, 2)
    task_set = TaskSet("s", (Task("t", X, np.array([1.0] * 10 + [-1.0] * 30)),))
    task = with_test_split(task_set, 0.3, seed=0).tasks[0]
    assert ((task.y_test == 1).sum(), (task.y_test == -1).sum()) == (3, 9)


def test_one_point_of_a_class_cannot_be_split() -> None:
    task_set = TaskSet("s", (Task("lone", np.eye(3), np.array([1.0, -1.0, -1.0])),))
    with pytest.raises(TaskError, match=r"'lone' has one point of class \+1"):
        with_test_split(task_set, 0.3)


def test_going_on_takes_the_newest_unfinished_run(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "tasks.csv")
    sampler = open_source(str(tasks))
    with Store(tmp_path / "store") as store:
        runs = [find_or_begin(store, settings_for(tasks), sampler, resume=False) for _ in range(3)]
        assert find_or_begin(store, settings_for(tasks), sampler, resume=True).id == runs[-1].id
        store.finish(runs[-1].id)
        assert find_or_begin(store, settings_for(tasks), sampler, resume=True).id == runs[1].id


def test_a_stored_piece_is_never_overwritten(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "tasks.csv")
    with Store(tmp_path / "store") as store:
        run = finished_run(store, tasks, methods=("indsvm",))
        before = store.results(run).outcomes
        changed = before[0].__class__(**{f: getattr(before[0], f) for f in before[0].__slots__} | {"seconds": 99.0})
        store.add(run.id, changed)
        assert store.results(run).outcomes == before


def test_a_set_is_sampled_once_to_begin_its_run_and_once_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And neither computes inner products: these belong to the workers."""
    seeds: list[int] = []
    source = find("plane-unrelated?train=4&test=2")
    sample = BuiltIn.sample
    monkeypatch.setattr(BuiltIn, "sample", lambda self, seed: [seeds.append(seed), sample(self, seed)][1])
    settings = Settings(source.full_name, ("seqmt",), 2, "shared", seed=5)
    monkeypatch.setattr("core.curriculum.learn.Pool", None)
    monkeypatch.setattr("data.runs.computation.one_at_a_time", lambda calls: iter(()))
    with Store(tmp_path) as store:
        run = find_or_begin(store, settings, source, resume=True)
        assert seeds == [5]
        assert not compute_run(store, run, source, jobs=1).done
        assert seeds == [5]
        compute_in_turn(store, run.id, jobs=1)
        assert seeds == [5, 5]


def test_a_file_is_not_split_to_see_that_it_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = write_tasks(tmp_path / "tasks.csv")
    source = open_source(str(tasks))
    with Store(tmp_path / "store") as store:
        run = find_or_begin(store, settings_for(tasks, methods=("indsvm",)), source, resume=True)
        monkeypatch.setattr("data.runs.computation.one_at_a_time", lambda calls: iter(()))
        monkeypatch.setattr(FileSource, "sample", None)
        check_data(run, source)
        assert compute_run(store, run, source, jobs=1).finished
