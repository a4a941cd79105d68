"""The command line's contract: what it prints, what it writes, and one line for every mistake."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from dashboard.cli import COMMANDS, main, parser
from tests.golden import same

CONTRACT_KEYS = [
    "task_set", "method", "C", "seed", "order", "sources", "chosen_C", "steps", "bound", "test_error",
    "mean_test_error", "forced", "prepared", "solver",
]  # fmt: skip


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three small tasks with test data, as a CSV; one is named like an argument of numpy.savez."""
    rng = np.random.default_rng(0)
    lines = ["task,label,split,x1,x2"]
    for task, angle in (("file", 0.0), ("b", 0.4), ("c", 0.8)):
        normal = np.array([np.cos(angle), np.sin(angle)])
        for split, size in (("train", 6), ("test", 10)):
            for label in (1, -1):  # equally many and the positive ones first, as text files need it
                X = rng.normal(size=(size, 2))
                X *= label * np.sign(X @ normal)[:, None]
                lines += [f"{task},{label},{split},{a:.6f},{b:.6f}" for a, b in X]
    path = tmp_path_factory.mktemp("sets") / "three.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def curriculab(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "dashboard.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | environment,
    )


# Help


@pytest.mark.parametrize("command", ["", *(command.__name__.rpartition(".")[2] for command in COMMANDS)])
def test_help_has_one_example_that_parses(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    [example] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("example: ")]
    words = shlex.split(example.removeprefix("example: "))
    assert words[: 1 + bool(command)] == ["curriculab", *command.split()]
    assert parser().parse_args(words[1:]).run is not None


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from dashboard.cli import parser; parser().format_help();"
        "print(sorted({'numpy', 'scipy', 'sklearn', 'numba', 'pandas', 'streamlit', 'plotly'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("words", [["sets"], ["check", "FILE"]])
def test_what_fits_nothing_imports_no_kernels(words: list[str], tmp_path: Path) -> None:
    file = tmp_path / "tasks.csv"
    file.write_text("task,label,a\n" + "".join(f"t{k % 2},{k // 2 % 2},{k}\n" for k in range(20)))
    code = "import sys; from dashboard.cli import main; main(sys.argv[1:]); assert 'numba' not in sys.modules"
    arguments = [str(file) if word == "FILE" else word for word in words]
    subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lern"], "lern"),
        (["learn"], "SET"),
        (["learn", "no-such-set"], "no-such-set"),
        (["learn", "no-such-file.csv"], "no-such-file.csv"),
        (["learn", "SET", "--method", "best-method"], "best-method"),
        (["learn", "SET", "--C", "0"], "C"),
        (["learn", "SET", "--C", "nan"], "C"),
        (["learn", "SET", "--C", "some"], "neither shared, each nor a number"),
        (["learn", "SET", "--seed", "one"], "--seed"),
        (["learn", "SET", "--seed", "-1"], "seed"),
        (["learn", "SET", "--delta", "0"], "delta"),
        (["learn", "SET", "--delta", "2"], "delta"),
        (["learn", "SET", "--solver", "abacus"], "abacus"),
        (["learn", "SET", "--normalize", "l1"], "--normalize"),
        (["learn", "SET", "--meth", "mt"], "--meth"),
        (["learn", "SET", "--method", "order"], "order"),
        (["learn", "SET", "--method", "order", "--order", "b,c"], "file"),
        (["learn", "SET", "--method", "order", "--order", '["b", 1]'], "--order"),
        (["learn", "SET", "--method", "semantic"], "semantic"),
        (["learn", "SET", "--choices", "b"], "--choices"),
        (["learn", "SET", "--choices", '[["b"]]'], "--choices"),
        (["learn", "SET", "--choices", '[["b", "c"]]'], "c"),
        (["learn", "SET", "--json", "no-such-folder/result.json"], "no-such-folder"),
        (["learn", "SET", "--weights", "weights.txt"], ".npz"),
        (["learn", "SET\nwith a second line"], "SET\\nwith a second line"),
        (["orders", "SET", "--beam", "3"], "--best"),
        (["orders", "SET", "--method", "treemt"], "--best"),
        (["orders", "SET", "--best", "--csv", "o.csv"], "--csv goes without --best"),
        (["orders", "SET", "--best", "--limit", "9"], "--limit goes without --best"),
        (["orders", "SET", "--best", "--own-C"], "--own-C goes without --best"),
        (["orders", "SET", "--limit", "0"], "limit"),
        (["orders", "SET", "--best", "--beam", "0"], "wide"),
        (["orders", "SET", "--best", "--method", "indsvm"], "IndSVM"),
        (["orders", "SET", "--csv", "no-such-folder/orders.csv"], "no-such-folder"),
        (["check", "no-such-file.csv"], "no-such-file.csv"),
        (["check", "BAD"], "both classes"),
        (["export", "SET", "set.docx"], "set.docx"),
        (["export", "SET", "."], "folder"),
        (["sets", "extra"], "extra"),
        (["--port", "0"], "port"),
        (["--port", "80800"], "port"),
        (["--host", "no.such.host.invalid"], "no.such.host.invalid"),
    ],
)
def test_a_mistake_is_exit_code_2_and_one_line(
    arguments: list[str],
    said: str,
    three: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_text("task,label,x\na,1,0.5\na,1,0.7\n")
    places = {"SET": str(three), "BAD": "bad.csv"}
    assert main([places.get(argument, argument) for argument in arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("curriculab: ")
    assert printed.err.count("\n") == 1
    assert printed.err.endswith("\n")
    assert said in printed.err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


def test_a_mistake_in_a_process_of_its_own_has_no_traceback() -> None:
    run = curriculab("learn", "no-such-set")
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1


def test_a_busy_port_is_one_line() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        run = curriculab("--port", busy.getsockname()[1], "--no-browser")
    assert run.returncode == 2
    assert "is in use; choose another with --port" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_reader_that_leaves_early_is_no_mistake() -> None:
    command = f"{sys.executable} -m dashboard.cli sets --json | head -c 1"
    run = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "[", "")


def on_a_terminal(*arguments: object) -> tuple[subprocess.Popen[str], int]:
    """The command with standard error on a terminal, and that terminal's other end."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "dashboard.cli", *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True)
    os.close(theirs)
    return process, ours


def read_until_closed(terminal: int) -> str:
    """All that was still written to the terminal."""
    text = b""
    with contextlib.suppress(OSError):  # Linux reports the closed end as an error
        while chunk := os.read(terminal, 4096):
            text += chunk
    os.close(terminal)
    return text.decode()


def test_progress_is_shown_on_a_terminal_and_wiped_at_the_end(three: Path) -> None:
    process, terminal = on_a_terminal("learn", three, "--json", "-")
    shown = read_until_closed(terminal)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert list(json.loads(output)) == CONTRACT_KEYS
    assert re.search(r"learning: \d+ of \d+", shown)
    assert shown.endswith("\r\x1b[K")


def test_an_interrupt_ends_the_work_with_one_line() -> None:
    process, terminal = on_a_terminal("orders", "digits-levels", "--C", 10, "--limit", 5040)
    begun = os.read(terminal, 4096).decode()
    process.send_signal(signal.SIGINT)
    shown = begun + read_until_closed(terminal)
    output, _ = process.communicate(timeout=120)
    assert (process.returncode, output) == (130, "")
    assert "trying orders: " in begun
    assert shown.rpartition("\x1b[K")[2] == "curriculab: stopped\r\n"


# Task sets


def test_sets_lists_the_catalogue_with_the_default_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sets", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    known = [
        {name: value for name, value in source.items() if name not in ("available", "missing")} for source in listed
    ]
    same("sets", {source["name"]: source for source in known})
    assert [source["name"] for source in listed if source["default"]] == ["mnist-levels"]
    assert main(["sets"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("mnist-levels")
    for source in listed:
        assert source["name"] in text
        assert source["story"] in text
        assert (source["missing"] is None) == source["available"]


def test_check_tells_tasks_and_assumptions(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(three)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("three.csv: 3 tasks, 2 features")
    assert [line.split()[0] for line in lines[-3:]] == ["file", "b", "c"]
    assert [line.split()[1] for line in lines[-3:]] == ["12"] * 3


def test_check_shows_control_characters_harmlessly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "set.csv"
    path.write_text("task,label,x\n" + "".join(f"\x1b[2Jwild,{label},{i}\n" for i, label in enumerate([0, 1] * 4)))
    main(["check", str(path)])
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err


@pytest.mark.parametrize("ending", ["npz", "csv", "parquet", "zip"])
def test_an_exported_set_learns_to_the_same_result(ending: str, three: Path, tmp_path: Path) -> None:
    copy = tmp_path / f"three.{ending}"
    assert main(["export", str(three), str(copy)]) == 0
    results = []
    for source in (three, copy):
        result = tmp_path / "result.json"
        assert main(["learn", str(source), "--C", "10", "--json", str(result)]) == 0
        results.append(json.loads(result.read_text()))
    assert results[0]["order"] == results[1]["order"]
    assert results[0]["bound"]["value"] == pytest.approx(results[1]["bound"]["value"], abs=1e-9)


# Learning


def test_learn_writes_the_contracts_json(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(three), "--method", "MultiSeqMT", "--C", "10", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == CONTRACT_KEYS
    assert (result["method"], result["C"], result["seed"]) == ("multiseqmt", 10.0, 0)
    assert sorted(result["order"]) == ["b", "c", "file"]
    assert set(result["chosen_C"].values()) == {10.0}
    for step, task in zip(result["steps"], result["order"], strict=True):
        assert step["task"] == task
        assert step["source"] == result["sources"][task]
        chosen = [c for c in step["candidates"] if (c["task"], c["source"]) == (task, step["source"])]
        assert chosen[0]["criterion"] == min(c["criterion"] for c in step["candidates"])
        assert chosen[0]["criterion"] == pytest.approx(chosen[0]["error"] + chosen[0]["complexity"])
    bound = result["bound"]
    assert bound["delta"] == 0.05
    assert bound["value"] == pytest.approx(bound["error"] + bound["complexity"] + bound["constant"])
    assert result["mean_test_error"] == pytest.approx(np.mean(list(result["test_error"].values())))
    assert result["forced"] == []
    assert result["prepared"] == {"normalize": "l2", "bias": True, "holdout": 0}
    solver = result["solver"]
    assert list(solver) == ["name", "fits", "by", "most_iterations", "worst_gap"]
    pairs = {(c["task"], c["source"]) for step in result["steps"] for c in step["candidates"]}
    assert (solver["name"], solver["fits"], sum(solver["by"].values())) == ("osqp", len(pairs), len(pairs))
    assert solver["worst_gap"] <= 1e-6


def test_the_json_tells_what_was_forced_and_how_features_were_prepared(
    three: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choices = '[["c", null], ["b", "c"]]'
    options = ["--C", "10", "--choices", choices, "--normalize", "none", "--no-bias", "--solver", "kernel"]
    assert main(["learn", str(three), *options, "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["forced"] == json.loads(choices)
    assert result["prepared"] == {"normalize": "none", "bias": False, "holdout": 0}
    assert result["solver"]["name"] == "kernel"
    assert set(result["solver"]["by"]) <= {"kernel", "no solve"}


def test_learn_prints_who_solved(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(three), "--C", "100"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^solver 6 fits, \d by osqp.*; most iterations \d+, worst duality gap \de-\d+$", printed, re.M)


def test_the_settings_reach_the_learner(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def bound(*arguments: str) -> float:
        assert main(["learn", str(three), "--json", "-", "--C", "1", *arguments]) == 0
        return float(json.loads(capsys.readouterr().out)["bound"]["value"])

    values = {bound(), bound("--no-bias"), bound("--normalize", "none"), bound("--delta", "0.5"), bound("--C", "100")}
    assert len(values) == 5
    assert bound("--bias", "--normalize", "l2") == bound()
    assert bound("--solver", "piqp") == pytest.approx(bound(), abs=1e-5)


def test_weights_have_an_array_per_task_that_gives_the_reported_test_error(three: Path, tmp_path: Path) -> None:
    from data.sources import catalogue

    weights, result = tmp_path / "weights.npz", tmp_path / "result.json"
    assert main(["learn", str(three), "--C", "10", "--weights", str(weights), "--json", str(result)]) == 0
    prepared = catalogue.load(str(three)).prepared()
    with np.load(weights, allow_pickle=False) as arrays:
        assert sorted(arrays.files) == ["b", "c", "file"]
        errors = {task.name: task.test_error(arrays[task.name]) for task in prepared.tasks}
    assert errors == json.loads(result.read_text())["test_error"]


def test_an_order_and_forced_choices_are_followed(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(three), "--method", "order", "--order", "c,file,b", "--C", "1", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["order"] == ["c", "file", "b"]
    forced = '[["c", null], ["b", null]]'
    assert main(["learn", str(three), "--method", "multiseqmt", "--choices", forced, "--C", "1", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["order"] == ["c", "b", "file"]
    assert result["sources"]["b"] is None


@pytest.mark.parametrize("method", ["seqmt", "treemt", "indsvm", "mergedsvm", "mt"])
def test_learn_prints_a_readable_table(method: str, three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(three), "--method", method, "--C", "10"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert "test error" in lines[2]
    assert {line.split()[1] for line in lines[3:6]} == {"file", "b", "c"}
    assert lines[-1].startswith("mean test error ")


def test_the_same_seed_gives_the_same_bytes(three: Path) -> None:
    first, again = (curriculab("learn", three, "--method", "random", "--seed", 7, "--json", "-") for _ in range(2))
    assert first.returncode == 0
    assert first.stdout == again.stdout


# Orders


def test_orders_writes_every_order_with_the_bound_that_learn_gives(three: Path, tmp_path: Path) -> None:
    path, result = tmp_path / "orders.csv", tmp_path / "result.json"
    assert main(["orders", str(three), "--C", "10", "--csv", str(path)]) == 0
    rows = list(csv.reader(io.StringIO(path.read_text())))
    assert rows[0] == ["1", "2", "3", "C", "bound", "test_error"]
    assert {tuple(row[:3]) for row in rows[1:]} == set(permutations(["file", "b", "c"]))
    assert len(rows) == 7
    order = rows[3]
    assert main(
        ["learn", str(three), "--method", "order", "--order", ",".join(order[:3]), "--C", "10", "--json", str(result)]
    ) == 0  # fmt: skip
    learned = json.loads(result.read_text())
    assert float(order[4]) == pytest.approx(learned["bound"]["value"], abs=1e-9)
    assert float(order[5]) == pytest.approx(learned["mean_test_error"])


def test_orders_says_how_many_it_tried(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["orders", str(three), "--C", "10"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("all 6 orders")
    rows = {line[:18].strip(): float(line[18:].split()[0]) for line in printed.splitlines()[3:8]}
    assert rows["lowest bound"] <= rows["SeqMT"] <= rows["highest bound"]
    assert main(["orders", str(three), "--C", "10", "--limit", "4"]) == 0
    assert capsys.readouterr().out.startswith("a random sample of 4 of 6 orders")


def test_the_lowest_bound_is_that_of_all_orders_or_what_a_beam_found(
    three: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["orders", str(three), "--C", "10"]) == 0
    lowest = capsys.readouterr().out.splitlines()[3]
    assert main(["orders", str(three), "--C", "10", "--best"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("exact: ")
    assert printed.splitlines()[3].split()[:4] == lowest.split()[:4]
    assert "greed cost" in printed
    assert main(["orders", str(three), "--C", "10", "--best", "--beam", "2", "--method", "TreeMT"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("best found, keeping 2 at every step: ")
    assert "TreeMT" in printed


# The dashboard


def test_the_dashboard_answers_and_stops_cleanly(tmp_path: Path) -> None:
    import urllib.error
    import urllib.request

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    code = "import sys; from dashboard.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "--port", str(port), "--no-browser"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=5) as response:
                    assert response.status == 200
                break
            except urllib.error.URLError:
                assert time.monotonic() < deadline
                assert process.poll() is None
                time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0
    assert f"http://localhost:{port}" in output
    assert "Traceback" not in errors
