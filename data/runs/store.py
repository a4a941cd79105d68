"""Runs at rest: each finished piece is committed on its own, so that nothing finished is ever lost."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from core.experiments.experiment import OrdersOutcome, Outcome, Settings
from core.experiments.summary import Results, results_of
from data.runs import lock, uploads
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.run import COLUMNS, Run, now, present_versions, run_from
from data.runs.schema import FILE, StoreError, connect, home, plainly, writing

__all__ = ["Row", "Run", "Store", "piece_row"]
Row = tuple[int, str, str, float, str]


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

    def begin(
        self,
        settings: Settings,
        split: str,
        digest: str,
        overlap: float | None = None,
        contents: str = "",
        owner: str = "",
    ) -> Run:
        """A new run without pieces, begun now with the present versions; its other parts as in `Run`."""
        present = present_versions()
        run = Run(0, uuid.uuid4().hex, now(), None, settings, split, overlap, present, digest, "", contents=contents)
        return self.insert(replace(run, owner=owner))

    def insert(self, run: Run) -> Run:
        """Keep a run under an id of its own; its pieces are added afterwards."""
        about = {"split": run.split, "overlap": run.overlap, "versions": dict(run.versions)}
        about |= {"contents": run.contents} if run.contents else {}
        texts = json.dumps(run.settings.as_dict()), json.dumps(about)
        row = (run.uid, run.begun, run.finished, *texts, run.digest, int(run.imported), run.owner)
        columns = "uid, begun, finished, settings, about, digest, imported, owner"
        with self._writing():
            cursor = self._connection.execute(
                f"INSERT INTO runs ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 (constants of ours)
                row,
            )
        return self.run(int(cursor.lastrowid or 0))

    def add(self, run: int, outcome: Outcome | OrdersOutcome) -> None:
        """Keep a finished piece; a piece that is there already stays as it is."""
        self.add_all(run, [piece_row(outcome)])

    def add_all(self, run: int, rows: Sequence[Row]) -> None:
        """Keep many at once; their rows are written out before anybody has to wait for this."""
        with self._writing():
            self._connection.executemany(
                "INSERT OR IGNORE INTO pieces VALUES (?, ?, ?, ?, ?, ?)", [(run, *row) for row in rows]
            )

    def finish(self, run: int) -> None:
        """Mark a run as complete."""
        with self._writing():
            self._connection.execute("UPDATE runs SET finished = ?, stopped = '' WHERE id = ?", (now(), run))

    def stop(self, run: int, why: str) -> None:
        """Say why a run stopped before its end; empty when it goes on."""
        with self._writing():
            self._connection.execute("UPDATE runs SET stopped = ? WHERE id = ?", (why, run))

    def delete(self, run: int) -> None:
        """Remove a run with all its pieces, also one that cannot be read; its id is not used again."""
        with self._writing():
            found = self._connection.execute("DELETE FROM runs WHERE id = ? RETURNING settings", (run,)).fetchone()
            if found is None:
                raise _no_run(run)
            try:
                source = str(json.loads(found[0])["source"])
            except (ValueError, KeyError, TypeError, RecursionError):  # damaged
                source = ""
            same = "SELECT 1 FROM runs WHERE json_valid(settings) AND settings ->> 'source' = ?"
            last = not self._connection.execute(same, (source,)).fetchone()
        lock.remove(self.folder, run)
        if last:
            uploads.forget_upload(self.folder, source)

    def runs(self, most: int | None = None) -> tuple[Run, ...]:
        """All runs that can be read, or the newest `most` of them; the newest first."""
        return tuple(run for run in self._listed(most) if isinstance(run, Run))

    def unreadable(self) -> tuple[int, ...]:
        """The ids of damaged runs, which can only be deleted."""
        return tuple(run for run in self._listed(None) if isinstance(run, int))

    def _listed(self, most: int | None) -> list[Run | int]:
        found: list[Run | int] = []
        for row, done in self._rows("ORDER BY id DESC LIMIT ?", -1 if most is None else most):
            try:
                found.append(run_from(row, done))
            except StoreError:
                found.append(int(row[0]))
        return found

    def _rows(self, which: str, value: object) -> list[tuple[tuple[Any, ...], dict[str, int]]]:
        """Rows of runs, each with its finished pieces by method."""
        with plainly(self.path):
            rows = self._connection.execute(f"SELECT {COLUMNS} FROM runs {which}", (value,)).fetchall()  # noqa: S608
            first, last = min((row[0] for row in rows), default=0), max((row[0] for row in rows), default=0)
            counts = self._connection.execute(
                "SELECT run, method, count(*) FROM pieces WHERE run BETWEEN ? AND ? GROUP BY run, method", (first, last)
            ).fetchall()
        done: dict[int, dict[str, int]] = {}
        for run, method, count in counts:
            done.setdefault(run, {})[method] = count
        return [(row, done.get(row[0], {})) for row in rows]

    def run(self, run: int) -> Run:
        """The run of that id."""
        for row, done in self._rows("WHERE id = ?", run):
            return run_from(row, done)
        raise _no_run(run)

    def with_uid(self, uid: str) -> Run | None:
        """The run that was begun under this unique name, here or elsewhere."""
        return next((run_from(row, done) for row, done in self._rows("WHERE uid = ?", uid)), None)

    def finished_pieces(self, run: int) -> set[tuple[int, str]]:
        """(repeat, method) of what is done."""
        with plainly(self.path):
            return set(self._connection.execute("SELECT repeat, method FROM pieces WHERE run = ?", (run,)).fetchall())

    def seconds_left(self, run: Run, since: str = "", recent: int = 40) -> float | None:
        """An estimate from the rate at which the last pieces `since` a time were finished; None before there is one."""
        with plainly(self.path):
            rows = self._connection.execute(
                "SELECT done FROM pieces WHERE run = ? AND done >= ? ORDER BY done DESC LIMIT ?",
                (run.id, since, recent),
            ).fetchall()
        if len(rows) < 2:
            return None
        try:
            last, first = (datetime.fromisoformat(row[0]) for row in (rows[0], rows[-1]))
            return (last - first).total_seconds() / (len(rows) - 1) * (run.total - run.done_in_all)
        except (TypeError, ValueError):  # damaged; the run can still be looked at
            return None

    def results(self, run: Run) -> Results:
        """All outcomes so far."""
        with plainly(self.path):
            rows = self._connection.execute("SELECT outcome FROM pieces WHERE run = ?", (run.id,)).fetchall()
        return results_of(run.settings, [outcome_from(row[0]) for row in rows], run.overlap)

    def twin(self, settings: Settings, digest: str, contents: str = "", owner: str | None = None) -> Run | None:
        """The newest run of the same settings on the same data with the present versions, computed here: of an `owner`
        an unfinished one, else anybody's finished one.
        """
        wanted, present = _canonical(settings), present_versions()
        for run in self.runs():
            here = not run.imported and run.versions == present  # what was imported is a stranger's word
            open_or_done = run.finished is not None if owner is None else run.finished is None and run.owner == owner
            same_data = (run.digest, run.contents) == (digest, contents)
            if here and open_or_done and same_data and _canonical(run.settings) == wanted:
                return run
        return None

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


def piece_row(outcome: Outcome | OrdersOutcome) -> Row:
    """A finished piece as it is kept."""
    return outcome.repeat, outcome.method, now(), outcome.seconds, outcome_text(outcome)


def _canonical(settings: Settings) -> dict[str, Any]:
    return settings.as_dict() | {"methods": sorted(settings.methods)}


def _no_run(run: int) -> StoreError:
    return StoreError(f"there is no run {run}; 'curriculab runs list' shows those there are")
