"""One plan while it is made: columns to features, rows to tasks, and a sentence for everything on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.task_set import FloatArray
from data.limits import MAX_TASKS
from data.recipes import machine_levels
from data.recipes.features import Choice, check_features, choices, complete
from data.recipes.labels import signs
from data.recipes.members import (
    Members,
    at_most,
    by_column,
    by_group,
    by_level,
    equal_classes,
    one_against_rest,
    permuted,
    share_of,
    share_of_rows,
    test_rows,
)
from data.recipes.omissions import by_lot, choosable, exclusions, rows_without, small_told, taskless, tasks_told
from data.recipes.recipe import Problem, Recipe, RecipeError
from data.tables.column import BoolArray, Column, IntArray
from data.tables.table import Table
from data.task_names import counted, fewer_than

Parts = list[tuple[Members, Members | None]]


@dataclass
class Draft:
    """One plan while it is made."""

    table: Table
    recipe: Recipe
    hardness: FloatArray | None
    seed: int = 0
    choices: tuple[Choice, ...] = ()
    feature_names: tuple[str, ...] = ()
    tasks: Parts = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    order: tuple[str, ...] = ()
    guessed_levels: bool = False
    excluded: list[tuple[Members, Members | None, str]] = field(default_factory=list)
    spared: list[IntArray] = field(default_factory=list)
    outnumbering: list[IntArray] = field(default_factory=list)
    idle: int = 0
    lacking: dict[str, int] = field(default_factory=dict)

    def column(self, name: str, part: Literal["task", "label"], what: str) -> Column:
        """A column that the recipe names, or the problem that it names none."""
        if not name:
            raise RecipeError(part, f"no column is chosen for {what}; choose {choosable(self.table)}")
        if name not in self.table:
            raise RecipeError(part, f"there is no column {name[:40]!r} for {what}; choose another")
        return self.table[name]

    def find_features(self) -> None:
        """Which columns are features."""
        recipe = self.recipe
        used = {recipe.label, recipe.score if recipe.kind == "levels" else "", recipe.split, *recipe.labels}
        used |= {recipe.task} if recipe.needs_task else set()
        if recipe.kind == "columns":
            used.discard(recipe.label)
        self.choices = choices(self.table, recipe, used)
        self.feature_names = check_features(self.table, tuple(choice for choice in self.choices if choice.on))

    def find_tasks(self) -> None:
        """The tasks' rows, training and test."""
        recipe, table = self.recipe, self.table
        rng = np.random.default_rng([recipe.draw, self.seed] if self.seed else recipe.draw)
        rows = self._rows_with_features()
        held = test_rows(table[recipe.split]) if recipe.split in table else None
        if recipe.split and held is None:
            raise RecipeError(
                "test", f"there is no column {recipe.split[:40]!r} that says train or test; choose another"
            )
        share = recipe.test if held is None else float(held[rows].mean()) if self.seed else 0.0
        if share and self._shares_rows:
            held = share_of_rows(rows, self._strata(), table.rows, share, rng)
        elif held is not None and self.seed:
            held = permuted(held, rows, self._strata(), rng)
        parts: Parts
        if held is None:
            members = [self._fewer(found, self.most, rng) for found in self._members(rows, rng)]
            parts = [self._split(found, rng) if recipe.test else (found, None) for found in members]
        else:
            tests = {found.name: found for found in self._members(rows[held[rows]], rng, again=True)}
            trains = self._members(rows[~held[rows]], rng)
            parts = [self._fewer_of_both(found, tests.get(found.name), rng) for found in trains]
        self.left_out += [f"{sentence}." for sentence in rows_without(self.lacking)]
        if self.idle:
            self.left_out.append(
                f"{counted(self.idle, 'point')}, so that every task has as many negatives as positives."
            )
        used = np.concatenate([part.rows for both in parts for part in both if part is not None] or [rows[:0]])
        self.left_out += by_lot(
            self.outnumbering, used, "the training and the test data of every task have equal classes"
        )
        self.left_out += by_lot(self.spared, used, f"no task has more than {counted(recipe.most, 'point')}")
        if recipe.split:
            self.said.append(f"Column {recipe.split[:40]!r} says which rows are test data.")
        elif recipe.test:
            self.said.append(f"{100 * recipe.test:.0f} % of each class is held out as test data.")
        self._check(parts)

    def _rows_with_features(self) -> IntArray:
        on = tuple(choice for choice in self.choices if choice.on)
        if self.recipe.missing == "mean" or not any(choice.column.n_missing for choice in on):
            return np.arange(self.table.rows)
        whole = complete(self.table, on)
        gone = int((~whole).sum())
        worst = max(on, key=lambda choice: choice.column.n_missing)
        self.left_out.append(
            f"{gone:,} of {counted(self.table.rows, 'row')}, which have an empty cell among the features "
            f"(most in {worst.name[:40]!r}: {worst.column.n_missing:,})."
        )
        if gone == self.table.rows:
            raise RecipeError(
                "missing", "every row has an empty cell among the features; fill them with means, or drop columns"
            )
        return np.flatnonzero(whole)

    @property
    def _shares_rows(self) -> bool:
        """Whether one row may be a point of several tasks: then it is test data of all of them or of none."""
        return self.recipe.kind == "columns" or (self.recipe.kind == "one-vs-rest" and self.recipe.shared)

    def _strata(self) -> list[IntArray]:
        """For every row the codes of what a split keeps in proportion: its labels, its class, or its task and label."""
        recipe = self.recipe
        if recipe.kind == "columns":
            return [self._signs(name).astype(np.int64) for name in recipe.labels if name in self.table]
        column = self.column(recipe.label, "label", "the label")
        if recipe.kind == "one-vs-rest":
            return [column.classes[0]] if column.classes is not None else []
        strata = [signs(column, recipe).signs.astype(np.int64)]
        if recipe.needs_task and (classes := self.column(recipe.task, "task", "the task").classes) is not None:
            strata.append(classes[0])
        return strata

    def _signs(self, name: str) -> FloatArray:
        return signs(self.column(name, "label", "the label"), Recipe()).signs

    def _members(self, rows: IntArray, rng: np.random.Generator, again: bool = False) -> list[Members]:
        """The tasks' rows among these; what is said of them is said once."""
        said, left_out = len(self.said), len(self.left_out)
        found = self._by_kind(rows, rng)
        if again:
            del self.said[said:], self.left_out[left_out:]
        return found

    def _by_kind(self, rows: IntArray, rng: np.random.Generator) -> list[Members]:
        recipe = self.recipe
        if recipe.kind == "columns":
            return self._attributes(rows)
        label = self.column(recipe.label, "label", "the label")
        if recipe.kind == "one-vs-rest":
            if label.classes is None or label.kind == "date":
                raise RecipeError(
                    "label", f"column {label.name[:40]!r} has too many different values to be classes; choose another"
                )
            if len(label.values) > MAX_TASKS:
                raise RecipeError(
                    "label",
                    f"column {label.name[:40]!r} has {len(label.values):,} classes; the most tasks are {MAX_TASKS}",
                )
            if len(label.values) < 2:
                raise RecipeError(
                    "label", f"column {label.name[:40]!r} has one value only; a class needs others to stand against"
                )
            self._without(label.missing[rows], "class")
            how = "and a point may be in several tasks" if recipe.shared else "no point in two tasks"
            self.said.append(
                f"Every class of {label.name[:40]!r} is a task against as many points of the others, {how}."
            )
            found = one_against_rest(label, rows, recipe.shared, rng)
            self.left_out += taskless(label, rows, found)
            if not recipe.shared:
                self.idle += int((~label.missing[rows]).sum()) - sum(len(members.rows) for members in found)
            return found
        labels = signs(label, recipe)
        self.said.append(labels.sentence)
        self._without(labels.signs[rows] == 0, "label")
        if recipe.kind == "levels":
            return self._levels(labels.signs, rows, rng)
        task = self.column(recipe.task, "task", "the task")
        if task.name == label.name:
            raise RecipeError("task", f"column {task.name[:40]!r} is both task and label; choose two columns")
        if task.classes is None or task.kind == "date" or len(task.values) > MAX_TASKS:
            raise RecipeError(
                "task",
                f"column {task.name[:40]!r} has too many values to name tasks; choose one with at most {MAX_TASKS}",
            )
        self._without(task.missing[rows], "task")
        return by_group(task, labels.signs, rows)

    def _attributes(self, rows: IntArray) -> list[Members]:
        names = self.recipe.labels
        if not names:
            raise RecipeError("label", "no label columns are chosen; choose those with two values, such as 0 and 1")
        found = []
        for name in names:
            column = self.column(name, "label", "a label")
            if len(column.values) == 2:
                found.append((name, self._signs(name)))
            elif len(column.values) == 1:
                self.left_out.append(f"Label {name[:40]!r}: all its labels are {column.values[0][:20]!r}.")
            else:
                values = len(column.values) or "too many"
                raise RecipeError("label", f"column {name[:40]!r} has {values} values; a label column needs two")
        self.said.append("Every label column is a task; its greater value is positive, a blank means unlabelled.")
        return by_column(found, rows)

    def _levels(self, found: FloatArray, rows: IntArray, rng: np.random.Generator) -> list[Members]:
        recipe = self.recipe
        if recipe.score:
            score = self.column(recipe.score, "task", "the score")
            if score.numbers is None:
                raise RecipeError(
                    "task", f"column {score.name[:40]!r} holds no numbers, so it is no score; choose another"
                )
            self._without(score.missing[rows], "score")
            levels, names = machine_levels.by_score(score, found, rows, recipe.levels)
            self.said.append(f"Levels go by {score.name[:40]!r}, the greater the harder.")
        else:
            rows = rows[found[rows] != 0]
            rows = self._fewer(Members("", rows, found[rows]), self.most * recipe.levels, rng).rows
            self.guessed_levels = self.hardness is None
            hard = np.zeros(len(rows)) if self.hardness is None else self.hardness[rows]
            levels = np.full(self.table.rows, -1, dtype=np.int64)
            levels[rows] = machine_levels.split_levels(hard, found[rows], recipe.levels)
            names = machine_levels.level_names(recipe.levels)
            self.said.append(
                "Levels are a machine's: harder is nearer to the boundary of a linear SVM that did not see the row."
            )
        self.order = names
        return by_level(levels, found, rows, names)

    @property
    def most(self) -> int:
        """Points of a task at most (0: all); an even number where classes are equal."""
        return self.recipe.most - self.recipe.most % 2 * self.recipe.balance

    def _fewer(self, members: Members, most: int, rng: np.random.Generator) -> Members:
        """Equal classes if asked for, and then at most so many points."""
        even = equal_classes(members, rng) if self.recipe.balance else members
        fewer = at_most(even, most, rng)
        self.outnumbering.append(np.setdiff1d(members.rows, even.rows))
        self.spared.append(np.setdiff1d(even.rows, fewer.rows))
        return fewer

    def _fewer_of_both(
        self, train: Members, test: Members | None, rng: np.random.Generator
    ) -> tuple[Members, Members | None]:
        """The same for rows that are split already: training and test points together are limited, in proportion."""
        train = self._fewer(train, 0, rng)
        if test is None or not len(test.rows):
            return self._fewer(train, self.most, rng), test
        test = self._fewer(test, 0, rng)
        total = len(train.rows) + len(test.rows)
        if not self.most or total <= self.most:
            return train, test
        step = 1 + self.recipe.balance
        n_test = max(step, round(self.most * len(test.rows) / total / step) * step)
        return self._fewer(train, self.most - n_test, rng), self._fewer(test, n_test, rng)

    def _without(self, missing: BoolArray, what: str) -> None:
        self.lacking[what] = self.lacking.get(what, 0) + int(missing.sum())

    def _split(self, members: Members, rng: np.random.Generator) -> tuple[Members, Members | None]:
        held = share_of(members, self.recipe.test, rng)
        parts = [Members(members.name, members.rows[part], members.y[part]) for part in (~held, held)]
        return parts[0], parts[1] if held.any() else None

    def _check(self, parts: Parts) -> None:
        names = {train.name for train, _ in parts}
        for name in self.recipe.without:
            if name not in names:
                raise RecipeError("task", f"there is no task {name[:40]!r} to leave out; check its name")
        out = exclusions(parts, self.recipe)
        self.left_out += tasks_told(out)
        self.excluded = [(*both, out[both[0].name]) for both in parts if both[0].name in out]
        self.tasks = [
            (train, test if test is not None and len(test.y) else None)
            for train, test in parts
            if train.name not in out
        ]
        self.said += small_told(train for train, _ in self.tasks)
        self.order = tuple(name for name in self.order if name in {train.name for train, _ in self.tasks})
        if not self.tasks:
            part: Literal["label", "task"] = "task" if self.recipe.needs_task else "label"
            lacking = rows_without(self.lacking)
            why = f" ({' and '.join(lacking)})" if lacking else ""
            few = any(why == fewer_than(self.recipe.least) for why in out.values())
            points = counted(self.recipe.least, "training point") if few else "points"
            fix = "ask for fewer (--least), or " * few
            raise RecipeError(
                part, f"no task is left that has {points} of both classes{why}; {fix}choose another column"
            )
        if len(self.tasks) > MAX_TASKS:
            raise RecipeError("task", f"there would be {len(self.tasks):,} tasks; the most are {MAX_TASKS}")
