"""Patterns over repeats, against counts made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from core.curriculum.steps import roots
from core.errors import SettingsError
from core.statistics.patterns import MOST_COMPARED, patterns, stability

NAMES = ("a", "b", "c", "d")
CHAIN = {"a": None, "b": "a", "c": "b", "d": "c"}
TWO = {"d": None, "a": None, "b": "a", "c": "d"}
TREE = {"a": None, "b": "a", "c": "a", "d": "a"}


def test_shares_of_three_repeats() -> None:
    found = patterns([CHAIN, TWO, TREE], NAMES)
    assert found.repeats == 3
    assert found.transfers * 3 == pytest.approx(np.array([[0, 3, 1, 1], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]]))
    assert found.starts * 3 == pytest.approx([3, 0, 0, 1])
    assert found.ends * 3 == pytest.approx([0, 2, 2, 2])
    assert found.together * 3 == pytest.approx(np.array([[3, 3, 2, 2], [3, 3, 2, 2], [2, 2, 3, 3], [2, 2, 3, 3]]))
    assert found.positions.tolist() == [[1, 2, 3, 4], [2, 3, 4, 1], [1, 2, 3, 4]]
    assert found.trees.tolist() == [1, 2, 1]


def test_every_task_either_starts_or_has_one_source() -> None:
    found = patterns([CHAIN, TWO, TREE], NAMES)
    assert found.transfers.sum(axis=0) + found.starts == pytest.approx(np.ones(4))


def test_roots_follow_the_sources_back() -> None:
    assert roots(TWO) == {"d": "d", "a": "a", "b": "a", "c": "d"}


def test_equal_repeats_are_perfectly_stable_and_more_than_chance() -> None:
    found = stability([CHAIN, CHAIN, CHAIN], NAMES)
    assert found is not None
    assert (found.transfers, found.companions) == (1.0, 1.0)
    assert found.order == pytest.approx(1.0)
    assert found.transfers_by_chance < 0.5
    assert found.companions_by_chance == 1.0  # one sequence has all tasks together, whatever their order


def test_likeness_of_two_repeats_by_hand() -> None:
    found = stability([CHAIN, TWO], NAMES)
    assert found is not None
    assert found.transfers == pytest.approx(1 / 4)  # a→b of a→b, b→c, c→d, d→c
    assert found.companions == pytest.approx(2 / 6)  # ab and dc of all six
    assert found.order == pytest.approx(np.corrcoef([1, 2, 3, 4], [2, 3, 4, 1])[0, 1])


def test_one_repeat_says_nothing_of_stability_and_none_is_an_error() -> None:
    assert stability([CHAIN], NAMES) is None
    with pytest.raises(SettingsError, match="no repeats"):
        patterns([], NAMES)
    with pytest.raises(SettingsError, match="repeat 2 has other tasks"):
        patterns([CHAIN, {"a": None}], NAMES)


def test_a_single_task_is_its_own_start_and_end() -> None:
    found = patterns([{"a": None}], ["a"])
    assert (found.starts[0], found.ends[0], found.transfers[0, 0]) == (1, 1, 0)
    stable = stability([{"a": None}, {"a": None}], ["a"])
    assert stable is not None
    assert (stable.transfers, stable.order) == (1.0, 1.0)


def test_companions_stand_beside_each_other() -> None:
    forest = {"a": None, "c": "a", "b": None, "d": "b"}
    order = [NAMES[k] for k in patterns([forest, forest], NAMES).by_companions]
    assert {frozenset(order[:2]), frozenset(order[2:])} == {frozenset("ac"), frozenset("bd")}


def test_of_many_repeats_so_many_are_compared_that_a_page_can_wait_for_it() -> None:
    many = [CHAIN, TWO] * (MOST_COMPARED // 2)
    assert stability([*many, *[CHAIN] * 5000], NAMES) == stability(many, NAMES)
