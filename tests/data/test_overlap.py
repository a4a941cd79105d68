"""A run knows whether its repeats are fresh draws or split the same rows anew, however old it is."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from core.errors import CurriculabError
from core.experiments.experiment import Settings
from data.runs.bundle import example, import_bundle, write_bundle
from data.runs.computation import compute_run, find_or_begin
from data.runs.schema import FILE, connect
from data.runs.store import Run, Store
from data.sources.catalogue import find, open_source
from data.sources.source import FRESH
from tests.data.runhelp import finished_run, write_tasks


def fresh_run(store: Store) -> Run:
    sampler = open_source("plane-unrelated?train=4&test=2")
    source = sampler.full_name
    begun = find_or_begin(store, Settings(source, ("indsvm",), 2, 10.0), sampler, resume=False)
    return compute_run(store, begun, sampler, jobs=1)


def forget(folder: Path) -> None:
    """Make the runs of a store as they were stored before they recorded it."""
    connection = connect(folder)
    for run, about in connection.execute("SELECT id, about FROM runs").fetchall():
        old = {name: value for name, value in json.loads(about).items() if name != "overlap"}
        connection.execute("UPDATE runs SET about = ? WHERE id = ?", (json.dumps(old), run))
    connection.commit()
    connection.close()
    assert (folder / FILE).exists()


def test_a_run_records_test_points_over_training_points(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        pooled = finished_run(store, write_tasks(tmp_path / "half.csv"), 2, ("indsvm", "seqmt"))
        held = finished_run(store, write_tasks(tmp_path / "held.csv", test=False), 2, ("indsvm",))
        fresh = fresh_run(store)
        assert (pooled.overlap, held.overlap, fresh.overlap) == (
            1.0,
            6 / 12,
            None,
        )  # of 18 points, 3 of each 9 held out
        assert store.results(pooled).overlap == 1.0
        assert store.results(pooled).paired("indsvm", "seqmt").overlap == 1.0
        assert store.results(fresh).overlap is None
        assert pooled.as_dict()["overlap"] == 1.0


def test_a_run_that_was_stored_before_is_told_by_its_sentence(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        finished_run(store, write_tasks(tmp_path / "half.csv"), 2, ("indsvm",))
        fresh_run(store)
    forget(tmp_path)
    with Store(tmp_path) as store:
        assert [run.overlap for run in store.runs()] == [None, 3 / 7]
        assert store.results(store.run(1)).overlap == 3 / 7
    assert find("digits-levels").sentence == FRESH


def test_the_example_drew_anew() -> None:
    run, results = example()
    assert run.overlap is None
    assert results.overlap is None


def bundle(folder: Path, **changes: Any) -> Path:
    """The bundle of a run that split the same rows anew, its head changed; "gone" takes a part away."""
    with Store(folder / "from") as store:
        run = finished_run(store, write_tasks(folder / "half.csv"), 2, ("indsvm",))
        write_bundle(run, store.results(run), folder / "run.zip")
    with zipfile.ZipFile(folder / "run.zip") as archive:
        head, lines = json.loads(archive.read("run.json")), archive.read("outcomes.jsonl")
    with zipfile.ZipFile(folder / "run.zip", "w") as archive:
        head = {name: value for name, value in (head | changes).items() if value != "gone"}
        archive.writestr("run.json", json.dumps(head))
        archive.writestr("outcomes.jsonl", lines)
    return folder / "run.zip"


@pytest.mark.parametrize(("changes", "overlap"), [({}, 1.0), ({"overlap": "gone"}, 3 / 7), ({"overlap": None}, None)])
def test_a_bundle_brings_it_along_and_an_old_one_opens(
    tmp_path: Path, changes: dict[str, Any], overlap: float | None
) -> None:
    with Store(tmp_path / "to") as store:
        assert import_bundle(store, bundle(tmp_path, **changes)).overlap == overlap


@pytest.mark.parametrize("overlap", [0, -1, "0.4", True, 1e9])
def test_an_overlap_that_cannot_be_is_refused(tmp_path: Path, overlap: object) -> None:
    with Store(tmp_path / "to") as store, pytest.raises(CurriculabError, match="no bundle of a run"):
        import_bundle(store, bundle(tmp_path, overlap=overlap))
