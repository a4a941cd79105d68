"""Which run is being computed, and by which process: a lock that its holder's death releases.

The file stays when the lock is released: if it were removed, one process could hold the lock of a file that is gone
while another locks a new one of the same name. It is removed with its run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.runs.schema import StoreError, store_errors


def lock_file(folder: Path, run: int) -> Path:
    """Beside the store."""
    return folder / f"run-{run}.lock"


@contextmanager
def computing(folder: Path, run: int) -> Iterator[None]:
    """Hold a run while computing it; refused while another process does."""
    with _opened(lock_file(folder, run)) as handle:
        if not _take(handle):
            raise StoreError(
                f"run {run} is being computed by process {last_holder(folder, run)}; wait for it, or stop it first"
            )
        _write(lock_file(folder, run), "")
        yield


def computed_by(folder: Path, run: int) -> int | None:
    """The process that computes a run now, if any."""
    try:
        handle = os.open(lock_file(folder, run), os.O_RDWR)
    except OSError:
        return None
    try:
        return None if _try(handle, to_look=True) else last_holder(folder, run)
    finally:
        os.close(handle)


def last_holder(folder: Path, run: int) -> int:
    """The process that computes a run, or computed it last; 0 if none ever did."""
    try:
        return int(lock_file(folder, run).read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 0


@contextmanager
def turn(folder: Path, run: int) -> Iterator[None]:
    """Wait, as a run that is computed already, until no other run of the store has its turn."""
    with _opened(folder / "turn.lock") as handle:
        if not _try(handle):
            import fcntl

            _write(lock_file(folder, run), " waiting")
            fcntl.flock(handle, fcntl.LOCK_EX)
            _write(lock_file(folder, run), "")
        yield


def is_waiting(folder: Path, run: int) -> bool:
    """Whether the process of a run waits for its turn."""
    try:
        return lock_file(folder, run).read_text().endswith("waiting")
    except OSError:
        return False


def remove(folder: Path, run: int) -> None:
    """Take away the lock file and the log of a run that is no more; best effort."""
    for path in (lock_file(folder, run), folder / f"run-{run}.log"):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            continue


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    with store_errors(path):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _write(path: Path, state: str) -> None:
    with store_errors(path):
        path.write_text(f"{os.getpid()}{state}")


def _take(handle: int) -> bool:
    """Whether the lock is ours now. Who looks at it holds it for a moment, so it is tried for a fifth of a second."""
    for _ in range(20):
        if _try(handle):
            return True
        time.sleep(0.01)
    return False


def _try(handle: int, to_look: bool = False) -> bool:
    """Whether the lock is free, and ours from now on; several may hold it to look."""
    try:
        import fcntl
    except ImportError:  # then nothing is guarded on this system, and at worst equal pieces are computed twice
        return True
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if to_look else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
