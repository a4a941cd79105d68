"""Local copies of the paper's data, on small made-up files of the same layout."""

from __future__ import annotations

import io

import numpy as np
import pytest

from core import learn
from core.errors import CurriculabError
from data.published import published_for
from data.sources.catalogue import find, load, sources
from data.sources.local import CLASSES, data_folder
from data.sources.pools import LEVELS

WORDS = 12


@pytest.fixture
def awa_npz(tmp_path):
    """Eight classes at 100 images a level, 62 for rat; every row is its own image."""
    rng = np.random.default_rng(0)
    label, level = [], []
    for k, name in enumerate(CLASSES):
        for part in range(5):
            label += [k] * (62 if name == "rat" else 100)
            level += [part] * (62 if name == "rat" else 100)
    X = rng.poisson(3, (len(label), WORDS)).astype(np.uint16)
    X[:, 0] = np.arange(len(label))  # which image a row is
    np.savez(
        tmp_path / "awa8_surf.npz",
        X=X,
        label=np.array(label, np.int8),
        level=np.array(level, np.int8),
        class_names=np.array(CLASSES),
    )
    return tmp_path, np.array(label), np.array(level)


def image_ids(task):
    return task.X[:, 0].astype(int), task.X_test[:, 0].astype(int)


@pytest.mark.parametrize("name", ["chimpanzee", "giant panda", "rat"])
def test_awa_follows_the_papers_protocol(name, awa_npz):
    folder, label, level = awa_npz
    source = find(f"awa:{name}", folder)
    task_set = source.sample(3)
    animal = CLASSES.index(source.name.removeprefix("awa:"))
    test = 35 if name == "rat" else 77
    assert task_set.names == task_set.semantic_order == LEVELS
    assert (task_set.normalize, task_set.bias) == ("l2", True)
    seen = []
    for k, task in enumerate(task_set.tasks):
        for ids, y, count in zip(image_ids(task), (task.y, task.y_test), (21, test), strict=True):
            seen += ids.tolist()
            assert (int((y > 0).sum()), int((y < 0).sum())) == (count, count)
            assert set(label[ids[y > 0]]) == {animal}
            assert set(level[ids[y > 0]]) == {k}
            negatives = np.bincount(label[ids[y < 0]], minlength=8)
            assert negatives[animal] == 0
            assert np.all(np.delete(negatives, animal) == count // 7)  # equally from the seven other classes
    assert len(set(seen)) == len(seen)  # no image in two tasks or in both parts


def test_awa_as_it_is_shipped_with_a_difficulty_file(tmp_path):
    rng = np.random.default_rng(1)
    folder = tmp_path / "Animals_with_Attributes" / "Features" / "surf-hist"
    scores = ["# image score"]
    for name in CLASSES:
        (folder / name).mkdir(parents=True)
        for k in range(60):
            row = rng.poisson(3, WORDS)
            row[0] = k
            (folder / name / f"{name}_{k + 1:04d}.txt").write_text(" ".join(map(str, row)) + "\n")
            scores.append(f"{name}_{k + 1:04d} {60 - k}")
    with pytest.raises(CurriculabError, match=r"there is no difficulty\.txt"):
        find("awa:seal", tmp_path).sample(0, (7, 3))
    (tmp_path / "Animals_with_Attributes" / "difficulty.txt").write_text("\n".join(scores))
    task_set = find("awa:seal", tmp_path).sample(0, (7, 3))
    for k, task in enumerate(task_set.tasks):
        train, _ = image_ids(task)
        places = train[task.y > 0]
        assert np.all((places >= 48 - 12 * k) & (places < 60 - 12 * k))  # the greatest score is the hardest


def ranked_file(path, images=60):
    rng = np.random.default_rng(2)
    ranks = np.array([[6, 5, 4, 3, 2, 1], [1, 1, 2, 5, 5, 5], [3, 6, 1, 5, 2, 4]], np.uint8)
    label = np.repeat(np.arange(6), images)
    X = rng.random((len(label), 4)).astype(np.float32)
    X[:, 0] = np.arange(len(label))
    np.savez(path, X=X, label=label, names=np.array(["tall", "tied", "mixed"]), relative_ordering=ranks)
    return label


def test_attributes_take_the_top_two_against_the_bottom_two_classes(tmp_path):
    label = ranked_file(tmp_path / "faces.npz")
    source = find("attributes:faces", tmp_path)
    task_set = source.sample(1)
    sides = {"tall": ({0, 1}, {4, 5}), "tied": ({3, 4}, {0, 1}), "mixed": ({1, 3}, {2, 4})}
    seen = []
    for task in task_set.tasks:
        for ids, y in zip(image_ids(task), (task.y, task.y_test), strict=True):
            seen += ids.tolist()
            for side, sign in zip(sides[task.name], (1, -1), strict=True):
                counts = np.bincount(label[ids[y == sign]], minlength=6)
                assert set(np.flatnonzero(counts)) == side
                assert len(set(counts[list(side)])) == 1  # in equal parts
    assert len(set(seen)) == len(seen)
    assert (task_set.normalize, task_set.bias) == ("none", True)  # features as they come
    assert "tied" in source.note


def test_attributes_have_the_papers_sizes_where_the_images_suffice(tmp_path):
    ranked_file(tmp_path / "shoes.npz", images=3 * 175)
    assert find("attributes:shoes.npz", tmp_path).sizes == (50, 300)
    ranked_file(tmp_path / "few.npz", images=30)
    assert sum(find("attributes:few.npz", tmp_path).sizes) == 20  # a class is in up to three tasks
    assert published_for("attributes:shoes.npz")["MultiSeqMT"].mean == 9.95


def test_a_person_may_name_any_file_but_a_link_only_those_in_the_folder(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    ranked_file(tmp_path / "outside.npz")
    monkeypatch.setenv("CURRICULAB_DATA", str(tmp_path / "data"))
    assert len(load(f"attributes:{tmp_path / 'outside.npz'}")) == 3
    for name in (str(tmp_path / "outside.npz"), "../outside.npz", "..\\outside.npz", "outside.npz", "\0"):
        with pytest.raises(CurriculabError, match=r"plain name of a file|there is no file"):
            find(f"attributes:{name}")


def test_the_folder_is_a_setting(tmp_path, monkeypatch):
    monkeypatch.setenv("CURRICULAB_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    assert data_folder(tmp_path / "other") == tmp_path / "other"
    monkeypatch.delenv("CURRICULAB_DATA")
    assert data_folder().name == "curriculab"


def test_what_is_missing_is_told_with_what_to_put_where(tmp_path):
    listed = {source.name: source for source in sources(tmp_path)}
    for name, file in (("awa:CLASS", "awa8_surf.npz"), ("attributes:FILE", "relative_ordering")):
        assert not listed[name].available
        assert file in listed[name].missing
        assert str(tmp_path) in listed[name].missing
        assert "CURRICULAB_DATA" in listed[name].missing
    with pytest.raises(CurriculabError, match=r"awa:rat: there is no local copy"):
        find("awa:rat", tmp_path).sample(0)


def test_what_is_there_is_listed(awa_npz):
    folder, *_ = awa_npz
    ranked_file(folder / "faces.npz")
    (folder / "other.npz").write_bytes(b"no archive")
    names = [source.name for source in sources(folder) if source.kind == "local"]
    assert names == [*(f"awa:{name}" for name in CLASSES), "attributes:faces.npz"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"label": np.array([9] * 360)}, "labels must count the columns"),
        ({"label": np.arange(5)}, "label for every image"),
        ({"relative_ordering": np.ones((2, 6), int)}, "a row of ranks for every name"),
        ({"names": np.array(["a", "", "b"])}, "empty name"),
        ({"X": np.array([[object()]] * 360, dtype=object)}, "Python objects"),
        ({"X": np.zeros(360)}, "needs a row of numbers for each image"),
    ],
)
def test_a_local_file_that_makes_no_sense_is_told(change, says, tmp_path):
    ranked_file(tmp_path / "faces.npz")
    arrays = dict(np.load(tmp_path / "faces.npz")) | change
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=True, **arrays)
    (tmp_path / "faces.npz").write_bytes(buffer.getvalue())
    with pytest.raises(CurriculabError, match=says):
        find("attributes:faces", tmp_path).sample(0)


def test_a_local_copy_can_be_learned(awa_npz):
    folder, *_ = awa_npz
    result = learn(find("awa:raccoon", folder).sample(0), "seqmt", C=10.0)
    assert set(result.order) == set(LEVELS)
