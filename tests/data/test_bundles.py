"""Bundles from strangers: what is wrong with one is told in a sentence, and nothing of it stays."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import Settings
from data.runs.bundle import MOST_LINE_BYTES, import_bundle, write_bundle
from data.runs.computation import compute_in_turn, compute_run, find_or_begin
from data.runs.outcomes import outcome_from
from data.runs.run import plain_source
from data.runs.schema import StoreBusyError, retry_while_busy
from data.runs.store import Run, Store
from data.sources.catalogue import open_source
from tests.data.runhelp import curriculab, finished_run, write_tasks

Head = dict[str, Any]
SOURCE = "plane-unrelated"
TASKS: list[str] = []


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Head, list[Head]]:
    """The two parts of a good bundle: a run of a built-in set, two repeats of IndSVM and all orders."""
    folder = tmp_path_factory.mktemp("made")
    with Store(folder) as store:
        sampler = open_source("plane-unrelated?train=4&test=2")
        source = sampler.full_name
        begun = find_or_begin(store, Settings(source, ("indsvm", "best"), 2, 10.0), sampler, resume=False)
        run = compute_run(store, begun, sampler, jobs=1)
        write_bundle(run, store.results(run), folder / "run.zip")
    with zipfile.ZipFile(folder / "run.zip") as archive:
        lines = [json.loads(line) for line in archive.read("outcomes.jsonl").decode().splitlines()]
        TASKS[:] = first(lines, "indsvm")["order"]
        return json.loads(archive.read("run.json")), lines


def pack(path: Path, head: object, lines: object) -> Path:
    text = lines if isinstance(lines, str | bytes) else "".join(json.dumps(line) + "\n" for line in lines)  # type: ignore[attr-defined]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("run.json", head if isinstance(head, str | bytes) else json.dumps(head))
        archive.writestr("outcomes.jsonl", text)
    return path


def changed(parts: tuple[Head, list[Head]], change: Callable[[Head, list[Head]], object]) -> tuple[Head, list[Head]]:
    head, lines = json.loads(json.dumps(parts))
    change(head, lines)
    return head, lines


def first(lines: list[Head], method: str) -> Head:
    return next(line for line in lines if line["method"] == method)


HARMS: dict[str, Callable[[Head, list[Head]], object]] = {
    "source null": lambda head, lines: head["settings"].update(source=None),
    "source a list": lambda head, lines: head["settings"].update(source=["a"]),
    "source half a character": lambda head, lines: head["settings"].update(source="a\ud800b"),
    "source too long": lambda head, lines: head["settings"].update(source="a" * 20_000),
    "unknown setting": lambda head, lines: head["settings"].update(shell="rm"),
    "no repeats": lambda head, lines: head["settings"].update(repeats=0),
    "bias a text": lambda head, lines: head["settings"].update(bias="yes"),
    "methods a text": lambda head, lines: head["settings"].update(methods="indsvm"),
    "C a table": lambda head, lines: head["settings"].update(C={}),
    "solver a table": lambda head, lines: head["settings"].update(solver={}),
    "orders without end": lambda head, lines: head["settings"].update(limit=10**9),
    "settings a list": lambda head, lines: head.update(settings=[]),
    "begun Markdown": lambda head, lines: head.update(begun="![x](https://e.org/x)"),
    "begun missing": lambda head, lines: head.pop("begun"),
    "finished a number": lambda head, lines: head.update(finished=1),
    "versions a text": lambda head, lines: head.update(versions="1"),
    "version Markdown": lambda head, lines: head.update(versions={"numpy": "![x](https://e.org/x)"}),
    "split half a character": lambda head, lines: head.update(split="\udc00"),
    "split long": lambda head, lines: head.update(split="x" * 1001),
    "digest a path": lambda head, lines: head.update(digest="../../x"),
    "uid a path": lambda head, lines: head.update(uid="../x"),
    "another format": lambda head, lines: head.update(format="curriculab run 99"),
    "a repeat too many": lambda head, lines: lines.append(lines[0] | {"repeat": 2}),
    "a repeat twice": lambda head, lines: lines.append(lines[0]),
    "an outcome missing": lambda head, lines: lines.pop(),
    "a negative repeat": lambda head, lines: lines[0].update(repeat=-1),
    "another method": lambda head, lines: lines[0].update(method="seqmt"),
    "an error above 1": lambda head, lines: lines[0]["test_error"].update({next(iter(lines[0]["test_error"])): 1.5}),
    "other tasks": lambda head, lines: lines[0].update(
        json.loads(json.dumps(lines[0]).replace(next(iter(lines[0]["test_error"])), "another"))
    ),
    "a task of half a character": lambda head, lines: lines[0].update(
        json.loads(json.dumps(lines[0]).replace(next(iter(lines[0]["test_error"])), "\\ud800"))
    ),
    "a task its own source": lambda head, lines: first(lines, "indsvm")["sources"].update({TASKS[0]: TASKS[0]}),
    "sources in a circle": lambda head, lines: first(lines, "indsvm")["sources"].update(
        {TASKS[0]: TASKS[1], TASKS[1]: TASKS[0]}
    ),
    "a source that comes later": lambda head, lines: first(lines, "best")["sources"].update(
        {first(lines, "best")["order"][0]: first(lines, "best")["order"][1]}
    ),
    "no order": lambda head, lines: first(lines, "best").update(order=[]),
    "a time beyond all sums": lambda head, lines: lines[0].update(seconds=1e308),
    "a time before it began": lambda head, lines: lines[0].update(seconds=-5),
    "a C beyond all sums": lambda head, lines: first(lines, "best")["chosen_C"].update({TASKS[0]: 1e308}),
    "a C below 0": lambda head, lines: first(lines, "best")["chosen_C"].update({TASKS[0]: -1}),
    "a bound beyond all sums": lambda head, lines: first(lines, "best")["bound"].update(value=1e308),
    "a bound without its value": lambda head, lines: first(lines, "best").update(bound={"error": 1}),
    "bounds beyond all sums": lambda head, lines: first(lines, "orders")["bounds"].__setitem__(0, -1e308),
    "fewer orders in one repeat": lambda head, lines: [
        first(lines, "orders").update({part: first(lines, "orders")[part][:1]})
        for part in ("orders", "test_errors", "bounds")
    ],
    "other orders in one repeat": lambda head, lines: first(lines, "orders")["orders"].reverse(),
    "other names in one repeat": lambda head, lines: first(lines, "orders")["names"].reverse(),
}  # fmt: skip


def test_a_run_that_cannot_be_shown_is_refused(parts: tuple[Head, list[Head]], tmp_path: Path) -> None:
    def show(run: Run, results: object) -> None:
        raise KeyError(run.settings.source)

    with Store(tmp_path / "home") as store:
        with pytest.raises(CurriculabError, match=r"run\.zip is damaged: its outcomes contradict each other"):
            import_bundle(store, pack(tmp_path / "run.zip", *parts), show=show)
        assert store.runs() == ()


@pytest.mark.parametrize("harm", HARMS)
def test_a_field_of_another_kind_is_refused_and_nothing_stays(
    harm: str, parts: tuple[Head, list[Head]], tmp_path: Path
) -> None:
    bundle = pack(tmp_path / "run.zip", *changed(parts, HARMS[harm]))
    with Store(tmp_path / "home") as store:
        with pytest.raises(CurriculabError) as refusal:
            import_bundle(store, bundle)
        assert store.runs() == ()
    assert len(str(refusal.value)) < 400
    assert str(tmp_path) not in str(refusal.value)


@pytest.mark.parametrize(
    "contents", ["no bundle", "truncated", "no JSON", "no UTF-8", "deep", "a long line", "many lines"]
)
def test_a_file_that_is_no_bundle_is_told_in_a_sentence(
    contents: str, parts: tuple[Head, list[Head]], tmp_path: Path
) -> None:
    head, lines = parts
    bundle = pack(tmp_path / "run.zip", head, lines)
    if contents == "no bundle":
        bundle.write_text("no bundle")
    elif contents == "truncated":
        bundle.write_bytes(bundle.read_bytes()[:200])
    else:
        bad = {
            "no JSON": ("{", ""),
            "no UTF-8": (json.dumps(head), b"\xff\xfe"),
            "deep": ("[" * 50_000, ""),
            "a long line": (json.dumps(head), "[" * (MOST_LINE_BYTES + 1)),
            "many lines": (json.dumps(head), (json.dumps(lines[0]) + "\n") * 50),
        }
        pack(bundle, *bad[contents])
    with Store(tmp_path / "home") as store:
        with pytest.raises(CurriculabError, match=r"run\.zip"):
            import_bundle(store, bundle)
        assert store.runs() == ()


def test_a_bomb_is_refused_before_it_is_unpacked(parts: tuple[Head, list[Head]], tmp_path: Path) -> None:
    bundle = pack(tmp_path / "run.zip", parts[0], b" " * (100 * 2**20))
    assert bundle.stat().st_size < 200_000
    tracemalloc.start()
    try:
        with Store(tmp_path / "home") as store, pytest.raises(CurriculabError, match="unpacks to 100 MB"):
            import_bundle(store, bundle)
        assert tracemalloc.get_traced_memory()[1] < 10 * 2**20
    finally:
        tracemalloc.stop()


def test_a_server_may_take_smaller_bundles_only(parts: tuple[Head, list[Head]], tmp_path: Path) -> None:
    bundle = pack(tmp_path / "run.zip", *parts)
    with Store(tmp_path / "home") as store:
        with pytest.raises(CurriculabError, match="the most that is imported here is 0 MB"):
            import_bundle(store, bundle, most_bytes=1000)
        assert store.runs() == ()


def test_the_store_is_free_while_a_bundle_is_read(
    parts: tuple[Head, list[Head]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever computes a run can keep what is finished while a stranger's import is read and checked."""
    from data.runs import bundle as reading

    read: list[str] = []
    with Store(tmp_path / "home") as store, Store(tmp_path / "home") as other:
        mine = other.begin(Settings(SOURCE, ("indsvm",), 1), "", "0" * 64)

        def and_write(line: str) -> object:
            read.append(line)
            other._connection.execute("PRAGMA busy_timeout = 0")
            other.stop(mine.id, f"{len(read)} lines")
            return outcome_from(line)

        monkeypatch.setattr(reading, "outcome_from", and_write)
        run = import_bundle(store, pack(tmp_path / "run.zip", *parts))
        assert run.done_in_all == run.total == len(read)
        assert store.run(mine.id).stopped == f"{len(read)} lines"


def test_a_computation_waits_for_a_busy_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.runs.schema.WAIT_SECONDS", 0.05)
    tasks = write_tasks(tmp_path / "three.csv")
    with Store(tmp_path / "home") as store, Store(tmp_path / "home") as other:
        sampler = open_source(str(tasks))
        source = sampler.full_name
        run = find_or_begin(store, Settings(source, ("indsvm",), 2, 10.0), sampler, resume=False)
        other._connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError):
            store.stop(run.id, "")
        refused: list[None] = []

        def slowly(write: Callable[[], None]) -> None:
            def tried() -> None:
                try:
                    write()
                except StoreBusyError:
                    refused.append(None)
                    if len(refused) == 2:
                        other._connection.execute("ROLLBACK")
                    raise

            retry_while_busy(tried)

        monkeypatch.setattr("data.runs.computation.retry_while_busy", slowly)
        assert compute_run(store, run, sampler, jobs=1).finished
        assert len(refused) == 2


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("/etc/passwd", "passwd"),
        ("C:\\secret\\tasks.csv", "tasks.csv"),
        ("attributes:/home/someone/shoes.npz", "attributes:shoes.npz"),
        ("digits-levels:8?noise=0.2", "digits-levels:8?noise=0.2"),
        ("../../x", "x"),
    ],
)
def test_a_source_loses_its_folders(source: str, plain: str) -> None:
    assert plain_source(source) == plain


def test_an_imported_run_is_looked_at_only(parts: tuple[Head, list[Head]], tmp_path: Path) -> None:
    """Neither Resume nor an equal Start reads its source or takes over its outcomes."""
    secret = tmp_path / "secret.csv"
    secret.write_text("root:x:0:0\n")

    def steal(head: Head, lines: list[Head]) -> None:
        head.update(finished=None)
        head["settings"]["source"] = str(secret)

    stolen = pack(tmp_path / "stolen.zip", *changed(parts, steal))

    def falsify(head: Head, lines: list[Head]) -> None:
        head.update(finished=None, uid="f" * 32)
        lines.pop()

    false = pack(tmp_path / "false.zip", *changed(parts, falsify))
    home = tmp_path / "home"
    with Store(home) as store:
        first, second = import_bundle(store, stolen), import_bundle(store, false)
        assert first.settings.source == "secret.csv"
        sampler = open_source(parts[0]["settings"]["source"])
        for run in (first, second):
            with pytest.raises(SettingsError, match="was imported"):
                compute_run(store, run, sampler, jobs=1)
        assert find_or_begin(store, second.settings, sampler, resume=True).id not in (first.id, second.id)
        with pytest.raises(SettingsError, match="was imported"):
            compute_in_turn(store, first.id)


def test_a_damaged_row_hides_no_other_run_and_can_be_deleted(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv")
    with Store(tmp_path / "home") as store:
        runs = [finished_run(store, tasks, 1, ("indsvm",)) for _ in range(8)]
        for run, harm in zip(
            runs[1:],
            (
                "settings = '{'",
                "settings = json_set(settings, '$.source', NULL)",
                "begun = '![x](https://e.org)'",
                'about = \'{"split": "\\ud800", "versions": {}}\'',
                "digest = NULL || ''",
                "begun = '9999-12-31T23:59:59-14:00'",
                f"settings = json_set(settings, '$.C', json('{10**400}'))",
            ),
            strict=True,
        ):
            store._connection.execute("PRAGMA ignore_check_constraints = 1")
            store._connection.execute(f"UPDATE runs SET {harm.replace('NULL ||', 'hex(1) ||')} WHERE id = {run.id}")
        assert store.runs() == (runs[0],)
        assert set(store.unreadable()) == {run.id for run in runs[1:]}
        with pytest.raises(CurriculabError, match="is damaged"):
            store.run(runs[1].id)
        for run in runs[2:]:
            store.delete(run.id)
    listed = curriculab(tmp_path / "home", "runs", "list")
    assert f"run {runs[1].id} is damaged" in listed.stderr
    assert listed.stdout.splitlines()[1].split()[0] == str(runs[0].id)
    assert curriculab(tmp_path / "home", "runs", "delete", runs[1].id, "--yes").returncode == 0
    with Store(tmp_path / "home") as store:
        assert store.unreadable() == ()
        assert [run.id for run in store.runs()] == [runs[0].id]
    assert isinstance(runs[0], Run)


def test_damaged_pieces_end_no_list_and_no_results(tmp_path: Path) -> None:
    with Store(tmp_path / "home") as store:
        run = finished_run(store, write_tasks(tmp_path / "three.csv"), 2, ("indsvm",))
        store._connection.execute("UPDATE pieces SET done = 'yesterday' WHERE repeat = 0")
        assert store.seconds_left(run) is None
        store._connection.execute("UPDATE pieces SET done = '2026-01-01' WHERE repeat = 0")
        assert store.seconds_left(run) is None
        foreign = "run, repeat, 'mt', done, seconds, replace(outcome, 'indsvm', 'random')"
        store._connection.execute(f"INSERT INTO pieces SELECT {foreign} FROM pieces")
        assert [outcome.method for outcome in store.results(run).outcomes] == ["indsvm"] * 2
