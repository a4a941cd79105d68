"""Any set written and read back is the same set, in every format."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from core.task_set import Task, TaskSet
from data.archives.formats import KINDS, FormatError, dump, losses, read, write
from data.sources.catalogue import example, find, template

NAMES = st.text(
    st.characters(
        exclude_categories=("Cc", "Cs", "Zl", "Zp"),
        exclude_characters="\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    ),
    min_size=1,
    max_size=30,
).filter(lambda name: name == name.strip())
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)


@st.composite
def task_sets(draw):
    """Balanced sets with the positives first, so that even the text layout can hold them."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    d = draw(st.integers(1, 4))
    tested = draw(st.booleans())
    tasks = []
    for name in names:
        parts = []
        for count in (draw(st.integers(1, 3)), draw(st.integers(1, 2))):
            values = draw(st.lists(NUMBERS, min_size=2 * count * d, max_size=2 * count * d))
            parts += [np.array(values).reshape(2 * count, d), np.repeat([1.0, -1.0], count)]
        tasks.append(Task(name, *(parts if tested else parts[:2])))
    order = draw(st.none() | st.permutations(names).map(tuple))
    groups = draw(st.none() | st.fixed_dictionaries(dict.fromkeys(names, NAMES)))
    shape = draw(st.sampled_from([None, (1, d), (d, 1)]))
    normalize, bias = draw(st.sampled_from(["l2", "none"])), draw(st.booleans())
    return TaskSet("set", tuple(tasks), order, groups, shape, normalize, bias)


def same(a, b):
    """Everything that a result can depend on, and the exact floats."""
    return a.digest == b.digest


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(task_set=task_sets())
def test_any_set_comes_back_the_same(kind, task_set):
    paths = [name for name in task_set.names if name.startswith("/") or "\\" in name or name[1:2] == ":"]
    if kind == "npz" and (paths or any(".." in name.split("/") for name in task_set.names)):
        with pytest.raises(FormatError, match="leads out of the archive"):
            dump(task_set, kind)
        return
    assert same(read(dump(task_set, kind), f"set.{kind}").task_set, task_set)


@pytest.mark.parametrize("name", ["digits-levels", "digits-attributes", "plane-groups", "awa-like"])
@pytest.mark.parametrize("ending", [".npz", ".csv", ".tsv", ".parquet", ".zip", ""])
def test_a_built_in_set_comes_back_the_same(name, ending, tmp_path):
    task_set = find(name).sample(1, (6, 4))
    assert write(task_set, tmp_path / f"set{ending}") == ()
    reading = read(tmp_path / f"set{ending}")
    assert same(reading.task_set, task_set)
    assert reading.task_set.name == "set"


@pytest.mark.parametrize("kind", KINDS)
def test_templates_and_examples_can_be_read(kind):
    assert len(read(template(kind), f"template.{kind}").task_set) == 2
    shown = read(example(kind), f"example.{kind}").task_set
    assert shown.image_shape == (8, 8)
    assert shown.semantic_order[0] == "8 easiest"


def test_the_csv_template_is_the_form_that_the_documentation_shows():
    assert template("csv").decode().splitlines()[0] == "task,label,split,x1,x2,x3"


def test_float32_files_are_read_exactly():
    X = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    buffer = io.BytesIO()
    np.savez(buffer, **{"a/X": X, "a/y": np.array([1, 1, -1, -1])})
    assert np.array_equal(read(buffer.getvalue(), "a.npz").task_set["a"].X, X.astype(np.float64))
    frame = pd.DataFrame(X, columns=["x", "y", "z"]).assign(task="a", label=[1, 1, -1, -1])
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    assert np.array_equal(read(buffer.getvalue(), "a.parquet").task_set["a"].X, X.astype(np.float64))


def test_numpy_and_pandas_alone_can_read_what_is_written():
    task_set = find("plane-outlier").sample(0, (3, 2))
    arrays = np.load(io.BytesIO(dump(task_set, "npz")), allow_pickle=False)
    assert {name.rpartition("/")[0] for name in arrays.files} == set(task_set.names)
    assert np.array_equal(arrays["outlier/X"], task_set["outlier"].X)
    frame = pd.read_csv(io.BytesIO(dump(task_set, "csv")))
    outlier = frame[(frame.task == "outlier") & (frame.split == "test")]
    assert np.array_equal(outlier.iloc[:, 3:].to_numpy(), task_set["outlier"].X_test)
    assert outlier.label.tolist() == [1, 1, -1, -1]


def test_sparse_features_are_written_dense_and_that_is_said(tmp_path):
    X = sp.csr_array(np.array([[0.0, 2.0], [1.0, 0.0]]))
    task_set = TaskSet("s", (Task("a", X, [1, -1]),))
    assert write(task_set, tmp_path / "s.npz") == ("Sparse features are written as dense ones.",)
    assert np.array_equal(read(tmp_path / "s.npz").task_set["a"].X, X.toarray())


def test_text_reorders_rows_and_says_so_and_refuses_unbalanced_tasks():
    X = np.arange(8.0).reshape(4, 2)
    mixed = TaskSet("m", (Task("a", X, [1, -1, 1, -1]),))
    assert losses(mixed, "zip") == ("Rows are reordered: in the text layout the positive ones come first.",)
    assert np.array_equal(read(dump(mixed, "zip"), "m.zip").task_set["a"].X, X[[0, 2, 1, 3]])
    with pytest.raises(FormatError, match="'a' has 3 positive and 1 negative points in train"):
        dump(TaskSet("u", (Task("a", X, [1, 1, 1, -1]),)), "zip")


def test_a_name_that_files_do_not_keep_is_refused():
    task_set = TaskSet("s", (Task(" a", [[1.0], [2.0]], [1, -1]),))
    for kind in KINDS:
        with pytest.raises(FormatError, match="begins or ends with a blank"):
            dump(task_set, kind)


def test_names_are_no_formulas_in_a_spreadsheet():
    names = ("=1+1", "+a", "-a", "@a", "'=x", "''", "'s")
    task_set = TaskSet("s", tuple(Task(name, [[1.0], [2.0]], [1, -1]) for name in names))
    text = dump(task_set, "csv")
    assert read(text, "s.csv").task_set.names == names
    assert all(str(name)[0] not in "=+-@" for name in pd.read_csv(io.BytesIO(text)).task)


def test_text_files_have_names_that_every_system_takes():
    task_set = TaskSet("s", tuple(Task(name, [[1.0], [2.0]], [1, -1]) for name in ("a/b", "..", "c:d", "50%", "é")))
    archive = zipfile.ZipFile(io.BytesIO(dump(task_set, "zip")))
    stems = {name.removesuffix("_train.txt") for name in archive.namelist() if name != "about.txt"}
    assert stems == {"a%2Fb", "%2E%2E", "c%3Ad", "50%25", "é"}
    assert same(read(dump(task_set, "zip"), "s.zip").task_set, task_set)


def test_a_set_whose_tasks_were_edited_keeps_what_still_fits():
    text = dump(find("digits-levels:8").sample(0, (2, 1)), "csv").decode()
    shorter = "\n".join(line for line in text.splitlines() if "hardest" not in line)
    reading = read(shorter.encode(), "shorter.csv")
    assert reading.task_set.image_shape == (8, 8)
    assert reading.task_set.semantic_order is None
    assert "The file's semantic order does not fit its tasks and was left out." in reading.assumptions


@pytest.mark.parametrize("name", ["set.xyz", "set.txt", "no/such/folder/set.csv"])
def test_a_place_or_ending_that_cannot_be_written_is_told(name, tmp_path):
    task_set = find("plane-equal").sample(0, (2, 1))
    with pytest.raises(FormatError, match=r"no format has the ending|cannot be written"):
        write(task_set, tmp_path / name)
    assert list(tmp_path.iterdir()) == []
