"""From a plan to a task set: features, means and scales from training points only, tasks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import parse_qsl, quote

import numpy as np
import pandas as pd

from core.errors import CurriculabError, SettingsError
from core.task_set import FloatArray
from data.assembly import Known, Points, Reading, clean_feature_names, task_set_of
from data.limits import FormatError, check_shape
from data.recipes import machine_levels
from data.recipes.features import matrix
from data.recipes.inference import guess
from data.recipes.members import Members
from data.recipes.plan import Plan, plan
from data.recipes.ready import resolved
from data.recipes.recipe import LONGEST, Recipe, RecipeError, recipe_of, with_labels
from data.tables.reading import read_table
from data.tables.table import Table, table_of
from data.task_names import shown_file

ENDING = ".recipe"
"""Of a recipe as a file beside its table: `table=patients.xlsx&recipe=groups&task=hospital&label=outcome`."""


def as_table(table: pd.DataFrame | tuple[Any, Any] | Table, y: Any = None, name: str = "") -> Table:
    """A data frame, or `X, y`, as a table; the labels of `X, y` are the column `label`."""
    if isinstance(table, Table):
        return table
    if isinstance(table, tuple) and len(table) == 2 and y is None:
        table, y = table
    if isinstance(table, pd.DataFrame):
        frame = table
    else:
        frame = pd.DataFrame(np.asarray(table)).rename(columns=lambda k: f"x{k + 1}")
    if y is not None:
        if len(y) != len(frame):
            raise SettingsError(f"{len(frame)} rows of features but {len(y)} labels; give one label for each row")
        frame = frame.assign(label=np.asarray(y))
    if isinstance(frame.index, pd.MultiIndex) or frame.index.name is not None:
        frame = frame.reset_index()
    made = table_of(frame.copy(), name or "table")
    return replace(made, digest=_digest(frame, list(made.names)))


def _digest(frame: pd.DataFrame, names: list[str]) -> str:
    sha = hashlib.sha256(repr(names).encode())
    try:
        hashes: Any = pd.util.hash_pandas_object(frame, index=False)
        sha.update(hashes.to_numpy().tobytes())
    except TypeError:  # cells that have no hash, such as lists
        sha.update(frame.to_csv(index=False).encode())
    return sha.hexdigest()


def chosen(
    table: Table, recipe: str | Recipe | None, label: str | Sequence[str] | None, options: dict[str, Any]
) -> Recipe:
    """The recipe that is asked for; where no kind or column is named, the guess for this table."""
    if isinstance(recipe, Recipe):
        return recipe
    if options.get("standardise") is not None:
        options["standardize"] = options.pop("standardise")
    texts = () if label is None else (label,) if isinstance(label, str) else tuple(label)
    if isinstance(options.get("test"), str):
        options["split"] = options.pop("test")
    for part in ("keep", "drop", "labels", "without"):
        if isinstance(options.get(part), str):
            options[part] = (options[part],)
    options = {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}
    if recipe is None and not texts and not options:
        return guess(table)
    wanted = Recipe() if recipe is None else Recipe(kind=recipe)  # type: ignore[arg-type]
    if texts:
        wanted = with_labels(wanted, texts, table)
    try:
        wanted = replace(wanted, **options)
    except TypeError as error:
        raise SettingsError(f"make_tasks: {str(error).rpartition('__init__() ')[2]}") from None
    return guess(table, wanted, any_kind=recipe is None)


def make(table: Table, recipe: Recipe, seed: int = 0) -> Reading:
    """The task set of a recipe, or the first thing that is wrong with it; other seeds are its repeats (see `plan`)."""
    made = plan(table, recipe, seed=seed)
    if not made.problems and recipe.by_machine:
        made = plan(table, recipe, _hardness(table, made), seed)
    if made.problems:
        raise RecipeError(made.problems[0].part, f"{table.file}: {made.problems[0].sentence}")
    return _built(table, made)


def _hardness(table: Table, planned: Plan) -> FloatArray:
    """How hard every row in use is for a machine that did not see it."""
    rows = np.concatenate([part.rows for part in planned.parts])
    y = np.concatenate([part.y for part in planned.parts])
    order = np.argsort(rows, kind="stable")  # so that the folds do not depend on how tasks were planned
    found = np.full(table.rows, np.nan)
    found[rows[order]] = machine_levels.margins(matrix(table, planned.on, rows[order]), y[order])
    return found


def _built(table: Table, planned: Plan) -> Reading:
    """The tasks of a plan without problems."""
    recipe, ids, parts = planned.recipe, table.ids, planned.parts
    check_shape(table.file, sum(len(part.rows) for part in parts), len(planned.feature_names))
    X = matrix(table, planned.on, np.concatenate([part.rows for part in parts]))
    if recipe.standardize or np.isnan(X).any():
        training = np.unique(np.concatenate([task.train.rows for task in planned.tasks]))
        X = _prepared(X, matrix(table, planned.on, training), recipe)
    blocks = iter(np.split(X, np.cumsum([len(part.rows) for part in parts])[:-1]))

    def points(part: Members) -> Points:
        return Points(next(blocks), part.y, None if ids is None else ids[part.rows])

    tasks = {task.name: (points(task.train), points(task.test) if task.test else None) for task in planned.tasks}
    known: Known = {"semantic_order": planned.semantic_order, "recipe": recipe.as_text()}
    if table.image_shape is None:
        known["feature_names"] = clean_feature_names(planned.feature_names)
    else:
        known["image_shape"] = table.image_shape
    task_set = task_set_of(table.filename, tasks, known)
    out = [f"Left out: {sentence[0].lower()}{sentence[1:]}" for sentence in planned.left_out]
    off = [choice for choice in planned.choices if not choice.on and table.pixels is None]
    columns = [f"Column {choice.name[:40]!r} is no feature: {choice.why}." for choice in off]
    return Reading(task_set, (*table.said, *planned.said, *out, *columns))


def _prepared(X: FloatArray, training: FloatArray, recipe: Recipe) -> FloatArray:
    """Empty cells filled and columns standardised, by means and deviations of the training points alone."""
    with np.errstate(invalid="ignore"):
        known = np.maximum((~np.isnan(training)).sum(axis=0), 1)
        means = np.nansum(training, axis=0) / known
    if np.isnan(X).any():
        X = np.where(np.isnan(X), means, X)
        training = np.where(np.isnan(training), means, training)
    if recipe.standardize:
        spread = training.std(axis=0)
        X = (X - training.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return X


def recipe_line(table: str, recipe: str) -> str:
    """The contents of a recipe file, given the table's name and the recipe as text."""
    return f"table={quote(table, safe='')}&{recipe}\n"


def read_recipe(path: Path) -> tuple[Table, Recipe, Path]:
    """The table that a recipe file names, its recipe, and where the table lies; only what is beside it is opened."""
    file = shown_file(path.name)
    with path.open(encoding="utf-8", errors="replace") as stream:
        text = stream.read(LONGEST + 1).strip()
    first, _, rest = text.partition("&")
    named = dict(parse_qsl(first)).get("table", "")
    if not named or PurePath(named).name != named or named.startswith(".") or len(text) > LONGEST:
        raise FormatError(f"{file} is no recipe file; it begins with table=NAME, the name of a file beside it")
    table = path.parent / named
    if table.resolve().parent != path.parent.resolve() or not table.is_file():
        raise FormatError(f"{file}: there is no table {named[:60]!r} beside it; put it into the same folder")
    try:
        recipe = recipe_of(rest)
    except CurriculabError as error:
        raise FormatError(f"{file}: {error}") from None
    opened = read_table(table, sheet=recipe.sheet, side=recipe.side)
    return opened, resolved(opened, recipe), table
