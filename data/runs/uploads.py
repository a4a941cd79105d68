"""Uploaded task sets that runs need after their session is over: files beside the store that only its user can read."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

from core.tasks import TaskSet
from data.files import formats
from data.files.limits import FormatError
from data.runs.schema import plainly

FOLDER = "uploads"


def keep_upload(folder: Path, task_set: TaskSet, digest: str) -> str:
    """Write a set once, for its run; the path that the run records as its source."""
    place = folder / FOLDER
    try:
        contents, kind = formats.dump(task_set, "npz"), "npz"
    except FormatError:  # a name that no archive keeps
        contents, kind = formats.dump(task_set, "parquet"), "parquet"
    path = place / f"{digest[:20]}.{kind}"
    with plainly(path):
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


def is_upload(folder: Path, source: str) -> bool:
    """Whether a run's source is a file that was kept here."""
    return Path(source).parent == (folder / FOLDER).resolve()


def forget_upload(folder: Path, source: str) -> None:
    """Remove the file of a deleted run; best effort, as the run itself is gone already."""
    if is_upload(folder, source):
        try:
            Path(source).unlink(missing_ok=True)
        except OSError:
            return
