"""`curriculab report`: a self-contained HTML page of a run or of a task set."""

from __future__ import annotations

import argparse

from dashboard.commands.options import Subparsers, add_learner, add_set, command, load, problem_of
from dashboard.commands.runs import stored
from dashboard.commands.terminal import check_writable, terminal_progress, write_text


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(
        subparsers,
        "report",
        run,
        "write a self-contained HTML report of a run or a task set",
        "curriculab report digits-levels:8 -o report.html",
    )
    add_set(parser, "RUN|SET", "the id of a run (see 'curriculab runs list'), a built-in name or a task-set file")
    add_learner(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE.html", help="where to write it")


def run(arguments: argparse.Namespace) -> None:
    """Draw the report and write it; the learner's settings are used for a task set alone."""
    check_writable(arguments.output)
    if arguments.set.isdecimal():
        from dashboard.reports.report import run_report

        text = run_report(*stored(int(arguments.set)))
    else:
        from dashboard.reports.report import set_report

        task_set = load(arguments)
        problem = problem_of(arguments, task_set)
        with terminal_progress("learning") as progress:
            text = set_report(problem, task_set.digest, arguments.C, arguments.delta, progress)
    write_text(arguments.output, text)
