"""Reading and writing task sets in any format: the door through which strangers' files come."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from core.task_set import TaskSet
from data.archives.npz import read_npz, write_npz
from data.archives.text_folder import read_text_folder, read_text_zip, write_text, write_text_zip
from data.assembly import Reading
from data.files import OFFICE, PARQUET, ZIP, Archive, guarded, open_file
from data.limits import FormatError, check_tasks
from data.tables.writer import write_csv, write_parquet
from data.task_names import clean_task_name, shown_file

Kind = Literal["npz", "csv", "parquet", "zip"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_WORDS = {"npz": "NPZ", "csv": "CSV", "parquet": "Parquet", "zip": "ZIP of text files"}
_ENDINGS: dict[str, Kind] = {
    ".npz": "npz",
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".zip": "zip",
}


def read(path_or_bytes: str | os.PathLike[str] | bytes, filename: str | None = None) -> Reading:
    """The task set of a file, a folder of text files, or uploaded bytes, with everything that was assumed.

    The contents decide on the format, not the file's ending. Whatever cannot be read ends in one sentence.
    """
    if not isinstance(path_or_bytes, bytes) and os.path.isdir(path_or_bytes):
        path = Path(path_or_bytes)
        return guarded(shown_file(filename or path.name), "folder of text files", lambda: read_text_folder(path))
    data, filename = open_file(path_or_bytes, filename)
    file = shown_file(filename)
    if data.startswith(ZIP):
        archive = guarded(file, "ZIP", lambda: Archive(data, file))
        if OFFICE in archive.sizes:
            raise FormatError(f"{file} is an office document, not a task set")
        kind: Kind = "npz" if any(name.endswith(".npy") for name in archive.sizes) else "zip"
        read_archive = read_npz if kind == "npz" else read_text_zip
        reading = guarded(file, _WORDS[kind], lambda: read_archive(archive, file, filename))
    else:
        from data.recipes.ready import read_ready
        from data.tables.reading import read_table

        kind = "parquet" if data.startswith(PARQUET) else "csv"
        reading = guarded(file, _WORDS[kind], lambda: read_ready(read_table(data, filename)))
    if _ENDINGS.get(Path(filename).suffix.lower(), kind) == kind:
        return reading
    said = f"The contents are {_WORDS[kind]}, whatever the file's ending says."
    return replace(reading, assumptions=(said, *reading.assumptions))


def dump(task_set: TaskSet, kind: Kind) -> bytes:
    """The contents of a file of that kind; reading it back gives the same set."""
    check_names(task_set)
    if kind not in KINDS:
        raise FormatError(f"{str(kind)[:30]!r} is no format; use {', '.join(KINDS)}")
    writers = {"npz": write_npz, "csv": write_csv, "parquet": write_parquet, "zip": write_text_zip}
    return writers[kind](task_set)


def check_names(task_set: TaskSet) -> None:
    """Refuse to write what could not be read back: too many tasks, or names that files do not keep."""
    file = f"task set {task_set.name!r}"
    check_tasks(file, len(task_set))
    for name in task_set.names:
        if clean_task_name(name, file) != name:
            raise FormatError(f"task {name!r} begins or ends with a blank, which files do not keep; rename it")


def write(task_set: TaskSet, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write the set in the format of the path's ending (none: a folder of text files); returns what was lost."""
    path = Path(path)
    kind = _ENDINGS.get(path.suffix.lower())
    try:
        if path.suffix == "" or path.is_dir():
            check_names(task_set)
            files = write_text(task_set)
            path.mkdir(exist_ok=True)
            for name, contents in files.items():
                (path / name).write_bytes(contents)
            kind = "zip"
        elif kind is None or path.suffix.lower() == ".txt":
            raise FormatError(
                f"{shown_file(path.name)}: no format has the ending {path.suffix!r}; "
                "use .npz, .csv, .tsv, .parquet, .zip, or none for a folder of text files"
            )
        elif path.suffix.lower() == ".tsv":
            check_names(task_set)
            _replace(path, write_csv(task_set, "\t"))
        else:
            _replace(path, dump(task_set, kind))
    except OSError as error:
        raise FormatError(f"{str(path)[-200:]!r} cannot be written ({error.strerror}); choose another place") from error
    return losses(task_set, kind)


def losses(task_set: TaskSet, kind: str) -> tuple[str, ...]:
    """What a file of that kind does not keep of this set, in sentences."""
    import numpy as np
    import scipy.sparse as sp

    lost = []
    if any(isinstance(task.X, sp.csr_array) for task in task_set.tasks):
        lost.append("Sparse features are written as dense ones.")
    if kind == "zip":
        parts = [y for task in task_set.tasks for y in (task.y, task.y_test) if y is not None]
        if any(np.any(np.diff(y) > 0) for y in parts):
            lost.append("Rows are reordered: in the text layout the positive ones come first.")
    return tuple(lost)


def _replace(path: Path, contents: bytes) -> None:
    """Write beside and rename, so that a failure leaves no half file."""
    beside = path.with_name(f".{path.name}.part")
    try:
        beside.write_bytes(contents)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
