"""One plan while it is made: columns to features, rows to tasks, and a sentence for everything on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from core.task_set import FloatArray
from data.limits import MAX_TASKS
from data.recipes import machine_levels, members
from data.recipes.features import Choice, check_features, choices, complete
from data.recipes.labels import signs
from data.recipes.members import Members, TaskRows
from data.recipes.omissions import by_lot, choosable, exclusions, rows_without, small_told, taskless, tasks_told
from data.recipes.recipe import Part, Recipe, RecipeError
from data.tables.column import BoolArray, Column, IntArray
from data.tables.table import Table
from data.task_names import counted, fewer_than


@dataclass
class Draft:
    """One plan while it is made."""

    table: Table
    recipe: Recipe
    hardness: FloatArray | None
    seed: int = 0
    choices: tuple[Choice, ...] = ()
    feature_names: tuple[str, ...] = ()
    tasks: list[TaskRows] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    order: tuple[str, ...] = ()
    guessed_levels: bool = False
    excluded: list[tuple[TaskRows, str]] = field(default_factory=list)
    outnumbering: list[IntArray] = field(default_factory=list)
    spared: list[IntArray] = field(default_factory=list)
    idle: int = 0
    lacking: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng([self.recipe.draw, self.seed] if self.seed else self.recipe.draw)

    @property
    def on(self) -> tuple[Choice, ...]:
        """The columns that are features."""
        return tuple(choice for choice in self.choices if choice.on)

    def find_features(self) -> None:
        """Which columns are features."""
        self.choices = choices(self.table, self.recipe)
        self.feature_names = check_features(self.table, self.on)

    def find_tasks(self) -> None:
        """The tasks' rows, training and test."""
        recipe, table = self.recipe, self.table
        rows = self._rows_with_features()
        held = members.test_rows(table[recipe.split]) if recipe.split in table else None
        if recipe.split and held is None:
            raise RecipeError(
                "test", f"there is no column {recipe.split[:40]!r} that says train or test; choose another"
            )
        share = recipe.test if held is None else float(held[rows].mean()) if self.seed else 0.0
        if share and recipe.shares_rows:
            held = members.share_of_rows(rows, self._strata(), table.rows, share, self.rng)
        elif held is not None and self.seed:
            held = members.permuted(held, rows, self._strata(), self.rng)
        if held is None:
            whole = [self._fewer(found, self.most) for found in self._by_kind(rows)]
            parts = [self._split(found) for found in whole]
        else:
            said, left_out = len(self.said), len(self.left_out)
            tests = {found.name: found for found in self._by_kind(rows[held[rows]])}
            del self.said[said:], self.left_out[left_out:]  # what is said of the training rows is said of all
            parts = [self._fewer_of_both(found, tests.get(found.name)) for found in self._by_kind(rows[~held[rows]])]
        self.left_out += [f"{sentence}." for sentence in rows_without(self.lacking)]
        if self.idle:
            self.left_out.append(
                f"{counted(self.idle, 'point')}, so that every task has as many negatives as positives."
            )
        used = np.concatenate([part.rows for task in parts for part in task if part is not None] or [rows[:0]])
        equal = "the training and the test data of every task have equal classes"
        self.left_out += by_lot(self.outnumbering, used, equal)
        self.left_out += by_lot(self.spared, used, f"no task has more than {counted(recipe.most, 'point')}")
        if recipe.split:
            self.said.append(f"Column {recipe.split[:40]!r} says which rows are test data.")
        elif recipe.test:
            self.said.append(f"{100 * recipe.test:.0f} % of each class is held out as test data.")
        self._keep(parts)

    def _column(self, name: str, part: Part, what: str) -> Column:
        """A column that the recipe names, or the problem that it names none."""
        if not name:
            raise RecipeError(part, f"no column is chosen for {what}; choose {choosable(self.table)}")
        if name not in self.table:
            raise RecipeError(part, f"there is no column {name[:40]!r} for {what}; choose another")
        return self.table[name]

    def _rows_with_features(self) -> IntArray:
        if self.recipe.missing == "mean" or not any(choice.column.n_missing for choice in self.on):
            return np.arange(self.table.rows)
        whole = complete(self.table, self.on)
        gone = int((~whole).sum())
        worst = max(self.on, key=lambda choice: choice.column.n_missing)
        self.left_out.append(
            f"{gone:,} of {counted(self.table.rows, 'row')}, which have an empty cell among the features "
            f"(most in {worst.name[:40]!r}: {worst.column.n_missing:,})."
        )
        if gone == self.table.rows:
            raise RecipeError(
                "missing", "every row has an empty cell among the features; fill them with means, or drop columns"
            )
        return np.flatnonzero(whole)

    def _strata(self) -> list[IntArray]:
        """For every row the codes of what a split keeps in proportion: its labels, its class, or its task and label."""
        recipe = self.recipe
        if recipe.kind == "columns":
            return [self._attribute(name).astype(np.int64) for name in recipe.labels if name in self.table]
        column = self._column(recipe.label, "label", "the label")
        if recipe.kind == "one-vs-rest":
            return [column.classes[0]] if column.classes is not None else []
        strata = [signs(column, recipe)[0].astype(np.int64)]
        if recipe.needs_task and (classes := self._column(recipe.task, "task", "the task").classes) is not None:
            strata.append(classes[0])
        return strata

    def _attribute(self, name: str) -> FloatArray:
        return signs(self._column(name, "label", "the label"), Recipe())[0]

    def _by_kind(self, rows: IntArray) -> list[Members]:
        """The tasks' points among these rows."""
        recipe = self.recipe
        if recipe.kind == "columns":
            return self._attributes(rows)
        label = self._column(recipe.label, "label", "the label")
        if recipe.kind == "one-vs-rest":
            return self._classes(label, rows)
        found, sentence = signs(label, recipe)
        self.said.append(sentence)
        self._without(found[rows] == 0, "label")
        if recipe.kind == "levels":
            return self._levels(found, rows)
        task = self._column(recipe.task, "task", "the task")
        if task.name == label.name:
            raise RecipeError("task", f"column {task.name[:40]!r} is both task and label; choose two columns")
        if task.classes is None or task.kind == "date" or len(task.values) > MAX_TASKS:
            raise RecipeError(
                "task",
                f"column {task.name[:40]!r} has too many values to name tasks; choose one with at most {MAX_TASKS}",
            )
        self._without(task.missing[rows], "task")
        return members.by_code(*task.classes, found, rows)

    def _classes(self, label: Column, rows: IntArray) -> list[Members]:
        """A task for each class, against the others."""
        name, n = label.name[:40], len(label.values)
        if label.classes is None or label.kind == "date":
            raise RecipeError("label", f"column {name!r} has too many different values to be classes; choose another")
        if n > MAX_TASKS:
            raise RecipeError("label", f"column {name!r} has {n:,} classes; the most tasks are {MAX_TASKS}")
        if n < 2:
            raise RecipeError("label", f"column {name!r} has one value only; a class needs others to stand against")
        self._without(label.missing[rows], "class")
        how = "and a point may be in several tasks" if self.recipe.shared else "no point in two tasks"
        self.said.append(f"Every class of {name!r} is a task against as many points of the others, {how}.")
        found = members.one_against_rest(label, rows, self.recipe.shared, self.rng)
        self.left_out += taskless(label, rows, found)
        if not self.recipe.shared:
            self.idle += int((~label.missing[rows]).sum()) - sum(len(one.rows) for one in found)
        return found

    def _attributes(self, rows: IntArray) -> list[Members]:
        """A task for each label column; a blank means unlabelled."""
        if not self.recipe.labels:
            raise RecipeError("label", "no label columns are chosen; choose those with two values, such as 0 and 1")
        found = []
        for name in self.recipe.labels:
            values = self._column(name, "label", "a label").values
            if len(values) == 2:
                labels = self._attribute(name)
                found += members.by_code(np.zeros(self.table.rows, dtype=np.int64), (name,), labels, rows)
            elif len(values) == 1:
                self.left_out.append(f"Label {name[:40]!r}: all its labels are {values[0][:20]!r}.")
            else:
                count = len(values) or "too many"
                raise RecipeError("label", f"column {name[:40]!r} has {count} values; a label column needs two")
        self.said.append("Every label column is a task; its greater value is positive, a blank means unlabelled.")
        return found

    def _levels(self, found: FloatArray, rows: IntArray) -> list[Members]:
        """A task for each level of difficulty."""
        recipe = self.recipe
        if recipe.score:
            score = self._column(recipe.score, "task", "the score")
            if score.numbers is None:
                raise RecipeError(
                    "task", f"column {score.name[:40]!r} holds no numbers, so it is no score; choose another"
                )
            self._without(score.missing[rows], "score")
            levels, self.order = machine_levels.by_score(score, found, rows, recipe.levels)
            self.said.append(f"Levels go by {score.name[:40]!r}, the greater the harder.")
        else:
            rows = rows[found[rows] != 0]
            rows = self._fewer(Members("", rows, found[rows]), self.most * recipe.levels).rows
            self.guessed_levels = self.hardness is None
            hard = np.zeros(len(rows)) if self.hardness is None else self.hardness[rows]
            levels = np.full(self.table.rows, -1, dtype=np.int64)
            levels[rows] = machine_levels.split_levels(hard, found[rows], recipe.levels)
            self.order = machine_levels.level_names(recipe.levels)
            self.said.append(
                "Levels are a machine's: harder is nearer to the boundary of a linear SVM that did not see the row."
            )
        return members.by_code(levels, self.order, found, rows)

    @property
    def most(self) -> int:
        """Points of a task at most (0: all); an even number where classes are equal."""
        return self.recipe.most - self.recipe.most % 2 * self.recipe.balance

    def _fewer(self, found: Members, most: int) -> Members:
        """Equal classes if asked for, and then at most so many points."""
        even = members.equal_classes(found, self.rng) if self.recipe.balance else found
        fewer = members.at_most(even, most, self.rng)
        self.outnumbering.append(np.setdiff1d(found.rows, even.rows))
        self.spared.append(np.setdiff1d(even.rows, fewer.rows))
        return fewer

    def _fewer_of_both(self, train: Members, test: Members | None) -> TaskRows:
        """The same for rows that are split already: training and test points together are limited, in proportion."""
        train = self._fewer(train, 0)
        if test is None or not len(test.rows):
            return TaskRows(self._fewer(train, self.most), None)
        test = self._fewer(test, 0)
        total = len(train.rows) + len(test.rows)
        if not self.most or total <= self.most:
            return TaskRows(train, test)
        step = 1 + self.recipe.balance
        n_test = max(step, round(self.most * len(test.rows) / total / step) * step)
        return TaskRows(self._fewer(train, self.most - n_test), self._fewer(test, n_test))

    def _split(self, found: Members) -> TaskRows:
        if not self.recipe.test:
            return TaskRows(found, None)
        held = members.share_of(found, self.recipe.test, self.rng)
        return TaskRows(found.part(~held), found.part(held) if held.any() else None)

    def _without(self, missing: BoolArray, what: str) -> None:
        self.lacking[what] += int(missing.sum())

    def _keep(self, parts: list[TaskRows]) -> None:
        """Which tasks are left out, and why; an error if none is left."""
        recipe, names = self.recipe, [task.name for task in parts]
        for name in recipe.without:
            if name not in names:
                raise RecipeError("task", f"there is no task {name[:40]!r} to leave out; check its name")
        out = exclusions(parts, recipe)
        self.left_out += tasks_told(out)
        self.excluded = [(task, out[task.name]) for task in parts if task.name in out]
        kept = [task for task in parts if task.name not in out]
        if not kept:
            lacking = rows_without(self.lacking)
            why = f" ({' and '.join(lacking)})" if lacking else ""
            few = any(why == fewer_than(recipe.least) for why in out.values())
            points = counted(recipe.least, "training point") if few else "points"
            fix = "ask for fewer (--least), or " * few
            raise RecipeError(
                "task" if recipe.needs_task else "label",
                f"no task is left that has {points} of both classes{why}; {fix}choose another column",
            )
        if len(kept) > MAX_TASKS:
            raise RecipeError("task", f"there would be {len(kept):,} tasks; the most are {MAX_TASKS}")
        self.tasks = kept
        self.said += small_told(task.train for task in kept)
        self.order = tuple(name for name in self.order if name in names and name not in out)
