"""Sets that a server offers to every visitor: the task-set and recipe files of one folder, read once and shared."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

from core.errors import CurriculabError, SettingsError
from data.assembly import LEAST, with_least
from data.sources.file import TaskFile
from data.sources.source import Source
from data.task_names import shown_file

FOLDER = "CURRICULAB_SETS"
PREFIX = "server:"
MOST = 200
ENDINGS = (".npz", ".csv", ".tsv", ".xlsx", ".arff", ".parquet", ".pq", ".zip", ".recipe")
_lock = threading.Lock()
_read: dict[tuple[str, int, int], TaskFile | str] = {}
"""What was read, by path, time and size: a file that changes is read again."""


def checked(folder: str) -> Path:
    """The folder, if it is one."""
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise SettingsError(f"--sets {folder!r} is no folder; name one that holds task-set files")
    return path.resolve()


def everything() -> dict[str, TaskFile | str]:
    """Every file of the folder by name: the set, or why it is not offered; nothing without a folder.

    A table that some recipe beside it has made a set of is offered by the recipe's name alone.
    """
    chosen = os.environ.get(FOLDER)
    if not chosen:
        return {}
    found: dict[str, TaskFile | str] = {}
    try:
        paths = sorted(path for path in Path(chosen).iterdir() if _is_offered(path))[:MOST]
    except OSError:
        return {}
    with _lock:
        keys = {path: (str(path), (stat := path.stat()).st_mtime_ns, stat.st_size) for path in paths}
        for key in set(_read) - set(keys.values()):
            del _read[key]
        for path, key in keys.items():
            if key not in _read:
                _read[key] = _opened(path)
            found[path.name] = _read[key]
    used = {one.filename for one in found.values() if isinstance(one, TaskFile) and one.recipe}
    return {name: one for name, one in found.items() if isinstance(one, TaskFile) or name not in used}


def find(name: str) -> TaskFile | None:
    """The set of a name such as `server:patients.npz`; names only from the list, so no path leads anywhere else."""
    found = everything().get(name.removeprefix(PREFIX))
    return found if isinstance(found, TaskFile) else None


def sources() -> tuple[Source, ...]:
    """The offered sets for the list of sets."""
    return tuple(
        replace(one.source, name=f"{PREFIX}{name}", kind="offered")
        for name, one in everything().items()
        if isinstance(one, TaskFile)
    )


def _is_offered(path: Path) -> bool:
    """A plain file of that folder itself, with a known ending; links that lead elsewhere are none."""
    hidden = path.name.startswith(".")
    return (
        not hidden
        and path.suffix.lower() in ENDINGS
        and path.is_file()
        and path.resolve().parent == path.parent.resolve()
    )


def _opened(path: Path) -> TaskFile | str:
    from data.archives import formats

    try:
        if path.suffix.lower() == ".recipe":
            from data.recipes.builder import made_by
            from data.sources.table import TableSource

            made, table, file = made_by(path)
            source = TableSource.of(table, made.recipe, made)
            return TaskFile(file.name, made.task_set, made.said, source.digest, source, file)
        reading = formats.read(path)
        kept, said = with_least(reading.task_set, LEAST)
        least = 1 if kept is reading.task_set else LEAST
        return TaskFile(path.name, kept, (*reading.assumptions, *said), kept.digest, file=path, least=least)
    except (CurriculabError, OSError) as error:
        return str(error) if path.suffix.lower() == ".recipe" else _table_said(path, str(error))


def _table_said(path: Path, error: str) -> str:
    """What to do about a file that is no task set: of a table, write a recipe; else what its reader says."""
    from data.files import NoTableError
    from data.tables.reading import read_table

    try:
        size = read_table(path).size
    except NoTableError:
        return error
    except (CurriculabError, OSError) as reason:
        return str(reason)
    file = shown_file(path.name)
    return (
        f"it holds {size}, no task set yet; write a recipe beside it, "
        f"'curriculab make {file} ... -o {Path(file).stem}.recipe': 'curriculab check {file}' prints how"
    )
