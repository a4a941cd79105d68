"""Uploads that runs need after their session is over: files beside the store that only its user can read."""

from __future__ import annotations

import os
import re
import uuid
from pathlib import Path, PurePosixPath

from core.task_set import TaskSet
from data.archives import formats
from data.limits import FormatError
from data.runs.run import path_and_recipe
from data.runs.schema import plainly

FOLDER = "uploads"


def keep_upload(folder: Path, filename: str, contents: bytes, digest: str) -> str:
    """Write a file once, under its own name, in a folder named by the digest; its path."""
    place = folder / FOLDER / digest[:20]
    path = place / _plain_name(filename)
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


def keep_task_set(folder: Path, filename: str, task_set: TaskSet, digest: str) -> str:
    """The same for a task set, as NPZ or, with a name that no archive keeps, as Parquet."""
    try:
        contents, kind = formats.dump(task_set, "npz"), "npz"
    except FormatError:
        contents, kind = formats.dump(task_set, "parquet"), "parquet"
    return keep_upload(folder, f"{PurePosixPath(filename).stem}.{kind}", contents, digest)


def is_upload(folder: Path, source: str) -> bool:
    """Whether a run's source is a file that was kept here."""
    return (folder / FOLDER).resolve() in Path(path_and_recipe(source)[0]).parents


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
