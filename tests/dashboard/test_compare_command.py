"""`compare`, `runs` and their contract: what is printed, exported and refused."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from core.curriculum import learn as learning
from dashboard.cli import main
from data.runs.store import Store
from data.sources.source import BuiltIn
from tests.data.runhelp import environment, write_tasks


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of tasks, with an empty store beside it."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    return write_tasks(tmp_path / "three.csv")


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Standard output of a command that succeeds."""
    assert main([str(word) for word in words]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


COMPARE = ("--methods", "INDSVM,SeqMt,multiseqmt,Best,worst", "--repeats", 3, "--C", 10, "--jobs", 1)


def test_compare_prints_the_tables_and_runs_shows_them_again(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = said(capsys, "compare", tasks, *COMPARE)
    for word in ("run 1:", "IndSVM", "SeqMT", "MultiSeqMT", "Best", "Worst", "(Holm)", "all 6 orders", "split anew"):
        assert word in printed
    assert said(capsys, "runs", "show", 1) == printed


def test_the_csv_has_the_columns_of_the_contract(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "compare", tasks, *COMPARE)
    text = said(capsys, "runs", "export", 1, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == ["repeat", "method", "task", "position", "source", "C", "error", "seconds"]
    assert len(rows) == 3 * 5 * 3
    assert {row["method"] for row in rows} == {"IndSVM", "SeqMT", "MultiSeqMT", "Best", "Worst"}
    assert {row["C"] for row in rows} == {"10.0"}
    means = {
        method: sum(float(row["error"]) for row in rows if row["method"] == method) / 9
        for method in ("Best", "SeqMT", "Worst")
    }
    assert means["Best"] <= means["Worst"]
    whole = json.loads(said(capsys, "runs", "export", 1, "--json", "-"))
    assert whole["summary"]["methods"]["SeqMT"]["mean_test_error"]["mean"] == pytest.approx(means["SeqMT"])


def test_runs_are_listed_newest_first_and_travel_as_bundles(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no runs yet" in said(capsys, "runs", "list")
    quick = ("--methods", "indsvm", "--repeats", 1, "--C", 1, "--jobs", 1)
    said(capsys, "compare", tasks, *quick)
    said(capsys, "compare", tasks, *quick, "--seed", 7)
    listed = json.loads(said(capsys, "runs", "list", "--json"))
    assert [run["id"] for run in listed] == [2, 1]
    assert listed[0]["settings"]["seed"] == 7
    assert listed[0]["state"] == "finished"
    assert said(capsys, "runs", "list").splitlines()[1].split()[0] == "2"
    shown = said(capsys, "runs", "show", 2)
    said(capsys, "runs", "export", 2, "--bundle", tmp_path / "run.zip")
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "other"))
    assert said(capsys, "runs", "import", tmp_path / "run.zip") == "Imported as run 1.\n"
    assert said(capsys, "runs", "show", 1) == shown.replace(f"run 2: {tasks}", "run 1: three.csv")


def test_resume_starts_a_run_and_goes_on_with_an_unfinished_one(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("compare", tasks, *COMPARE, "--resume")
    assert said(capsys, *words).startswith("run 1:")
    with Store() as store:
        store._connection.execute("UPDATE runs SET finished = NULL")
        store._connection.execute("DELETE FROM pieces WHERE repeat = 1")
    whole = said(capsys, *words)
    assert whole.startswith("run 1:")
    assert "finished" in whole.splitlines()[0]
    assert said(capsys, *words).startswith("run 2:")


def test_delete_asks_first(tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "compare", tasks, "--methods", "indsvm", "--repeats", 1, "--C", 1, "--jobs", 1)
    command = [sys.executable, "-m", "dashboard.cli", "runs", "delete", "1"]
    unasked = subprocess.run(
        command, env=environment(tmp_path / "home"), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert unasked.returncode == 2
    assert "--yes" in unasked.stderr
    terminal, theirs = pty.openpty()
    os.write(terminal, b"n\n")
    asked = subprocess.run(command, env=environment(tmp_path / "home"), stdin=theirs, capture_output=True, text=True)
    os.close(terminal)
    os.close(theirs)
    assert "for good? [y/N]" in asked.stdout
    assert "Nothing was deleted" in asked.stdout
    assert len(json.loads(said(capsys, "runs", "list", "--json"))) == 1
    said(capsys, "runs", "delete", 1, "--yes")
    assert json.loads(said(capsys, "runs", "list", "--json")) == []


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (["compare", "SET", "--repeats", "0"], "0 repeats"),
        (["compare", "SET", "--repeats", "many"], "--repeats"),
        (["compare", "SET", "--methods", "indsvm,alphabetical"], "alphabetical"),
        (["compare", "SET", "--methods", ","], "method"),
        (["compare", "SET", "--methods", "semantic"], "semantic"),
        (["compare", "SET", "--methods", "best", "--limit", "0"], "limit"),
        (["compare", "SET", "--jobs", "0"], "jobs"),
        (["compare", "SET", "--C", "-1"], "C"),
        (["compare", "SET", "--seed", "-1"], "seed"),
        (["compare", "no-such-set"], "no-such-set"),
        (["compare", "no-such-file.csv"], "no-such-file.csv"),
        (["compare", "TINY"], "cross-validation"),
        (["compare", "ALONE"], "at least two"),
        (["runs", "show", "9"], "no run 9"),
        (["runs", "show", "one"], "ID"),
        (["runs", "delete", "9", "--yes"], "no run 9"),
        (["runs", "export", "9", "--csv", "-"], "no run 9"),
        (["runs", "export", "9"], "--csv"),
        (["runs", "import", "no-such-file.zip"], "no-such-file.zip"),
        (["runs", "import", "SET"], "no bundle"),
        (["report", "9", "-o", "OUT"], "no run 9"),
        (["report", "SET"], "-o"),
        (["report", "SET", "-o", "no-such-folder/report.html"], "no-such-folder"),
    ],
)
def test_mistakes_are_one_line_before_anything_starts(
    words: list[str], about: str, tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny = tmp_path / "tiny.csv"
    tiny.write_text("task,label,x\n" + "".join(f"a,{y},{x}\n" for y, x in ((1, 1.0), (1, 2.0), (-1, -1.0), (-1, 0.0))))
    alone = tmp_path / "alone.csv"
    alone.write_text("task,label,x\na,1,1.0\na,-1,0.0\na,-1,0.5\n")
    places = {"SET": str(tasks), "TINY": str(tiny), "ALONE": str(alone), "OUT": str(tmp_path / "out.html")}
    assert main([places.get(word, word) for word in words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert about in captured.err
    if (tmp_path / "home").exists():
        with Store() as store:
            assert store.runs() == ()


def test_several_sets_are_a_run_each_and_resume_runs_none_again(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = write_tasks(tmp_path / "four.csv", tasks=4)
    printed = said(capsys, "compare", tasks, other, *COMPARE)
    heading, *rows = printed.splitlines()
    assert heading.split()[:4] == ["run", "task", "set", "best"]
    assert [row.split()[0] for row in rows] == ["1", "2"]
    with Store() as store:
        means = [store.results(store.run(k)).order_means for k in (1, 2)]
    assert [row.split()[2:5] for row in rows] == [
        [f"{100 * value:.2f}" for value in (orders.min(), orders.mean(), orders.max())] for orders in means
    ]
    third = write_tasks(tmp_path / "two.csv", tasks=2)
    again = said(capsys, "compare", tasks, other, third, *COMPARE, "--resume")
    assert again.splitlines()[1:3] == rows
    with Store() as store:
        assert len(store.runs()) == 3


def test_a_bad_set_among_several_is_refused_before_anything_runs(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(tasks), "no-such-set", "--C", "10"]) == 2
    assert "no-such-set" in capsys.readouterr().err
    with Store() as store:
        assert not store.runs()


def test_a_set_is_sampled_once_before_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for its checks, its digest and its run; and once by who computes its one repeat, which takes one pool."""
    seeds: list[int] = []
    pools: list[object] = []
    sample, pool = BuiltIn.sample, learning.Pool
    monkeypatch.setattr(BuiltIn, "sample", lambda self, seed: [seeds.append(seed), sample(self, seed)][1])
    monkeypatch.setattr(learning, "Pool", lambda *given, **how: [pools.append(given), pool(*given, **how)][1])
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    sets = ["plane-unrelated?train=4&test=2", "plane-equal?train=4&test=2"]
    how = ["--repeats", "1", "--methods", "IndSVM,SeqMT", "--seed", "5", "--jobs", "1", "--resume"]
    assert main(["compare", *sets, *how]) == 0
    assert seeds == [5] * 4
    assert len(pools) == 2


def test_without_resume_an_unfinished_run_is_left_as_it_is(tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("compare", tasks, "--methods", "indsvm,seqmt", "--repeats", 2, "--C", 10, "--jobs", 1)
    assert said(capsys, *words).startswith("run 1:")
    with Store() as store:
        store._connection.execute("UPDATE runs SET finished = NULL")
        store._connection.execute("DELETE FROM pieces WHERE repeat = 1")
    assert said(capsys, *words).startswith("run 2:")
    with Store() as store:
        assert [(run.id, bool(run.finished), run.done_in_all) for run in store.runs()] == [(2, True, 4), (1, False, 2)]
    assert said(capsys, *words, "--resume").startswith("run 1:")
    with Store() as store:
        assert [(run.id, bool(run.finished), run.done_in_all) for run in store.runs()] == [(2, True, 4), (1, True, 4)]
