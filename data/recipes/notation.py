"""A recipe as the words of a command line, as Python, and back from `COLUMN=POSITIVE`."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from core.errors import SettingsError
from data.assembly import LEAST
from data.recipes.recipe import Recipe
from data.tables.column import written
from data.tables.table import Table


def words(recipe: Recipe) -> list[str]:
    """The options of `curriculab make`, in the order of the contract."""
    found = ["--recipe", recipe.kind]
    if recipe.task and recipe.needs_task:
        found += ["--task", recipe.task]
    if recipe.kind == "columns":
        found += ["--label", *recipe.labels] if recipe.labels else []
    elif recipe.label:
        found += ["--label", label_text(recipe)]
    if recipe.drop:
        found += ["--drop", *recipe.drop]
    if recipe.keep:
        found += ["--keep", *recipe.keep]
    if recipe.kind == "levels":
        found += ["--score", recipe.score] if recipe.score else []
        found += ["--levels", str(recipe.levels)] if recipe.levels != 5 else []
    if recipe.missing != "drop":
        found += ["--missing", recipe.missing]
    if recipe.standardize:
        found.append("--standardize")
    if recipe.split:
        found += ["--test", recipe.split]
    elif recipe.test:
        found += ["--test", f"{recipe.test:g}"]
    found += ["--least", str(recipe.least)] if recipe.least != LEAST else []
    found += ["--without", *recipe.without] if recipe.without else []
    found += ["--balance"] if recipe.balance else []
    for name, value in (("--most", recipe.most), ("--draw", recipe.draw), ("--sheet", recipe.sheet)):
        found += [name, str(value)] if value else []
    if recipe.side != 28:
        found += ["--side", str(recipe.side)]
    return [*found, "--shared"] if recipe.shared and recipe.kind == "one-vs-rest" else found


def python(recipe: Recipe) -> str:
    """The arguments of `make_tasks` after the table."""
    found = [f"recipe={recipe.kind!r}"]
    for field in fields(recipe):
        value: Any = getattr(recipe, field.name)
        if field.name != "kind" and value != field.default:
            found.append(f"{field.name}={list(value) if isinstance(value, tuple) else value!r}")
    return ", ".join(found)


def label_text(recipe: Recipe) -> str:
    """`COLUMN`, `COLUMN=POSITIVE` or `COLUMN>THRESHOLD`."""
    if recipe.above is not None:
        return f"{recipe.label}>{written(recipe.above)}"
    return f"{recipe.label}={recipe.positive}" if recipe.positive else recipe.label


def with_labels(recipe: Recipe, texts: tuple[str, ...], table: Table) -> Recipe:
    """The recipe with the label, or for `columns` the labels, that these texts name in the table."""
    if recipe.kind == "columns" or len(texts) > 1:
        for text in texts:
            table[text]
        return replace(recipe, labels=texts)
    text = texts[0]
    if text in table:
        return replace(recipe, label=text)
    for mark in ("=", ">"):
        name, found, value = text.partition(mark)
        while found and name not in table and mark in value:
            more, _, value = value.partition(mark)
            name = f"{name}{mark}{more}"
        if not found or name.strip() not in table:
            continue
        if mark == "=":
            return replace(recipe, label=name.strip(), positive=value.strip())
        try:
            return replace(recipe, label=name.strip(), above=float(value))
        except ValueError:
            raise SettingsError(f"--label {text[:60]!r}: {value[:20]!r} is no number; write COLUMN>NUMBER") from None
    table[text.partition("=")[0]]  # raises the sentence that lists the columns
    raise SettingsError(f"--label {text[:60]!r} is neither COLUMN, COLUMN=VALUE nor COLUMN>NUMBER")
