"""A table in place of a task set: the options of its recipe, shared by make, learn, orders and compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from core.errors import CurriculabError, SettingsError
from dashboard.commands.terminal_table import printable

if TYPE_CHECKING:
    from data.recipes.builder import Made
    from data.sources.table import TableSource
    from data.tables.table import Table

KINDS = ("groups", "one-vs-rest", "columns", "levels", "ready")
_OPTIONS = (
    "task",
    "drop",
    "keep",
    "score",
    "levels",
    "missing",
    "standardize",
    "most",
    "least",
    "without",
    "balance",
    "shared",
    "sheet",
    "side",
    "draw",
)


def add_recipe(parser: argparse.ArgumentParser) -> None:
    """Declare the recipe's options; none is set unless it is given."""
    group = parser.add_argument_group(
        "a table (CSV, TSV, XLSX, ARFF, Parquet, NPZ of X and y, or a ZIP of pictures) as task set"
    )
    add = group.add_argument
    add(
        "--recipe", choices=KINDS, help="how tasks are made of the table (default: 'curriculab check' prints the guess)"
    )
    add("--task", metavar="COLUMN", help="names the task of each row")
    add(
        "--label",
        nargs="+",
        action="extend",
        metavar="COLUMN[=POSITIVE]",
        help="the label; COLUMN>NUMBER for a threshold",
    )
    add("--drop", nargs="+", action="extend", metavar="COLUMN", help="columns that are no features")
    add(
        "--keep",
        nargs="+",
        action="extend",
        metavar="COLUMN",
        help="columns that are features though they look like ids",
    )
    add("--score", metavar="COLUMN", help="levels: how hard a row is (default: how near it is to a machine's boundary)")
    add("--levels", type=int, metavar="K", help="levels: how many (default: 5)")
    add("--missing", choices=("drop", "mean"), help="empty cells: drop the row, or fill in the training mean")
    add(
        "--standardize", action="store_true", default=None, help="columns to mean 0 and deviation 1, of training points"
    )
    add("--test", metavar="SHARE|COLUMN", help="test data: a share of each class, or a column of train and test")
    add("--most", type=int, metavar="N", help="points of a task at most, test points included (default: all)")
    add(
        "--least",
        type=int,
        metavar="N",
        help="leave out tasks with fewer training points of a class, also of a task-set file (default: 2)",
    )
    add("--without", nargs="+", action="extend", metavar="TASK", help="tasks to leave out")
    add(
        "--balance",
        action="store_true",
        default=None,
        help="equal classes: the larger class is cut by lot, in training and in test data",
    )
    add("--shared", action="store_true", default=None, help="one-vs-rest: a point may be in several tasks")
    add("--sheet", metavar="NAME", help="which sheet of a workbook (default: the one with most cells)")
    add("--side", type=int, metavar="PIXELS", help="pictures are scaled to so many pixels a side (default: 28)")
    add("--draw", type=int, metavar="N", help="seed of what the recipe draws (default: 0)")


def wants_recipe(arguments: argparse.Namespace) -> bool:
    """Whether any option was given that makes tasks of a table; `--least` alone is said of task-set files, too."""
    names = {"recipe", "label", "test", *_OPTIONS} - {"least"}
    return any(getattr(arguments, name, None) is not None for name in names)


def made_of(arguments: argparse.Namespace, path: str) -> tuple[Made, Table]:
    """The tasks that the options make of a table, and that table."""
    from data.recipes.builder import chosen, make

    table = table_at(path, arguments)
    options: dict[str, Any] = {name: getattr(arguments, name) for name in _OPTIONS}
    options["test"] = _test(arguments.test, table)
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items() if v is not None}
    return make(table, chosen(table, arguments.recipe, arguments.label, given)), table


def source_of(arguments: argparse.Namespace, path: str) -> tuple[Made, TableSource]:
    """The tasks that the options make of a table, and the source that draws them anew; tells what was assumed."""
    from pathlib import Path

    from data.sources.table import TableSource

    made, table = made_of(arguments, path)
    tell(made.said)
    return made, TableSource.of(table, made.recipe, made, str(Path(path).resolve()))


def table_at(path: str, arguments: argparse.Namespace | None = None) -> Table:
    """The table of a file."""
    from pathlib import Path

    from data.tables.pictures import USUAL_SIDE
    from data.tables.reading import read_table

    sheet, side = getattr(arguments, "sheet", None), getattr(arguments, "side", None)
    return read_table(Path(path), sheet=sheet or "", side=side or USUAL_SIDE)


def _test(text: str | None, table: Table) -> float | str | None:
    if text is None or text in table:
        return text
    try:
        return float(text)
    except ValueError:
        raise SettingsError(
            f"--test {text[:40]!r} is neither a share such as 0.3 nor a column of {table.file}"
        ) from None


def tell(said: Iterable[str]) -> None:
    """On standard error, so that no output is disturbed: what was assumed, left out or filled."""
    for sentence in said:
        print(f"curriculab: {printable(sentence, 300)}", file=sys.stderr)


def hint(path: str, error: CurriculabError) -> CurriculabError:
    """The same sentence; of a file that holds a table, with the way to its tasks."""
    try:
        table_at(path)
    except CurriculabError:
        return error
    return type(error)(f"{error}; or make tasks of the table: 'curriculab check {printable(path, 100)}' says how")
