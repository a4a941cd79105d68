"""`curriculab make` and `curriculab export`: a file of a task set, made of a table by a recipe or of any set."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.commands.options import Subparsers, add_recipe, add_seed, add_set, command, made_of
from dashboard.commands.terminal import check_writable, printable, table, writing
from data.task_names import counted

if TYPE_CHECKING:
    from core.task_set import TaskSet


def add(subparsers: Subparsers) -> None:
    """Declare both commands."""
    parser = command(
        subparsers,
        "make",
        run,
        "make a task set of a table",
        "curriculab make patients.xlsx --recipe groups --task hospital --label outcome=died --drop id -o patients.npz",
    )
    parser.add_argument(
        "table", metavar="TABLE", help="CSV, TSV, XLSX, ARFF, Parquet, an NPZ of X and y, or a ZIP of pictures"
    )
    add_recipe(parser)
    parser.add_argument(
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


def run(arguments: argparse.Namespace) -> None:
    """Make the tasks, write them, and print them with everything that was assumed, left out or filled."""
    from data.archives import formats
    from data.recipes.builder import ENDING, recipe_line

    path = Path(arguments.output)
    check_writable(path)
    made, _ = made_of(arguments, arguments.table)
    with writing(path):
        if path.suffix == ENDING:
            path.write_text(recipe_line(Path(arguments.table).name, made.recipe), encoding="utf-8")
            lost: tuple[str, ...] = ()
        else:
            lost = formats.write(made.task_set, path)
    print(f"{printable(arguments.table, 200)}: {count(made.task_set)}, written to {printable(str(path), 200)}")
    for sentence in (*made.said, *lost):
        print(f"  {printable(sentence, 300)}")
    print()
    print(tasks_table(made.task_set))


def run_export(arguments: argparse.Namespace) -> None:
    """Draw or read the set, and write it in the format of the file's ending."""
    from data.archives import formats
    from data.sources import catalogue

    path = Path(arguments.file)
    check_writable(path)
    task_set = catalogue.load(arguments.set, seed=arguments.seed)
    with writing(path):
        lost = formats.write(task_set, path)
    for sentence in lost:
        print(sentence)


def count(tasks: TaskSet) -> str:
    """As `3 tasks, 4 features`."""
    return f"{counted(len(tasks), 'task')}, {counted(tasks.n_features, 'feature')}"


def tasks_table(tasks: TaskSet) -> str:
    """One row per task: training points, positive ones among them, test points."""
    rows = [
        (printable(task.name), f"{task.n_points}", f"{int((task.y > 0).sum())}", f"{task.n_test or '-'}")
        for task in tasks.tasks
    ]
    return table(("task", "training", "positive", "test"), rows, right=range(1, 4))
