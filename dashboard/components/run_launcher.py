"""Runs started from the dashboard: a process of their own, which outlives the page and is watched through the store."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from core.errors import SettingsError
from core.experiments.experiment import Settings
from dashboard.components import local_data
from dashboard.server.serving import serving
from dashboard.server.streamlit_internals import visitor
from dashboard.session.current import Current
from data.recipes.recipe import source_name
from data.runs.computation import check_open, find_or_begin
from data.runs.lock import computed_by, last_holder
from data.runs.store import Run, Store, keep_task_set, keep_upload
from data.sources.catalogue import open_source

ROOT = Path(__file__).resolve().parents[2]
MOST_ON_THEIR_WAY = 8
"""Runs of a store that are computed (one at a time) or wait for it; each is a process."""
_started: list[tuple[Path, int, subprocess.Popen[bytes]]] = []
"""The processes of this server by store and run; those that ended are let go."""
# A server that was started in the background ignores interrupts, and what it starts would too: Cancel sends one.
_START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from data.runs.computation import main; raise SystemExit(main(sys.argv[1:]))"
)


def owner() -> str:
    """Whose a run is that is begun now: where strangers come, the visitor's; on one's own machine all are one's own."""
    return visitor() if serving().public else ""


def may_change(run: Run) -> bool:
    """Whether this visitor may cancel, resume and delete a run."""
    return not serving().public or (serving().runs and run.owner == owner())


def keep_source(store: Store, now: Current) -> str:
    """Keep the file of an upload beside the store; the name under which a run records the set on screen."""
    if now.upload is None:
        return now.name
    if now.table is None:
        return keep_task_set(store.folder, now.name, now.task_set, upload_key(now))
    path = keep_upload(store.folder, now.name, now.upload.contents, upload_key(now))
    return source_name(path, now.table.recipe)


def upload_key(now: Current) -> str:
    """What the files of an upload are kept by: the digest of its points, or of its table and recipe."""
    return now.task_set.digest if now.table is None else hashlib.sha256(now.table.key.encode()).hexdigest()


def start(store: Store, settings: Settings) -> Run:
    """Begin a run, or go on with an unfinished one of the same settings and person; bad settings are refused here."""
    if not serving().runs:
        raise SettingsError("runs are only looked at on this server; start them on your own machine")
    source = open_source(settings.source).learnable(settings.C)
    _check_room(store)
    run = find_or_begin(store, replace(settings, source=source.full_name), source, resume=True, owner=owner())
    resume(store, run)
    return run


def resume(store: Store, run: Run) -> None:
    """Go on with this run, unless a process computes it already."""
    check_open(run)
    _check_mine(run)
    if not is_running(store, run):
        _check_room(store)
        _launch(store, run)


def cancel(store: Store, run: int) -> None:
    """Stop the process that computes a run, as Ctrl-C does; what is finished is kept."""
    _check_mine(store.run(run))
    process = computed_by(store.folder, run)
    if process:
        os.kill(process, signal.SIGINT)
    for started in on_its_way(store, run):
        started.terminate()  # it holds nothing yet


def is_running(store: Store, run: Run) -> bool:
    """Whether a process computes a run, waits for its turn, or was started for it.

    Asked in this order: a process that takes hold of the run between the two questions is found by the second.
    """
    return not run.finished and (bool(on_its_way(store, run.id)) or computed_by(store.folder, run.id) is not None)


def on_its_way(store: Store, run: int) -> list[subprocess.Popen[bytes]]:
    """The processes that were started for a run and have yet to take hold of it, which takes them some seconds."""
    mine = [process for folder, of, process in _started if (folder, of) == (store.folder, run)]
    held = last_holder(store.folder, run)
    return [process for process in mine if process.poll() is None and process.pid != held]


def delete(store: Store, run: int) -> None:
    """Delete a run for good, also a damaged one that is nobody's on one's own machine."""
    if serving().public:
        _check_mine(store.run(run))
    store.delete(run)


def _check_mine(run: Run) -> None:
    if not may_change(run):
        raise SettingsError(f"run {run.id} is not yours; on this server runs of others are only looked at")


def _check_room(store: Store) -> None:
    """Refuse more processes than the machine should bear."""
    _started[:] = [started for started in _started if started[2].poll() is None]
    busy = sum(computed_by(store.folder, run.id) is not None for run in store.runs(100) if not run.finished)
    if max(busy, len(_started)) >= MOST_ON_THEIR_WAY:
        raise SettingsError(f"{MOST_ON_THEIR_WAY} runs are on their way already; wait until one is finished")


def _launch(store: Store, run: Run) -> None:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    log = os.open(store.folder / f"run-{run.id}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        process = subprocess.Popen(  # noqa: S603 (this Python, our own module and the number of a run)
            [sys.executable, "-P", "-c", _START, str(run.id)],
            env=os.environ | {"CURRICULAB_HOME": str(store.folder), "PYTHONPATH": path} | local_data.environment(),
            cwd=store.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
        )
        _started.append((store.folder, run.id, process))
    finally:
        os.close(log)
