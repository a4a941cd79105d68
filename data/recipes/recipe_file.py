"""A recipe as a file beside its table: one line, `table=patients.xlsx&recipe=groups&task=hospital&label=outcome`."""

from __future__ import annotations

from pathlib import Path, PurePath
from urllib.parse import parse_qsl, quote

from core.errors import CurriculabError
from data.limits import FormatError
from data.recipes.builder import Made, make
from data.recipes.recipe import LONGEST, Recipe, recipe_of
from data.tables.reading import read_table
from data.tables.table import Table
from data.task_names import shown_file

ENDING = ".recipe"


def line(table: str, recipe: Recipe) -> str:
    """The file's contents."""
    return f"table={quote(table, safe='')}&{recipe.as_text()}\n"


def made_by(path: Path) -> tuple[Made, Table, Path]:
    """The tasks that a recipe file makes of the table beside it, and that table; none elsewhere is ever opened."""
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
    return make(opened, recipe), opened, table
