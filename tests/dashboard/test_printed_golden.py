"""What every command prints, word for word, and what its options are (tests/golden)."""

from __future__ import annotations

import argparse
import itertools
import re
import shlex
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.experiments import experiment
from dashboard.cli import main, parser
from dashboard.commands import serve
from tests.data.runhelp import write_tasks
from tests.golden import json_on_fewer_lines, same

TABLE = """place,age,weight,colour,ill
north,31,60.5,red,yes
north,44,,blue,no
north,52,80,red,yes
north,23,55,red,no
south,61,90,blue,yes
south,35,71,blue,no
south,29,64,red,no
south,70,88,blue,yes
"""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with two task sets and a table, an empty store, and a clock that ticks a quarter of a second.

    Its name is short, as long ones are cut in tables.
    """
    with tempfile.TemporaryDirectory() as name:
        place = Path(name).resolve()
        monkeypatch.chdir(place)
        monkeypatch.setenv("CURRICULAB_HOME", str(place / "home"))
        monkeypatch.setenv("CURRICULAB_DATA", "local-copies")
        fill(place, monkeypatch)
        yield place
        monkeypatch.undo()


def fill(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count(step=0.25)
    monkeypatch.setattr(experiment, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    write_tasks(place / "three.csv")
    write_tasks(place / "bare.csv", test=False, tasks=2)
    (place / "table.csv").write_text(TABLE)
    (place / "bad.csv").write_text("task,label,x\na,1,0.5\na,1,0.7\n")


def transcript(capsys: pytest.CaptureFixture[str], here: Path, *commands: str) -> str:
    """Each command with its exit code where it is not 0, and all that it printed."""
    said = []
    for command in commands:
        code = main(shlex.split(command))
        printed = capsys.readouterr()
        said += [f"$ curriculab {command}" + (f"   # {code}" if code else ""), printed.out + printed.err]
    whole = "\n".join(said).replace(str(here), "HERE").replace("\r", "\\r")
    whole = re.sub(r"\b\d+(\.\d+)?e-(1|2|3)\d\b", "tiny", whole)  # gaps, which end in the last bits
    whole = re.sub(r"\d+\.\d{7,}(e-\d+)?", lambda found: f"{float(found[0]):.6g}", whole)
    return json_on_fewer_lines(re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d[.\d]*(\+00:00)?)?", "DATE", whole))


def test_learn_and_orders(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = transcript(
        capsys,
        here,
        "learn three.csv --C 10 --delta 0.1 --seed 4",
        "learn three.csv --method treemt --normalize none --no-bias",
        "learn bare.csv --method MT --C each --solver kernel",
        "learn three.csv --method order --order 't2, t0,t1' --C 100 --solver piqp",
        """learn three.csv --C 10 --choices '[["t2", null], ["t0", "t2"]]' --json -""",
        "learn table.csv --recipe groups --task place --label ill=yes --least 1 --C 1",
        "orders three.csv --C 10 --delta 0.2",
        "orders three.csv --own-C --limit 4 --seed 3",
        "orders bare.csv --C 1",
        "orders three.csv --C 10 --csv -",
        "orders bare.csv --csv - --own-C",
        "orders three.csv --C 10 --best",
        "orders three.csv --best --beam 1 --method multiseqmt --normalize none --no-bias --seed 2",
        "orders bare.csv --best --method treemt --C 3 --delta 0.3",
    )
    same("learn", said)


def test_compare_and_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    methods = "--methods indsvm,SEQMT,best,worst --jobs 1"
    made = "table.csv --recipe groups --task place --label ill --drop colour --least 1 --jobs 1"
    settings = "--normalize none --no-bias --solver kernel --delta 0.2 --jobs 1"
    said = transcript(
        capsys,
        here,
        "runs list",
        f"compare three.csv {methods} --repeats 3 --C 10 --seed 5",
        f"compare three.csv {methods} --repeats 3 --C 10 --seed 5 --resume",
        f"compare bare.csv --methods mt --repeats 1 --C 1 {settings}",
        f"compare three.csv bare.csv {methods} --repeats 2 --C 10 --resume --limit 3",
        f"compare {made} --C 1 --methods semantic --repeats 1",
        f"compare {made} --C 1 --methods seqmt --repeats 1 --missing mean",
        "runs list",
        "runs list --json",
        "runs show 2",
        "runs show 9",
        "runs export 1",
        "runs export 1 --csv -",
        "runs export 2 --json -",
        "runs export 1 --bundle run.zip",
        "runs import run.zip",
        "runs delete 2",
        "runs delete 2 --yes",
        "report 1 -o .",
        "report three.csv --C 10 -o report.html",
        "report 1 -o run.html",
    )
    said = re.sub(r" {3,}(?=\S)", "   ", re.sub(r"(task set|HERE\S+) {2,}", r"\1  ", said))
    said = re.sub(r'"(digest|versions|fingerprint|key)": ("[^"]*"|\{[^}]*\})', r'"\1": …', said)
    same("runs", said)


def test_sets_check_make_and_export(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = transcript(
        capsys,
        here,
        "sets",
        "check three.csv",
        "check table.csv",
        "make table.csv --recipe groups --task place --label ill=yes --missing mean --standardize -o made.npz",
        "make table.csv --recipe one-vs-rest --label colour --drop place --missing drop --test 0.25 --least 1 "
        "-o made.csv",
        "make table.csv --recipe groups --task place --label ill=yes -o made.recipe",
        "check made.npz",
        "check made.csv",
        "export three.csv three.zip",
        "export three.csv three.npz",
        "check three.zip",
        "check three.npz",
    )
    same("files", said)


def test_mistakes_in_full(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = transcript(
        capsys,
        here,
        "learn",
        "learn no-such-set",
        "learn no-such-file.csv",
        *(
            f"learn three.csv {wrong}"
            for wrong in (
                "--method best-method", "--C 0", "--C some", "--C nan", "--seed one", "--seed -1", "--delta 2",
                "--solver abacus", "--meth mt", "--method order", "--method order --order t0,t1", "--choices b",
                """--method order --order '["t0", 1]'""", "--method semantic", """--choices '[["t0"]]'""",
                """--choices '[["t0", "t1"]]'""", """--choices '[["t0", null], ["t0", null]]' --C 1""",
                """--choices '[["t0", null]]' --method mt""", "--json none/x.json", "--weights weights.txt",
            )
        ),
        "learn table.csv",
        "learn table.csv --recipe groups --least 1",
        "learn table.csv --recipe groups --task nowhere --label ill",
        *(f"orders three.csv {wrong}" for wrong in ("--limit 0", "--beam 3", "--best --beam 0", "--best --method mt")),
        *(
            f"compare three.csv {wrong}"
            for wrong in ("--methods nothing", "--repeats 0", "--jobs 0", "--methods ,", "--limit 0")
        ),
        "check no-such-file.csv",
        "check bad.csv",
        "export three.csv set.docx",
        "export three.csv .",
        "runs import three.csv",
        "--port 0",
        "--host 0.0.0.0",
        "--allow-runs",
        "--sets nowhere",
    )  # fmt: skip
    same("mistakes", re.sub(r"one of: cl.*|one of: [a-z, ]*osqp.*", "one of: …", said))


KINDS = {
    "_StoreAction": "text",
    "_StoreTrueAction": "flag",
    "_ExtendAction": "may be repeated",
    "BooleanOptionalAction": "on or off",
    "Version": "flag",
}


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every option as it is declared, but --help; how they are laid out is up to the version of Python."""
    yield f"{parser.prog}: {parser.description} | {parser.epilog}"
    assert not parser.allow_abbrev
    assert parser._actions[0].option_strings == ["-h", "--help"]
    for action in parser._actions[1:]:
        if isinstance(action, argparse._SubParsersAction):
            told = {one.dest: one.help for one in action._choices_actions}
            for name, inner in action.choices.items():
                yield f"{parser.prog} has {name}: {told[name]}"
                yield from options(inner)
            continue
        names = ", ".join(action.option_strings) or action.dest
        kind = KINDS[type(action).__name__] if action.type is None else action.type.__name__
        said = [kind] if action.nargs in (None, 0) else [kind, f"count {action.nargs}"]
        said += ["required"] if action.required else []
        said += [f"one of {', '.join(action.choices)}"] if action.choices else []
        said += [] if action.default in (None, argparse.SUPPRESS) else [f"default {action.default!r}"]
        told = str(action.help).replace("%(default)s", str(action.default))
        yield f"  {names}{f' {action.metavar}' if action.metavar else ''} ({', '.join(said)}): {told}"


def test_every_option_of_the_command_line() -> None:
    same("options", "\n".join(options(parser())))


def test_the_server_gets_flat_settings_and_knows_its_own_machine() -> None:
    found, whole = dict(serve.settings()), tomllib.loads((serve.HERE / "streamlit.toml").read_text(encoding="utf-8"))
    assert found["theme.light.primaryColor"] == whole["theme"]["light"]["primaryColor"]
    assert {name.split(".")[0] for name in found} == set(whole)
    hosts = ("127.0.0.1", "::1", "localhost", "0.0.0.0", "8.8.8.8")
    assert [serve.own_machine(host) for host in hosts] == [True, True, True, False, False]
