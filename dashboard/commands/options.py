"""Arguments that several commands share: a task set or a table with its recipe, and the settings of every learner."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import CurriculabError, SettingsError
from dashboard.commands.terminal import printable, tell

if TYPE_CHECKING:
    from core.curriculum.learn import Problem
    from core.task_set import TaskSet
    from data.recipes.recipe import Recipe
    from data.sources.table import TableSource
    from data.tables.table import Table

Subparsers = Any  # argparse keeps the type of `add_subparsers()` private
LEARNER = ("C", "normalize", "bias", "seed", "delta", "solver", "measure")
"""Settings of every learner, by the names that `core.learn` has for them."""
_COLUMNS: dict[str, Any] = {"nargs": "+", "action": "extend", "metavar": "COLUMN"}
_FLAG: dict[str, Any] = {"action": "store_true", "default": None}
_COUNT: dict[str, Any] = {"type": int, "metavar": "N"}
RECIPE: dict[str, dict[str, Any]] = {
    "recipe": {
        "choices": ("groups", "one-vs-rest", "columns", "levels", "ready"),
        "help": "how tasks are made of the table (default: 'curriculab check' prints the guess)",
    },
    "task": {"metavar": "COLUMN", "help": "names the task of each row"},
    "label": _COLUMNS | {"metavar": "COLUMN[=POSITIVE]", "help": "the label; COLUMN>NUMBER for a threshold"},
    "drop": _COLUMNS | {"help": "columns that are no features"},
    "keep": _COLUMNS | {"help": "columns that are features though they look like ids"},
    "score": {
        "metavar": "COLUMN",
        "help": "levels: how hard a row is (default: how near it is to a machine's boundary)",
    },
    "levels": _COUNT | {"metavar": "K", "help": "levels: how many (default: 5)"},
    "missing": {"choices": ("drop", "mean"), "help": "empty cells: drop the row, or fill in the training mean"},
    "standardize": _FLAG | {"help": "columns to mean 0 and deviation 1, of training points"},
    "test": {"metavar": "SHARE|COLUMN", "help": "test data: a share of each class, or a column of train and test"},
    "most": _COUNT | {"help": "points of a task at most, test points included (default: all)"},
    "least": _COUNT
    | {"help": "leave out tasks with fewer training points of a class, also of a task-set file (default: 2)"},
    "without": _COLUMNS | {"metavar": "TASK", "help": "tasks to leave out"},
    "balance": _FLAG | {"help": "equal classes: the larger class is cut by lot, in training and in test data"},
    "shared": _FLAG | {"help": "one-vs-rest: a point may be in several tasks"},
    "sheet": {"metavar": "NAME", "help": "which sheet of a workbook (default: the one with most cells)"},
    "side": _COUNT | {"metavar": "PIXELS", "help": "pictures are scaled to so many pixels per side (default: 28)"},
    "draw": _COUNT | {"help": "seed of what the recipe draws (default: 0)"},
}
"""Options of a recipe; none is set unless it is given."""


def command(
    subparsers: Subparsers,
    name: str,
    run: Callable[[argparse.Namespace], None],
    what: str,
    example: str,
) -> argparse.ArgumentParser:
    """A command of that name, which says in one line what it does and gives one example."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        help=what,
        description=f"{what[0].upper()}{what[1:]}.",
        epilog=f"example: {example}",
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,  # keeps the example on its one line
    )
    parser.set_defaults(run=run)
    return parser


def add_set(
    parser: argparse.ArgumentParser,
    metavar: str = "SET",
    what: str = "a built-in name (see 'curriculab sets') or a task-set file",
) -> None:
    """Declare SET."""
    parser.add_argument("set", metavar=metavar, help=what)


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Declare --seed."""
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of everything random (default: 0)")


def add_recipe(parser: argparse.ArgumentParser) -> None:
    """Declare the recipe's options."""
    group = parser.add_argument_group(
        "a table (CSV, TSV, XLSX, ARFF, Parquet, NPZ of X and y, or a ZIP of pictures) as task set"
    )
    for name, how in RECIPE.items():
        group.add_argument(f"--{name}", **how)


def add_learner(parser: argparse.ArgumentParser) -> None:
    """Declare the settings of every learner, and the options of a table that stands for SET."""
    parser.add_argument(
        "--C",
        type=regularisation,
        default="shared",
        metavar="shared|each|NUMBER",
        help="one C for the whole method, a C for every fit, or a fixed one (default: shared)",
    )
    parser.add_argument(
        "--normalize", choices=("l2", "none"), help="scale rows to length 1, or not (default: what the set asks for)"
    )
    parser.add_argument(
        "--bias",
        action=argparse.BooleanOptionalAction,
        help="append a coordinate 1, or not (default: what the set asks for)",
    )
    add_seed(parser)
    parser.add_argument("--delta", type=float, default=0.05, metavar="D", help="the bound fails at most this often")
    parser.add_argument(
        "--solver",
        default="osqp",
        metavar="NAME",
        help="osqp makes every fit that is told and leaves scans to the compiled kernel (default); kernel makes "
        "all, fastest; or any solver of qpsolvers",
    )
    parser.add_argument(
        "--measure",
        choices=("error", "balanced"),
        default="error",
        help="what cross-validation and orders count: wrong points, or the mean of the errors on both classes "
        "(default: error)",
    )
    add_recipe(parser)


def regularisation(text: str) -> float | str:
    """--C: `shared`, `each` or a number; core judges the number."""
    try:
        return text.lower() if text.lower() in ("shared", "each") else float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither shared, each nor a number") from None


def learner(arguments: argparse.Namespace) -> dict[str, Any]:
    """The settings of every learner, as keywords."""
    return {name: getattr(arguments, name) for name in LEARNER}


def check_settings(arguments: argparse.Namespace) -> None:
    """Refuse a bad setting of the learner before anything is told of a table: a mistake is one line."""
    from core.curriculum.bound import check_delta
    from core.curriculum.learn import check_C, check_seed
    from core.curriculum.methods import method_key
    from core.solver.backends import check_solver

    check_C(arguments.C)
    check_seed(arguments.seed)
    check_delta(arguments.delta)
    check_solver(arguments.solver)
    if hasattr(arguments, "method"):
        method_key(arguments.method)


def load(arguments: argparse.Namespace) -> TaskSet:
    """The task set that SET names, drawn with the seed, or that a recipe makes of a table."""
    from data.assembly import LEAST, with_least
    from data.limits import FormatError
    from data.sources import catalogue

    if wants_recipe(arguments):
        check_settings(arguments)
        made, source = source_of(arguments, arguments.set)
        return source.sample(arguments.seed) if arguments.seed else made
    try:
        found = catalogue.load(arguments.set, seed=arguments.seed)
    except FormatError as error:
        raise hint(arguments.set, error) from None
    kept, said = with_least(found, LEAST if arguments.least is None else arguments.least)
    if kept is not found:  # else what fails says so itself, in one line
        tell(said)
    return kept


def problem_of(arguments: argparse.Namespace, task_set: TaskSet) -> Problem:
    """That set, prepared as the options say, for a command that asks several things of it."""
    from core.curriculum.learn import Problem

    return Problem(task_set, **{name: v for name, v in learner(arguments).items() if name not in ("C", "delta")})


def wants_recipe(arguments: argparse.Namespace) -> bool:
    """Whether any option was given that makes tasks of a table; `--least` alone is said of task-set files, too."""
    return any(getattr(arguments, name, None) is not None for name in RECIPE if name != "least")


def recipe_of(arguments: argparse.Namespace, path: str) -> tuple[Table, Recipe]:
    """The table of a file, and the recipe for it that the options are."""
    from data.recipes.builder import chosen
    from data.recipes.ready import resolved

    table = table_at(path, arguments)
    options = recipe_options(arguments) | {"test": _test(arguments.test, table)}
    given = {name: value for name, value in options.items() if value is not None}
    return table, resolved(table, chosen(table, arguments.recipe, arguments.label, given))


def recipe_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """What a recipe can be given beside its kind and label, by name; None where it was not."""
    return {name: getattr(arguments, name) for name in RECIPE if name not in ("recipe", "label")}


def source_of(arguments: argparse.Namespace, path: str) -> tuple[TaskSet, TableSource]:
    """The tasks that the options make of a table, and the source that draws them anew; tells what was assumed."""
    from data.recipes.builder import make
    from data.sources.table import TableSource

    table, recipe = recipe_of(arguments, path)
    made = make(table, recipe)
    tell(made.assumptions)
    return made.task_set, TableSource.of(table, recipe, made.task_set, str(Path(path).resolve()))


def table_at(path: str, arguments: argparse.Namespace | None = None) -> Table:
    """The table of a file."""
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


def hint(path: str, error: CurriculabError) -> CurriculabError:
    """The same sentence; of a file that holds a table, with the way to its tasks."""
    try:
        table_at(path)
    except CurriculabError:
        return error
    return type(error)(f"{error}; or make tasks of the table: 'curriculab check {printable(path, 100)}' says how")
