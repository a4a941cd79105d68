"""Runs at rest: each finished piece is committed on its own, so that nothing finished is ever lost."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.experiments.experiment import OrdersOutcome, Outcome, Settings
from core.experiments.summary import Results, results_of
from data.runs import lock, uploads
from data.runs.outcomes import outcome_from, outcome_text
from data.runs.run import COLUMNS, Run, run_from, source_of, versions
from data.runs.schema import FILE, StoreError, connect, home, plainly, writing

__all__ = ["Row", "Run", "Store", "now", "piece_row", "versions"]
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
        uid: str | None = None,
        overlap: float | None = None,
        **known: Any,
    ) -> Run:
        """A new run without pieces; `known` may give `begun`, `finished` and `versions` of one that is `imported`,
        and whose it is (`owner`). `overlap` and `contents` as in `Run`.
        """
        about = {"split": split, "overlap": overlap, "versions": known.get("versions") or versions()}
        about |= {"contents": known["contents"]} if known.get("contents") else {}
        row = (
            uid or uuid.uuid4().hex,
            known.get("begun") or now(),
            known.get("finished"),
            json.dumps(settings.as_dict()),
            json.dumps(about),
            digest,
            int(bool(known.get("imported"))),
            known.get("owner") or "",
        )
        with self._writing():
            cursor = self._connection.execute(
                "INSERT INTO runs (uid, begun, finished, settings, about, digest, imported, owner) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        return self.run(int(cursor.lastrowid or 0))

    def add(self, run: int, outcome: Outcome | OrdersOutcome, done: str | None = None) -> None:
        """Keep a finished piece; a piece that is there already stays as it is."""
        self.add_all(run, [piece_row(outcome, done)])

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
            same = "SELECT 1 FROM runs WHERE json_valid(settings) AND settings ->> 'source' = ?"
            source = source_of(found[0])
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
        with plainly(self.path):
            rows = self._connection.execute(
                f"SELECT {COLUMNS} FROM runs ORDER BY id DESC LIMIT ?",  # noqa: S608 (a constant of ours)
                (-1 if most is None else most,),
            ).fetchall()
            counts = self._connection.execute(
                "SELECT run, method, count(*) FROM pieces WHERE run >= ? GROUP BY run, method",
                (rows[-1][0] if rows else 0,),
            ).fetchall()
        done: dict[int, dict[str, int]] = {}
        for run, method, count in counts:
            done.setdefault(run, {})[method] = count
        found: list[Run | int] = []
        for row in rows:
            try:
                found.append(run_from(row, done.get(row[0], {})))
            except StoreError:
                found.append(int(row[0]))
        return found

    def run(self, run: int) -> Run:
        """The run of that id."""
        with plainly(self.path):
            row = self._connection.execute(
                f"SELECT {COLUMNS} FROM runs WHERE id = ?",  # noqa: S608 (a constant of ours)
                (run,),
            ).fetchone()
            counts = self._connection.execute(
                "SELECT method, count(*) FROM pieces WHERE run = ? GROUP BY method", (run,)
            ).fetchall()
        if row is None:
            raise _no_run(run)
        return run_from(row, dict(counts))

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

    def unfinished(self, settings: Settings, digest: str, owner: str = "", contents: str = "") -> Run | None:
        """The owner's newest unfinished run of the same settings on the same data, begun with the same versions."""
        wanted, present = _canonical(settings), versions()
        return next(
            (
                run
                for run in self.runs()
                if run.finished is None
                and not run.imported  # its outcomes are a stranger's word
                and run.owner == owner
                and (run.digest, run.contents) == (digest, contents)
                and run.versions == present
                and _canonical(run.settings) == wanted
            ),
            None,
        )

    def with_uid(self, uid: str) -> Run | None:
        """The run that was begun under this unique name, here or elsewhere."""
        with plainly(self.path):
            row = self._connection.execute("SELECT id FROM runs WHERE uid = ?", (uid,)).fetchone()
        return None if row is None else self.run(int(row[0]))

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


def piece_row(outcome: Outcome | OrdersOutcome, done: str | None = None) -> Row:
    """A finished piece as it is kept."""
    return outcome.repeat, outcome.method, done or now(), outcome.seconds, outcome_text(outcome)


def now() -> str:
    """The time as text, in UTC, to the microsecond."""
    return datetime.now(UTC).isoformat()


def _canonical(settings: Settings) -> dict[str, Any]:
    return settings.as_dict() | {"methods": sorted(settings.methods)}


def _no_run(run: int) -> StoreError:
    return StoreError(f"there is no run {run}; 'curriculab runs list' shows those there are")
