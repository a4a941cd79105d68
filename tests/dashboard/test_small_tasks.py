"""Small tasks, equal classes and repeated rows on the pages and on the command line: marked, said, and changeable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import Task, TaskSet
from dashboard.cli import main
from data.archives.formats import dump, read
from data.recipes.builder import as_table, make
from data.recipes.recipe import Recipe
from tests.dashboard.screens import link, open_page, settled, texts
from tests.dashboard.test_bring_pages import bringing
from tests.data import strangers
from tests.data.test_strangers import STATIONS, small_set


def captions(app: AppTest) -> str:
    return "\n".join(caption.value.replace("\\", "") for caption in app.caption)


def test_the_dialog_marks_small_tasks_and_leaves_them_out_unless_told_otherwise() -> None:
    app = bringing(strangers.stations(), STATIONS)
    [tasks] = [frame.value for frame in app.dataframe if "left out" in frame.value]
    assert tasks[tasks["left out"] != ""].task.tolist() == ["S6"]
    assert "Task 'S6': fewer than 2 training points of a class" in captions(app)
    assert not app.warning
    app.number_input(key="bring-least").set_value(1).run()
    assert app.session_state["_bring"].recipe.least == 1
    assert any("“S6” (1 of 28): too few" in warning.value.replace("\\", "") for warning in app.warning)
    app.button(key="bring-leave-out").click().run()
    assert app.session_state["_bring"].recipe.least == 2
    app.multiselect(key="bring-without").set_value(["S1"]).run()
    assert app.session_state["_bring"].recipe.without == ("S1",)
    app.toggle(key="bring-balance").set_value(True).run()
    app.button(key="bring-use").click().run()
    settled(app)
    assert "**patients**: 4 binary tasks" in texts(app)
    assert "without=S1&balance=1" in link(app, "recipe")


def test_an_uploaded_set_loses_its_small_tasks_unless_they_are_wanted() -> None:
    whole = small_set()
    contents = dump(whole, "npz")
    app = open_page(set="digits-levels:8", C="100")
    app.file_uploader(key="w-upload").upload("small.npz", contents).run()
    [toggle] = [toggle for toggle in app.toggle if toggle.label.startswith("Leave out 1 task with fewer than 2")]
    assert toggle.value
    assert "Too small: “b” (1 of 9)" in captions(app)
    app.button(key="use-upload").click().run()
    settled(app)
    assert "**small**: 2 binary tasks" in texts(app)
    assert "Left out: task 'b': fewer than 2 training points of a class" in captions(app)
    now = app.session_state["_current"]
    assert link(app, "set") == f"upload:{whole.with_least().digest[:16]}"
    toggle = next(toggle for toggle in app.toggle if toggle.label.startswith("Leave out"))
    toggle.set_value(False).run()
    app.button(key="use-upload").click().run()
    settled(app)
    assert app.session_state["_current"].task_set.names == ("a", "b", "c")
    assert now.task_set.names == ("a", "c")


@pytest.mark.parametrize("kept", [True, False])
def test_the_link_of_either_brings_back_the_same_tasks(kept: bool) -> None:
    whole = small_set()
    wanted = whole if kept else whole.with_least()
    app = open_page(set=f"upload:{wanted.digest[:16]}", C="1")
    app.file_uploader(key="w-upload").upload("small.npz", dump(whole, "npz")).run()
    settled(app)
    now = app.session_state["_current"]
    assert now.task_set.names == wanted.names
    assert ("--least 1" in app_command(app, now)) is kept


def app_command(app: AppTest, now: object) -> str:
    """The command of the code box, which is drawn once it is opened."""
    app.session_state["code-box"] = True
    app.run()
    [command] = [code.value for code in app.sidebar.code if code.value.startswith("curriculab ")]
    [python] = [code.value for code in app.sidebar.code if "import learn" in code.value]
    assert (".with_least(2)" in python) is ("--least" not in command)
    return command


def test_the_command_line_leaves_small_tasks_out_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.npz").write_bytes(dump(small_set(), "npz"))
    assert main(["learn", "small.npz"]) == 0  # by cross-validation
    printed = capsys.readouterr()
    assert "Left out: task 'b': fewer than 2 training points of a class" in printed.err
    assert "\n2  " in printed.out
    assert "\n3  " not in printed.out
    assert main(["learn", "small.npz", "--least", "1", "--C", "1"]) == 0
    assert "\n3  " in capsys.readouterr().out
    assert main(["learn", "small.npz", "--least", "1"]) == 2
    assert "cross-validation needs 2 of each class" in capsys.readouterr().err
    assert main(["learn", "small.npz", "--least", "0"]) == 2
    assert "use 1 or more" in capsys.readouterr().err
    assert main(["check", "small.npz"]) == 0
    assert "in use: Left out: task 'b'" in capsys.readouterr().out
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "home"))
    assert main(["compare", "small.npz", "--methods", "seqmt", "--repeats", "1", "--jobs", "1"]) == 0
    assert "Left out: task 'b'" in capsys.readouterr().err
    assert main(["export", "small.npz", "again.npz"]) == 0
    assert read("again.npz").task_set.names == ("a", "b", "c")


def test_make_balances_and_leaves_out_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    strangers.landmine().to_csv("mines.csv", index=False)
    options = ["--recipe", "groups", "--task", "field", "--label", "mine", "--test", "0.3"]
    assert main(["make", "mines.csv", *options, "--balance", "--without", "F02", "-o", "m.npz"]) == 0
    assert "have equal classes" in capsys.readouterr().out
    made = read("m.npz").task_set
    assert "F02" not in made.names
    assert all(task.y.sum() == 0 == task.y_test.sum() for task in made.tasks if task.y_test is not None)
    assert "balance=1" in made.recipe


def odd_lines(task_set: TaskSet) -> str:
    return texts(open_page(task_set=task_set, C="1"))


def test_alike_pupils_are_called_coarse_and_nobody_is_told_to_remove_rows() -> None:
    recipe = Recipe("groups", "Schule", "Punkte", drop=("Nr",), test=0.3)
    made = make(as_table(strangers.school(schools=3)), recipe).task_set
    said = odd_lines(made)
    assert "**Coarse features:**" in said
    assert "equal one with the other label" in said
    assert "Seen before" not in said
    assert "Remove repeated rows" not in said
    unknown = replace(made, tasks=tuple(replace(task, ids=None, ids_test=None) for task in made.tasks))
    said = odd_lines(unknown)
    assert "**Coarse features:**" in said
    assert "Remove repeated rows" not in said


def test_the_warning_of_unequal_classes_names_the_control() -> None:
    made = make(as_table(strangers.landmine(fields=2)), Recipe("groups", "field", "mine", test=0.3)).task_set
    assert "switch on *Equal classes* (on the command line `--balance`)" in odd_lines(made)


def test_one_point_is_not_called_points() -> None:
    rng = np.random.default_rng(0)
    [task] = small_set().subset(["a"]).tasks
    one = replace(task, X_test=rng.normal(size=(1, 2)), y_test=np.array([1.0]))
    said = odd_lines(TaskSet("one", (replace(one, X=task.X[:, :1], X_test=one.X_test[:, :1]),)))
    assert "14 training and 1 test point, 1 feature" in said


def test_a_bound_above_a_half_is_said_to_guarantee_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--limit", "5"], ["--best"]):
        assert main(["orders", "plane-rotation", "--C", "100", *options]) == 0
        assert "guarantee nothing" in capsys.readouterr().out


def test_what_holding_out_makes_too_small_is_left_out_and_said() -> None:
    rng = np.random.default_rng(2)
    two = Task("two", rng.normal(size=(12, 2)), np.repeat([1.0, -1.0], [2, 10]))
    whole = TaskSet("s", (*small_set(tests=False).with_least().tasks, two))
    assert open_page(task_set=whole, C="1").session_state["_current"].task_set.names == ("a", "c", "two")
    app = open_page(task_set=whole, C="1", holdout="30")
    assert app.session_state["_current"].task_set.names == ("a", "c")
    assert "Left out, as fewer than 2 training points of a class are left: two." in captions(app)
