"""Runs on a real Dask cluster of two worker processes, one of which is killed half-way."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import CurriculabError, SettingsError
from data.runs.computation import compute_run, find_or_begin
from data.runs.store import Run, Store
from data.sources.catalogue import find, open_source
from data.sources.file import FileSource
from data.sources.source import SentSample
from tests.data.runhelp import METHODS, finished_run, settings_for, untimed_rows, write_tasks

distributed = pytest.importorskip("distributed")
# The cluster's own sockets and loops may outlive a killed worker for a moment; that is not what is tested here.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.slow,
]


@pytest.fixture
def cluster() -> Iterator[Any]:
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as started,
    ):
        yield started


def test_a_run_on_a_cluster_survives_a_killed_worker_and_equals_the_local_one(cluster: Any, tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    sampler = open_source(str(tasks))
    victims = [worker.pid for worker in cluster.workers.values()]
    assert len(victims) == 2
    killed = []

    def kill_half_way(run: Run, left: float | None) -> None:
        if run.done_in_all == run.total // 2 and not killed:
            killed.append(victims[0])
            os.kill(victims[0], signal.SIGKILL)

    with Store(tmp_path / "cluster") as store:
        run = find_or_begin(store, settings_for(tasks, 4), sampler, resume=False)
        finished = compute_run(store, run, sampler, scheduler=cluster.scheduler_address, watch=kill_half_way)
        assert finished.finished
        assert finished.done_in_all == finished.total
        far = untimed_rows(store.results(finished))
    assert killed
    with Store(tmp_path / "local") as store:
        assert untimed_rows(store.results(finished_run(store, tasks, 4, METHODS))) == far


def test_only_what_other_machines_may_lack_is_sent_along(tmp_path: Path) -> None:
    built_in = find("digits-levels:8")
    assert built_in.portable(3) is built_in
    file = open_source(str(write_tasks(tmp_path / "three.csv")))
    assert isinstance(file, FileSource)
    assert file.portable(3) is file
    sent = replace(built_in, kind="local").portable(3)
    assert isinstance(sent, SentSample)
    assert sent.sample(99).digest == built_in.sample(3).digest
    with pytest.raises(CurriculabError, match="no local copy"):
        find("awa:seal").portable(3)


def test_a_cluster_without_workers_is_told_in_a_sentence(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    sampler = open_source(str(tasks))
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=logging.CRITICAL) as empty,
        Store(tmp_path / "home") as store,
    ):
        run = find_or_begin(store, settings_for(tasks), sampler, resume=False)
        with pytest.raises(SettingsError, match="no workers"):
            compute_run(store, run, sampler, scheduler=empty.scheduler_address)
        assert store.run(run.id).done_in_all == 0
