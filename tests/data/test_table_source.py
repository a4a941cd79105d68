"""A table with its recipe is a source: every sample splits the rows anew, and nothing of a test row is ever learned."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core import learn
from core.errors import SettingsError
from core.experiments.experiment import Settings
from core.task_set import Task, TaskSet
from data import make_tasks
from data.archives import formats
from data.recipes.builder import as_table
from data.recipes.recipe import Recipe, source_name, split_name
from data.runs.computation import check_data, compute_run, find_or_begin, finished_twin
from data.runs.run import plain_source, source_title
from data.runs.store import Store
from data.sources.catalogue import open_source
from data.sources.file import FileSource, with_test_split
from data.sources.table import TableSource, open_table
from data.tables.reading import read_table
from data.tables.table import Table

LABELS = ("shiny", "open", "flat")
COLUMNS = Recipe("columns", labels=LABELS, test=0.3, missing="mean", standardize=True)


def attributes(rows: int = 120, seed: int = 0) -> pd.DataFrame:
    """Several label columns on the same rows, whose feature `row` tells them apart and `gap` has empty cells."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"row": np.arange(rows) + 0.5, "size": rng.normal(size=rows), "gap": rng.normal(size=rows)})
    frame.loc[rng.random(rows) < 0.2, "gap"] = np.nan
    for k, label in enumerate(LABELS):
        frame[label] = (rng.random(rows) < 0.3 + 0.1 * k).astype(int)
    return frame


def groups(sizes: tuple[int, ...] = (30, 40, 50)) -> pd.DataFrame:
    """Groups of rows with a column that says train and test."""
    rng = np.random.default_rng(1)
    parts = []
    for k, size in enumerate(sizes):
        label = np.arange(size) % 3 == 0
        split = np.where(rng.random(size) < 0.4, "test", "train")
        row = 100.0 * k + np.arange(size)
        parts.append(pd.DataFrame({"row": row, "ward": f"w{k}", "died": label, "part": split, "hard": row % 7}))
    return pd.concat(parts, ignore_index=True)


def table(frame: pd.DataFrame) -> Table:
    return as_table(frame, name="mine.csv")


def raw_rows(source: TableSource, task_set: TaskSet) -> tuple[set[float], set[float]]:
    """The values of `row` in training and in test parts, from a sample that is taken as it is."""
    train = {float(x[0]) for task in task_set.tasks for x in np.asarray(task.X)}
    test = {float(x[0]) for task in task_set.tasks for x in np.asarray(task.X_test)}
    return train, test


@pytest.mark.parametrize("seed", range(20))
def test_no_test_row_of_any_task_is_learned_by_another(seed: int) -> None:
    plain = Recipe("columns", labels=LABELS, test=0.3, missing="mean", keep=("row",))
    source = TableSource.of(table(attributes()), plain)
    train, test = raw_rows(source, source.sample(seed))
    assert not train & test
    assert len(train | test) == 120


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_a_sample_is_filled_and_standardised_by_its_own_training_rows(seed: int) -> None:
    """All three labels have every row, so one task's training part is the whole training part."""
    frame = attributes()
    source = TableSource.of(table(frame), Recipe(**{**_fields(COLUMNS), "keep": ("row",)}))
    task = source.sample(seed).tasks[0]
    assert np.allclose(np.asarray(task.X).mean(axis=0), 0.0)
    assert np.allclose(np.asarray(task.X).std(axis=0), 1.0)
    assert not np.allclose(np.asarray(task.X_test).mean(axis=0), 0.0, atol=1e-6)


def test_seed_0_is_the_recipe_itself_and_every_other_seed_another_split() -> None:
    source = TableSource.of(table(attributes()), COLUMNS)
    digests = [source.sample(seed).digest for seed in range(20)]
    assert digests[0] == make_tasks(table(attributes()), recipe=COLUMNS).digest == source.digest
    assert len(set(digests)) == 20
    assert make_tasks(table(attributes()), recipe=COLUMNS, seed=3).digest == digests[3]
    assert {source.sample(seed).names for seed in range(20)} == {LABELS}


@pytest.mark.parametrize("kind", ["groups", "one-vs-rest", "levels"])
def test_a_column_of_train_and_test_is_dealt_out_anew_with_its_counts(kind: str) -> None:
    label = "ward" if kind == "one-vs-rest" else "died"
    recipe = Recipe(kind, task="ward", label=label, split="part", keep=("row",), score="hard")  # type: ignore[arg-type]
    source = TableSource.of(table(groups()), recipe)
    given = source.sample(0)
    for seed in (1, 2, 3):
        drawn = source.sample(seed)
        assert drawn.digest != given.digest
        for task in drawn.tasks:
            if kind == "groups":
                assert [np.sum(task.y == 1), np.sum(task.y_test == 1)] == [
                    np.sum(given[task.name].y == 1),
                    np.sum(given[task.name].y_test == 1),
                ]
                assert (task.n_points, task.n_test) == (given[task.name].n_points, given[task.name].n_test)
        train, test = raw_rows(source, drawn)
        assert not train & test


def test_a_task_that_a_split_would_lose_is_split_again_or_said() -> None:
    """Of 40 rows 3 are shiny: by lot, all three may be test rows; then the sample is drawn again."""
    frame = attributes(40)
    frame["shiny"] = (np.arange(40) < 3).astype(int)
    source = TableSource.of(table(frame), Recipe("columns", labels=LABELS, test=0.5, missing="mean"))
    assert {source.sample(seed).names for seed in range(60)} == {source.names}
    digests = {source.sample(seed).digest for seed in range(60)}
    assert len(digests) == 60  # and no repeat is another's
    lost = replace(source, names=(*source.names, "gone"))
    with pytest.raises(SettingsError, match=r"mine.csv: task 'gone' has too few points"):
        lost.sample(1)


def test_every_sample_has_test_points_in_every_task() -> None:
    """Of the rows with a label `rare`, 3 of 120, a share of 10 % may hold out none."""
    frame = attributes().assign(rare=np.nan)
    frame.loc[[3, 40, 80, 100, 110], "rare"] = [1, 0, 1, 0, 1]
    source = TableSource.of(
        table(frame), Recipe("columns", labels=("open", "rare"), test=0.2, missing="mean", least=1, draw=3)
    )
    assert source.tested
    assert all(source.sample(seed).has_test for seed in range(40))


def test_levels_that_a_machine_makes_of_random_labels_cannot_be_learned() -> None:
    """A row's level does not depend on its own label, or the easiest level would hold the rows that happen to fit."""
    errors = []
    for draw in range(6):
        rng = np.random.default_rng(draw)
        frame = pd.DataFrame(rng.normal(size=(300, 10)), columns=[f"f{k}" for k in range(10)])
        frame["label"] = rng.integers(0, 2, 300)
        task_set = TableSource.of(table(frame), Recipe("levels", label="label", test=0.3)).sample(0)
        errors.append(list((learn(task_set, "indsvm", C=10.0).test_error or {}).values()))
    assert np.all(np.abs(np.mean(errors, axis=0) - 0.5) < 0.15)
    assert 0.43 < np.mean(errors) < 0.57


def test_a_run_is_not_gone_on_with_after_rows_changed_that_its_first_draw_left_out(tmp_path: Path) -> None:
    frame = groups((40, 40)).drop(columns="part")
    recipe = Recipe("groups", task="ward", label="died", test=0.3, keep=("row",), balance=True)
    first = TableSource.of(table(frame), recipe)
    used = {x[0] for task in first.sample(0).tasks for part in (_train(task), _test(task)) for x in part}
    left = [k for k, row in enumerate(frame.row) if row not in used]
    changed = TableSource.of(table(frame.assign(hard=frame.hard.where(~frame.index.isin(left), 9.0))), recipe)
    assert changed.digest == first.digest
    with Store(tmp_path) as store:
        settings = Settings("t?recipe=x", ("indsvm",), 2, 1.0)
        run = find_or_begin(store, settings, first, resume=True)
        assert find_or_begin(store, settings, first, resume=True).id == run.id
        assert find_or_begin(store, settings, changed, resume=True).id != run.id
        with pytest.raises(SettingsError, match="changed since run 1 began"):
            check_data(run, changed)
        check_data(run, first)
        compute_run(store, run, first, jobs=1)
        assert finished_twin(store, settings, first) is not None
        assert finished_twin(store, settings, changed) is None


@pytest.mark.parametrize("seed", [-1, 2**70, "a"])
def test_a_bad_seed_is_said(seed: object) -> None:
    with pytest.raises(SettingsError, match="the seed is"):
        TableSource.of(table(attributes()), COLUMNS).sample(seed)  # type: ignore[arg-type]


def test_without_test_data_a_share_of_the_rows_is_held_out() -> None:
    bare = Recipe("columns", labels=LABELS, missing="mean", keep=("row",))
    source = TableSource.of(table(attributes()), bare)
    assert not source.sample(0).has_test
    held = source.with_test(0.25)
    train, test = raw_rows(held, held.sample(4))
    assert not train & test
    assert len(test) == pytest.approx(30, abs=3)
    assert held.with_test(0.5) is held


def test_the_name_of_a_table_with_its_recipe_opens_it(tmp_path: Path) -> None:
    path = tmp_path / "my table?.csv"
    attributes().to_csv(path, index=False)
    name = source_name(str(path), COLUMNS)
    assert split_name(name) == (str(path), COLUMNS)
    assert split_name("plane-rotation?noise=0.2") == ("plane-rotation?noise=0.2", None)
    sampler = open_source(name)
    recorded = sampler.full_name
    assert recorded == name
    assert sampler.sample(2).digest == open_table(*split_name(name)).sample(2).digest
    with pytest.raises(SettingsError, match="no recipe"):
        open_source(f"{path}?recipe=magic")


def test_people_read_file_sheet_and_recipe() -> None:
    recipe = Recipe("groups", task="ward", label="outcome", positive="died", sheet="Visits 2", test=0.3)
    said = "patients.xlsx: sheet Visits 2, recipe groups, task ward, label outcome=died, test 0.3"
    assert source_title(source_name("/home/me/patients.xlsx", recipe)) == said
    assert plain_source(source_name("C:\\me\\patients.xlsx", recipe)) == source_name("patients.xlsx", recipe)
    assert source_title("/home/me/tasks.npz") == "tasks.npz"
    assert source_title("plane-rotation?noise=0.2") == "plane-rotation?noise=0.2"
    assert source_title("x?recipe=magic") == "x?recipe=magic"
    assert source_title("/home/me/tasks.npz", folders=True) == "/home/me/tasks.npz"
    assert source_title(f"/home/me/uploads/{'0a' * 10}/mine.npz", folders=True) == "mine.npz"
    assert source_title(source_name("a.csv", Recipe("groups", task="a\nb\x1b"))) == "a.csv: recipe groups, task a?b?"


def test_a_file_whose_tasks_share_points_is_split_by_points() -> None:
    """The tasks of several label columns, saved as a task set, have lost their rows: equal points are one row."""
    source = TableSource.of(
        table(attributes()), Recipe("columns", labels=LABELS, test=0.2, missing="mean", keep=("row",))
    )
    saved = formats.read(formats.dump(source.sample(0), "npz"), "saved.npz").task_set
    sampler = FileSource.of(saved)
    assert sampler.digest == saved.digest
    for seed in range(5):
        train, test = raw_rows(source, sampler.sample(seed))
        assert not train & test
        assert len(test) == pytest.approx(24, abs=2)
    assert "test data of all or of none" in sampler.sentence
    bare = TaskSet("bare", tuple(Task(task.name, task.X, task.y) for task in saved.tasks))
    train, test = raw_rows(source, with_test_split(bare, 0.3, 1))
    assert not train & test


@pytest.mark.parametrize(("shared", "repeated"), [(1, 0), (20, 0), (50, 0), (50, 7)])
def test_tasks_that_share_some_points_are_split_by_points_too(shared: int, repeated: int) -> None:
    """Of 50 points each, the first `shared` stand in both tasks, and some stand twice."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(shared, 3))
    tasks = []
    for name in "ab":
        X = np.vstack([common, rng.normal(size=(50 - shared, 3))])
        X[50 - repeated :] = X[:repeated]
        tasks.append(Task(name, X, np.where(np.arange(50) % (repeated + 50) % 2, 1.0, -1.0)))
    tasks = [Task(t.name, t.X, np.concatenate([t.y[: 50 - repeated], t.y[:repeated]])) for t in tasks]
    sampler = FileSource.of(TaskSet("s", tuple(tasks)))
    for seed in range(5):
        drawn = sampler.sample(seed)
        train, test = ({x.tobytes() for task in drawn.tasks for x in part(task)} for part in (_train, _test))
        assert not train & test


def _train(task: Task) -> np.ndarray:
    return np.asarray(task.X)


def _test(task: Task) -> np.ndarray:
    return np.asarray(task.X_test)


def test_points_that_repeat_by_chance_are_no_shared_rows() -> None:
    rng = np.random.default_rng(0)
    tasks = [
        Task(name, rng.integers(0, 2, (40, 2)).astype(float), np.where(np.arange(40) % 2, 1.0, -1.0)) for name in "ab"
    ]
    split = with_test_split(TaskSet("coarse", tuple(tasks)), 0.3, 0)
    assert [task.n_test for task in split.tasks] == [12, 12]
    assert "of all or of none" not in FileSource.of(split).sentence


def test_on_random_labels_nothing_is_learned_from_the_other_column() -> None:
    """Two label columns with the same random labels: a task that had seen the other's test rows would know them."""
    errors = []
    for draw in range(4):
        rng = np.random.default_rng(draw)
        frame = pd.DataFrame(rng.normal(size=(160, 400)), columns=[f"f{k}" for k in range(400)])
        frame["shiny"] = frame["open"] = rng.integers(0, 2, 160)
        source = TableSource.of(table(frame), Recipe("columns", labels=("shiny", "open"), test=0.3))
        errors += [learn(source.sample(seed), "seqmt", C=100.0).mean_test_error for seed in range(5)]
    assert 0.45 < np.mean(errors) < 0.55


def _fields(recipe: Recipe) -> dict[str, object]:
    return {name: getattr(recipe, name) for name in recipe.__dataclass_fields__}


def test_a_table_in_memory_and_one_in_a_file_have_the_same_samples(tmp_path: Path) -> None:
    frame = groups()
    (tmp_path / "g.csv").write_bytes(_csv(frame))
    recipe = Recipe("groups", task="ward", label="died", test=0.3, keep=("row",), drop=("part",))
    ours = TableSource.of(table(pd.read_csv(io.BytesIO(_csv(frame)))), recipe)
    theirs = open_source(source_name(str(tmp_path / "g.csv"), recipe))
    assert [ours.sample(seed).digest for seed in (0, 5)] == [theirs.sample(seed).digest for seed in (0, 5)]


def _csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


@pytest.mark.parametrize(
    "recipe", [Recipe("ready"), Recipe("groups", "task", "label", split="split"), Recipe("ready", split="split")]
)
def test_where_a_column_names_the_test_rows_no_share_is_held_out(recipe):
    lines = ["task,label,split,x"]
    for task, train, test in (("a", 6, 2), ("b", 9, 5)):
        for split, count in (("train", train), ("test", test)):
            lines += [f"{task},{y},{split},{y * (k + 1)}.5" for y in (1, -1) for k in range(count)]
    made = read_table(("\n".join(lines) + "\n").encode(), "t.csv")
    source = TableSource.of(made, recipe)
    assert source.with_test(0.5) is source
    for seed in (0, 1):
        sample = source.with_test(0.5).sample(seed)
        assert [(task.n_points, task.n_test) for task in sample.tasks] == [(12, 4), (18, 10)]
    bare = TableSource.of(made, Recipe("groups", "task", "label", drop=("split",)))
    assert [task.n_test for task in bare.sample(0).tasks] == [0, 0]
    assert [task.n_test for task in bare.with_test(0.5).sample(0).tasks] == [8, 14]
