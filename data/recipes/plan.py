"""What comes of a recipe, before any feature is computed: tasks, sizes, what is left out and why, what is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.task_set import FloatArray
from data.recipes.draft import Draft
from data.recipes.features import Choice
from data.recipes.members import Members, TaskRows
from data.recipes.ready import named
from data.recipes.recipe import Recipe, RecipeError
from data.tables.table import Table


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
    semantic_order: tuple[str, ...] | None = None
    guessed_levels: bool = False
    excluded: tuple[tuple[TaskRows, str], ...] = ()

    @property
    def on(self) -> tuple[Choice, ...]:
        """The columns that are features."""
        return tuple(choice for choice in self.choices if choice.on)

    @property
    def parts(self) -> tuple[Members, ...]:
        """The training points and, where there are any, the test points of one task after the other."""
        return tuple(part for task in self.tasks for part in task if part is not None)


def plan(table: Table, recipe: Recipe, hardness: FloatArray | None = None, seed: int = 0) -> Plan:
    """The plan of a recipe; `hardness` of every row is what levels without a score go by.

    Without it, such levels have the right sizes but not yet the right rows (`guessed_levels`). Seed 0 is the recipe as
    it stands; any other splits the rows anew, also where a column names the test rows.
    """
    work = Draft(table, resolved(table, recipe), hardness, seed)
    problems = []
    for find in (work.find_features, work.find_tasks):
        try:
            find()
        except RecipeError as error:
            problems.append(error)
    return Plan(
        work.recipe,
        tuple(work.tasks),
        work.choices,
        work.feature_names,
        tuple(work.said if problems else work.said + _prepared_said(work)),
        tuple(work.left_out),
        tuple(problems),
        work.order if work.order and len(work.order) == len(work.tasks) else None,
        work.guessed_levels,
        tuple(work.excluded),
    )


def _prepared_said(work: Draft) -> list[str]:
    """What is done to the features of the rows in use: empty cells that are filled, columns that are standardised."""
    said = []
    rows = np.unique(np.concatenate([part.rows for parts in work.tasks for part in parts if part is not None]))
    gaps = [choice.column.missing for choice in work.on if choice.column.n_missing]
    holes = sum(int(missing[rows].sum()) for missing in gaps)
    if holes:
        cells = "1 empty cell is" if holes == 1 else f"{holes:,} empty cells are"
        said.append(f"{cells} filled with the column's mean over the training points.")
    if work.recipe.standardize:
        said.append(
            "Columns are standardised: minus their mean, over their standard deviation, of the training points."
        )
    return said


def resolved(table: Table, recipe: Recipe) -> Recipe:
    """For `ready`: the columns by the names they have in task-set files."""
    if recipe.kind != "ready":
        return recipe
    return replace(
        recipe,
        task=recipe.task or named(table, "task"),
        label=recipe.label or named(table, "label"),
        split=recipe.split or ("" if recipe.test else named(table, "split")),
    )
