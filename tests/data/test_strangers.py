"""What is said and made of strangers' tables holds: guesses, limits, equal classes, small tasks, repeated rows."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from core import Task, TaskSet, learn
from core.errors import CurriculabError
from core.statistics.data_checks import check_data
from data import make_tasks
from data.archives.formats import dump, read
from data.assembly import with_least
from data.recipes.builder import as_table, make
from data.recipes.inference import guess
from data.recipes.plan import plan
from data.recipes.recipe import Recipe, recipe_of
from data.sources.file import FileSource
from data.tables.reading import read_table
from tests.data import strangers

STATIONS = Recipe("groups", "station", "alarm", test=0.3)
LABELS = ("amazed", "happy", "relaxing", "quiet", "sad", "angry")


def counted(name):
    """The table of that name with columns whose names say nothing."""
    frame = getattr(strangers, name)()
    return frame.set_axis([f"c{k}" for k in range(frame.shape[1])], axis=1)


@pytest.mark.parametrize(
    ("frame", "task", "label"),
    [
        (strangers.landmine(), "field", "mine"),
        (strangers.school(), "Schule", "Punkte"),
        (strangers.school().sample(frac=1, random_state=0), "Schule", "Punkte"),
        (strangers.school()[["Punkte", "Gruppe", "Schule", "Band"]], "Schule", "Punkte"),
        (strangers.school().set_axis(["nº", "École", "an", "sexe", "b", "c", "Résultat"], axis=1), "École", "Résultat"),
        (strangers.stations(), "station", "alarm"),
        (strangers.diabetes(), "clinic", "target"),
        (counted("landmine"), "c0", "c10"),
        (counted("school"), "c1", "c6"),
        (counted("stations"), "c0", "c5"),
    ],
)
def test_groups_and_their_label_are_told_apart(frame, task, label):
    recipe = guess(as_table(frame))
    assert (recipe.kind, recipe.task, recipe.label) == ("groups", task, label)


def test_other_tables_are_guessed_as_before():
    assert guess(as_table(strangers.emotions())).labels == LABELS
    assert guess(as_table(strangers.diabetes().drop(columns="clinic"))).kind == "levels"
    table = read_table(strangers.workbook(), "messy.xlsx")
    assert (guess(table).task, guess(table).label) == ("Lab", "Verdict")


def test_a_task_with_too_few_points_of_a_class_is_left_out_and_named():
    table = as_table(strangers.stations())
    made = make(table, STATIONS)
    assert made.task_set.names == ("S1", "S2", "S3", "S4", "S5")
    assert (
        "Left out: task 'S6': fewer than 2 training points of a class, which cross-validation needs."
        in made.assumptions
    )
    learn(made.task_set, "seqmt")  # cross-validation works
    planned = plan(table, STATIONS)
    assert [(task.name, why[:12]) for task, why in planned.excluded] == [("S6", "fewer than 2")]
    kept = make_tasks(strangers.stations(), recipe="groups", task="station", label="alarm", test=0.3, least=1)
    assert kept.names[-1] == "S6"
    assert kept["S6"].smaller_class == 1
    said = make(table, recipe_of(f"{STATIONS.as_text()}&least=1")).assumptions
    assert any(sentence.startswith("Task 'S6' has fewer than 2 training points of a class") for sentence in said)


def test_if_no_task_is_large_enough_one_sentence_says_so():
    with pytest.raises(CurriculabError, match=r"no task is left that has 50 training points of both classes; ask for"):
        make_tasks(strangers.stations(), recipe="groups", task="station", label="alarm", least=50)
    with pytest.raises(CurriculabError, match="use 1 or more"):
        Recipe(least=0)


def test_a_named_task_can_be_left_out():
    made = make(as_table(strangers.stations()), Recipe("groups", "station", "alarm", without=("S2", "S3")))
    assert made.task_set.names == ("S1", "S4", "S5", "S6")
    assert "Left out: tasks 'S2', 'S3': left out as asked." in made.assumptions
    with pytest.raises(CurriculabError, match="there is no task 'S9' to leave out"):
        make_tasks(strangers.stations(), recipe="groups", task="station", label="alarm", without="S9")


def test_the_new_parts_of_a_recipe_are_text_and_words():
    recipe = Recipe("groups", "a", "b", least=3, without=("x y", "z"), balance=True)
    assert recipe_of(recipe.as_text()) == recipe
    assert recipe.as_words()[-6:] == ["--least", "3", "--without", "x y", "z", "--balance"]


def small_set(tests=True):
    """A task with one positive training point between two that have enough."""
    rng = np.random.default_rng(0)
    tasks = []
    for name, positive in (("a", 6), ("b", 1), ("c", 6)):
        y = np.repeat([1.0, -1.0], [positive, 8])
        parts = (rng.normal(size=(4, 2)), np.array([1.0, 1, -1, -1])) if tests else ()
        tasks.append(Task(name, rng.normal(size=(len(y), 2)), y, *parts))
    return TaskSet("small", tuple(tasks), semantic_order=("c", "b", "a"))


def test_a_file_is_read_as_it_is_and_its_small_tasks_are_left_out_on_request():
    whole = read(dump(small_set(), "csv"), "small.csv").task_set
    assert whole.names == ("a", "b", "c")
    kept, said = with_least(whole)
    assert (kept.names, kept.semantic_order) == (("a", "c"), None if whole.semantic_order is None else ("c", "a"))
    assert said == ("Left out: task 'b': fewer than 2 training points of a class, which cross-validation needs.",)
    assert with_least(whole, 1) == (whole, ())
    alone, said = with_least(whole.subset(["b"]))
    assert alone.names == ("b",)
    assert "every task has fewer than 2" in said[0]


def test_repeats_of_a_file_leave_out_what_holding_out_makes_too_small():
    rng = np.random.default_rng(1)
    two = Task("two", rng.normal(size=(12, 2)), np.repeat([1.0, -1.0], [2, 10]))
    sampler, said = FileSource.of(TaskSet("s", (*small_set(tests=False).tasks, two))).with_least(2)
    assert sampler.task_set.names == ("a", "c")
    assert len(said) == 2
    assert all(task.smaller_class >= 2 for seed in range(3) for task in sampler.sample(seed).tasks)


def test_equal_classes_in_training_and_in_test_data_and_the_rest_is_counted():
    frame = strangers.landmine()
    made = make(as_table(frame), Recipe("groups", "field", "mine", test=0.3, balance=True))
    for task in made.task_set.tasks:
        assert (task.y.sum(), task.y_test.sum()) == (0.0, 0.0)
    used = sum(task.n_points + task.n_test for task in made.task_set.tasks)
    assert used == 2 * frame.mine.sum()
    assert any(f"{len(frame) - used:,} points, drawn by lot, so that the training" in said for said in made.assumptions)
    again = make_tasks(frame, recipe="groups", task="field", label="mine", test=0.3, balance=True)
    assert again.digest == made.task_set.digest
    other = make(as_table(frame), Recipe("groups", "field", "mine", test=0.3, balance=True, draw=1)).task_set
    assert other.digest != made.task_set.digest


@pytest.mark.parametrize("most", [0, 31, 60])
@pytest.mark.parametrize("kind", ["columns", "levels", "one-vs-rest"])
def test_classes_are_equal_for_every_recipe_and_limit(kind, most):
    frame = strangers.emotions()
    if kind == "columns":
        recipe = Recipe("columns", labels=LABELS, test=0.3, balance=True, most=most)
    else:
        recipe = Recipe(kind, label="sad", test=0.25, balance=True, most=most)
    for task in make(as_table(frame), recipe).task_set.tasks:
        assert (task.y.sum(), task.y_test.sum()) == (0.0, 0.0)
        assert not most or task.n_points + task.n_test <= most


@pytest.mark.parametrize("split", [False, True])
def test_no_task_has_more_points_than_said_whatever_the_split(split):
    frame = strangers.emotions().assign(part=["train", "test", "train"] * 80)
    recipe = Recipe("columns", labels=LABELS, most=50, **({"split": "part"} if split else {"test": 0.3}))
    made = make(as_table(frame), recipe)
    for task in made.task_set.tasks:
        assert task.n_points + task.n_test == 50
        assert task.n_test == pytest.approx(50 / 3 if split else 15, abs=1)
    [said] = [said for said in made.assumptions if "no task has more than 50 points" in said]
    pattern = r"Left out: ([\d,]+) rows \(([\d,]+) points of tasks that share rows\), drawn by lot, so that"
    rows, points = (int(number.replace(",", "")) for number in re.match(pattern, said).groups())
    used = {row.tobytes() for task in made.task_set.tasks for part in (task.X, task.X_test) for row in part}
    assert rows == len(frame) - len(used)
    assert points == 6 * (len(frame) - 50)


def test_different_pupils_who_look_alike_are_no_repeated_rows():
    frame = strangers.school()
    recipe = Recipe("groups", "Schule", "Punkte", drop=("Nr",), test=0.3)
    found = {odd.kind: odd for odd in check_data(make(as_table(frame), recipe).task_set)}
    assert "duplicates" not in found
    assert "shared" not in found
    assert found["coarse"].much > 0.5
    twice = pd.concat([frame, frame.iloc[:30]])
    found = {odd.kind: odd for odd in check_data(make(as_table(twice), recipe).task_set)}
    assert 0 < found["duplicates"].much <= 30
    assert found["duplicates"].tasks == ("1",)


def test_rows_that_differ_in_a_date_alone_are_different_rows():
    frame = pd.DataFrame({"x": [1.5] * 4, "when": ["2024-01-01", "2024-01-02", "2024-01-01", None]})
    for when in (frame.when, pd.to_datetime(frame.when)):
        assert as_table(frame.assign(when=when)).ids.tolist() == [0, 1, 0, 2]


def test_a_label_may_be_called_like_a_group() -> None:
    frame = strangers.stations().rename(columns=lambda name: "state" if name == "alarm" else name)
    recipe = guess(as_table(frame))
    assert (recipe.kind, recipe.task, recipe.label) == ("groups", "station", "state")
