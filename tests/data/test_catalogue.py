"""The catalogue: names, draws, structure, and what it costs to import."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

from core.errors import CurriculabError
from data.archives.formats import write
from data.sources.catalogue import DEFAULT, STORY_SET, find, load, sources

READY = [source.name for source in sources() if source.kind in ("real", "plane", "synthetic")]
SMALL = {"awa-like": (7, 7), "shoes-like": (4, 4)}


def rows(task_set):
    return [row.tobytes() for task in task_set.tasks for X in (task.X, task.X_test) for row in X]


def test_the_default_comes_first():
    assert sources()[0].name == DEFAULT == "mnist-levels"


def test_names_are_unique_and_every_source_says_what_it_is():
    listed = sources()
    assert len({source.name for source in listed}) == len(listed)
    for source in listed:
        assert source.story.endswith((".", "?"))
        assert source.licence
        assert source.origin
        if not source.available:
            with pytest.raises(CurriculabError, match=re.escape(f"{source.name}: {source.missing}")):
                source.sample(0)


def test_importing_the_catalogue_loads_no_heavy_library():
    code = (
        "import sys, data.sources.catalogue, data.archives.formats; data.sources.catalogue.sources(); "
        "print([m for m in ('sklearn', 'pandas', 'pyarrow', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", READY)
def test_a_draw_has_the_structure_that_its_source_announces(name):
    source = find(name)
    task_set = source.sample(1, SMALL.get(name))
    assert len(task_set) == source.tasks
    assert (task_set.semantic_order is not None) == bool(source.semantic_order)
    assert (task_set.groups is not None) == bool(source.groups)
    assert task_set.image_shape == source.image_shape
    assert task_set.has_test
    for task in task_set.tasks:
        assert task.y.sum() == 0  # balanced, positives first, as the text layout wants it
        assert np.all(np.diff(task.y) <= 0)
        assert np.all(np.diff(task.y_test) <= 0)


@pytest.mark.parametrize("name", READY)
def test_no_point_is_in_two_tasks_or_in_both_parts(name):
    points = rows(find(name).sample(2, SMALL.get(name)))
    assert len(set(points)) == len(points)


@pytest.mark.parametrize("name", READY)
def test_every_seed_is_a_fresh_draw_and_the_same_one_again(name):
    source, sizes = find(name), SMALL.get(name)
    assert source.sample(5, sizes).digest == source.sample(5, sizes).digest
    assert source.sample(5, sizes).digest != source.sample(6, sizes).digest


def test_digit_levels_have_the_sizes_of_the_issue():
    task_set = load("digits-levels")
    assert len(task_set) == 15
    assert {task.n_points for task in task_set.tasks} == {36}
    assert task_set.names[:2] == ("1 easiest", "1 easy")
    assert task_set.semantic_order[:3] == ("1 easiest", "3 easiest", "8 easiest")
    assert set(task_set.groups.values()) == {"digit 1", "digit 3", "digit 8"}


def test_mnist_levels_have_the_papers_sizes():
    assert len(load(DEFAULT)) == 15
    source = find(STORY_SET)
    assert STORY_SET in {listed.name for listed in sources()}
    assert source.sizes == (21, 77)
    assert source.image_shape == (28, 28)


def test_any_digit_has_its_levels():
    assert load("digits-levels:0").names[0] == "0 easiest"
    assert load("digits-rotated:3-8").names[1] == "20 degrees"


def test_synthetic_sets_have_the_papers_sizes():
    awa, shoes = find("awa-like"), find("shoes-like")
    assert (awa.tasks, awa.sizes, awa.sample(0, (2, 1)).n_features) == (5, (21, 77), 2000)
    assert (shoes.tasks, shoes.sizes, shoes.sample(0, (2, 1)).n_features) == (10, (50, 300), 990)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("digit-level", "did you mean digits-levels"),
        ("nothing like it", "there are mnist-levels, "),
        ("digits-levels:10", "no task set is called 'digits-levels:10'"),
        ("digits-rotated:3-3", "two different digits"),
        ("awa:tiger", "its classes are chimpanzee, giant+panda"),
        ("x" * 100_000, "no task set is called"),
        ("", "no task set is called ''"),
        ("no/such/file.csv", "there is no file or folder"),
        ("\0", "no task set is called"),
    ],
)
def test_an_unknown_name_is_told_with_what_there_is(name, says):
    with pytest.raises(CurriculabError) as caught:
        load(name)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 700


def test_load_takes_a_file_or_a_folder(tmp_path):
    task_set = find("plane-unrelated").sample(0, (3, 2))
    for name in ("set.csv", "folder"):
        write(task_set, tmp_path / name)
        assert load(str(tmp_path / name)).digest == task_set.digest


def test_a_file_named_like_a_built_in_set_does_not_hide_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plane-equal").mkdir()
    assert load("plane-equal").name == "plane-equal"
