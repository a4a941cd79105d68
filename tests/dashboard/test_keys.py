"""What is kept for others: any one part of the set, the settings or the theme by itself makes another entry."""

from __future__ import annotations

from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any

import pytest

from core.fitting.cross_validation import C_GRID
from dashboard.components.own_data import state as own_data
from dashboard.figures import compare
from dashboard.session import current
from dashboard.session.cache import BoundedCache
from dashboard.session.current import Current, Settings
from data.recipes.recipe import Recipe
from data.runs import bundle
from data.tables.reading import read_table
from tests.dashboard.screens import drawn

TASKS = drawn(2)
HERE = Current(TASKS, Settings(10.0), dark=False)
SETTINGS: dict[str, Any] = {
    "C": 1.0, "normalize": "none", "bias": False, "delta": 0.1, "seed": 1, "measure": "balanced",
}  # fmt: skip
PARTS: dict[str, Current] = {
    "points": replace(HERE, task_set=drawn(3)),
    "name": replace(HERE, task_set=replace(TASKS, name="another")),
    "names of features": replace(HERE, task_set=replace(TASKS, feature_names=("u", "v", "w"))),
    "table": replace(HERE, upload=SimpleNamespace(table=SimpleNamespace(key="of a table"))),  # type: ignore[arg-type]
    **{name: replace(HERE, settings=replace(HERE.settings, **{name: value})) for name, value in SETTINGS.items()},
}


def test_every_setting_is_tried() -> None:
    assert {field.name for field in fields(Settings)} == set(SETTINGS)


@pytest.mark.parametrize("part", [*PARTS, "theme"])
def test_a_figure_is_drawn_anew_for_any_other_set_setting_or_theme(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current, "_figures", BoundedCache(9))
    there = replace(HERE, dark=True) if part == "theme" else PARTS[part]
    seen: list[int] = []

    def figure(now: Current, name: object = "bars") -> Any:
        return current.drawn(now, name, lambda: seen.append(1) or object())  # type: ignore[arg-type,func-returns-value,return-value]

    first = figure(HERE)
    assert figure(HERE) is first
    assert figure(there) is not first
    assert figure(HERE, ("bars", 2)) is not first
    assert figure(replace(HERE)) is first
    assert len(seen) == 3


@pytest.mark.parametrize("part", PARTS)
def test_a_problem_is_shared_by_what_it_does_not_depend_on(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(current, "_problems", BoundedCache(9))
    first, there = HERE.problem, PARTS[part]
    assert replace(HERE).problem is first
    assert (there.problem is first) == (part in ("C", "delta"))
    settings, problem = there.settings, there.problem
    assert (problem.seed, problem.measure) == (settings.seed, settings.measure)
    assert problem.task_set.digest == there.task_set.prepared(settings.normalize, settings.bias).digest


def test_a_c_that_stands_in_for_the_shared_one_was_picked_from_the_grid_and_is_paid_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(current, "_problems", BoundedCache(9))
    monkeypatch.setattr(current, "result", lambda now, name, title, work: work(lambda done, total: None))
    among = {}
    for setting in ("shared", "each", 10.0):
        now = replace(HERE, settings=Settings(setting))  # type: ignore[arg-type]
        for C in (None, 10.0):
            learned = current.learned(now, "seqmt", C=C)
            assert learned is not None
            assert learned.bound is not None
            among[setting, C] = learned.bound.C_choices
    eight = len(C_GRID)
    assert among == {
        ("shared", None): eight, ("shared", 10.0): eight, ("each", None): 1, ("each", 10.0): 1, (10.0, None): 1,
        (10.0, 10.0): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("digest", "seed", "same"), [("a", 0, True), ("a", 1, False), ("b", 0, False), ("b", 1, False)]
)
def test_two_runs_are_paired_only_if_data_and_seed_are_the_same(digest: str, seed: int, same: bool) -> None:
    one, _ = bundle.example()
    digests = {"a": one.digest, "b": "0" * 64}
    other = replace(one, digest=digests[digest], settings=replace(one.settings, seed=one.settings.seed + seed, C=7.0))
    assert one.drew_as(other) is other.drew_as(one) is same


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [(None, None, None), (0.2, None, 0.2), (None, 0.3, 0.3), (0.2, 0.5, 0.5), (0.5, 0.2, 0.5)],
)
def test_of_two_runs_the_larger_overlap_is_told(first: float | None, second: float | None, told: float | None) -> None:
    said = compare.correction(3, first, second)
    assert ("share most" in said) is (told is not None)
    assert told is None or f"1/J + {told:.2f} times" in said


KEPT: dict[str, Any] = {"test": 0.2, "least": 3, "balance": True, "missing": "mean"}


@pytest.mark.parametrize("name", KEPT)
def test_another_kind_of_recipe_keeps_what_any_recipe_has(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"{'ab'[k % 2]},{k}.5,{'' if k == 7 else k * k},{'yn'[k % 3 == 0]}\n" for k in range(240))
    table = read_table(f"place,x,z,ill\n{rows}".encode(), "t.csv")
    found: Any = SimpleNamespace(table=table, recipe=Recipe("groups", "place", "ill", **{name: KEPT[name]}))
    monkeypatch.setattr(own_data, "now", lambda: found)
    own_data.change_kind("levels")
    assert found.recipe.kind == "levels"
    assert getattr(found.recipe, name) == KEPT[name]
