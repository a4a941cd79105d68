"""Feature names travel with the task set: through every format, figure and table."""

from pathlib import Path

import numpy as np
import pytest

from core import Task, TaskSet
from core.curriculum.learn import learn
from core.errors import TaskError
from dashboard.figures import images, scatter
from data.archives import formats
from data.sources.file import with_test_split

NAMES = ("mean area", "=1+1", "label", "height [cm]")


def named(names: tuple[str, ...] | None = NAMES) -> TaskSet:
    rng = np.random.default_rng(3)
    y = np.repeat([1.0, -1.0], 6)
    tasks = tuple(Task(name, rng.normal(size=(12, 4)) + y[:, None], y) for name in ("a", "b"))
    return TaskSet("named", tasks, normalize="none", feature_names=names)


@pytest.mark.parametrize("kind", formats.KINDS)
def test_names_come_back_from_every_format(kind: formats.Kind) -> None:
    read = formats.read(formats.dump(named(), kind), f"named.{kind}").task_set
    kept = read.feature_names
    assert kept is not None
    if kind in ("csv", "parquet"):  # there a column of that name is the label
        assert kept == (*NAMES[:2], "label (2)", NAMES[3])
    else:
        assert kept == NAMES
    assert read.normalize == "none"
    assert read.digest == named().digest  # no result depends on them


@pytest.mark.parametrize("kind", formats.KINDS)
def test_a_set_without_names_has_none_when_it_comes_back(kind: formats.Kind) -> None:
    read = formats.read(formats.dump(named(None), kind), f"named.{kind}").task_set
    assert read.feature_names is None
    assert read.features[3] == "feature 4"


def test_names_survive_a_folder_a_hold_out_and_a_bias(tmp_path: Path) -> None:
    formats.write(named(), tmp_path / "set")
    assert formats.read(tmp_path / "set").task_set.feature_names == NAMES
    assert with_test_split(named(), 0.3, 0).feature_names == NAMES
    assert named().prepared(bias=True).feature_names == (*NAMES, "bias")
    assert named().subset(["b"]).feature_names == NAMES


def test_as_many_names_as_features() -> None:
    with pytest.raises(TaskError, match="3 feature names for 4 features"):
        named(NAMES[:3])


def test_a_spreadsheet_runs_no_heading() -> None:
    header = formats.dump(named(), "csv").decode().splitlines()[0]
    assert ",'=1+1," in header


def test_an_upload_lists_its_features_and_points_out_an_identifier() -> None:
    rows = [f"{task},{k % 2},{1000 + 7 * k + 500 * (task == 'b')},{k % 3}.5,{k}" for task in "ab" for k in range(12)]
    text = "task,label,patient_id,mean area,age\n" + "\n".join(rows)
    said = " ".join(formats.read(text.encode(), "mine.csv").assumptions)
    assert "3 columns are used as features: 'patient_id', 'mean area', 'age'." in said
    assert "Column 'patient_id' has another whole number in every row" in said
    assert said.count("another whole number") == 1


def test_figures_and_tables_say_the_names() -> None:
    task_set = named()
    chosen = learn(task_set, "seqmt", C=1.0).steps[0].chosen
    assert list(images.weight_table(chosen, True, task_set.feature_names)["feature"]) == list(NAMES)
    shown = images.weight_features(chosen, True, False, task_set.feature_names)
    assert set(shown.layout.yaxis.ticktext) == set(NAMES)
    assert images.weight_features(chosen, True, False).layout.yaxis.ticktext[0].startswith("feature ")
    assert scatter.axis_names(task_set) == NAMES[:2]
