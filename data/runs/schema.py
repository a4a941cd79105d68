"""The SQLite file in which runs are kept: opening it, its versions, and plain words for what goes wrong with it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import CurriculabError
from data.files import own_folder

ENVIRONMENT = "CURRICULAB_HOME"
FILE = "runs.sqlite"
WAIT_SECONDS = 30.0
PATIENT_SECONDS = 1800.0
"""How long a computation waits to keep what it has computed while others write."""

MIGRATIONS = (
    # 1: runs and their pieces
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL UNIQUE,
        begun TEXT NOT NULL,
        finished TEXT,
        settings TEXT NOT NULL,
        about TEXT NOT NULL,
        digest TEXT NOT NULL
    );
    CREATE TABLE pieces (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        repeat INTEGER NOT NULL,
        method TEXT NOT NULL,
        done TEXT NOT NULL,
        seconds REAL NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (run, repeat, method)
    ) WITHOUT ROWID;
    """,
    # 2: why an unfinished run stopped, in a sentence
    "ALTER TABLE runs ADD COLUMN stopped TEXT NOT NULL DEFAULT '';",
    # 3: runs that came from elsewhere, whose a run is, and indices that make a list of long runs cheap
    """
    ALTER TABLE runs ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT '';
    CREATE INDEX pieces_by_method ON pieces (run, method);
    CREATE INDEX pieces_by_time ON pieces (run, done);
    """,
)
VERSION = len(MIGRATIONS)


class StoreError(CurriculabError):
    """The store of runs cannot be used."""


class StoreBusyError(StoreError):
    """Another process writes to the store for longer than this one waits."""


def home() -> Path:
    """The folder of the store."""
    return own_folder(ENVIRONMENT)


def retry_while_busy(write: Callable[[], None]) -> None:
    """Write as soon as the store is free: what took hours to compute is not given up because others write, too."""
    until = time.monotonic() + PATIENT_SECONDS
    while True:
        try:
            return write()
        except StoreBusyError:
            if time.monotonic() > until:
                raise


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and the system say into one sentence."""
    try:
        yield
    except sqlite3.Error as error:
        busy = getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
        raise (StoreBusyError if busy else StoreError)(_sentence(path, error)) from error
    except OSError as error:
        raise StoreError(
            f"the store {path} cannot be used: {error.strerror or error}; set {ENVIRONMENT} to a folder you may write"
        ) from error


def _sentence(path: Path, error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    elsewhere = f"set {ENVIRONMENT} to another folder"
    if name.startswith("SQLITE_FULL") or name in ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_IOERR_SHMSIZE"):
        return f"the disk of the store {path} is full or fails; free some space and go on with --resume, or {elsewhere}"
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return f"the store {path} may not be written; give yourself the right to, or {elsewhere}"
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return f"{path} is no store of runs, or is damaged; move it away, or {elsewhere}"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"the store {path} is in use by another process; try again in a moment"
    return f"the store {path} cannot be used ({error}); try again, or {elsewhere}"


def connect(folder: Path) -> sqlite3.Connection:
    """An open store of the present version, made or brought up to date if need be."""
    path = folder / FILE
    with store_errors(path):
        folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
        try:
            version = _checked_version(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")  # in WAL, a killed process loses nothing
            connection.execute("PRAGMA foreign_keys = ON")
            if version < VERSION:
                with writing(connection):  # so that two processes do not both do it
                    for step in range(_checked_version(connection, path), VERSION):
                        for statement in MIGRATIONS[step].split(";"):
                            connection.execute(statement)
                        connection.execute(f"PRAGMA user_version = {step + 1}")
        except BaseException:
            connection.close()
            raise
        return connection


def _checked_version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a store; a newer one, and a file that is no store, are refused."""
    # in one statement, so that what another process makes meanwhile is seen as a whole or not at all
    both = "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
    version, tables = connection.execute(both).fetchone()
    if version > VERSION:
        raise StoreError(
            f"the store {path} was written by a newer Curriculab (version {version}, this one knows {VERSION}); "
            f"upgrade, or set {ENVIRONMENT} to another folder"
        )
    if version == 0 and tables:
        raise StoreError(f"{path} is an SQLite file but no store of runs; set {ENVIRONMENT} to another folder")
    return int(version)


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that takes the write lock at once, so that it waits for another writer instead of failing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
