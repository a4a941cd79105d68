"""Which runs are the same: any one setting, any one value of the data, its owner or a version makes another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from core.experiments.experiment import Settings
from data.runs import store
from data.runs.computation import compute_run, find_or_begin, finished_twin
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.data.runhelp import settings_for, write_tasks

METHODS = ("indsvm", "seqmt", "best")
CHANGES: dict[str, Any] = {
    "methods": ("indsvm", "seqmt", "best", "worst"),
    "repeats": 2,
    "C": 1.0,
    "normalize": "none",
    "bias": False,
    "seed": 1,
    "delta": 0.1,
    "solver": "kernel",
    "limit": 3,
    "measure": "balanced",
}
"""Each setting but the source, and another value of it."""
DATA: dict[str, Callable[[str], str]] = {
    "a training point": lambda text: first_number(text, "train"),
    "a test point": lambda text: first_number(text, "test"),
    "a label": lambda text: text.replace("t1,1,train", "t1,-1,train", 1),
    "a task's name": lambda text: text.replace("t2,", "t3,"),
    "a row less": lambda text: text.rstrip().rpartition("\n")[0] + "\n",
}
"""What is changed in the file."""


def first_number(text: str, part: str) -> str:
    lines = text.splitlines()
    at = next(k for k, line in enumerate(lines) if f",{part}," in line)
    return "\n".join([*lines[:at], f"{lines[at]}1", *lines[at + 1 :]]) + "\n"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    return write_tasks(tmp_path / "three.csv")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A store with one finished run of one repeat, and its file."""
    home = tmp_path_factory.mktemp("whole")
    tasks = write_tasks(home / "three.csv")
    with Store(home) as kept:
        sampler = open_source(str(tasks))
        compute_run(kept, find_or_begin(kept, settings_for(tasks, 1, METHODS), sampler, resume=False), sampler, jobs=1)
    return home, tasks


def test_every_setting_is_tried() -> None:
    assert {field.name for field in fields(Settings)} == {"source", *CHANGES}


@pytest.mark.parametrize("name", CHANGES)
def test_another_setting_is_another_run(name: str, tasks: Path, tmp_path: Path, whole: tuple[Path, Path]) -> None:
    sampler = open_source(str(tasks))
    settings = settings_for(tasks, 1, METHODS)
    other = replace(settings, **{name: CHANGES[name]})
    with Store(tmp_path / "home") as kept:
        run = find_or_begin(kept, settings, sampler, resume=True)
        assert find_or_begin(kept, settings, sampler, resume=True).id == run.id
        assert find_or_begin(kept, other, sampler, resume=True).id != run.id
        assert find_or_begin(kept, settings, sampler, resume=True).id == run.id
    home, file = whole
    sampler = open_source(str(file))
    settings = settings_for(file, 1, METHODS)
    with Store(home) as kept:
        assert finished_twin(kept, settings, sampler) is not None
        assert finished_twin(kept, replace(settings, **{name: CHANGES[name]}), sampler) is None


@pytest.mark.parametrize("what", DATA)
def test_other_data_under_the_same_name_is_another_run(what: str, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    settings = settings_for(tasks, 1, ("indsvm",))
    with Store(tmp_path / "home") as kept:
        sampler = open_source(str(tasks))
        begun = find_or_begin(kept, settings, sampler, resume=True)
        done = compute_run(kept, find_or_begin(kept, settings, sampler, resume=False), sampler, jobs=1)
        text = tasks.read_text()
        tasks.write_text(DATA[what](text))
        assert tasks.read_text() != text
        changed = open_source(str(tasks))
        assert finished_twin(kept, settings, changed) is None
        assert find_or_begin(kept, settings, changed, resume=True).id not in (begun.id, done.id)
        tasks.write_text(text)
        again = open_source(str(tasks))
        found = finished_twin(kept, settings, again)
        assert found is not None
        assert found.id == done.id
        assert find_or_begin(kept, settings, again, resume=True).id == begun.id


def test_methods_in_another_order_are_the_same_run(whole: tuple[Path, Path], tmp_path: Path) -> None:
    home, file = whole
    settings = settings_for(file, 1, METHODS[::-1])
    sampler = open_source(str(file))
    with Store(home) as kept:
        assert finished_twin(kept, settings, sampler) is not None
    with Store(tmp_path) as kept:
        run = find_or_begin(kept, settings_for(file, 1, METHODS), sampler, resume=True)
        assert find_or_begin(kept, settings, sampler, resume=True).id == run.id


def test_an_unfinished_run_is_no_twin_and_a_finished_one_is_not_gone_on_with(tasks: Path, tmp_path: Path) -> None:
    settings = settings_for(tasks, 1, ("indsvm",))
    sampler = open_source(str(tasks))
    with Store(tmp_path / "home") as kept:
        run = find_or_begin(kept, settings, sampler, resume=True)
        assert finished_twin(kept, settings, sampler) is None
        compute_run(kept, run, sampler, jobs=1)
        assert finished_twin(kept, settings, sampler) is not None
        assert find_or_begin(kept, settings, sampler, resume=True).id != run.id


def test_another_owner_goes_on_with_a_run_of_their_own(tasks: Path, tmp_path: Path) -> None:
    sampler = open_source(str(tasks))
    settings = settings_for(tasks, 1, ("indsvm",))
    with Store(tmp_path / "home") as kept:
        ids = [find_or_begin(kept, settings, sampler, resume=True, owner=one).id for one in ("", "a", "b", "a", "")]
    assert ids == [1, 2, 3, 2, 1]


def test_other_versions_make_another_run(
    whole: tuple[Path, Path], tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, file = whole
    sampler = open_source(str(file))
    settings = settings_for(file, 1, METHODS)
    with Store(home) as kept, Store(tmp_path / "home") as other:
        begun = find_or_begin(other, settings, sampler, resume=True)
        present = store.present_versions()
        monkeypatch.setattr(store, "present_versions", lambda: present | {"numpy": "99"})
        assert finished_twin(kept, settings, sampler) is None
        assert find_or_begin(other, settings, sampler, resume=True).id != begun.id
