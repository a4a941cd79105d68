"""The command line: `curriculab` opens the dashboard, `curriculab COMMAND` does one job and ends."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from core.errors import CurriculabError, SettingsError
from dashboard.commands import compare, learn, orders, report, runs, serve, sets

COMMANDS = (sets, learn, orders, compare, runs, report)


class Version(argparse.Action):
    """Print the version and end: it is looked up only then, which takes as long as all the rest of `--help`."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        """Print and end."""
        from importlib.metadata import version

        print(f"curriculab {version('curriculab')}")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, without the usage before them."""

    def error(self, message: str) -> NoReturn:
        """Raise what `main` prints as one line."""
        raise SettingsError(f"{message}; see {self.prog} --help")


def parser() -> Parser:
    """The whole command line, without anything heavy imported."""
    root = Parser(
        prog="curriculab",
        description="See how a learner should order its tasks. Without a command, opens the dashboard in the browser.",
        epilog="example: curriculab --port 8600 --no-browser",
        allow_abbrev=False,
    )
    root.add_argument("--version", action=Version, nargs=0, default=argparse.SUPPRESS, help="show the version and end")
    serve.add(root)
    subparsers = root.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.add(subparsers)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say; 0, or 2 after one line on standard error, or 130 when interrupted."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a task may have a name that the terminal cannot show
    gc.set_threshold(50_000)  # imports make hundreds of thousands of objects that stay
    try:
        arguments = parser().parse_args(argv)
        arguments.run(arguments)
        sys.stdout.flush()
    except CurriculabError as error:
        return complain(str(error))
    except MemoryError:
        return complain("not enough memory for this; use fewer points, features or tasks")
    except BrokenPipeError:
        # Whoever read our output (`| head`) has seen enough; Python must not try to flush the rest at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except KeyboardInterrupt:
        complain("stopped")
        return 130
    return 0


def complain(message: str) -> int:
    """Say what is wrong in exactly one line; the exit code for it."""
    print("curriculab:", " ".join(message.split()), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
