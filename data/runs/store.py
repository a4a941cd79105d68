"""Runs at rest: each finished piece is committed on its own, so that nothing finished is ever lost."""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from core.experiments.experiment import OrdersOutcome, Outcome, Settings
from core.experiments.summary import Results, results_of
from core.task_set import TaskSet
from data.archives import formats
from data.limits import FormatError
from data.runs import lock
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.run import COLUMNS, Run, now, path_and_recipe, present_versions, run_from
from data.runs.schema import FILE, StoreError, connect, home, store_errors, writing

__all__ = ["Row", "Run", "Store", "piece_row"]
Row = tuple[int, str, str, float, str]
UPLOADS = "uploads"
"""The folder beside the store of files that runs need after their session is over; only its user can read them."""


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
            forget_upload(self.folder, source)

    def runs(self, most: int | None = None) -> tuple[Run, ...]:
        """All runs that can be read, or the newest `most` of them; the newest first."""
        return tuple(run for run in self._listed(most) if isinstance(run, Run))

    def unreadable(self) -> tuple[int, ...]:
        """The ids of damaged runs, which can only be deleted."""
        return tuple(run for run in self._listed(None) if isinstance(run, int))

    def _listed(self, most: int | None) -> list[Run | int]:
        found: list[Run | int] = []
        for row in self._rows("ORDER BY id DESC LIMIT ?", -1 if most is None else most):
            try:
                found.append(run_from(row))
            except StoreError:
                found.append(int(row[0]))
        return found

    def _rows(self, which: str, value: object) -> list[tuple[Any, ...]]:
        with store_errors(self.path):
            return self._connection.execute(f"SELECT {COLUMNS} FROM runs {which}", (value,)).fetchall()  # noqa: S608

    def run(self, run: int) -> Run:
        """The run of that id."""
        for row in self._rows("WHERE id = ?", run):
            return run_from(row)
        raise _no_run(run)

    def with_uid(self, uid: str) -> Run | None:
        """The run that was begun under this unique name, here or elsewhere."""
        return next(map(run_from, self._rows("WHERE uid = ?", uid)), None)

    def finished_pieces(self, run: int) -> set[tuple[int, str]]:
        """(repeat, method) of what is done."""
        with store_errors(self.path):
            return set(self._connection.execute("SELECT repeat, method FROM pieces WHERE run = ?", (run,)).fetchall())

    def seconds_left(self, run: Run, since: str = "", recent: int = 40) -> float | None:
        """An estimate from the rate at which the last pieces `since` a time were finished; None before there is one."""
        with store_errors(self.path):
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
        with store_errors(self.path):
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
    def transaction(self) -> Iterator[None]:
        """Everything within happens or nothing does."""
        with store_errors(self.path), writing(self._connection):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._connection.in_transaction:
            yield
            return
        with self.transaction():
            yield


def piece_row(outcome: Outcome | OrdersOutcome) -> Row:
    """A finished piece as it is kept."""
    return outcome.repeat, outcome.method, now(), outcome.seconds, outcome_text(outcome)


def _canonical(settings: Settings) -> dict[str, Any]:
    return settings.as_dict() | {"methods": sorted(settings.methods)}


def _no_run(run: int) -> StoreError:
    return StoreError(f"there is no run {run}; 'curriculab runs list' shows those there are")


def keep_upload(folder: Path, filename: str, contents: bytes, digest: str) -> str:
    """Write a file once, under its own name, in a folder named by the digest; its path."""
    place = folder / UPLOADS / digest[:20]
    path = place / _plain_name(filename)
    with store_errors(path):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            unfinished = path.with_name(f".{uuid.uuid4().hex}")
            try:
                with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                    file.write(contents)
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
    return str(path.resolve())


def keep_task_set(folder: Path, filename: str, task_set: TaskSet, digest: str) -> str:
    """The same for a task set, as NPZ or, with a name that no archive keeps, as Parquet."""
    try:
        contents, kind = formats.dump(task_set, "npz"), "npz"
    except FormatError:
        contents, kind = formats.dump(task_set, "parquet"), "parquet"
    return keep_upload(folder, f"{PurePosixPath(filename).stem}.{kind}", contents, digest)


def is_upload(folder: Path, source: str) -> bool:
    """Whether a run's source is a file that was kept here."""
    return (folder / UPLOADS).resolve() in Path(path_and_recipe(source)[0]).parents


def forget_upload(folder: Path, source: str) -> None:
    """Remove the file of a deleted run and its folder; best effort, as the run itself is gone already."""
    if is_upload(folder, source):
        path = Path(path_and_recipe(source)[0])
        try:
            path.unlink(missing_ok=True)
            path.parent.rmdir()
        except OSError:  # one that an earlier version kept lies among others
            return


def _plain_name(filename: str) -> str:
    """A name that any file system takes and that leads nowhere else."""
    name = filename.replace("\\", "/").rpartition("/")[2]
    return re.sub(r"[^\w.()+ -]", "_", name)[-80:].strip(". ") or "upload"
