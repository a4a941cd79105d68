"""Which run is being computed, and by which process: a lock that its holder's death releases."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.runs.schema import StoreError, plainly


def lock_file(folder: Path, run: int) -> Path:
    """Beside the store."""
    return folder / f"run-{run}.lock"


@contextmanager
def computing(folder: Path, run: int) -> Iterator[None]:
    """Hold a run while computing it; refused while another process does."""
    path = lock_file(folder, run)
    with plainly(path):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _try(handle):
            raise StoreError(f"run {run} is being computed by process {_holder(path)}; wait for it, or stop it first")
        with plainly(path):
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
        yield
        path.unlink(missing_ok=True)
    finally:
        os.close(handle)


def computed_by(folder: Path, run: int) -> int | None:
    """The process that computes a run now, if any."""
    path = lock_file(folder, run)
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if _try(handle) else _holder(path)
    finally:
        os.close(handle)


def _try(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:  # then nothing is guarded on this system, and at worst equal pieces are computed twice
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _holder(path: Path) -> int:
    try:
        return int(path.read_text() or 0)
    except (OSError, ValueError):
        return 0
