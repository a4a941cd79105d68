"""Subsequences over the repeats of a stored run: those of its draws, one by one."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core import learn
from core.experiments.experiment import Settings
from dashboard.parts import repeated
from data.runs.computing import compute_run, find_or_begin
from data.runs.draws import sampler_of
from data.runs.store import Store
from data.sets import catalogue

SET = "plane-tree"


def selected(origin: str, uploaded: bool = False) -> Any:
    """What the page knows of the selected set."""
    return cast(Any, SimpleNamespace(uploaded=uploaded, origin=origin, task_set=catalogue.load(SET)))


def test_the_forests_of_a_stored_run_are_those_of_its_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    sampler, _ = sampler_of(SET)
    with Store() as store:
        for repeats in (1, 3):
            settings = Settings(SET, ("indsvm", "treemt"), repeats, 10.0)
            compute_run(store, find_or_begin(store, settings, sampler, resume=False), sampler, jobs=1)
    found = repeated.stored(selected(SET), "treemt")
    assert list(found) == ["run 2"]  # the other has a single repeat
    names, forests = found["run 2"].names, found["run 2"].forests
    assert names == catalogue.load(SET).names
    assert len(forests) == 3
    for seed, forest in enumerate(forests):
        alone = learn(catalogue.load(SET, seed), "treemt", C=10.0, seed=seed)
        assert list(forest.items()) == [(task, alone.sources[task]) for task in alone.order]
    assert repeated.stored(selected("plane-unrelated"), "treemt") == {}
    assert repeated.stored(selected(SET), "seqmt") == {}
    assert repeated.stored(selected(SET, uploaded=True), "treemt") == {}
