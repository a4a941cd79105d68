"""`curriculab runs`: list, show, delete, export and import stored runs; the tables of a run, also for `compare`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SettingsError
from dashboard.commands.options import Subparsers, command
from dashboard.commands.terminal import check_writable, plain, printable, table, write_text, writing
from dashboard.text import error_name

if TYPE_CHECKING:
    from core.experiments.difference import Average
    from core.experiments.summary import Results
    from data.runs.store import Run, Store


def add(subparsers: Subparsers) -> None:
    """Declare the command with its own commands."""
    parser = command(
        subparsers, "runs", list_runs, "list, show, delete, export and import runs", "curriculab runs list"
    )
    parser.set_defaults(json=False)
    own = parser.add_subparsers(title="commands", metavar="COMMAND")
    listing = command(own, "list", list_runs, "list all runs, the newest first", "curriculab runs list --json")
    listing.add_argument("--json", action="store_true", help="print a JSON list instead")
    show = command(own, "show", show_run, "show the tables of a run", "curriculab runs show 1")
    delete = command(own, "delete", delete_run, "delete a run, after asking", "curriculab runs delete 1")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    export = command(own, "export", export_run, "write a run to files", "curriculab runs export 1 --csv run.csv")
    for one in (show, delete, export):
        one.add_argument("id", type=int, metavar="ID", help="as 'curriculab runs list' shows it")
    export.add_argument("--csv", metavar="FILE|-", help="a row per repeat, method and task")
    export.add_argument("--json", metavar="FILE|-", help="settings, summary and all outcomes")
    export.add_argument("--bundle", type=Path, metavar="FILE", help="a ZIP that 'curriculab runs import' reads")
    bring = command(own, "import", import_run, "import a bundle as a new run", "curriculab runs import run.zip")
    bring.add_argument("file", type=Path, metavar="FILE", help="a bundle that 'curriculab runs export' wrote")


def list_runs(arguments: argparse.Namespace) -> None:
    """All runs, the newest first."""
    from data.runs.store import Store

    with Store() as store:
        runs = store.runs()
        for damaged in store.unreadable():
            print(f"curriculab: run {damaged} is damaged and cannot be read; delete it", file=sys.stderr)
        states = {run.id: state(store, run) for run in runs}
    if arguments.json:
        print(json.dumps([run.as_dict() | {"state": states[run.id]} for run in runs], indent=2))
        return
    if not runs:
        print("There are no runs yet; begin one with 'curriculab compare SET'.")
        return
    rows = [
        (
            str(run.id),
            run.begun[:16].replace("T", " "),
            states[run.id],
            f"{run.done_in_all}/{run.total}",
            str(run.settings.repeats),
            str(len(run.settings.methods)),
            str(run.settings.C),
            printable(run.full_title, 100),
        )
        for run in runs
    ]
    print(
        table(("id", "begun (UTC)", "state", "pieces", "repeats", "methods", "C", "task set"), rows, right=(0, 3, 4, 5))
    )


def state(store: Store, run: Run) -> str:
    """`finished`, `running` or `stopped`."""
    from data.runs.lock import computed_by

    return "finished" if run.finished else "stopped" if computed_by(store.folder, run.id) is None else "running"


def show_run(arguments: argparse.Namespace) -> None:
    """The tables of one run."""
    print("\n".join(run_lines(*stored(arguments.id))))


def stored(identity: int) -> tuple[Run, Results]:
    """The run of that id, and its outcomes so far."""
    from data.runs.store import Store

    with Store() as store:
        run = store.run(identity)
        return run, store.results(run)


def delete_run(arguments: argparse.Namespace) -> None:
    """Ask, then delete."""
    from data.runs.lock import computed_by
    from data.runs.store import Store

    with Store() as store:
        damaged = arguments.id in store.unreadable()
        what = f"run {arguments.id}, which is damaged"
        if not damaged:
            run = store.run(arguments.id)
            what = f"run {run.id} ({printable(run.title, 100)}, {run.done_in_all} finished pieces)"
        if (process := computed_by(store.folder, arguments.id)) is not None:
            raise SettingsError(f"run {arguments.id} is being computed by process {process}; stop it first")
        if not arguments.yes:
            if not sys.stdin.isatty():
                raise SettingsError(
                    f"run {arguments.id} is not deleted: nobody is there to ask; add --yes to delete it unasked"
                )
            if input(f"Delete {what} for good? [y/N] ").strip().lower() not in ("y", "yes"):
                print("Nothing was deleted.")
                return
        store.delete(arguments.id)
    print(f"Run {arguments.id} is deleted.")


def export_run(arguments: argparse.Namespace) -> None:
    """Write what was asked for."""
    if arguments.csv is None and arguments.json is None and arguments.bundle is None:
        raise SettingsError("nothing to export; name a file with --csv, --json or --bundle")
    for target in (arguments.csv, arguments.json, arguments.bundle):
        check_writable(target)
    from data.runs.bundle import write_bundle
    from data.runs.export import run_csv, run_json

    run, results = stored(arguments.id)
    if arguments.csv is not None:
        write_text(arguments.csv, run_csv(results))
    if arguments.json is not None:
        write_text(arguments.json, run_json(run, results))
    if arguments.bundle is not None:
        with writing(arguments.bundle):
            write_bundle(run, results, arguments.bundle)


def import_run(arguments: argparse.Namespace) -> None:
    """Read a bundle."""
    from data.runs.bundle import import_bundle
    from data.runs.store import Store

    with Store() as store:
        run = import_bundle(store, arguments.file)
    print(f"Imported as run {run.id}.")


def run_lines(run: Run, results: Results) -> Iterator[str]:
    """What the run was, its means, its paired differences, and Best and Worst."""
    settings = run.settings
    state = "finished" if run.finished else f"{run.done_in_all} of {run.total} pieces done"
    yield f"run {run.id}: {printable(run.full_title, 300)}, {state}"
    repeats = "1 repeat" if settings.repeats == 1 else f"{settings.repeats} repeats"
    by = ", by balanced error" if settings.measure == "balanced" else ""
    yield f"C {settings.C}, {repeats} from seed {settings.seed}{by}; {run.split}"
    if run.stopped:
        yield f"stopped: {printable(run.stopped, 300)}"
    if not results.methods:
        return
    yield ""
    yield means(run, results)
    from dashboard.figures.class_balance import results_words

    if said := results_words(results, settings.measure):
        yield plain(said)
    yield ""
    yield from differences(results)
    if results.walks:
        yield ""
        yield from fixed_orders(results)


def sets_table(finished: Sequence[tuple[Run, Results]]) -> str:
    """One row per run: the spread of its fixed orders where they were walked, then every method's mean test error."""
    from core.experiments.experiment import NAMES

    methods = [m for m in NAMES if any(m in results.methods for _, results in finished)]
    methods = [m for m in methods if m not in ("best", "worst")]
    headings = ["run", "task set", "best order %", "mean order %", "worst order %", *(NAMES[m] for m in methods)]
    rows = []
    for run, results in finished:
        orders = results.order_means
        spread = [f"{100 * value:.2f}" for value in (orders.min(), orders.mean(), orders.max())] if len(orders) else []
        errors = [mean_and_error(results.average(m))[0] if m in results.methods else "-" for m in methods]
        rows.append([str(run.id), printable(run.full_title, 60), *(spread or ["-"] * 3), *errors])
    return table(headings, rows, right=[0, *range(2, len(headings))])


def means(run: Run, results: Results) -> str:
    """One row per method: mean test error with its standard error, beside the paper's where there is one."""
    from core.experiments.experiment import NAMES
    from data.published import published_for

    published = published_for(run.settings.source)
    balanced = run.settings.measure == "balanced" or (results.unequal and "balanced" in results.measures)
    headings = ["method", "test error %", "± s.e.", *(["balanced %", "± s.e."] if balanced else [])]
    headings += ["repeats", "seconds"] + (["paper %", "± s.e."] if published else [])
    rows = []
    for method in results.methods:
        average = results.average(method, "error")
        beside = mean_and_error(results.average(method, "balanced")) if balanced else ()
        row = [
            NAMES[method],
            *mean_and_error(average),
            *beside,
            str(average.count),
            f"{results.seconds(method).mean:.2f}",
        ]
        if published:
            theirs = published.get(NAMES[method])
            row += ["", ""] if theirs is None else [f"{theirs.mean:.2f}", f"{theirs.standard_error:.2f}"]
        rows.append(row)
    return table(headings, rows, right=range(1, len(headings)))


def mean_and_error(average: Average) -> tuple[str, str]:
    """Mean and standard error in per cent."""
    spread = average.standard_error
    return f"{100 * average.mean:.2f}", "-" if spread is None else f"{100 * spread:.2f}"


def differences(results: Results) -> Iterator[str]:
    """Every method against SeqMT, or against the first where SeqMT was not run."""
    from core.experiments.experiment import NAMES

    found = results.against(results.baseline)
    if not found:
        return
    corrected = ["for looking at all methods (Holm)"] if sum(pair.interval is not None for pair in found) > 1 else []
    corrected += ["for repeats that share rows (Nadeau and Bengio)"] if results.overlap is not None else []
    said = f", corrected {' and '.join(corrected)}" if corrected else ""
    of = "balanced error " if results.settings.measure == "balanced" else ""
    yield f"{of}minus {NAMES[results.baseline]} on the same draws, in percentage points; Student's t{said}"
    rows = []
    for pair in found:
        span = pair.interval
        interval = "-" if span is None else f"{100 * span.low:+.2f} to {100 * span.high:+.2f}"
        p = "-" if pair.p_value is None else f"{pair.p_value:.2g}"
        rows.append([NAMES[pair.method], f"{100 * pair.difference:+.2f}", interval, p, pair.verdict])
    yield table(("method", "difference", "interval", "p", "verdict"), rows, right=range(1, 4))


def fixed_orders(results: Results) -> Iterator[str]:
    """The best and the worst of all fixed orders."""
    walk, means = results.walks[0], results.order_means
    tried = f"all {len(means)} orders" if walk.complete else f"a random sample of {len(means)} orders"
    error = error_name(results.settings.measure)
    yield f"of {tried}, the same in every repeat, by mean {error} over {len(results.walks)} repeats:"
    for word, method, mean in (("best ", "best", means.min()), ("worst", "worst", means.max())):
        order = " > ".join(printable(task) for task in results.picked_order(method))
        yield f"  {word} {100 * mean:.2f} %  {order}"
