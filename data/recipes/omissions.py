"""Sentences on what a plan leaves out: tasks and classes by name and with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from data.assembly import LEAST
from data.recipes.members import Members
from data.recipes.recipe import Recipe
from data.tables.column import Column, IntArray
from data.tables.table import Table
from data.task_names import counted, fewer_than, listed

MOST_NAMED = 5
NO_POINTS = "no training points are left"
ONE_POINT = "one point makes no task, since half of a class is positive in its own task and half negative in others"
ASKED = "left out as asked"
ALONE = "no other class has points left to stand against"


def choosable(table: Table) -> str:
    """The columns that could be task or label, for the end of a sentence: neither empty nor dates, ids or free text."""
    names = [c.name for c in table.columns if len(c.values) > 1 or (c.numbers is not None and not c.distinct)]
    names = [name for name in names if not table[name].counts_rows and table[name].kind != "date"]
    return f"one of {listed(names, 12)}" if len(names) > 1 else f"{names[0][:40]!r}" if names else "another table"


def rows_without(lacking: Mapping[str, int]) -> list[str]:
    """How many rows have no task, label, class or score, where any lacks it."""
    return [f"{counted(count, 'row')} without a {what}" for what, count in lacking.items() if count]


def exclusions(parts: Iterable[tuple[Members, Members | None]], recipe: Recipe) -> dict[str, str]:
    """Why tasks are left out, by their names: asked for, or without enough training points of both classes."""
    found = {}
    for train, test in parts:
        y = train.y if test is None else np.concatenate([train.y, test.y])
        if train.name in recipe.without:
            found[train.name] = ASKED
        elif not len(train.y):
            found[train.name] = NO_POINTS
        elif abs(y.sum()) == len(y):
            are = "its only point is" if len(y) == 1 else f"all its {len(y):,} points are"
            found[train.name] = f"{are} {'positive' if y[0] > 0 else 'negative'}"
        elif train.smaller < recipe.least:
            found[train.name] = fewer_than(recipe.least)
    return found


def tasks_told(exclusions: Mapping[str, str]) -> list[str]:
    """A sentence for each reason with the tasks that it is about."""
    found: dict[str, list[str]] = {}
    for name, why in exclusions.items():
        found.setdefault(why, []).append(name)
    return [f"Task{'s' * (len(names) > 1)} {listed(names, MOST_NAMED)}: {why}." for why, names in found.items()]


def small_told(tasks: Iterable[Members]) -> list[str]:
    """The tasks that are kept though cross-validation refuses them."""
    small = [train.name for train in tasks if train.smaller < LEAST]
    has = "Task {} has" if len(small) == 1 else "Tasks {} have"
    return [f"{has.format(listed(small, MOST_NAMED))} {fewer_than(LEAST)}: choose a fixed C."] if small else []


def by_lot(dropped: Sequence[IntArray], used: IntArray, purpose: str) -> list[str]:
    """How much was left out by lot, and what for; rows are counted where they are points of several tasks."""
    points = sum(map(len, dropped))
    if not points:
        return []
    gone = len(np.setdiff1d(np.concatenate(dropped), used))
    shared = f"{counted(gone, 'row')} ({counted(points, 'point')} of tasks that share rows)"
    return [f"{counted(points, 'point') if gone == points else shared}, drawn by lot, so that {purpose}."]


def taskless(label: Column, rows: IntArray, found: Iterable[Members]) -> list[str]:
    """The classes of which no task comes, and why."""
    assert label.classes is not None
    codes, values = label.classes
    counts = np.bincount(codes[rows][codes[rows] >= 0], minlength=len(values))
    have = {members.name for members in found}
    reasons: dict[str, list[str]] = {}
    for value, count in zip(values, counts, strict=True):
        if value not in have:
            reasons.setdefault(ALONE if count > 1 else ONE_POINT if count else NO_POINTS, []).append(value)
    return [f"Class{'es' * (len(names) > 1)} {listed(names, MOST_NAMED)}: {why}." for why, names in reasons.items()]
