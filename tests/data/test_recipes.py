"""Any table becomes tasks: each recipe's facts, and nothing dropped, filled or scaled in silence."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import datasets

from core.errors import CurriculabError
from data import make_tasks
from data.recipes.builder import as_table, chosen, make
from data.recipes.inference import guess
from data.recipes.members import disjoint_counts
from data.recipes.plan import plan
from data.recipes.recipe import KINDS, Recipe, recipe_of


def bundled(name):
    """A data set of scikit-learn as a person would have it: a table whose classes are words."""
    data = getattr(datasets, f"load_{name}")(as_frame=True)
    return data.frame.assign(target=[f"{data.target_names[k]!s} kind" for k in data.target])


def patients(rows=120, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "id": np.arange(rows) + 7000,
            "hospital": [f"H{k % 4}" for k in range(rows)],
            "visit": pd.date_range("2024-01-01", periods=rows).strftime("%d.%m.%Y"),
            "age": rng.normal(50, 10, rows).round(1),
            "pressure": rng.normal(120, 15, rows).round(1),
            "ward": rng.choice(["east", "north", "west"], rows),
            "remark": [f"seen by nobody, {k}" for k in range(rows)],
            "outcome": rng.choice(["died", "lived"], rows),
        }
    )
    frame.loc[[3, 10, 50], "age"] = np.nan
    return frame


def rows_of(task_set, X):
    """For every task, the places of its points in X, whose rows are all different."""
    place = {row.tobytes(): k for k, row in enumerate(np.ascontiguousarray(X))}
    return {
        task.name: [
            [place[row.tobytes()] for row in part] for part in (task.X, task.X_test if task.n_test else task.X[:0])
        ]
        for task in task_set.tasks
    }


@pytest.mark.parametrize(
    ("name", "kind", "tasks"),
    [
        ("iris", "one-vs-rest", 3),
        ("wine", "one-vs-rest", 3),
        ("breast_cancer", "levels", 5),
        ("digits", "one-vs-rest", 10),
    ],
)
def test_scikit_learns_tables_are_guessed_right_and_give_tasks_with_tests(name, kind, tasks):
    table = as_table(bundled(name))
    recipe = guess(table)
    assert (recipe.kind, recipe.label, recipe.test) == (kind, "target", 0.3)
    made = make(table, recipe).task_set
    assert len(made) == tasks
    assert made.has_test


def test_groups_are_tasks_and_ids_dates_and_texts_are_no_features():
    frame = patients()
    made = make(as_table(frame), chosen(as_table(frame), "groups", "outcome=died", {"task": "hospital"}))
    assert made.task_set.names == ("H0", "H1", "H2", "H3")
    assert made.task_set.n_features == 5  # age, pressure, three wards
    whole = frame.dropna()
    for task in made.task_set.tasks:
        part = whole[whole.hospital == task.name]
        assert task.y.tolist() == [1.0 if outcome == "died" else -1.0 for outcome in part.outcome]
        assert np.array_equal(task.X[:, 0], part.age)
        assert np.array_equal(task.X[:, 3], (part.ward == "north").astype(float))
    told = " ".join(made.assumptions)
    assert "3 of 120 rows, which have an empty cell" in told
    for column, why in (("id", "only counts"), ("visit", "dates"), ("remark", "its own text")):
        assert any(f"{column!r} is no feature" in said and why in said for said in made.assumptions)


def test_means_and_scales_come_from_training_points_alone():
    frame = patients()[["hospital", "age", "pressure", "outcome"]].assign(split=["train", "train", "test"] * 40)
    made = make_tasks(
        frame, recipe="groups", task="hospital", label="outcome", test="split", missing="mean", standardize=True
    )
    training = np.vstack([task.X for task in made.tasks])
    train = frame[frame.split == "train"]
    age = train.age.fillna(train.age.mean())
    assert len(training) == 80
    assert np.allclose(np.sort(training[:, 0]), np.sort((age - age.mean()) / age.std(ddof=0)))
    tests = np.vstack([task.X_test for task in made.tasks])
    tested = frame[frame.split == "test"].age.fillna(train.age.mean())
    assert np.allclose(np.sort(tests[:, 0]), np.sort((tested - age.mean()) / age.std(ddof=0)))


def test_filled_cells_are_counted_aloud():
    frame = patients()
    made = make(as_table(frame), Recipe("groups", "hospital", "outcome", missing="mean"))
    assert "3 empty cells are filled with the column's mean over the training points." in made.assumptions
    assert sum(task.n_points for task in made.task_set.tasks) == len(frame)


def test_one_against_rest_follows_the_papers_protocol():
    X, y = datasets.load_digits(return_X_y=True)
    X = np.hstack([X, np.arange(len(X))[:, None] * 0.001])  # so that no two points are the same
    made = make_tasks((X, y), recipe="one-vs-rest", test=0.3)
    assert made.names == tuple(str(k) for k in range(10))
    places = rows_of(made, X[:, [k for k in range(65) if k in (64,) or len(np.unique(X[:, k])) > 1]])
    everywhere = [place for parts in places.values() for part in parts for place in part]
    assert len(everywhere) == len(set(everywhere)) > 0.95 * len(X)
    for task in made.tasks:
        for part, labels in zip(places[task.name], (task.y, task.y_test), strict=True):
            assert abs(labels.sum()) <= 2  # balanced
            assert all((y[place] == int(task.name)) == (label > 0) for place, label in zip(part, labels, strict=True))
        negatives = y[[p for p, label in zip(places[task.name][0], task.y, strict=True) if label < 0]]
        assert set(negatives) == set(range(10)) - {int(task.name)}


def test_shared_points_are_in_several_tasks_but_never_in_training_and_test():
    X, y = datasets.load_iris(return_X_y=True)
    X = X + np.arange(150)[:, None] * 1e-6
    places = rows_of(make_tasks(X, y, recipe="one-vs-rest", shared=True, test=0.2), X)
    train = [p for parts in places.values() for p in parts[0]]
    test = [p for parts in places.values() for p in parts[1]]
    assert len(train) > len(set(train))
    assert not set(train) & set(test)
    assert len(set(test)) == pytest.approx(30, abs=2)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=7))
def test_negatives_never_run_out_whatever_the_class_sizes(sizes):
    sizes = np.array(sizes)
    positives, counts = disjoint_counts(sizes)
    assert np.array_equal(counts.sum(axis=1), positives)
    assert np.all(np.diag(counts) == 0)
    assert np.all(counts.sum(axis=0) + positives <= sizes)
    largest = sizes.max()
    if largest <= sizes.sum() - largest:
        assert np.array_equal(positives, sizes // 2)


def test_label_columns_are_tasks_and_a_blank_means_unlabelled():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(90, 3)), columns=list("abc"))
    frame["round"] = rng.choice([0, 1, None], 90)
    frame["red"] = rng.choice(["yes", "no", ""], 90)
    table = as_table(frame)
    recipe = guess(table)
    assert (recipe.kind, recipe.labels) == ("columns", ("round", "red"))
    made = make_tasks(frame, recipe="columns")
    for name, positive in (("round", 1), ("red", "yes")):
        known = frame[name].isin([0, 1] if name == "round" else ["yes", "no"])
        assert made[name].n_points == known.sum()
        assert np.array_equal(made[name].y > 0, frame[name][known] == positive)
        assert np.array_equal(made[name].X, frame[known][list("abc")])
    split = rows_of(make_tasks(frame, recipe="columns", test=0.25), frame[list("abc")].to_numpy())
    train, test = ({p for parts in split.values() for p in parts[k]} for k in (0, 1))
    assert not train & test


def test_levels_by_a_score_are_ordered_from_easy_to_hard():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"x": rng.normal(size=200), "hard": rng.random(200), "y": rng.choice([0, 1], 200)})
    made = make_tasks(frame, recipe="levels", label="y", score="hard", levels=4)
    assert made.semantic_order == ("level 1", "level 2", "level 3", "level 4")
    assert made.n_features == 1
    hard = dict(zip(frame.x, frame.hard, strict=True))
    for label in (-1.0, 1.0):
        parts = [[hard[x] for x in made[name].X[made[name].y == label, 0]] for name in made.semantic_order]
        assert all(max(a) <= min(b) for a, b in itertools.pairwise(parts))
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_levels_by_a_machine_are_harder_for_a_machine():
    from core import learn

    made = make_tasks(bundled("breast_cancer"), recipe="levels", label="target", standardize=True, test=0.3)
    errors = learn(made, "indsvm", C=1.0).test_error
    assert errors["easiest"] == 0.0
    assert errors["hardest"] > max(errors["easiest"], errors["easy"], errors["medium"])


def test_what_is_positive_can_be_said():
    frame = pd.DataFrame(
        {
            "x": range(40),
            "noise": [k * 7 % 5 for k in range(40)],
            "kind": list("abcd") * 10,
            "site": ["p"] * 20 + ["q"] * 20,
        }
    )
    frame["x"] = frame.x + 0.5
    made = make_tasks(frame, recipe="groups", task="site", label="kind=c", keep="x")
    assert all((task.y > 0).sum() == 5 for task in made.tasks)
    above = make_tasks(frame, recipe="groups", task="site", label="noise>2")
    assert (above["p"].y > 0).tolist() == [k * 7 % 5 > 2 for k in range(20)]
    with pytest.raises(CurriculabError, match=r"no cell of 'kind' is 'z'; its values are 'a', 'b', 'c', 'd'"):
        make_tasks(frame, recipe="groups", task="site", label="kind=z")


def test_at_most_so_many_points_and_the_rest_is_told():
    made = make(as_table(bundled("digits")), Recipe("one-vs-rest", label="target", most=40, test=0.25))
    assert {task.n_points + task.n_test for task in made.task_set.tasks} == {40}
    assert any("so that no task has more than 40" in said for said in made.assumptions)


def test_ready_tables_are_read_as_task_set_files_are():
    frame = pd.DataFrame(
        {"task": ["a", "a", "b", "b"] * 5, "label": [0, 1] * 10, "x": range(20), "z": [1, 5, 2, 9] * 5}
    )
    table = as_table(frame)
    assert guess(table).kind == "ready"
    assert make_tasks(frame, recipe="ready").names == ("a", "b")


@pytest.mark.parametrize(
    ("frame", "part", "words_of_it"),
    [
        (pd.DataFrame({"a": [1.5, 2.25, 3.125], "b": [0.5, 0.25, 1.125]}), "label", "no column is chosen"),
        (pd.DataFrame({"when": ["2020-01-01"] * 3, "class": ["u", "v", "u"]}), "features", "no column is left"),
        (pd.DataFrame({"x": [1, 4, 2, 9], "class": ["u", "u", "u", "u"]}), "label", "no column is chosen"),
    ],
)
def test_a_hopeless_table_is_a_plan_with_its_problem_marked(frame, part, words_of_it):
    table = as_table(frame)
    found = plan(table, guess(table))
    assert part in [problem.part for problem in found.problems]
    assert any(words_of_it in problem.sentence for problem in found.problems)
    with pytest.raises(CurriculabError):
        make(table, guess(table))


@given(
    st.builds(
        Recipe,
        kind=st.sampled_from(KINDS),
        task=st.text(max_size=5),
        label=st.text(max_size=5),
        positive=st.text(max_size=3),
        above=st.none() | st.floats(allow_nan=False, allow_infinity=False),
        drop=st.lists(st.text(max_size=4), max_size=3).map(tuple),
        labels=st.lists(st.text(max_size=4), max_size=3).map(tuple),
        test=st.sampled_from([0.0, 0.25, 0.3]),
        standardize=st.booleans(),
        missing=st.sampled_from(["drop", "mean"]),
        levels=st.integers(2, 9),
    )
)
def test_a_recipe_is_data_and_comes_back_from_its_text(recipe):
    assert recipe_of(recipe.as_text()) == recipe


@pytest.mark.parametrize(
    "text", ["", "nonsense", "recipe=none", "recipe=groups&test=x", "recipe=groups&evil=1", "recipe=levels&levels=900"]
)
def test_text_that_is_no_recipe_is_refused(text):
    with pytest.raises(CurriculabError):
        recipe_of(text)


def test_the_words_of_a_recipe_make_the_same_tasks():
    from dashboard.cli import parser
    from dashboard.commands.options import recipe_options

    frame = patients()
    table = as_table(frame)
    recipe = Recipe(
        "groups", "hospital", "outcome", "lived", drop=("ward",), keep=("id",), missing="mean", test=0.25, most=20
    )
    arguments = parser().parse_args(["make", "t.csv", *recipe.as_words(), "-o", "x.npz"])
    options = {name: value for name, value in recipe_options(arguments).items() if value is not None}
    again = chosen(table, arguments.recipe, arguments.label, options | {"test": float(arguments.test)})
    assert again == recipe
    assert make(table, again).task_set.digest == make(table, recipe).task_set.digest


def test_a_measured_target_is_split_at_its_median():
    frame = datasets.load_diabetes(as_frame=True).frame
    recipe = guess(as_table(frame))
    assert (recipe.kind, recipe.label) == ("levels", "target")
    made = make(as_table(frame), recipe)
    assert f"Positive is 'target' above {frame.target.median():g} (its median)." in made.assumptions


def test_rows_left_out_of_the_test_part_are_told_too():
    frame = patients().drop(columns=["age"]).assign(split=["train", "train", "test"] * 40)
    frame.loc[[0, 1, 2, 5, 8], "outcome"] = None  # two of the training rows, three of the test rows
    made = make(as_table(frame), Recipe("groups", "hospital", "outcome", split="split"))
    assert "Left out: 5 rows without a label." in made.assumptions
    assert sum(task.n_points + task.n_test for task in made.task_set.tasks) == 115


def test_the_plan_says_before_anything_is_made_what_is_filled_and_standardised():
    frame = patients()
    frame.loc[[1, 2], "ward"] = None  # a cell of words is one empty cell, though it becomes three features
    made = plan(as_table(frame), Recipe("groups", "hospital", "outcome", missing="mean", standardize=True))
    assert "5 empty cells are filled with the column's mean over the training points." in made.said
    assert any(said.startswith("Columns are standardised") for said in made.said)


def test_a_class_or_group_that_gives_no_task_is_named_with_the_reason():
    X, y = datasets.load_iris(return_X_y=True)
    X, y = np.vstack([X, [[1.0, 2, 3, 4]]]), np.append(np.array(["setosa", "versicolor", "virginica"])[y], "unicorn")
    made = plan(as_table((X, y)), Recipe("one-vs-rest", label="label"))
    assert [task.name for task in made.tasks] == ["setosa", "versicolor", "virginica"]
    assert any(said.startswith("Class 'unicorn': one point makes no task") for said in made.left_out)
    assert "1 point, so that every task has as many negatives as positives." in made.left_out
    x, labels = [1.5, 2, 4, 3, None, 7, None, None], [0, 1, 0, 0, 1, None, 1, 0]
    frame = pd.DataFrame({"x": x, "site": list("aaabbbcd"), "y": labels})
    left = plan(as_table(frame), Recipe("groups", "site", "y")).left_out
    assert "Task 'b': its only point is negative." in left
    assert "Tasks 'c', 'd': no training points are left." in left


def test_a_class_that_only_the_test_data_have_is_named():
    frame = pd.DataFrame({"x": np.arange(12) ** 2, "kind": list("aaaabbbbcccc"), "split": ["train"] * 8 + ["test"] * 4})
    left = plan(as_table(frame), Recipe("one-vs-rest", label="kind", split="split")).left_out
    assert "Class 'c': no training points are left." in left
    frame = frame.assign(site=frame.kind, y=[0, 1] * 6)
    left = plan(as_table(frame), Recipe("groups", "site", "y", split="split")).left_out
    assert "Task 'c': no training points are left." in left


def test_one_row_and_one_column_are_no_rows_and_columns():
    assert as_table(pd.DataFrame({"x": [3.5]})).size == "a table of 1 row and 1 column"


def measured(rows=60):
    rng = np.random.default_rng(4)
    return pd.DataFrame(rng.normal(size=(rows, 3)).round(1), columns=["x", "y", "size"])


def test_numbers_with_fractions_are_no_classes_but_split_at_their_median():
    frame = measured()
    assert len(frame.y.unique()) < 60
    recipe = guess(as_table(frame[["x", "size", "y"]]))
    assert (recipe.kind, recipe.label) == ("levels", "y")
    few = make(as_table(frame.assign(y=[0.5, 1.5, 2.5] * 20)), Recipe("levels", label="y"))
    assert "Positive is 'y' above 1.5 (its median)." in few.assumptions
    X, y = measured()[["x", "size"]], np.repeat([1.25, 1.5, 2.0, 3.75], 15)
    assert chosen(as_table(X, y), None, None, {}).kind == "levels"
    assert make_tasks(X, y).semantic_order is not None


@pytest.mark.parametrize("name", ["species", "kind", "colour"])
def test_a_column_of_words_is_the_label_before_a_coordinate_called_y(name):
    frame = measured().assign(**{name: ["red", "green", "blue"] * 20})
    recipe = guess(as_table(frame))
    assert (recipe.kind, recipe.label) == ("one-vs-rest", name)


def test_a_y_of_two_values_is_the_label_before_words_that_are_features():
    frame = pd.DataFrame({"job": ["cook", "clerk", "cook"] * 20, "x": measured().x, "y": [0, 1] * 30})
    assert guess(as_table(frame)).label == "y"


def test_a_feature_of_two_numbers_is_not_guessed_as_label_in_a_table_of_measurements():
    frame = datasets.load_diabetes(as_frame=True, scaled=False).frame.rename(columns={"target": "progression"})
    recipe = guess(as_table(frame))
    assert recipe.label == ""
    grouped = guess(as_table(frame.assign(clinic=[f"clinic {k % 4}" for k in range(len(frame))])))
    assert (grouped.kind, grouped.task, grouped.label) == ("groups", "clinic", "")
    flagged = frame.assign(sex=(frame.sex > 1).astype(int)).rename(columns={"sex": "ill"})
    assert guess(as_table(flagged)).label == "ill"
