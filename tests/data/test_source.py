"""Sources and their knobs."""

from __future__ import annotations

import pytest

from core.errors import CurriculabError, SettingsError
from data.sources.catalogue import find
from data.sources.source import Knob


def test_a_name_with_knobs_reproduces_the_set():
    source = find("plane-rotation").turned(noise=0.2, drift=15, train=8)
    again = find(source.full_name)
    assert source.full_name == "plane-rotation?noise=0.2&drift=15&train=8"
    assert again.sample(3).digest == source.sample(3).digest
    assert again.sample(3).name == source.full_name


def test_a_knob_at_its_default_leaves_the_name_alone():
    assert find("plane-rotation?noise=0&drift=20").full_name == "plane-rotation"


def test_a_name_never_rounds_a_knob():
    source = find("plane-rotation").turned(noise=0.123456789)
    assert find(source.full_name).values["noise"] == 0.123456789


def test_sizes_are_points_of_each_class():
    task_set = find("plane-groups").sample(0, (7, 9))
    assert {(task.n_points, task.n_test) for task in task_set.tasks} == {(14, 18)}
    assert task_set.name == "plane-groups?train=7&test=9"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("plane-rotation?noise=2", "noise is '2'; use a number from 0 to 0.4"),
        ("plane-rotation?noise=nan", "noise is 'nan'"),
        ("plane-rotation?tasks=2.5", "use a whole number from 2 to 12"),
        ("plane-rotation?tasks=inf", "use a whole number"),
        ("plane-rotation?speed=2", "has no knob 'speed'; it has noise, drift, tasks, train, test"),
        ("plane-rotation?noise", "is no setting; write name=number&name=number"),
        ("digits-levels?train=400", "ask for smaller sizes"),
    ],
)
def test_a_wrong_knob_is_told_in_one_sentence(name, says):
    with pytest.raises(CurriculabError) as caught:
        find(name).sample(0)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(SettingsError, match="use a whole number from 0"):
        find("plane-equal").sample(seed)


def test_whole_knobs_are_known_by_their_default():
    assert Knob("tasks", "tasks", 3, 2, 5, 1, "").whole
    assert not Knob("noise", "noise", 0.0, 0.0, 1.0, 0.1, "").whole
