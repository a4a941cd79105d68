"""Subsequences over the repeats of a stored run: those of its draws, one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from core import every_order, learn
from core.experiments.experiment import Settings
from dashboard.pages.orders import study
from dashboard.pages.subsequences import repeats
from dashboard.session.current import Current
from dashboard.session.current import Settings as Shown
from dashboard.session.uploads import Upload
from data.archives import formats
from data.runs.computation import compute_run, find_or_begin
from data.runs.store import Store, keep_task_set
from data.sources import catalogue
from data.sources.catalogue import open_source
from data.sources.file import FileSource

SET = "plane-tree"


def selected(name: str, uploaded: bool = False, settings: Shown | None = None) -> Current:
    """What the page knows of the selected set, or of an upload of the same points."""
    task_set = catalogue.load(name)
    upload = Upload(Path(f"{name}.csv"), task_set, FileSource.of(task_set), ()) if uploaded else None
    return Current(task_set, settings or Shown(), False, upload=upload)


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


class Said:
    """What a worker says of its progress."""

    def __init__(self) -> None:
        self.noted: list[str] = []
        self.kept: list[Any] = []

    def __call__(self, done: float, total: float) -> None: ...

    def part(self, index: int, parts: int) -> Any:
        return self

    def note(self, words: str) -> None:
        self.noted.append(words)

    def keep(self, partial: Any) -> None:
        self.kept.append(partial)


LEARNER = Shown(7.0, "none", False, seed=4, delta=0.2, measure="balanced")


def test_repeats_that_are_computed_here_are_those_of_the_next_seeds_with_every_setting() -> None:
    now, said = selected("plane-tree?train=8&test=4", settings=LEARNER), Said()
    forests = repeats.repeat(now, "treemt", 3, cast(Any, said))
    for k, forest in enumerate(forests):
        drawn = catalogue.load(now.name, 4 + k)
        alone = learn(drawn, "treemt", **LEARNER.learner() | {"seed": 4 + k})
        assert list(forest.items()) == list(alone.sources.items())
    assert said.kept == [forests[:1], forests[:2], forests]
    assert said.noted == ["0 of 3 repeats", "1 of 3 repeats", "2 of 3 repeats"]


def test_orders_over_draws_are_those_of_the_next_seeds_with_every_setting() -> None:
    now = selected("plane-equal?train=5&test=5", settings=LEARNER)
    found = study.on_draws(now, 3, 6, False, cast(Any, Said()))
    assert found.over is not None
    for k in range(3):
        drawn = catalogue.load(now.name, 4 + k)
        how = LEARNER.learner() | {"seed": 4 + k}
        walked = every_order(drawn, only=found.over.walked[k].orders, **how)
        assert found.over.bounds[k] == pytest.approx(walked.bounds, abs=1e-9)
        assert found.over.errors[k] == pytest.approx(walked.test_errors)
        assert found.over.methods["SeqMT"][0, k] == pytest.approx(learn(drawn, **how).mean_error)
        assert found.over.walked[k].measure == "balanced"
