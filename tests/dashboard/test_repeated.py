"""Subsequences over the repeats of a stored run: those of its draws, one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import learn
from core.experiments.experiment import Settings
from dashboard.pages.orders import study
from dashboard.pages.subsequences import repeats
from dashboard.session import current
from dashboard.session.current import Current
from dashboard.session.uploads import Held
from data.archives import formats
from data.runs.computation import compute_run, find_or_begin
from data.runs.store import Store, keep_task_set
from data.sources import catalogue
from data.sources.catalogue import open_source
from data.sources.file import FileSource

SET = "plane-tree"


def selected(name: str, uploaded: bool = False) -> Current:
    """What the page knows of the selected set, or of an upload of the same points."""
    task_set = catalogue.load(name)
    upload = Held(Path(f"{name}.csv"), task_set, FileSource.of(task_set), ()) if uploaded else None
    return Current(task_set, current.Settings(), False, upload=upload)


def test_the_forests_of_a_stored_run_are_those_of_its_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    sampler = open_source(SET)
    with Store() as store:
        for count in (1, 3):
            settings = Settings(SET, ("indsvm", "treemt"), count, 10.0)
            compute_run(store, find_or_begin(store, settings, sampler, resume=False), sampler, jobs=1)
    found = repeats.stored(selected(SET), "treemt")
    assert list(found) == ["run 2"]  # the other has a single repeat
    forests = repeats.of_run(found["run 2"], "treemt")
    assert len(forests) == 3
    for seed, forest in enumerate(forests):
        alone = learn(catalogue.load(SET, seed), "treemt", C=10.0, seed=seed)
        assert list(forest.items()) == [(task, alone.sources[task]) for task in alone.order]
    assert repeats.stored(selected("plane-unrelated"), "treemt") == {}
    assert repeats.stored(selected(SET), "seqmt") == {}
    assert repeats.stored(selected(SET, uploaded=True), "treemt") == {}


def test_the_stored_runs_of_an_upload_are_known_by_its_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    now = selected(SET, uploaded=True)
    with Store() as store:
        kept = keep_task_set(store.folder, "mine.csv", now.task_set, now.task_set.digest)
        elsewhere, other = tmp_path / "same.npz", tmp_path / "other.npz"
        elsewhere.write_bytes(Path(kept).read_bytes())
        other.write_bytes(formats.dump(catalogue.load(SET, 1), "npz"))
        for source in (kept, str(elsewhere), str(other), SET):
            sampler = open_source(source)
            settings = Settings(source, ("seqmt", "best"), 2, 10.0)
            compute_run(store, find_or_begin(store, settings, sampler, resume=False), sampler, jobs=1)
    assert list(repeats.stored(now, "seqmt")) == [
        "run 2",
        "run 1",
    ]  # not the draws of the set that it was saved from
    assert list(study.stored(now)) == ["run2", "run1"]
    over = study.of_run(study.stored(now)["run1"])
    assert over is not None
    assert over.over.overlap == pytest.approx(
        sum(task.n_test for task in now.task_set.tasks) / sum(task.n_points for task in now.task_set.tasks)
    )
    another = selected("plane-unrelated", uploaded=True)
    assert repeats.stored(another, "seqmt") == study.stored(another) == {}
