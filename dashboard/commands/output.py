"""Writing results where a person asked for them; what goes wrong there is one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import SettingsError

if TYPE_CHECKING:
    from core.task_set import FloatArray


def check_writable(path: Path) -> None:
    """Refuse a place that cannot be written before any work is done for it."""
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise SettingsError(f"{path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise SettingsError(f"{path} may not be written; choose another place")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says while `path` is written into one sentence."""
    try:
        yield
    except OSError as error:
        raise SettingsError(f"{path} could not be written: {error.strerror or error}; choose another place") from None


def write_text(target: str, text: str) -> None:
    """Write `text` to a file, or to standard output for `-`."""
    if target == "-":
        sys.stdout.write(text)
        return
    with writing(Path(target)):
        Path(target).write_text(text, encoding="utf-8", newline="")


def write_weights(path: Path, arrays: Mapping[str, FloatArray]) -> None:
    """An NPZ with an array a task."""
    from data.archives.npz import write_arrays

    with writing(path):
        write_arrays(path, arrays)
