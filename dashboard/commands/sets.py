"""The commands about task sets: `curriculab sets` lists the built-in ones, `check` says what is read from a file,
`make` makes one of a table by a recipe, and `export` writes any to a file.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import CurriculabError
from dashboard.commands.options import Subparsers, add_recipe, add_seed, add_set, command, recipe_of, table_at
from dashboard.commands.terminal import check_writable, printable, table, write_text
from data.task_names import counted

if TYPE_CHECKING:
    from core.task_set import TaskSet

FACTS = ("name", "story", "kind", "tasks", "licence", "origin", "note", "semantic_order", "groups", "image_shape")
"""What is told of every set in JSON, by the names that a source has for them; null where there is none."""


def add(subparsers: Subparsers) -> None:
    """Declare the commands."""
    sets = command(subparsers, "sets", run_sets, "list the built-in task sets", "curriculab sets --json")
    sets.add_argument("--json", action="store_true", help="print a JSON list instead")
    check = command(
        subparsers,
        "check",
        run_check,
        "say what is read from a file, or how to make tasks of it",
        "curriculab check my-tasks.csv",
    )
    check.add_argument("file", metavar="FILE", help="a task set (NPZ, CSV, Parquet, text folder or ZIP), or any table")
    make = command(
        subparsers,
        "make",
        run_make,
        "make a task set of a table",
        "curriculab make patients.xlsx --recipe groups --task hospital --label outcome=died --drop id -o patients.npz",
    )
    make.add_argument(
        "table", metavar="TABLE", help="CSV, TSV, XLSX, ARFF, Parquet, an NPZ of X and y, or a ZIP of pictures"
    )
    add_recipe(make)
    make.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="its ending says the format: .npz, .csv, .parquet, .zip, or .recipe for the recipe alone",
    )
    export = command(
        subparsers,
        "export",
        run_export,
        "write a task set to a file",
        "curriculab export digits-levels digits-levels.npz",
    )
    add_set(export)
    export.add_argument("file", metavar="FILE", help="its ending says the format: .npz, .csv, .parquet or .zip (text)")
    add_seed(export)


def run_sets(arguments: argparse.Namespace) -> None:
    """Print every source of the catalogue with its story, or with what it still needs."""
    from data.sources import catalogue

    if arguments.json:
        listed = [
            {name: getattr(source, name) or None for name in FACTS}
            | {
                "knobs": [{"name": k.name, "default": k.default, "help": k.help} for k in source.knobs],
                "available": source.available,
                "missing": source.missing or None,
                "default": source.name == catalogue.DEFAULT,
            }
            for source in catalogue.sources()
        ]
        print(json.dumps(listed, indent=2))
        return
    for source in catalogue.sources():
        size = f" ({source.tasks} tasks)" if source.tasks else ""
        default = ", the default" if source.name == catalogue.DEFAULT else ""
        print(f"{source.name}{size}{default}\n    {source.story}")
        if source.note:
            print(f"    {source.note}")
        if not source.available:
            print(f"    Not available yet: {source.missing}")


def run_check(arguments: argparse.Namespace) -> None:
    """Read the file as `learn` would, and print its tasks and every assumption; else what a recipe makes of it."""
    from data.archives import formats
    from data.assembly import with_least

    try:
        reading = formats.read(Path(arguments.file))
    except CurriculabError as error:
        guessed(arguments.file, error)
        return
    assumed = [f"assumed: {sentence}" for sentence in reading.assumptions]
    in_use = [f"in use: {sentence}" for sentence in with_least(reading.task_set)[1]]
    show(f"{printable(arguments.file, 200)}: {size(reading.task_set)}", [*assumed, *in_use], reading.task_set)


def guessed(file: str, error: CurriculabError) -> None:
    """What the guessed recipe makes of a table, and the command; the error itself if it holds no table either."""
    from data.files import NoTableError
    from data.recipes.builder import make
    from data.recipes.inference import guess
    from data.recipes.plan import plan
    from data.recipes.recipe import RecipeError

    try:
        table = table_at(file)
    except NoTableError:
        raise error from None
    recipe = guess(table)
    if recipe.kind == "ready" and plan(table, recipe).problems:
        raise error
    try:
        made = make(table, recipe)
    except RecipeError as problem:
        if recipe.label or problem.part != "label":
            raise
        command = shlex.join(["curriculab", "make", file, "--label", "COLUMN", "-o", f"{Path(file).stem}-tasks.npz"])
        raise RecipeError(problem.part, f"{problem}, as in: {printable(command, 200)}") from None
    print(f"{printable(file, 200)}: {table.size}, no task set yet")
    print(f"  because: {printable(str(error), 300)}")
    show(f"The guess makes {size(made.task_set)} of it:", made.assumptions, made.task_set)
    print()
    print("To use it, or to change it first:")
    print(f"  {shlex.join(['curriculab', 'make', file, *recipe.as_words(), '-o', f'{Path(file).stem}-tasks.npz'])}")


def run_make(arguments: argparse.Namespace) -> None:
    """Make the tasks, write them, and print them with everything that was assumed, left out or filled."""
    from data.archives import formats
    from data.recipes.builder import ENDING, make, recipe_line

    path = Path(arguments.output)
    check_writable(path)
    made = make(*recipe_of(arguments, arguments.table))
    lost: tuple[str, ...] = ()
    if path.suffix == ENDING:
        write_text(arguments.output, recipe_line(Path(arguments.table).name, made.task_set.recipe))
    else:
        lost = formats.write(made.task_set, path)
    heading = f"{printable(arguments.table, 200)}: {size(made.task_set)}, written to {printable(str(path), 200)}"
    show(heading, [*made.assumptions, *lost], made.task_set)


def run_export(arguments: argparse.Namespace) -> None:
    """Draw or read the set, and write it in the format of the file's ending."""
    from data.archives import formats
    from data.sources import catalogue

    path = Path(arguments.file)
    check_writable(path)
    task_set = catalogue.load(arguments.set, seed=arguments.seed)
    for sentence in formats.write(task_set, path):
        print(sentence)


def size(tasks: TaskSet) -> str:
    """As `3 tasks, 4 features`."""
    return f"{counted(len(tasks), 'task')}, {counted(tasks.n_features, 'feature')}"


def show(heading: str, said: Iterable[str], tasks: TaskSet) -> None:
    """Print the heading, the sentences below it, and one row per task: training points, positive ones among them, test
    points.
    """
    print(heading)
    for sentence in said:
        print(f"  {printable(sentence, 300)}")
    rows = [
        (printable(task.name), f"{task.n_points}", f"{int((task.y > 0).sum())}", f"{task.n_test or '-'}")
        for task in tasks.tasks
    ]
    print()
    print(table(("task", "training", "positive", "test"), rows, right=range(1, 4)))
