"""`curriculab export`: a task set as a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from dashboard.commands.options import Subparsers, add_seed, add_set, command
from dashboard.commands.output import check_writable, writing


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(
        subparsers, "export", run, "write a task set to a file", "curriculab export digits-levels digits-levels.npz"
    )
    add_set(parser)
    parser.add_argument("file", metavar="FILE", help="its ending says the format: .npz, .csv, .parquet or .zip (text)")
    add_seed(parser)


def run(arguments: argparse.Namespace) -> None:
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
