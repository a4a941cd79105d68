"""Own data on the pages: a server's sets, and what is odd about a set."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core import Task, TaskSet
from dashboard.components.own_data.state import TableImport
from data.archives.screen_file import dump_bundle
from data.recipes.builder import recipe_line
from data.recipes.recipe import Recipe
from data.sources import offered
from data.sources.catalogue import example
from tests.dashboard.screens import APP, SECONDS, drawn, link, open_page, settled, texts


def test_a_servers_set_is_listed_for_everybody_and_has_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.npz").write_bytes(example("npz"))
    monkeypatch.setenv(offered.FOLDER, str(tmp_path))
    app = open_page(set="server:mine.npz", C="100")
    assert not app.exception
    assert "**mine**: 5 binary tasks" in texts(app)
    assert link(app, "set") == "server:mine.npz"
    [box] = [box for box in app.selectbox if box.label == "Task set"]
    assert "mine.npz (this server's)" in box.options
    gone = open_page(set="server:other.npz")
    assert any("no longer offers" in warning.value for warning in gone.warning)


def test_what_is_odd_is_said_with_what_to_do() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([1.0, -1.0], [3, 30])
    few = Task("few", rng.normal(size=(33, 2)), y, rng.normal(size=(8, 2)), np.repeat([1.0, -1.0], 4))
    tiny = Task("tiny", rng.normal(size=(4, 2)), np.array([1.0, 1, -1, -1]), few.X_test, few.y_test)
    app = open_page(task_set=TaskSet("odd", (few, tiny)), C="1")
    assert not app.exception
    said = texts(app)
    assert "**Unbalanced:** in “few” one class has up to 10 times the points" in said
    assert "**Tiny:** “tiny” has under ten training points" in said
    assert "**Balanced error**" in said
    [balanced] = [frame.value for frame in app.dataframe if "balanced error alone, %" in frame.value]
    assert balanced.task.tolist() == ["few"]


def bringing(frame: pd.DataFrame, recipe: Recipe) -> AppTest:
    """A session that is about to make tasks of that table."""
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    contents = frame.to_csv(index=False).encode()
    digest = hashlib.sha256(contents).hexdigest()
    app.session_state["_bring"] = TableImport(contents, "patients.csv", digest, "it is a table", recipe)
    app.query_params["C"] = "1"
    return app.run()


def clinics() -> pd.DataFrame:
    """Two clinics, an empty cell, and a row without a clinic."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"site": ["a", "b"] * 20, "x": rng.normal(size=40), "z": rng.normal(size=40)})
    frame["y"] = ["no", "no", "yes", "yes"] * 10
    frame.loc[3, "x"] = np.nan
    frame.loc[7, "site"] = None
    return frame


def test_what_is_filled_standardised_and_left_out_is_said_before_and_after() -> None:
    app = bringing(clinics(), Recipe("groups", "site", "y", missing="mean", standardize=True))
    for words in ("1 empty cell is filled", "Columns are standardised", "1 row without a task"):
        assert words in "\n".join(caption.value for caption in app.caption)
    app.button(key="bring-use").click().run()
    settled(app)
    assert "**patients**: 2 binary tasks" in texts(app)
    for words in ("1 empty cell is filled", "Columns are standardised", "1 row without a task"):
        assert sum(words in caption.value for caption in app.sidebar.caption) == 1


def test_what_was_left_out_of_a_servers_set_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clinics().to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "t.recipe").write_text(recipe_line("t.csv", Recipe("groups", "site", "y").as_text()))
    monkeypatch.setenv(offered.FOLDER, str(tmp_path))
    app = open_page(set="server:t.recipe", C="1")
    assert any("1 row without a task" in caption.value for caption in app.sidebar.caption)


def test_a_header_without_rows_is_said_so_in_the_browser() -> None:
    app = open_page(set="digits-levels:8", C="100")
    app.file_uploader(key="w-upload").upload("header.csv", b"a,b,class\n").run()
    assert [error.value.replace("\\", "") for error in app.error] == [
        "header.csv has a header but no rows; add a row for each point"
    ]


def test_a_screen_dropped_in_at_another_page_goes_to_its_own_page() -> None:
    task_set = drawn(3)
    contents = dump_bundle(task_set, {"C": "100", "step": "2"}, "step")
    app = open_page(set="digits-levels:8", C="1")
    app.file_uploader(key="w-upload").upload("screen.curriculab", contents).run()
    app.button(key="use-upload").click().run()
    settled(app)
    assert [title.value for title in app.title] == ["Step through"]
    assert (link(app, "C"), link(app, "step")) == ("100", "2")
    assert link(app, "set") == f"upload:{task_set.digest[:16]}"


def test_a_table_that_a_reload_brought_back_can_be_gone_back_to_from_another_page() -> None:
    recipe = Recipe("levels", label="y", missing="mean")
    app = bringing(clinics(), recipe)
    assert [title.value for title in app.title] == ["Make tasks of patients\\.csv"]
    app.switch_page("pages/runs/page.py").run()
    assert [title.value for title in app.title] == ["Runs"]
    assert next(box for box in app.sidebar.expander if box.label == "Your own tasks").proto.expanded
    app.button(key="bring-again").click().run()
    assert [title.value for title in app.title] == ["Make tasks of patients\\.csv"]
    assert app.session_state["_bring"].recipe == recipe


def test_columns_of_unlike_scales_are_called_by_their_names() -> None:
    task_set = drawn(2)
    wide = [
        replace(task, X=task.X * [1.0, 1e-5, 1e5], X_test=task.X_test * [1.0, 1e-5, 1e5]) for task in task_set.tasks
    ]
    for names, said in ((("age", "share", "income"), "numbers of “income” are"), (None, "numbers of feature 3 are")):
        app = open_page(task_set=TaskSet("wide", tuple(wide), feature_names=names), C="1")
        assert said in texts(app)
