"""A server's sets: only what lies in its folder, read once for everybody; recipes travel with files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.errors import CurriculabError
from data import make_tasks
from data.archives.formats import KINDS, dump, read
from data.recipes.builder import recipe_line
from data.recipes.recipe import Recipe, recipe_of
from data.sources import offered
from data.sources.catalogue import example
from tests.data.badfiles import zipped
from tests.data.test_strangers import small_set


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "site": ["a", "b"] * 20,
            "x": rng.normal(size=40),
            "z": rng.normal(size=40),
            "y": ["no", "no", "yes", "yes"] * 10,
        }
    )


RECIPE = Recipe("groups", "site", "y", drop=("z",))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    here = tmp_path / "sets"
    here.mkdir()
    monkeypatch.setenv(offered.FOLDER, str(here))
    return here


def test_every_set_and_recipe_of_the_folder_is_offered_and_read_once(folder):
    (folder / "digits.npz").write_bytes(example("npz"))
    table().to_csv(folder / "table.csv", index=False)
    (folder / "table.recipe").write_text(recipe_line("table.csv", RECIPE.as_text()))
    (folder / "notes.docx").write_text("no set")
    found = offered.everything()
    assert list(found) == ["digits.npz", "table.recipe"]  # the table is offered by its recipe
    assert [source.name for source in offered.sources()] == ["server:digits.npz", "server:table.recipe"]
    made = offered.find("server:table.recipe")
    assert made.task_set.digest == make_tasks(table(), recipe=RECIPE).digest
    assert recipe_of(made.recipe) == RECIPE
    assert offered.find("server:table.recipe") is made
    assert (made.filename, made.contents) == ("table.csv", (folder / "table.csv").read_bytes())
    assert made.source.sample(0).digest == made.digest == made.source.digest
    digits = offered.find("server:digits.npz")
    assert (digits.table, digits.recipe, digits.source.digest) == (None, "", digits.digest)


def test_a_file_that_changed_is_read_again(folder):
    table().to_csv(folder / "table.csv", index=False)
    (folder / "t.recipe").write_text(recipe_line("table.csv", RECIPE.as_text()))
    first = offered.find("server:t.recipe")
    (folder / "t.recipe").write_text(recipe_line("table.csv", Recipe("groups", "site", "y", test=0.25).as_text()))
    again = offered.find("server:t.recipe")
    assert (first.task_set.n_features, again.task_set.n_features) == (1, 2)


def test_nothing_outside_the_folder_is_opened(folder, tmp_path):
    (tmp_path / "secret.npz").write_bytes(example("npz"))
    table().to_csv(tmp_path / "secret.csv", index=False)
    (folder / "link.npz").symlink_to(tmp_path / "secret.npz")
    (folder / "inner.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "up.recipe").write_text(recipe_line("../secret.csv", RECIPE.as_text()))
    (folder / "linked.recipe").write_text(recipe_line("inner.csv", RECIPE.as_text()))
    (folder / "other.recipe").write_text("table=none.csv&recipe=groups")
    found = offered.everything()
    assert set(found) == {"up.recipe", "linked.recipe", "other.recipe"}
    assert all(isinstance(one, str) for one in found.values())
    for name in ("server:../secret.npz", "server:link.npz", "server:/etc/passwd", "server:"):
        assert offered.find(name) is None


def test_without_a_folder_nothing_is_offered(monkeypatch, tmp_path):
    monkeypatch.delenv(offered.FOLDER, raising=False)
    assert offered.everything() == {}
    with pytest.raises(CurriculabError, match="is no folder"):
        offered.checked(str(tmp_path / "none"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_recipe_travels_with_the_file(kind):
    made = make_tasks(table(), recipe=RECIPE)
    again = read(dump(made, kind), f"d.{kind}")
    assert recipe_of(again.task_set.recipe) == RECIPE
    assert any("made of a table by the recipe" in said for said in again.assumptions)
    assert again.task_set.names == made.names


def test_tables_without_a_recipe_are_not_offered_and_it_is_said_what_to_do(folder, tmp_path):
    table().to_excel(folder / "book.xlsx", index=False)
    table().to_csv(folder / "tabs.tsv", index=False, sep="\t")
    (folder / "other.zip").write_bytes(zipped({"notes.txt": b"nothing"}))
    (folder / "empty.xlsx").write_bytes(b"")
    found = offered.everything()
    assert sorted(found) == ["book.xlsx", "empty.xlsx", "other.zip", "tabs.tsv"]
    for name, recipe in (("book.xlsx", "book.recipe"), ("tabs.tsv", "tabs.recipe")):
        assert found[name].startswith("it holds a table of 40 rows and 4 columns, no task set yet; write a recipe")
        assert f"'curriculab make {name} ... -o {recipe}'" in found[name]
    assert "NAME_train.txt" in found["other.zip"]
    assert "is empty" in found["empty.xlsx"]


def test_small_tasks_of_a_file_are_left_out_for_everybody_and_that_is_said(folder):
    (folder / "small.npz").write_bytes(dump(small_set(), "npz"))
    one = offered.find("server:small.npz")
    assert one is not None
    assert (one.task_set.names, one.least) == (("a", "c"), 2)
    assert any("task 'b': fewer than 2 training points of a class" in said for said in one.assumptions)


def test_hidden_files_folders_and_other_endings_are_not_even_named(folder):
    (folder / "shown.NPZ").write_bytes(example("npz"))
    (folder / ".hidden.npz").write_bytes(example("npz"))
    (folder / "._shown.npz").write_bytes(b"what another system leaves beside a file")
    (folder / "notes.txt").write_text("no set")
    (folder / "inner.npz").mkdir()
    (folder / "inner.npz" / "digits.npz").write_bytes(example("npz"))
    assert list(offered.everything()) == ["shown.NPZ"]
    for name in (".hidden.npz", "inner.npz", "inner.npz/digits.npz", "../sets/shown.NPZ"):
        assert offered.find(f"server:{name}") is None
    assert offered.find("server:shown.NPZ") is not None
