"""Runs at rest: each finished piece is committed on its own, so that nothing finished is ever lost."""

from __future__ import annotations

import json
import platform
import sqlite3
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from core.experiments.experiment import Settings
from core.experiments.outcome import OrdersOutcome, Outcome
from core.experiments.statistics import Results, results_of
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.run import Run as Run
from data.runs.schema import FILE, StoreError, connect, home, plainly, writing

PACKAGES = ("curriculab", "numpy", "scipy", "numba", "osqp", "qpsolvers", "scikit-learn", "joblib")


class Store:
    """The runs of one folder. Several processes may use it at once."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = home() if folder is None else folder
        self.path = self.folder / FILE
        self._connection = connect(self.folder)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, settings: Settings, split: str, digest: str, uid: str | None = None, **known: Any) -> Run:
        """A new run without pieces; `known` may give `begun`, `finished` and `versions` of one that is imported."""
        about = {"split": split, "versions": known.get("versions") or versions()}
        row = (
            uid or uuid.uuid4().hex,
            known.get("begun") or now(),
            known.get("finished"),
            json.dumps(settings.as_dict()),
            json.dumps(about),
            digest,
        )
        with self._writing():
            cursor = self._connection.execute(
                "INSERT INTO runs (uid, begun, finished, settings, about, digest) VALUES (?, ?, ?, ?, ?, ?)", row
            )
        return self.run(int(cursor.lastrowid or 0))

    def add(self, run: int, outcome: Outcome | OrdersOutcome, done: str | None = None) -> None:
        """Keep a finished piece; a piece that is there already stays as it is."""
        row = (run, outcome.repeat, outcome.method, done or now(), outcome.seconds, outcome_text(outcome))
        with self._writing():
            self._connection.execute("INSERT OR IGNORE INTO pieces VALUES (?, ?, ?, ?, ?, ?)", row)

    def finish(self, run: int) -> None:
        """Mark a run as complete."""
        with self._writing():
            self._connection.execute("UPDATE runs SET finished = ?, stopped = '' WHERE id = ?", (now(), run))

    def stop(self, run: int, why: str) -> None:
        """Say why a run stopped before its end; empty when it goes on."""
        with self._writing():
            self._connection.execute("UPDATE runs SET stopped = ? WHERE id = ?", (why, run))

    def delete(self, run: int) -> None:
        """Remove a run with all its pieces."""
        self.run(run)
        with self._writing():
            self._connection.execute("DELETE FROM runs WHERE id = ?", (run,))

    def runs(self) -> tuple[Run, ...]:
        """All runs, the newest first."""
        with plainly(self.path):
            rows = self._connection.execute("SELECT * FROM runs ORDER BY id DESC").fetchall()
            counts = self._connection.execute(
                "SELECT run, method, count(*) FROM pieces GROUP BY run, method"
            ).fetchall()
        done: dict[int, dict[str, int]] = {}
        for run, method, count in counts:
            done.setdefault(run, {})[method] = count
        return tuple(_run(row, done.get(row[0], {})) for row in rows)

    def run(self, run: int) -> Run:
        """The run of that id."""
        with plainly(self.path):
            row = self._connection.execute("SELECT * FROM runs WHERE id = ?", (run,)).fetchone()
            counts = self._connection.execute(
                "SELECT method, count(*) FROM pieces WHERE run = ? GROUP BY method", (run,)
            ).fetchall()
        if row is None:
            raise StoreError(f"there is no run {run}; 'curriculab runs list' shows those there are")
        return _run(row, dict(counts))

    def finished_pieces(self, run: int) -> set[tuple[int, str]]:
        """(repeat, method) of what is done."""
        with plainly(self.path):
            return set(self._connection.execute("SELECT repeat, method FROM pieces WHERE run = ?", (run,)).fetchall())

    def seconds_left(self, run: Run, recent: int = 40) -> float | None:
        """An estimate from the rate at which the last pieces were finished; None before there is one."""
        with plainly(self.path):
            rows = self._connection.execute(
                "SELECT done FROM pieces WHERE run = ? ORDER BY done DESC LIMIT ?", (run.id, recent)
            ).fetchall()
        times = [datetime.fromisoformat(row[0]) for row in rows]
        if len(times) < 2:
            return None
        return (times[0] - times[-1]).total_seconds() / (len(times) - 1) * (run.total - run.done_in_all)

    def results(self, run: Run) -> Results:
        """All outcomes so far."""
        with plainly(self.path):
            rows = self._connection.execute("SELECT outcome FROM pieces WHERE run = ?", (run.id,)).fetchall()
        return results_of(run.settings, [outcome_from(row[0]) for row in rows])

    def unfinished(self, settings: Settings, digest: str) -> Run | None:
        """The newest unfinished run of the same settings on the same data, begun with the same versions."""
        wanted, present = _canonical(settings), versions()
        return next(
            (
                run
                for run in self.runs()
                if run.finished is None
                and run.digest == digest
                and run.versions == present
                and _canonical(run.settings) == wanted
            ),
            None,
        )

    def with_uid(self, uid: str) -> Run | None:
        """The run that was begun under this unique name, here or elsewhere."""
        return next((run for run in self.runs() if run.uid == uid), None)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything within happens or nothing does."""
        with plainly(self.path), writing(self._connection):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._connection.in_transaction:
            yield
            return
        with self.together():
            yield


def now() -> str:
    """The time as text, in UTC, to the microsecond."""
    return datetime.now(UTC).isoformat()


def versions() -> dict[str, str]:
    """Of everything that a figure could depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def _canonical(settings: Settings) -> dict[str, Any]:
    return settings.as_dict() | {"methods": sorted(settings.methods)}


def _run(row: sqlite3.Row | tuple[Any, ...], done: Mapping[str, int]) -> Run:
    identity, uid, begun, finished, settings, about, digest, stopped = row
    known = json.loads(about)
    return Run(
        identity,
        uid,
        begun,
        finished,
        Settings.from_dict(json.loads(settings)),
        known["split"],
        known["versions"],
        digest,
        stopped,
        done,
    )
