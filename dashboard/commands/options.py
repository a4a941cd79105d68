"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from dashboard.commands.table_options import add_recipe, hint, source_of, tell, wants_recipe

if TYPE_CHECKING:
    from core.curriculum.learn import Problem
    from core.task_set import TaskSet

Subparsers = Any  # argparse keeps the type of `add_subparsers()` private


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


def add_set(parser: argparse.ArgumentParser) -> None:
    """Declare SET."""
    parser.add_argument("set", metavar="SET", help="a built-in name (see 'curriculab sets') or a task-set file")


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Declare --seed."""
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of everything random (default: 0)")


def add_learner(parser: argparse.ArgumentParser) -> None:
    """Declare SET and the settings of every learner."""
    add_set(parser)
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


def regularisation(text: str) -> float | Literal["shared", "each"]:
    """--C: `shared`, `each` or a number; core judges the number."""
    if text.lower() == "shared":
        return "shared"
    if text.lower() == "each":
        return "each"
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither shared, each nor a number") from None


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
        return source.sample(arguments.seed) if arguments.seed else made.task_set
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

    return Problem(
        task_set,
        normalize=arguments.normalize,
        bias=arguments.bias,
        seed=arguments.seed,
        solver=arguments.solver,
        measure=arguments.measure,
    )
