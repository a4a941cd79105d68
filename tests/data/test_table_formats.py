"""ARFF and NPZ files of one data set are tables: their names are kept, and nothing is unpickled."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import datasets

from core.errors import CurriculabError
from dashboard.cli import main
from data.recipes.builder import make
from data.recipes.inference import guess
from data.tables.reading import read_table

HEADER = """% made by hand

@RELATION 'some flowers'
@ATTRIBUTE 'sepal length'  NUMERIC   % in cm
@attribute sepal_width real
@attribute "petal's kind" {1, 2}
\t@attribute Class {'Iris setosa', Iris-versicolor}
@DATA
"""
ROWS = "".join(
    f"5.{k},?,1, 'Iris setosa'\n% a remark\n6.{k}, 3.5,2,Iris-versicolor\n7.{k},3.25,1,'Iris setosa'\n"
    for k in range(9)
)


def test_arff_keeps_its_names_and_its_gaps():
    for text in (HEADER + ROWS, (HEADER + ROWS).replace("\n", "\r\n"), "\ufeff" + HEADER + ROWS):
        table = read_table(text.encode(), "flowers.arff")
        assert table.names == ("sepal length", "sepal_width", "petal's kind", "Class")
        assert table.rows == 27
        assert table["Class"].values == ("Iris setosa", "Iris-versicolor")
        assert table["sepal_width"].n_missing == 9
        assert table["sepal length"].numbers[:3].tolist() == [5.0, 6.0, 7.0]
        assert guess(table).label == "Class"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEADER + "{0 5.1, 2 1}\n", "has sparse rows, such as {0 5, 3 1}; save it with dense rows"),
        (HEADER, "has no rows below @data"),
        (HEADER.partition("@DATA")[0], "has no line @data"),
        ("@relation r\n@data\n1,2\n", "names no attribute"),
        ("@relation r\n@attribute\n@data\n1,2\n", "'@attribute' names no attribute"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(text, said):
    with pytest.raises(CurriculabError, match=said.replace("{", r"\{")):
        read_table(text.encode(), "bad.arff")


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 600), st.binary(max_size=3)), max_size=6))
def test_any_damage_to_an_arff_file_ends_in_a_table_or_a_sentence(changes):
    data = bytearray((HEADER + ROWS).encode())
    for place, put in changes:
        data[place : place + 2] = put
    with contextlib.suppress(CurriculabError):
        read_table(bytes(data), "damaged.arff")


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


IRIS = datasets.load_iris()
NAMES = {"feature_names": np.array(IRIS.feature_names), "target_names": IRIS.target_names}


@pytest.mark.parametrize(
    ("contents", "classes", "features"),
    [
        (npz(X=IRIS.data, y=IRIS.target), ("0", "1", "2"), ("x1", "x2", "x3", "x4")),
        (npz(X=IRIS.data, y=IRIS.target[:, None].astype(str)), ("0", "1", "2"), ("x1", "x2", "x3", "x4")),
        (npz(data=IRIS.data, target=IRIS.target, **NAMES), tuple(IRIS.target_names), tuple(IRIS.feature_names)),
        (npz(X=IRIS.data.reshape(-1, 2, 2), y=IRIS.target.astype("S3")), ("0", "1", "2"), ("x1", "x2", "x3", "x4")),
    ],
)
def test_features_and_labels_of_several_classes_are_offered_as_one_against_the_rest(contents, classes, features):
    table = read_table(contents, "iris.npz")
    assert table.names == (*features, "label")
    recipe = guess(table)
    assert (recipe.kind, recipe.label) == ("one-vs-rest", "label")
    made = make(table, recipe).task_set
    assert made.names == classes
    assert {row.tobytes() for task in made.tasks for row in task.X} <= {row.tobytes() for row in IRIS.data}


def test_parts_are_kept_and_several_labels_are_columns():
    order = np.random.default_rng(0).permutation(150)
    parts = {"train": order[:100], "test": order[100:]}
    arrays = {
        f"{name}_{part}": a[rows] for part, rows in parts.items() for name, a in (("X", IRIS.data), ("y", IRIS.target))
    }
    table = read_table(npz(**arrays), "iris.npz")
    assert guess(table).split == "split"
    assert np.array_equal(table["x1"].numbers, IRIS.data[order, 0])
    table = read_table(npz(X=IRIS.data, y=np.eye(3)[IRIS.target]), "iris.npz")
    assert guess(table).labels == ("y1", "y2", "y3")


@pytest.mark.parametrize(
    ("contents", "said"),
    [
        (npz(X=IRIS.data, y=IRIS.target.astype(object)), "holds Python objects, which are never opened"),
        (npz(X=IRIS.data, y=IRIS.target[:-1]), r"'X' has the shape \(150, 4\) and 'y' \(149,\)"),
        (npz(a=IRIS.data), "holds no arrays 'X' and 'y'"),
    ],
)
def test_arrays_that_make_no_table_are_refused_in_a_sentence(contents, said):
    with pytest.raises(CurriculabError, match=said):
        read_table(contents, "bad.npz")


def test_check_and_make_take_both(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flowers.arff").write_text(HEADER + ROWS)
    (tmp_path / "iris.npz").write_bytes(npz(X=IRIS.data, y=IRIS.target))
    assert main(["check", "iris.npz"]) == 0
    assert "--recipe one-vs-rest --label label" in capsys.readouterr().out
    assert main(["make", "flowers.arff", "--label", "Class", "--drop", "petal's kind", "-o", "f.npz"]) == 0
    assert "sepal_width" in capsys.readouterr().out
    assert main(["learn", "flowers.arff"]) == 2
    assert "'curriculab check flowers.arff' says how" in capsys.readouterr().err
