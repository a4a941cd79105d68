"""What comes of a recipe, before any feature is computed: tasks, sizes, what is left out and why, what is wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from core.task_set import FloatArray
from data.limits import MAX_TASKS
from data.recipes import machine_levels, members
from data.recipes.features import Choice, check_features, choices, choosable, complete
from data.recipes.labels import signs
from data.recipes.members import Members, TaskRows
from data.recipes.ready import resolved
from data.recipes.recipe import Part, Recipe, RecipeError
from data.recipes.sampler import Sampler, permuted, share_of_rows, test_rows
from data.tables.column import Column, IntArray
from data.tables.table import Table
from data.task_names import counted, fewer_than


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """All that a recipe makes of a table; there are tasks to use only if there is no problem.

    `excluded` are the tasks that are left out, with the reason.
    """

    recipe: Recipe
    tasks: tuple[TaskRows, ...]
    choices: tuple[Choice, ...]
    feature_names: tuple[str, ...]
    said: tuple[str, ...]
    left_out: tuple[str, ...]
    problems: tuple[RecipeError, ...]
    excluded: tuple[tuple[TaskRows, str], ...]

    @property
    def on(self) -> tuple[Choice, ...]:
        """The columns that are features."""
        return tuple(choice for choice in self.choices if choice.on)

    @property
    def parts(self) -> tuple[Members, ...]:
        """The training points and, where there are any, the test points of one task after the other."""
        return tuple(part for task in self.tasks for part in task if part is not None)

    @property
    def semantic_order(self) -> tuple[str, ...] | None:
        """Levels of difficulty from the easiest to the hardest."""
        return tuple(task.name for task in self.tasks) or None if self.recipe.kind == "levels" else None


def plan(table: Table, recipe: Recipe, hardness: FloatArray | None = None, seed: int = 0) -> Plan:
    """The plan of a recipe; `hardness` of every row is what levels without a score go by.

    Without it, such levels have the right sizes but not yet the right rows. Seed 0 is the recipe as it stands; any
    other splits the rows anew, also where a column names the test rows.
    """
    draft = _Draft(table, resolved(table, recipe), hardness, seed)
    problems = []
    for find in (draft.find_features, draft.find_tasks):
        try:
            find()
        except RecipeError as error:
            problems.append(error)
    if not problems:
        draft.say_preparation()
    return Plan(
        draft.recipe,
        tuple(draft.tasks),
        draft.choices,
        draft.feature_names,
        tuple(draft.said),
        tuple(draft.left_out),
        tuple(problems),
        tuple(draft.excluded),
    )


class _Draft:
    """A plan while it is made: columns to features, rows to tasks, and a sentence for everything on the way."""

    def __init__(self, table: Table, recipe: Recipe, hardness: FloatArray | None, seed: int) -> None:
        self.table, self.recipe, self.hardness, self.seed = table, recipe, hardness, seed
        self.sampler = Sampler(recipe, seed)
        self.choices: tuple[Choice, ...] = ()
        self.on: tuple[Choice, ...] = ()
        self.feature_names: tuple[str, ...] = ()
        self.tasks: list[TaskRows] = []
        self.excluded: list[tuple[TaskRows, str]] = []
        self.said: list[str] = []
        self.left_out: list[str] = []
        self.lacking: Counter[str] = Counter()  # rows without a task, label, class or score
        self.idle = 0  # points of classes that no task uses

    def find_features(self) -> None:
        """Which columns are features."""
        self.choices = choices(self.table, self.recipe)
        self.on = tuple(choice for choice in self.choices if choice.on)
        self.feature_names = check_features(self.table, self.on)

    def find_tasks(self) -> None:
        """The tasks' rows, training and test."""
        recipe, table = self.recipe, self.table
        rows = self._rows_with_features()
        held = None
        if recipe.split:
            if recipe.split not in table:
                why = f"there is no column {recipe.split[:40]!r} that says train or test; choose another"
                raise RecipeError("test", why)
            held = test_rows(table[recipe.split])
        share = recipe.test if held is None else float(held[rows].mean()) if self.seed else 0.0
        if share and recipe.shares_rows:
            held = share_of_rows(rows, self._strata(), table.rows, share, self.sampler.rng)
        elif held is not None and self.seed:
            held = permuted(held, rows, self._strata(), self.sampler.rng)
        if held is None:
            whole = [self.sampler.fewer(found, self.sampler.most) for found in self._by_kind(rows)]
            parts = [self.sampler.split(found) for found in whole]
        else:
            said, left_out = len(self.said), len(self.left_out)
            tests = {found.name: found for found in self._by_kind(rows[held[rows]])}
            del self.said[said:], self.left_out[left_out:]  # what is said of the training rows is said of all
            trains = self._by_kind(rows[~held[rows]])
            parts = [self.sampler.fewer_of_both(found, tests.get(found.name)) for found in trains]
        self.left_out += [f"{sentence}." for sentence in self._rows_without()]
        if self.idle:
            self.left_out.append(
                f"{counted(self.idle, 'point')}, so that every task has as many negatives as positives."
            )
        self.left_out += self.sampler.left_out([part.rows for task in parts for part in task if part is not None])
        if recipe.split:
            self.said.append(f"Column {recipe.split[:40]!r} says which rows are test data.")
        elif recipe.test:
            self.said.append(f"{100 * recipe.test:.0f} % of each class is held out as test data.")
        self._keep(parts)

    def say_preparation(self) -> None:
        """What is done to the features of the rows in use: empty cells are filled, columns are standardised."""
        rows = np.unique(np.concatenate([part.rows for parts in self.tasks for part in parts if part is not None]))
        holes = sum(int(choice.column.missing[rows].sum()) for choice in self.on if choice.column.n_missing)
        if holes:
            cells = "1 empty cell is" if holes == 1 else f"{holes:,} empty cells are"
            self.said.append(f"{cells} filled with the column's mean over the training points.")
        if self.recipe.standardize:
            self.said.append(
                "Columns are standardised: minus their mean, over their standard deviation, of the training points."
            )

    def _column(self, name: str, part: Part, what: str) -> Column:
        """A column that the recipe names, or the problem that it names none."""
        if not name:
            raise RecipeError(part, f"no column is chosen for {what}; choose {choosable(self.table)}")
        if name not in self.table:
            raise RecipeError(part, f"there is no column {name[:40]!r} for {what}; choose another")
        return self.table[name]

    def _rows_with_features(self) -> IntArray:
        gaps = [choice.column for choice in self.on if choice.column.n_missing]
        if self.recipe.missing == "mean" or not gaps:
            return np.arange(self.table.rows)
        rows = np.flatnonzero(complete(self.table, self.on))
        worst = max(gaps, key=lambda column: column.n_missing)
        self.left_out.append(
            f"{self.table.rows - len(rows):,} of {counted(self.table.rows, 'row')}, which have an empty cell among the "
            f"features (most in {worst.name[:40]!r}: {worst.n_missing:,})."
        )
        if not len(rows):
            why = "every row has an empty cell among the features; fill them with means, or drop columns"
            raise RecipeError("missing", why)
        return rows

    def _strata(self) -> list[IntArray]:
        """For every row the codes of what a split keeps in proportion: its labels, its class, or its task and label."""
        recipe = self.recipe
        if recipe.kind == "columns":
            return [
                signs(self.table[name], Recipe())[0].astype(np.int64) for name in recipe.labels if name in self.table
            ]
        column = self._column(recipe.label, "label", "the label")
        if recipe.kind == "one-vs-rest":
            return [column.classes[0]] if column.classes is not None else []
        strata = [signs(column, recipe)[0].astype(np.int64)]
        if recipe.needs_task and (classes := self._column(recipe.task, "task", "the task").classes) is not None:
            strata.append(classes[0])
        return strata

    def _by_kind(self, rows: IntArray) -> list[Members]:
        """The tasks' points among these rows."""
        recipe = self.recipe
        if recipe.kind == "columns":
            return self._label_columns(rows)
        label = self._column(recipe.label, "label", "the label")
        if recipe.kind == "one-vs-rest":
            return self._classes(label, rows)
        found, sentence = signs(label, recipe)
        self.said.append(sentence)
        self.lacking["label"] += int(np.sum(found[rows] == 0))
        if recipe.kind == "levels":
            return self._levels(found, rows)
        task = self._column(recipe.task, "task", "the task")
        if task.name == label.name:
            raise RecipeError.of_column("task", task.name, "is both task and label; choose two columns")
        if task.classes is None or task.kind == "date" or len(task.values) > MAX_TASKS:
            why = f"has too many values to name tasks; choose one with at most {MAX_TASKS}"
            raise RecipeError.of_column("task", task.name, why)
        self.lacking["task"] += int(np.sum(task.missing[rows]))
        return members.by_code(*task.classes, found, rows)

    def _classes(self, label: Column, rows: IntArray) -> list[Members]:
        """A task for each class, against the others."""
        n, why = len(label.values), ""
        if label.classes is None or label.kind == "date":
            why = "has too many different values to be classes; choose another"
        elif n > MAX_TASKS:
            why = f"has {n:,} classes; the most tasks are {MAX_TASKS}"
        elif n < 2:
            why = "has one value only; a class needs others to stand against"
        if why:
            raise RecipeError.of_column("label", label.name, why)
        self.lacking["class"] += int(np.sum(label.missing[rows]))
        how = "and a point may be in several tasks" if self.recipe.shared else "no point in two tasks"
        self.said.append(f"Every class of {label.name[:40]!r} is a task against as many points of the others, {how}.")
        found = members.one_against_rest(label, rows, self.recipe.shared, self.sampler.rng)
        self.left_out += members.by_reason("Class", "Classes", members.taskless(label, rows, found))
        if not self.recipe.shared:
            self.idle += int((~label.missing[rows]).sum()) - sum(len(one.rows) for one in found)
        return found

    def _label_columns(self, rows: IntArray) -> list[Members]:
        """A task for each label column; a blank means unlabelled."""
        if not self.recipe.labels:
            raise RecipeError("label", "no label columns are chosen; choose those with two values, such as 0 and 1")
        found = []
        for name in self.recipe.labels:
            column = self._column(name, "label", "a label")
            if len(column.values) == 2:
                alone = np.zeros(self.table.rows, dtype=np.int64)
                found += members.by_code(alone, (name,), signs(column, Recipe())[0], rows)
            elif len(column.values) == 1:
                self.left_out.append(f"Label {name[:40]!r}: all its labels are {column.values[0][:20]!r}.")
            else:
                count = len(column.values) or "too many"
                raise RecipeError.of_column("label", name, f"has {count} values; a label column needs two")
        self.said.append("Every label column is a task; its greater value is positive, a blank means unlabelled.")
        return found

    def _levels(self, found: FloatArray, rows: IntArray) -> list[Members]:
        """A task for each level of difficulty."""
        recipe = self.recipe
        if recipe.score:
            score = self._column(recipe.score, "task", "the score")
            if score.numbers is None:
                raise RecipeError.of_column("task", score.name, "holds no numbers, so it is no score; choose another")
            self.lacking["score"] += int(np.sum(score.missing[rows]))
            levels, names = machine_levels.by_score(score, found, rows, recipe.levels)
            self.said.append(f"Levels go by {score.name[:40]!r}, the greater the harder.")
        else:
            rows = rows[found[rows] != 0]
            rows = self.sampler.fewer(Members("", rows, found[rows]), self.sampler.most * recipe.levels).rows
            hard = np.zeros(len(rows)) if self.hardness is None else self.hardness[rows]
            levels, names = np.full(self.table.rows, -1), machine_levels.level_names(recipe.levels)
            levels[rows] = machine_levels.split_levels(hard, found[rows], recipe.levels)
            self.said.append(
                "Levels are a machine's: harder is nearer to the boundary of a linear SVM that did not see the row."
            )
        return members.by_code(levels, names, found, rows)

    def _rows_without(self) -> list[str]:
        """How many rows have no task, label, class or score, where any lacks it."""
        return [f"{counted(count, 'row')} without a {what}" for what, count in self.lacking.items() if count]

    def _keep(self, parts: list[TaskRows]) -> None:
        """Which tasks are left out, and why; an error if none is left."""
        recipe, names = self.recipe, [task.name for task in parts]
        for name in recipe.without:
            if name not in names:
                raise RecipeError("task", f"there is no task {name[:40]!r} to leave out; check its name")
        out = members.exclusions(parts, recipe)
        self.left_out += members.by_reason("Task", "Tasks", out)
        self.excluded = [(task, out[task.name]) for task in parts if task.name in out]
        kept = [task for task in parts if task.name not in out]
        if not kept:
            lacking = self._rows_without()
            why = f" ({' and '.join(lacking)})" if lacking else ""
            few = fewer_than(recipe.least) in out.values()
            points = counted(recipe.least, "training point") if few else "points"
            fix = "ask for fewer (--least), or " * few
            raise RecipeError(
                "task" if recipe.needs_task else "label",
                f"no task is left that has {points} of both classes{why}; {fix}choose another column",
            )
        if len(kept) > MAX_TASKS:
            raise RecipeError("task", f"there would be {len(kept):,} tasks; the most are {MAX_TASKS}")
        self.tasks = kept
        self.said += members.small_tasks(kept)
