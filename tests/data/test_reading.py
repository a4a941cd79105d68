"""What a person plainly meant is accepted, and everything assumed is said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core import learn
from core.errors import CurriculabError
from core.task_set import Task, TaskSet
from data.archives.formats import read
from data.limits import FormatError
from data.recipes.labels import file_signs
from data.sources.file import with_test_split
from data.tables.column import column_of
from data.task_names import escape_formula, shown_file, unescape_formula
from tests.data.badfiles import GOOD, X, Y, npz, parquet, zipped

EXPECTED = {"a": [[0.5, 1.0], [0.1, 2.0]], "b": [[0.3, 3.0], [0.2, 4.0]]}


def assert_good(reading):
    assert {task.name: task.X.tolist() for task in reading.task_set.tasks} == EXPECTED
    assert all(task.y.tolist() == [1.0, -1.0] for task in reading.task_set.tasks)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD, None),
        ("\ufeff" + GOOD, None),
        (GOOD.replace("\n", "\r\n"), None),
        (GOOD.replace("\n", "\r"), None),
        (GOOD.replace("\n", "\n\n"), None),
        ("\n\n" + GOOD, None),
        (GOOD.replace(",", ", "), "Blanks around"),
        (GOOD.replace(",", ";"), "Cells are separated by semicolons."),
        (GOOD.replace(",", "\t"), "Cells are separated by tabs."),
        (GOOD.replace(",", "|"), "Cells are separated by bars."),
        (GOOD.replace(",", " "), "Cells are separated by blanks."),
        (GOOD.replace(",", ";").replace(".", ","), "Numbers have a decimal comma."),
        ("sep=;\n" + GOOD.replace(",", ";"), "Cells are separated by semicolons."),
        (GOOD.replace("task", " Task ").replace("label", "LABEL"), None),
        (GOOD.replace("label", "y"), "Column 'y' is taken as the label."),
        (GOOD.replace("x2", "x1"), "Columns with the same name are called 'x1 (2)'."),
        (GOOD.replace(",1,0", ",yes,0").replace(",0,0", ",no,0"), "Label 'yes' is the positive class"),
        (
            GOOD.replace("x1", "image,x1").replace(",1,0", ",1,i.png,0").replace(",0,0", ",0,j.png,0"),
            "Left out 'image'",
        ),
        ("".join(f"{k or ''},{line}\n" for k, line in enumerate(GOOD.splitlines())), "Left out 'column 1'"),
        ("".join(f"{line},\n" for line in GOOD.splitlines()), "Left out 'column 5'"),
    ],
)
def test_a_csv_however_written_is_the_same_set(text, says):
    reading = read(text.encode(), "d.csv")
    assert_good(reading)
    if says and not says.startswith("Blanks"):
        assert any(sentence.startswith(says) for sentence in reading.assumptions)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252"])
def test_other_encodings_are_read_and_said(encoding):
    text = GOOD.replace("a,", "é,")
    data = (b"\xff\xfe" if encoding == "utf-16-le" else b"") + text.encode(encoding)
    reading = read(data, "d.csv")
    assert reading.task_set.names == ("é", "b")
    assert any("UTF-16" in sentence or "Windows-1252" in sentence for sentence in reading.assumptions)


def test_rows_of_a_task_may_lie_anywhere():
    text = (
        "task,label,split,x1,x2\na,1,train,0.5,1\nb,1,test,9,9\nb,1,Train,0.3,3\na,0,train,0.1,2\nb,0,TRAINING,0.2,4\n"
    )
    reading = read(text.encode(), "d.csv")
    assert_good(reading)
    assert reading.task_set["b"].X_test.tolist() == [[9.0, 9.0]]
    assert reading.task_set["b"].y_test.tolist() == [1.0]
    assert "Test data is missing for 1 of 2 tasks ('a'), so no test errors." in reading.assumptions


def test_a_feature_named_y_stays_a_feature_beside_a_label():
    task_set = read(GOOD.replace("x2", "y").encode(), "d.csv").task_set
    assert task_set.n_features == 2


@pytest.mark.parametrize(
    ("values", "signs"),
    [
        ([-1, 1], [-1, 1]),
        ([1, 0], [1, -1]),
        ([3, 7], [-1, 1]),
        (["10", "9"], [1, -1]),
        (["1", "0", "1.0", "+1"], [1, -1, 1, 1]),
        (["no", "yes"], [-1, 1]),
        (["True", "False"], [1, -1]),
        ([True, False], [1, -1]),
        (["cat", "9"], [1, -1]),
    ],
)
def test_the_greater_of_two_labels_is_positive(values, signs):
    assert file_signs(column_of("label", pd.Series(values)), "f")[0].tolist() == signs


def test_which_label_is_positive_is_said():
    said = [file_signs(column_of("label", pd.Series(values)), "f")[1] for values in (["dog", "cat"], [1, -1])]
    assert said == [
        "Label 'dog' is the positive class (+1) and 'cat' the negative class (-1).",
        "Labels are -1 and +1, as they are.",
    ]


def test_images_in_an_npz_are_laid_out_and_their_shape_kept():
    reading = read(npz(a__X=np.arange(24.0).reshape(4, 2, 3), a__y=Y), "d.npz")
    assert reading.task_set.image_shape == (2, 3)
    assert reading.task_set["a"].X[1].tolist() == [6, 7, 8, 9, 10, 11]
    assert "Every row of X is an image of 2 x 3, laid out row by row." in reading.assumptions


def test_npz_labels_may_be_a_column_of_text():
    task_set = read(npz(a__X=X, a__y=np.array([["p"], ["p"], ["n"], ["n"]])), "d.npz").task_set
    assert task_set["a"].y.tolist() == [1, 1, -1, -1]


def test_optional_arrays_that_make_no_sense_are_left_out_and_said():
    reading = read(npz(a__X=X, a__y=Y, a__rank=np.array([1, 2]), a__image_shape=np.array([3, 3])), "d.npz")
    assert reading.task_set.semantic_order is None
    assert reading.task_set.image_shape is None
    assert "The file's semantic order does not fit its tasks and was left out." in reading.assumptions


def test_parquet_of_pandas_with_an_index_and_categories():
    frame = pd.DataFrame({"task": list("aabb"), "label": [1, 0, 1, 0], "x": [0.5, 0.1, 0.3, 0.2], "z": [1, 2, 3, 4]})
    assert_good(read(parquet(frame.set_index(pd.Index([4, 2, 9, 7]))), "d.parquet"))
    words = frame.assign(label=pd.Categorical(["p", "n", "p", "n"], categories=["n", "p", "unused"]))
    assert_good(read(parquet(words.astype({"task": "category"})), "d.parquet"))


def test_text_with_decimal_commas_or_commas_between_cells():
    assert read(zipped({"a_train.txt": "1,5 2\n3,0 4\n"}), "d.zip").task_set["a"].X.tolist() == [[1.5, 2], [3, 4]]
    assert read(zipped({"a_train.txt": "1.5,2\n3,4\n"}), "d.zip").task_set["a"].X.tolist() == [[1.5, 2], [3, 4]]


def test_the_authors_layout_in_a_folder_of_a_zip():
    files = {"demo/b_train.txt": "1 2\n3 4\n", "demo/a_train.txt": "5 6\n7 8\n", "__MACOSX/demo/._a_train.txt": "junk"}
    task_set = read(zipped(files), "demo.zip").task_set
    assert task_set.names == ("a", "b")
    assert task_set.name == "demo"
    assert task_set["b"].y.tolist() == [1, -1]


def test_without_test_data_nothing_is_split_unasked():
    reading = read(GOOD.encode(), "d.csv")
    assert not reading.task_set.has_test
    assert any(sentence.startswith("There is no test data") for sentence in reading.assumptions)
    assert learn(reading.task_set, "seqmt", C=1.0).as_dict()["test_error"] is None


def test_a_split_is_stratified_stated_and_seeded():
    rng = np.random.default_rng(0)
    task_set = TaskSet("s", tuple(Task(name, rng.random((30, 2)), np.repeat([1, -1], [20, 10])) for name in "ab"))
    split = with_test_split(task_set, 0.3, seed=4)
    for task, whole in zip(split.tasks, task_set.tasks, strict=True):
        assert (int((task.y_test > 0).sum()), int((task.y_test < 0).sum())) == (6, 3)
        assert sorted(map(tuple, [*task.X, *task.X_test])) == sorted(map(tuple, whole.X))
    assert with_test_split(task_set, 0.3, seed=4).digest == split.digest != with_test_split(task_set, 0.3, 5).digest
    assert with_test_split(split).digest == split.digest


@pytest.mark.parametrize("share", [0.0, 1.0, float("nan")])
def test_a_share_that_leaves_nothing_is_refused(share):
    with pytest.raises(CurriculabError, match="between 0 and 1"):
        with_test_split(read(GOOD.encode(), "d.csv").task_set, share)


def test_a_class_of_one_point_cannot_be_split():
    with pytest.raises(CurriculabError, match=r"task 'a' has one point of class \+1"):
        with_test_split(read(GOOD.encode(), "d.csv").task_set)


@pytest.mark.parametrize("name", ["a", "=a", "'=a", "''a", "'a", "-", "@", "'"])
def test_escaping_formulas_is_undone_exactly(name):
    assert unescape_formula(escape_formula(name)) == name


def test_a_file_name_is_shown_on_one_short_line():
    assert shown_file("/a/b/set.csv") == "set.csv"
    assert shown_file("x\ny\u202e.csv") == "x?y?.csv"
    assert len(shown_file("n" * 10_000 + ".csv")) == 60


def test_errors_of_a_file_are_format_errors():
    with pytest.raises(FormatError):
        read(b"nonsense", "d.csv")
