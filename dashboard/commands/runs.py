"""`curriculab runs`: list, show, delete, export and import stored runs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SettingsError
from dashboard.commands.options import Subparsers, command
from dashboard.commands.output import check_writable, write_text, writing
from dashboard.commands.terminal_table import printable, table

if TYPE_CHECKING:
    from data.runs.store import Run


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


def state(store: object, run: Run) -> str:
    """`finished`, `running` or `stopped`."""
    from data.runs.lock import computed_by
    from data.runs.store import Store

    if run.finished:
        return "finished"
    return "running" if isinstance(store, Store) and computed_by(store.folder, run.id) is not None else "stopped"


def show_run(arguments: argparse.Namespace) -> None:
    """The tables of one run."""
    from dashboard.commands.run_table import run_lines
    from data.runs.store import Store

    with Store() as store:
        run = store.run(arguments.id)
        print("\n".join(run_lines(run, store.results(run))))


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
        if target not in (None, "-"):
            check_writable(Path(target))
    from data.runs.bundle import write_bundle
    from data.runs.export import run_csv, run_json
    from data.runs.store import Store

    with Store() as store:
        run = store.run(arguments.id)
        results = store.results(run)
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
