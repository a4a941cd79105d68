"""`curriculab check`: what is read from a file, and what is assumed on the way."""

from __future__ import annotations

import argparse
from pathlib import Path

from dashboard.commands.options import Subparsers, command
from dashboard.commands.tables import printable, table


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(subparsers, "check", run, "say what is read from a task-set file", "curriculab check my-tasks.csv")
    parser.add_argument("file", metavar="FILE", help="NPZ, CSV, Parquet, or a text folder or ZIP")


def run(arguments: argparse.Namespace) -> None:
    """Read the file as `learn` would, and print its tasks and every assumption."""
    from data.files import formats

    reading = formats.read(Path(arguments.file))
    tasks = reading.task_set
    features = f"{tasks.n_features} feature{'' if tasks.n_features == 1 else 's'}"
    print(f"{printable(arguments.file, 200)}: {len(tasks)} task{'' if len(tasks) == 1 else 's'}, {features}")
    for assumption in reading.assumptions:
        print(f"  assumed: {printable(assumption, 300)}")
    rows = [
        (printable(task.name), f"{task.n_points}", f"{int((task.y > 0).sum())}", f"{task.n_test or '-'}")
        for task in tasks.tasks
    ]
    print()
    print(table(("task", "training", "positive", "test"), rows, right=range(1, 4)))
