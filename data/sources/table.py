"""A table with its recipe as a source of task sets: every seed splits the rows anew and applies the recipe again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.curriculum.learn import check_seed
from core.errors import SettingsError
from core.task_set import TaskSet
from data.recipes.builder import as_table, chosen, make
from data.recipes.ready import resolved
from data.recipes.recipe import Recipe, RecipeError, source_name, split_name
from data.sources.file import ATTEMPTS
from data.sources.source import SHARE, Source, story_of
from data.tables.pictures import USUAL_SIDE
from data.tables.reading import read_table
from data.tables.table import Table

if TYPE_CHECKING:
    import pandas as pd

_ANOTHER = 2**32


@dataclass(frozen=True, eq=False, slots=True)
class TableSource(Source):
    """The task sets of one table by one recipe; seed 0 is the recipe as it stands, and `digest` that set's.

    Rows are split first, then tasks are made, filled and standardised from training rows. Every sample has the tasks
    `names`, and test points in each of them where `tested`.
    """

    table: Table = field(repr=False)
    recipe: Recipe
    names: tuple[str, ...]
    tested: bool

    @classmethod
    def of(cls, table: Table, recipe: Recipe, made: TaskSet | None = None, path: str = "") -> TableSource:
        """The source of a recipe that makes tasks; `made` is what it makes, where that is at hand."""
        task_set = made or make(table, recipe).task_set
        name, story = source_name(path or table.file, recipe), story_of(task_set, table.file)
        return cls(name, story, table, recipe, task_set.names, task_set.has_test, digest=task_set.digest)

    @property
    def key(self) -> str:
        """By contents."""
        return f"{self.contents}?{self.recipe.as_text()}"

    @property
    def contents(self) -> str:
        """The table's digest: seed 0 may leave out rows that another seed uses."""
        return self.table.digest

    @property
    def sentence(self) -> str:
        """How a repeat gets its split."""
        return (
            "every repeat applies the recipe anew: rows are split into training and test rows first, then tasks are "
            "made, filled and standardised from the training rows"
        )

    def with_test(self, share: float = SHARE) -> TableSource:
        """The same with that share of the rows held out, where the recipe names no test data."""
        if self.recipe.test or resolved(self.table, self.recipe).split:
            return self
        return TableSource.of(self.table, replace(self.recipe, test=share), path=split_name(self.name)[0])

    def sample(self, seed: int) -> TaskSet:
        """The recipe's tasks with rows split by that seed."""
        lost = ""
        check_seed(seed)
        for attempt in range(ATTEMPTS):
            try:
                task_set = make(self.table, self.recipe, seed + attempt * _ANOTHER).task_set
            except RecipeError as error:
                lost = str(error)
                continue
            found = {task.name for task in task_set.tasks if task.n_test or not self.tested}
            gone = [name for name in self.names if name not in found]
            if not gone:
                return task_set if task_set.names == self.names else task_set.subset(self.names)
            lost = f"task {gone[0]!r} has too few points to be split anew"
        raise SettingsError(f"{self.table.file}: {lost}; leave out small tasks with --least, or hold out another share")


def open_table(path: str, recipe: Recipe) -> TableSource:
    """The source of a table's file with its recipe."""
    table = read_table(Path(path), sheet=recipe.sheet, side=recipe.side)
    return TableSource.of(table, recipe, path=str(Path(path).resolve()))


def make_tasks(
    table: pd.DataFrame | tuple[Any, Any] | str | PathLike[str] | Table,
    y: Any = None,
    *,
    recipe: str | Recipe | None = None,
    label: str | Sequence[str] | None = None,
    name: str = "",
    seed: int = 0,
    **options: Any,
) -> TaskSet:
    """The task set that a recipe makes of a data frame, of scikit-learn's `X, y`, or of a file.

    `make_tasks(frame, recipe="groups", task="hospital", label="outcome=died")`: the options are those of
    `curriculab make` and of `Recipe`; columns that are not named are guessed. Another seed splits the rows anew.
    """
    if isinstance(table, str | PathLike):
        given = read_table(table, sheet=options.get("sheet", ""), side=options.get("side", USUAL_SIDE))
    else:
        given = as_table(table, y, name)
    wanted = chosen(given, recipe, label, options)
    made = make(given, wanted).task_set
    return TableSource.of(given, wanted, made).sample(seed) if seed else made
