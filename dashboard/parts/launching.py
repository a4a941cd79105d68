"""Runs started from the dashboard: a process of their own, which outlives the page and is watched through the store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from core.experiments.experiment import Settings
from core.tasks import TaskSet
from dashboard.session import localdata
from data.files import formats
from data.runs.computing import find_or_begin
from data.runs.draws import sampler_of
from data.runs.lock import computed_by
from data.runs.store import Run, Store

ROOT = Path(__file__).resolve().parents[2]
_started: list[subprocess.Popen[bytes]] = []
# A server that was started in the background ignores interrupts, and what it starts would too: Cancel sends one.
_START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from dashboard.cli import main; raise SystemExit(main())"
)


def kept_upload(store: Store, task_set: TaskSet, digest: str) -> str:
    """The file of an uploaded set beside the store, so that its run can go on when the session is over."""
    folder = store.folder / "uploads"
    path = folder / f"{digest[:20]}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        formats.write(task_set, path)
    return str(path)


def start(store: Store, settings: Settings) -> Run:
    """Begin a run, or go on with an unfinished one of the same settings; bad settings are refused here."""
    sampler, source = sampler_of(settings.source)
    run = find_or_begin(store, replace(settings, source=source), sampler, resume=True)
    if computed_by(store.folder, run.id) is None:
        _launch(store, run)
    return run


def cancel(store: Store, run: int) -> None:
    """Stop the process that computes a run, as Ctrl-C does; what is finished is kept."""
    process = computed_by(store.folder, run)
    if process:
        os.kill(process, signal.SIGINT)


def command(settings: Settings) -> list[str]:
    """The command line that computes, or goes on with, a run of these settings."""
    words = ["compare", settings.source, "--methods", ",".join(settings.methods), "--repeats", str(settings.repeats)]
    words += ["--C", settings.C if isinstance(settings.C, str) else repr(settings.C)]
    if settings.normalize is not None:
        words += ["--normalize", settings.normalize]
    if settings.bias is not None:
        words.append("--bias" if settings.bias else "--no-bias")
    words += ["--seed", str(settings.seed), "--delta", repr(settings.delta), "--solver", settings.solver]
    return [*words, "--limit", str(settings.limit), "--resume"]


def _launch(store: Store, run: Run) -> None:
    _started[:] = [process for process in _started if process.poll() is None]  # also lets ended ones go
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    _started.append(
        subprocess.Popen(
            [sys.executable, "-P", "-c", _START, *command(run.settings)],
            env=os.environ | {"CURRICULAB_HOME": str(store.folder), "PYTHONPATH": path} | localdata.environment(),
            cwd=store.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    )
