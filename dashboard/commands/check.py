"""`curriculab check`: what is read from a file and assumed on the way; of a table, the guess and the command for it."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from core.errors import CurriculabError
from dashboard.commands.make import count, tasks_table
from dashboard.commands.options import Subparsers, command, table_at
from dashboard.commands.terminal import printable


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(
        subparsers,
        "check",
        run,
        "say what is read from a file, or how to make tasks of it",
        "curriculab check my-tasks.csv",
    )
    parser.add_argument("file", metavar="FILE", help="a task set (NPZ, CSV, Parquet, text folder or ZIP), or any table")


def run(arguments: argparse.Namespace) -> None:
    """Read the file as `learn` would, and print its tasks and every assumption; else what a recipe makes of it."""
    from data.archives import formats
    from data.assembly import with_least

    try:
        reading = formats.read(Path(arguments.file))
    except CurriculabError as error:
        guessed(arguments.file, error)
        return
    print(f"{printable(arguments.file, 200)}: {count(reading.task_set)}")
    for assumption in reading.assumptions:
        print(f"  assumed: {printable(assumption, 300)}")
    for sentence in with_least(reading.task_set)[1]:
        print(f"  in use: {printable(sentence, 300)}")
    print()
    print(tasks_table(reading.task_set))


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
    print(f"The guess makes {count(made.task_set)} of it:")
    for sentence in made.said:
        print(f"  {printable(sentence, 300)}")
    print()
    print(tasks_table(made.task_set))
    print()
    print("To use it, or to change it first:")
    print(f"  {shlex.join(['curriculab', 'make', file, *recipe.as_words(), '-o', f'{Path(file).stem}-tasks.npz'])}")
