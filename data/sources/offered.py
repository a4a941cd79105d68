"""Sets that a server offers to every visitor: the task-set and recipe files of one folder, read once and shared."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import CurriculabError, SettingsError
from core.task_set import TaskSet
from data.assembly import LEAST, with_least
from data.sources.file import FileSource
from data.sources.source import Source
from data.task_names import shown_file

if TYPE_CHECKING:
    from data.sources.table import TableSource

FOLDER = "CURRICULAB_SETS"
PREFIX = "server:"
MOST = 200
ENDINGS = (".npz", ".csv", ".tsv", ".xlsx", ".arff", ".parquet", ".pq", ".zip", ".recipe")


@dataclass(frozen=True, eq=False, slots=True)
class Offered:
    """A set with the file that holds its points, its source, and what was assumed in reading it.

    `least` is the number of training points of a class below which tasks of a task-set file were left out.
    """

    path: Path
    task_set: TaskSet
    source: Source
    assumptions: tuple[str, ...]
    least: int = 1

    @property
    def digest(self) -> str:
        """The set's digest."""
        return self.source.digest

    @property
    def table(self) -> TableSource | None:
        """Of a table, its source."""
        from data.sources.table import TableSource

        return self.source if isinstance(self.source, TableSource) else None

    @property
    def filename(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def recipe(self) -> str:
        """As it stands in links; empty for a task-set file."""
        return "" if self.table is None else self.table.recipe.as_text()

    @property
    def contents(self) -> bytes:
        """The file itself."""
        return self.path.read_bytes()


_lock = threading.Lock()
_read: dict[tuple[str, int, int], Offered | str] = {}
"""What was read, by path, time and size: a file that changes is read again."""


def checked(folder: str) -> Path:
    """The folder, if it is one."""
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise SettingsError(f"--sets {folder!r} is no folder; name one that holds task-set files")
    return path.resolve()


def everything() -> dict[str, Offered | str]:
    """Every file of the folder by name: the set, or why it is not offered; nothing without a folder.

    A table that some recipe beside it has made a set of is offered by the recipe's name alone.
    """
    chosen = os.environ.get(FOLDER)
    if not chosen:
        return {}
    found: dict[str, Offered | str] = {}
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
    used = {one.filename for one in found.values() if isinstance(one, Offered) and one.recipe}
    return {name: one for name, one in found.items() if isinstance(one, Offered) or name not in used}


def find(name: str) -> Offered | None:
    """The set of a name such as `server:patients.npz`; names only from the list, so no path leads anywhere else."""
    found = everything().get(name.removeprefix(PREFIX))
    return found if isinstance(found, Offered) else None


def sources() -> tuple[Source, ...]:
    """The offered sets for the list of sets."""
    return tuple(
        replace(one.source, name=f"{PREFIX}{name}", kind="offered")
        for name, one in everything().items()
        if isinstance(one, Offered)
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


def _opened(path: Path) -> Offered | str:
    from data.archives import formats

    try:
        if path.suffix.lower() == ".recipe":
            from data.recipes.builder import make, read_recipe
            from data.sources.table import TableSource

            table, recipe, file = read_recipe(path)
            made = make(table, recipe)
            return Offered(file, made.task_set, TableSource.of(table, recipe, made.task_set), made.assumptions)
        reading = formats.read(path)
        kept, said = with_least(reading.task_set, LEAST)
        least = 1 if kept is reading.task_set else LEAST
        return Offered(path, kept, FileSource.of(kept, path.name), (*reading.assumptions, *said), least)
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
