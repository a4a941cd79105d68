"""The optional source, and what is said without its package."""

from __future__ import annotations

import numpy as np
import pytest

from core import learn
from core.errors import CurriculabError
from data.sources import sensors
from data.sources.catalogue import find

pytest.importorskip("seglearn")


def test_the_watch_has_a_task_per_person_and_side():
    task_set = find("watch").sample(0)
    assert len(task_set) == 20
    assert task_set.groups["person 3 left"] == "left arm"
    X, keys = sensors.windows()
    assert np.allclose(X.std(axis=0), 1.0)
    late = {row.tobytes(): key[3] for row, key in zip(X, keys, strict=True)}
    for task in task_set.tasks:
        assert not any(late[row.tobytes()] for row in task.X)
        assert all(late[row.tobytes()] for row in task.X_test)


def test_people_learn_from_each_others_recordings():
    errors = {
        method: np.mean([learn(find("watch").sample(seed), method, C=100.0).mean_test_error for seed in range(3)])
        for method in ("seqmt", "indsvm")
    }
    assert errors["seqmt"] < errors["indsvm"] - 0.02


def test_without_the_extra_the_one_command_that_adds_it_is_told(monkeypatch):
    monkeypatch.setattr(sensors, "find_spec", lambda _: None)
    source = find("watch")
    assert not source.available
    assert source.missing.endswith("pip install 'curriculab[datasets]'")
    with pytest.raises(CurriculabError, match=r"watch: the package .* is not there"):
        source.sample(0)
