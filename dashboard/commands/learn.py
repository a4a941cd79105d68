"""`curriculab learn`: weights for all tasks of a set, by one method."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import SettingsError
from dashboard.commands.options import Subparsers, add_learner, add_set, command, learner, load
from dashboard.commands.terminal import (
    check_writable,
    percent,
    plain,
    printable,
    table,
    terminal_progress,
    write_text,
    writing,
)
from dashboard.text import vacuous

if TYPE_CHECKING:
    from core import Learned


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(
        subparsers, "learn", run, "learn all tasks of a set", "curriculab learn digits-levels --method multiseqmt"
    )
    add_set(parser)
    add_learner(parser)
    parser.add_argument("--method", default="seqmt", metavar="NAME", help="in any case (default: seqmt)")
    parser.add_argument("--order", type=names, metavar="A,B,...", help="the tasks in order, for --method order")
    parser.add_argument(
        "--choices",
        type=pairs,
        default=(),
        metavar="JSON",
        help='force the first steps: a list of [task, source], such as \'[["b", null], ["a", "b"]]\'',
    )
    parser.add_argument("--json", metavar="FILE|-", help="write the whole result as JSON, '-' for standard output")
    parser.add_argument("--weights", type=Path, metavar="FILE.npz", help="write the weights, one array per task")


def names(text: str) -> tuple[str, ...]:
    """Task names with commas between them, or a JSON list where a name has a comma."""
    if not text.lstrip().startswith("["):
        return tuple(name.strip() for name in text.split(","))
    advice = "give task names with commas between them, or a JSON list of names"
    return tuple(json_list(text, lambda name: isinstance(name, str), advice))


def pairs(text: str) -> tuple[tuple[str, str | None], ...]:
    """A JSON list of [task, source], source null for none."""

    def is_pair(pair: Any) -> bool:
        shape = isinstance(pair, list) and len(pair) == 2
        return shape and isinstance(pair[0], str) and isinstance(pair[1], str | None)

    advice = "give a JSON list of [task, source], with null for no source"
    return tuple((task, source) for task, source in json_list(text, is_pair, advice))


def json_list(text: str, valid: Callable[[Any], bool], advice: str) -> list[Any]:
    """The list that a JSON argument holds, if every member is as it should be."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is not valid JSON") from None
    if not isinstance(listed, list) or not all(map(valid, listed)):
        raise argparse.ArgumentTypeError(advice)
    return listed


def run(arguments: argparse.Namespace) -> None:
    """Learn, then write what was asked for, or else a short table."""
    if arguments.weights is not None:
        if arguments.weights.suffix.lower() != ".npz":
            raise SettingsError(
                f"weights are written as NPZ, not to {str(arguments.weights)!r}; end the name with .npz"
            )
        check_writable(arguments.weights)
    check_writable(arguments.json)
    from core import learn

    task_set = load(arguments)
    with terminal_progress("learning") as progress:
        learned = learn(
            task_set,
            arguments.method,
            order=arguments.order,
            choices=arguments.choices,
            progress=progress,
            **learner(arguments),
        )
    if arguments.weights is not None:
        from data.archives.npz import arrays_file

        with writing(arguments.weights):
            arguments.weights.write_bytes(arrays_file(learned.weights))
    if arguments.json is None:
        from core.statistics.data_checks import unequal

        print("\n".join(summary(learned, unequal(task_set))))
    else:
        write_text(arguments.json, json.dumps(learned.as_dict(), indent=2, allow_nan=False) + "\n")


def summary(learned: Learned, unequal: bool = False) -> Iterator[str]:
    """The lines of the table that `learn` prints; balanced errors where classes are unequal, or if they counted."""
    terms = {step.chosen.task: (step.chosen.error_term, step.chosen.complexity_term) for step in learned.steps}
    errors = learned.test_error or {}
    balanced = ((unequal or learned.measure == "balanced") and learned.balanced_error) or {}
    rows = [
        (
            str(position),
            printable(task),
            printable(learned.sources.get(task) or "-"),
            f"{learned.chosen_C[task]:g}",
            *(f"{term:.4f}" for term in terms.get(task, ())),
            *([percent(errors[task])] if task in errors else []),
            *([percent(balanced[task])] if balanced else []),
        )
        for position, task in enumerate(learned.order, start=1)
    ]
    headings = (
        *("", "task", "source", "C"),
        *(("error term", "complexity term") if terms else ()),
        *(("test error",) if errors else ()),
        *(("balanced error",) if balanced else ()),
    )
    by = ", by balanced error" if learned.measure == "balanced" else ""
    yield f"{learned.method} on {printable(learned.task_set, 200)}, C {learned.C}, seed {learned.seed}{by}"
    yield ""
    yield table(headings, rows, right=range(3, len(headings)))
    yield ""
    if (bound := learned.bound) is not None:
        yield (
            f"bound {bound.value:.4f} = error {bound.error:.4f} + complexity {bound.complexity:.4f} "
            f"+ constant {bound.constant:.4f}, on half the expected error, with probability {1 - bound.delta:g}"
            + vacuous(bound.value)
        )
    yield f"solver {learned.solver}"
    if learned.mean_test_error is not None:
        beside = f", balanced {percent(sum(balanced.values()) / len(balanced))}" if balanced else ""
        yield f"mean test error {percent(learned.mean_test_error)}{beside}"
    if unequal and learned.answers is not None:
        from dashboard.figures.class_balance import learned_words

        yield plain(learned_words(learned))
