"""The store of runs: what goes in comes out, and whatever is wrong with it is told in a sentence."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import Settings
from data.runs.bundle import import_bundle, write_bundle
from data.runs.computation import check_data, compute_run, find_or_begin
from data.runs.export import COLUMNS, run_json, run_rows
from data.runs.lock import computed_by, computing, lock_file
from data.runs.run import COLUMNS as COLUMNS_OF_RUNS
from data.runs.schema import FILE, MIGRATIONS, VERSION, StoreError
from data.runs.store import Store
from data.sources import catalogue
from data.sources.catalogue import open_source
from data.sources.file import FileSource
from tests.data.runhelp import METHODS, environment, finished_run, settings_for, untimed_rows, write_tasks


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tasks(tmp_path_factory.mktemp("tasks") / "three.csv")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, tasks: Path) -> Path:
    """The folder of a store with one finished run, to be looked at only."""
    folder = tmp_path_factory.mktemp("kept")
    with Store(folder) as store:
        finished_run(store, tasks)
    return folder


def test_a_run_records_what_its_figures_depend_on(kept: Path, tasks: Path) -> None:
    with Store(kept) as store:
        [run] = store.runs()
        results = store.results(run)
    sampler = open_source(str(tasks))
    source = sampler.full_name
    assert run.settings == settings_for(tasks)
    assert run.settings.source == source
    assert run.digest == catalogue.load(str(tasks)).digest == sampler.digest
    assert run.versions["numpy"]
    assert run.versions["curriculab"]
    assert "split anew" in run.split
    assert run.finished is not None
    assert run.done_in_all == run.total == 2 * (len(METHODS) + 1)
    assert results.methods == METHODS


def test_rows_are_those_of_the_contract(kept: Path) -> None:
    with Store(kept) as store:
        results = store.results(store.run(1))
    assert COLUMNS == ("repeat", "method", "task", "position", "source", "C", "error", "seconds")
    rows = run_rows(results)
    assert len(rows) == 2 * len(METHODS) * 3
    for repeat in range(2):
        mine = {row[2]: row for row in rows if row[:2] == (repeat, "SeqMT")}
        order = sorted(mine, key=lambda task: int(str(mine[task][3])))
        assert [mine[task][3] for task in order] == [1, 2, 3]
        assert [mine[task][4] for task in order] == ["", *order[:-1]]
    assert {row[3] for row in rows if row[1] == "MT"} == {""}


def test_json_is_strict_and_has_the_summary(kept: Path) -> None:
    with Store(kept) as store:
        run = store.run(1)
        results = store.results(run)
    whole = json.loads(run_json(run, results), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert whole["id"] == 1
    assert whole["summary"]["methods"]["SeqMT"]["mean_test_error"]["mean"] == results.average("seqmt").mean
    assert len(whole["orders"]["orders"]) == 6
    shares = whole["summary"]["subsequences"]["MultiSeqMT"]
    firsts = [outcome.order[0] for outcome in results.of("multiseqmt")]
    assert all(shares["starts"][task] >= firsts.count(task) / 2 for task in firsts)
    trees = sum(source is None for outcome in results.of("multiseqmt") for source in outcome.sources.values()) / 2
    assert sum(shares["starts"].values()) == pytest.approx(trees)
    assert sum(entry["share"] for entry in shares["transfers"]) == pytest.approx(3 - trees)
    assert whole["summary"]["methods"]["Best"]["mean_test_error"]["mean"] == pytest.approx(
        min(whole["orders"]["mean_test_error"])
    )


def test_every_repeat_splits_the_pooled_points_anew_and_keeps_the_sizes(tasks: Path) -> None:
    sampler = open_source(str(tasks))
    assert isinstance(sampler, FileSource)
    first, again, other = sampler.sample(3), sampler.sample(3), sampler.sample(4)
    assert first.digest == again.digest != other.digest
    for task, drawn in zip(sampler.task_set.tasks, other.tasks, strict=True):
        assert (drawn.y > 0).sum() == (task.y > 0).sum()
        assert drawn.n_test == task.n_test
        pooled = sorted([*task.X.tolist(), *task.X_test.tolist()])  # type: ignore[union-attr]
        assert sorted([*drawn.X.tolist(), *drawn.X_test.tolist()]) == pooled  # type: ignore[union-attr]


def test_a_file_without_test_data_is_split_as_stated(tmp_path: Path) -> None:
    sampler = open_source(str(write_tasks(tmp_path / "bare.csv", test=False)))
    assert "30 % of each class are held out" in sampler.sentence
    drawn = sampler.sample(0)
    assert [(task.n_points, task.n_test) for task in drawn.tasks] == [(12, 6)] * 3


def test_resuming_computes_only_what_is_missing_and_ends_the_same(kept: Path, tasks: Path, tmp_path: Path) -> None:
    sampler = open_source(str(tasks))
    with Store(kept) as store:
        whole = store.results(store.run(1))
    with Store(tmp_path) as store:
        run = find_or_begin(store, settings_for(tasks), sampler, resume=True)
        marked = replace(whole.outcomes[0], seconds=123.0)
        store.add(run.id, marked)
        store.add(run.id, whole.walks[1])
        same = find_or_begin(store, replace(settings_for(tasks), methods=METHODS[::-1]), sampler, resume=True)
        assert same.id == run.id
        finished = compute_run(store, same, sampler, jobs=1)
        assert marked in store.results(finished).outcomes
        assert untimed_rows(store.results(finished)) == untimed_rows(whole)
        assert find_or_begin(store, settings_for(tasks), sampler, resume=True).id == run.id + 1
        other = find_or_begin(store, replace(settings_for(tasks), seed=1), sampler, resume=True)
        assert other.id == run.id + 2


def test_other_versions_are_not_mixed_into_a_run(tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = open_source(str(tasks))
    with Store(tmp_path) as store:
        run = find_or_begin(store, settings_for(tasks), sampler, resume=True)
        assert find_or_begin(store, settings_for(tasks), sampler, resume=True).id == run.id
        monkeypatch.setattr("data.runs.store.present_versions", lambda: dict(run.versions) | {"numpy": "99"})
        assert find_or_begin(store, settings_for(tasks), sampler, resume=True).id != run.id


def test_changed_data_is_not_mixed_into_a_run(tasks: Path, tmp_path: Path) -> None:
    sampler = open_source(str(tasks))
    with Store(tmp_path / "home") as store:
        run = find_or_begin(store, settings_for(tasks), sampler, resume=True)
        changed = open_source(str(write_tasks(tmp_path / "other.csv", tasks=4)))
        with pytest.raises(SettingsError, match="changed since run 1"):
            check_data(run, changed)
        assert find_or_begin(store, settings_for(tasks), changed, resume=True).id != run.id


def test_a_run_is_deleted_with_its_pieces_and_its_id_is_not_used_again(tmp_path: Path, tasks: Path) -> None:
    with Store(tmp_path) as store:
        run = finished_run(store, tasks, 1, ("indsvm",))
        store.delete(run.id)
        assert store.runs() == ()
        assert store.finished_pieces(run.id) == set()
        with pytest.raises(StoreError, match="no run 1"):
            store.run(run.id)
        assert finished_run(store, tasks, 1, ("indsvm",)).id == run.id + 1


def test_a_bundle_is_the_same_run_in_another_store(kept: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "run.zip"
    with Store(kept) as store:
        run = store.run(1)
        results = store.results(run)
        write_bundle(run, results, bundle)
        with pytest.raises(CurriculabError, match="already as run 1"):
            import_bundle(store, bundle)
    with Store(tmp_path / "home") as store:
        imported = import_bundle(store, bundle)
        assert imported.imported
        assert replace(imported, id=run.id, imported=False, settings=run.settings) == run
        assert imported.settings == replace(run.settings, source="three.csv")
        assert store.results(imported).outcomes == results.outcomes
        assert store.results(imported).walks == results.walks


# The file


def test_a_store_of_the_first_version_is_brought_up_to_date_with_its_runs(kept: Path, tmp_path: Path) -> None:
    with Store(kept) as store:
        run = store.run(1)
        results = store.results(run)
    old = sqlite3.connect(tmp_path / FILE)
    old.executescript(MIGRATIONS[0] + "PRAGMA user_version = 1;")
    new = sqlite3.connect(kept / FILE)
    old.execute(
        "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)",
        new.execute("SELECT id, uid, begun, finished, settings, about, digest FROM runs").fetchone(),
    )
    old.executemany("INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?)", new.execute("SELECT * FROM pieces").fetchall())
    old.commit()
    old.close()
    new.close()
    with Store(tmp_path) as store:
        assert store.runs() == (run,)
        assert store.results(run).outcomes == results.outcomes
        store.stop(1, "a column of the second version")
    again = sqlite3.connect(tmp_path / FILE)
    assert again.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert again.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    again.close()


def test_a_store_of_a_newer_version_is_refused_untouched(tmp_path: Path) -> None:
    Store(tmp_path).close()
    newer = sqlite3.connect(tmp_path / FILE)
    newer.execute(f"PRAGMA user_version = {VERSION + 1}")
    newer.close()
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(StoreError, match="newer Curriculab"):
        Store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before


def test_other_files_are_not_taken_for_a_store(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"something else entirely, and long enough to be no empty file" * 20)
    with pytest.raises(StoreError, match="no store of runs"):
        Store(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    stranger = sqlite3.connect(other / FILE)
    stranger.execute("CREATE TABLE recipes (name TEXT)")
    stranger.close()
    with pytest.raises(StoreError, match="no store of runs"):
        Store(other)
    with pytest.raises(StoreError, match="cannot be used"):
        Store(tmp_path / FILE / "below a file")


WRITE = """
import sys
from pathlib import Path
from core.errors import CurriculabError
from data.runs.store import Store
from tests.data.runhelp import finished_run
try:
    with Store(Path(sys.argv[1])) as store:
        for _ in range(int(sys.argv[3])):
            finished_run(store, Path(sys.argv[2]), 2, ("indsvm", "random", "best"))
except CurriculabError as error:
    print(error)
    sys.exit(2)
"""


def writer(folder: Path, tasks: Path, runs: int = 1, **how: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITE, str(folder), str(tasks), str(runs)],
        env=environment(folder) | {"PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        text=True,
        **how,
    )  # type: ignore[call-overload,no-any-return]


def test_two_processes_on_one_new_store_both_keep_everything(tmp_path: Path, tasks: Path) -> None:
    both = [writer(tmp_path / "home", tasks, 2) for _ in range(2)]
    assert [process.communicate(timeout=120)[0] for process in both] == ["", ""]
    assert [process.returncode for process in both] == [0, 0]
    with Store(tmp_path / "home") as store:
        runs = store.runs()
        assert len(runs) == 4
        assert all(run.finished and run.done_in_all == run.total for run in runs)
        assert len({str(untimed_rows(store.results(run))) for run in runs}) == 1
    check = sqlite3.connect(tmp_path / "home" / FILE)
    assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check.close()


def test_a_folder_that_may_not_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    Store(folder).close()
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    code = (
        "import os, sys; from pathlib import Path; from data.runs.schema import StoreError, connect\n"
        "os.geteuid() or os.seteuid(65534)  # root may write anywhere, so it becomes somebody else\n"
        "try: connect(Path(sys.argv[1])).execute('BEGIN IMMEDIATE'); print('written')\n"
        "except StoreError as error: print(error)"
    )
    for above in tmp_path.parents:
        if "pytest" in str(above):
            above.chmod(0o755)
    tmp_path.chmod(0o755)
    probe = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        env=environment(folder) | {"PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "may not be written" in probe.stdout
    assert "CURRICULAB_HOME" in probe.stdout


def test_a_full_disk_is_told_in_a_sentence_and_keeps_what_was_finished(tmp_path: Path, tasks: Path) -> None:
    folder = tmp_path / "home"
    with Store(folder) as store:
        first = finished_run(store, tasks, 1, ("indsvm",))
        before = store.results(first).outcomes
    room = 60_000  # bytes a file may have: enough for some of the pieces
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))}
    process = writer(folder, tasks, 50, **limit)
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 2
    assert "full" in said
    assert len(said.splitlines()) == 1
    with Store(folder) as store:
        assert store.results(store.run(first.id)).outcomes == before
        cut = store.runs()[0]
        sampler = open_source(str(tasks))
        assert compute_run(store, cut, sampler, jobs=1).finished


def test_a_run_is_computed_by_one_process_at_a_time(tmp_path: Path, tasks: Path) -> None:
    sampler = open_source(str(tasks))
    with Store(tmp_path) as store:
        run = find_or_begin(store, settings_for(tasks), sampler, resume=False)
        assert computed_by(tmp_path, run.id) is None
        with computing(tmp_path, run.id):
            assert computed_by(tmp_path, run.id) == os.getpid()
            with pytest.raises(StoreError, match="is being computed"):
                compute_run(store, run, sampler, jobs=1)
        assert compute_run(store, run, sampler, jobs=1).finished


def test_looking_at_a_run_neither_refuses_its_computer_nor_is_taken_for_one(tmp_path: Path) -> None:
    lock_file(tmp_path, 1).write_text("1")
    with ThreadPoolExecutor(3) as pool:
        looks = [pool.submit(computed_by, tmp_path, 1) for _ in range(3000)]
        assert {look.result() for look in looks} == {None}
        looks = [pool.submit(computed_by, tmp_path, 1) for _ in range(3000)]
        for _ in range(300):
            with computing(tmp_path, 1):
                pass


def test_a_long_run_costs_little_to_list(tmp_path: Path, tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked at every other second: neither its pieces' names nor their outcomes are gone through."""
    with Store(tmp_path) as store:
        for methods in (("indsvm",), ("indsvm", "best"), ("best", "worst", "mt")):
            run = store.begin(settings_for(tasks, 7, methods), "", "0" * 64)
            assert run.total == len(run.settings.pieces)
        monkeypatch.setattr(Settings, "pieces", property(lambda self: pytest.fail("all pieces were named")))
        assert [run.total for run in store.runs()] == [28, 21, 7]
        plan = store._connection.execute(f"EXPLAIN QUERY PLAN SELECT {COLUMNS_OF_RUNS} FROM runs").fetchall()
        assert any("COVERING INDEX pieces_by_method (run=?)" in step[-1] for step in plan)
