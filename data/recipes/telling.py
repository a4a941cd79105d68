"""Sentences on what a plan leaves out: tasks and classes by name and with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from data.files.task_names import counted, listed
from data.recipes.column import Column, IntArray
from data.recipes.members import Members
from data.recipes.table import Table

MOST_NAMED = 5
NO_POINTS = "no training points are left"
ONE_POINT = "one point makes no task, since half of a class is positive in its own task and half negative in others"
ALONE = "no other class has points left to stand against"


def choosable(table: Table) -> str:
    """The columns that could be task or label, for the end of a sentence: neither empty nor dates, ids or free text."""
    names = [c.name for c in table.columns if len(c.values) > 1 or (c.numbers is not None and not c.distinct)]
    names = [name for name in names if not table[name].counts_rows and table[name].kind != "date"]
    return f"one of {listed(names, 12)}" if len(names) > 1 else f"{names[0][:40]!r}" if names else "another table"


def rows_without(lacking: Mapping[str, int]) -> list[str]:
    """How many rows have no task, label, class or score, where any lacks it."""
    return [f"{counted(count, 'row')} without a {what}" for what, count in lacking.items() if count]


def one_sided(parts: Iterable[tuple[Members, Members | None]]) -> list[str]:
    """The tasks without training points of both classes, those with the same reason together."""
    found: dict[str, list[str]] = {}
    for train, test in parts:
        if not train.one_class:
            continue
        points = len(train.y) + (len(test.y) if test else 0)
        sign = "positive" if train.positive else "negative"
        if not len(train.y):
            why = NO_POINTS
        else:
            why = f"its only point is {sign}" if points == 1 else f"all its {points:,} points are {sign}"
        found.setdefault(why, []).append(train.name)
    return [f"Task{'s' * (len(names) > 1)} {listed(names, MOST_NAMED)}: {why}." for why, names in found.items()]


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
