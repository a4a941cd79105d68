"""`curriculab compare`: methods over repeats, as a stored run that can be stopped and gone on with."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from dashboard.commands.options import (
    Subparsers,
    add_learner,
    add_set,
    command,
    hint,
    learner,
    source_of,
    wants_recipe,
)
from dashboard.commands.terminal import status_line, tell
from dashboard.text import in_words

if TYPE_CHECKING:
    from core.experiments.experiment import Settings
    from core.task_set import TaskSet
    from data.runs.store import Run, Store
    from data.sources.source import Source

SPLITS = """Repeat k draws and learns with seed N + k. A built-in set is drawn afresh for every repeat.
Of a table the recipe is applied anew: rows are split first, then tasks are made of them.
Of a task-set file, each task's training and test points are pooled and split anew, as many of each
class in each part as in the file; of a task without test data, 30 % of each class are held out."""


def add(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = command(
        subparsers,
        "compare",
        run,
        "compare methods over repeats, as a stored run",
        "curriculab compare digits-levels --methods IndSVM,SeqMT --repeats 5",
    )
    parser.description = f"{parser.description}\n\n{SPLITS}"
    add_set(parser)
    add_learner(parser)
    parser.add_argument(
        "more",
        nargs="*",
        metavar="SET",
        help="further sets, one run for each; with --resume finished ones are not run again",
    )
    parser.add_argument(
        "--methods",
        type=lambda text: tuple(name for name in text.split(",") if name.strip()),
        metavar="A,B,...",
        help="in any case, commas between them (default: all; Best and Worst only for up to 5 tasks)",
    )
    parser.add_argument("--repeats", type=int, default=20, metavar="N", help="how many draws (default: 20)")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes at once (default: one per core)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="compute on the Dask cluster of this scheduler instead")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the newest unfinished run of the same settings (and data and versions), or start it",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=5040,
        metavar="N",
        help="orders for Best and Worst: where there are more, a random sample of so many (default: 5040)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Find or begin the run of every set, compute what is missing, print its tables; of several sets one table."""
    from core.experiments.experiment import Settings
    from core.experiments.parallel import check_jobs
    from dashboard.commands.runs import run_lines, sets_table
    from data.runs.computation import find_or_begin, finished_twin
    from data.runs.store import Store

    check_jobs(arguments.jobs)
    methods = arguments.methods or ("indsvm",)
    settings = Settings("", methods, arguments.repeats, limit=arguments.limit, **learner(arguments))
    several = bool(arguments.more)
    todo = [prepared(arguments, settings, name) for name in dict.fromkeys((arguments.set, *arguments.more))]
    with Store() as store:
        finished = []
        for settings, source, first in todo:
            found = finished_twin(store, settings, source, first) if several and arguments.resume else None
            if found is None:
                found = find_or_begin(store, settings, source, arguments.resume, first=first)
                found = computed(arguments, store, found, source)
            finished.append((found, store.results(found)))
    if several:
        print(sets_table(finished))
    else:
        print("\n".join(run_lines(*finished[0])))


def computed(arguments: argparse.Namespace, store: Store, run: Run, source: Source) -> Run:
    """The finished run; its progress is told on one line, and what is kept of it where it is stopped."""
    from data.runs.computation import compute_run

    with status_line() as say:

        def watch(now: Run, left: float | None) -> None:
            if say is not None:
                say(progress_words(now, left))

        try:
            return compute_run(store, run, source, arguments.jobs, arguments.scheduler, watch)
        except KeyboardInterrupt:
            kept = store.run(run.id)
    done = f"{kept.done_in_all} of {kept.total} pieces of run {kept.id}"
    tell([f"stopped; {done} are kept, the same command with --resume goes on"])
    raise SystemExit(130)


def prepared(arguments: argparse.Namespace, settings: Settings, name: str) -> tuple[Settings, Source, TaskSet]:
    """The settings for a set's run, its source, and its first sample, on which they are checked."""
    from core.experiments.experiment import usual_methods
    from data.runs.computation import check_sample

    source = source_for(arguments, name)
    first = source.sample(settings.seed)
    methods = usual_methods(first) if arguments.methods is None else arguments.methods
    settings = replace(settings, source=source.full_name, methods=methods)
    check_sample(settings, first)
    return settings, source, first


def source_for(arguments: argparse.Namespace, name: str) -> Source:
    """Where repeats come from: the set that is named, or the tasks that a recipe makes of a table."""
    from data.assembly import LEAST
    from data.limits import FormatError
    from data.sources.catalogue import open_source

    if wants_recipe(arguments):
        return source_of(arguments, name)[1].with_test()
    try:
        source = open_source(name)
    except FormatError as error:
        raise hint(name, error) from None
    kept, said = source.with_least(LEAST if arguments.least is None else arguments.least)
    if kept is not source:
        tell(said)
    return kept


def progress_words(run: Run, left: float | None) -> str:
    """As `12 of 80, about 40 s left: IndSVM 3/20, SeqMT 2/20`."""
    from core.experiments.experiment import NAMES

    rest = f", about {in_words(left)} left" if left and left >= 1 else ""
    orders = ("orders",) if run.total > run.settings.repeats * len(run.settings.methods) else ()
    parts = (
        f"{NAMES.get(method, 'all orders')} {run.done.get(method, 0)}/{run.settings.repeats}"
        for method in (*orders, *run.settings.methods)
    )
    return f"{run.done_in_all} of {run.total}{rest}: {', '.join(parts)}"
