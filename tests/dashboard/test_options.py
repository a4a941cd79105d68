"""Every option of the learner reaches what the command does, by itself and in each command that has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import Problem, learn
from core.orders.best_order import best_order
from dashboard.cli import main, parser
from dashboard.commands.compare import source_for
from dashboard.commands.options import learner, problem_of
from data.archives import formats
from tests.dashboard.screens import uneven
from tests.data.runhelp import write_tasks

USUAL = {
    "C": "shared", "normalize": None, "bias": None, "seed": 0, "delta": 0.05, "solver": "osqp", "measure": "error",
}  # fmt: skip
GIVEN: dict[str, tuple[list[str], object]] = {
    "C": (["--C", "3"], 3.0),
    "normalize": (["--normalize", "none"], "none"),
    "bias": (["--no-bias"], False),
    "seed": (["--seed", "4"], 4),
    "delta": (["--delta", "0.2"], 0.2),
    "solver": (["--solver", "kernel"], "kernel"),
    "measure": (["--measure", "balanced"], "balanced"),
}


@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("command", ["learn", "orders", "compare", "report"])
def test_each_option_is_a_setting_of_the_learner(command: str, name: str) -> None:
    words, value = GIVEN[name]
    output = ["-o", "x.html"] if command == "report" else []
    arguments = parser().parse_args([command, "plane-equal", *words, *output])
    assert learner(arguments) == USUAL | {name: value}
    task_set = uneven(["a", "b"])
    problem = problem_of(arguments, task_set)
    how = {key: what for key, what in (USUAL | {name: value}).items() if key not in ("C", "delta")}
    wanted = Problem(task_set, **how)  # type: ignore[arg-type]
    assert problem.task_set.digest == wanted.task_set.digest
    assert (problem.seed, problem.solver, problem.measure) == (wanted.seed, wanted.solver, wanted.measure)
    assert problem.prepared == wanted.prepared


@pytest.mark.parametrize("words", [given for given, _ in GIVEN.values()], ids=" ".join)
def test_the_lowest_bound_is_that_of_each_setting(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_tasks(tmp_path / "three.csv")
    arguments = parser().parse_args(["orders", str(path), *words, "--best"])
    how = learner(arguments)
    C, delta = how.pop("C"), how.pop("delta")
    found = best_order(Problem(formats.read(path).task_set, **how), C, delta=delta)
    assert main(["orders", str(path), *words, "--best"]) == 0
    printed = capsys.readouterr().out
    [row] = [line for line in printed.splitlines() if line.startswith("lowest bound")]
    assert f"{found.bound:.4f}" in row
    assert row.rstrip().endswith(" > ".join(found.order))
    heading = "balanced error" if how["measure"] == "balanced" else "test error"
    assert heading in printed.splitlines()[2]


@pytest.mark.parametrize("words", [given for given, _ in GIVEN.values()], ids=" ".join)
def test_the_report_of_a_set_is_of_each_setting(words: list[str], tmp_path: Path) -> None:
    path, report = write_tasks(tmp_path / "three.csv"), tmp_path / "report.html"
    how = learner(parser().parse_args(["learn", str(path), *words]))
    learned = learn(formats.read(path).task_set, **how)
    assert learned.bound is not None
    assert main(["report", str(path), *words, "-o", str(report)]) == 0
    assert f"SeqMT: bound {learned.bound.value:.3f} on half" in report.read_text(encoding="utf-8")
    assert ("balanced error" in report.read_text(encoding="utf-8")) == (how["measure"] == "balanced")


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ([], "bc"),
        (["--least", "1"], "abc"),
        (["--least", "2"], "bc"),
        (["--least", "5"], "c"),
        (["--least", "6"], "abc"),
    ],
)
def test_small_tasks_of_a_file_are_left_out_of_a_comparison_as_asked(
    words: list[str], left: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of 1, 3 and 5 training points of each class; where none has so many, all stay."""
    lines = ["task,label,split,x"]
    for task, points in (("a", 1), ("b", 3), ("c", 5)):
        for split, count in (("train", points), ("test", 4)):
            lines += [f"{task},{y},{split},{y * (k + 1)}" for y in (1, -1) for k in range(count)]
    path = tmp_path / "sizes.csv"
    path.write_text("\n".join(lines) + "\n")
    arguments = parser().parse_args(["compare", str(path), "--C", "1", *words])
    assert source_for(arguments, str(path)).sample(0).names == tuple(left)
    told = capsys.readouterr().err
    assert [name for name in "abc" if f"'{name}'" in told] == [name for name in "abc" if name not in left]
