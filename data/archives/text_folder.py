"""Text task sets as the paper's authors ship their demo: `NAME_train.txt` and `NAME_test.txt`, a row per point.

The first half of every file is positive. A folder or a ZIP; an optional `about.txt` says what is known of the set.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qsl, quote, unquote

import numpy as np

from core.task_set import FloatArray, TaskSet
from data.assembly import Points, Reading, about_line, dense, features_line, parse_about, reading_of
from data.files import Archive, as_utf8, zipped
from data.limits import (
    MAX_FILE_BYTES,
    MAX_MEMBERS,
    FormatError,
    check_bytes,
    check_line,
    check_shape,
    check_tasks,
    check_unpacked,
    max_cells,
)
from data.task_names import as_file_name, listed, shown_file

ABOUT = "about.txt"
_ENDINGS = {"_train.txt": 0, "_test.txt": 1}


def read_text_zip(archive: Archive, file: str, filename: str) -> Reading:
    """The text files of a ZIP, in whatever folder of it they lie."""
    members = {name: size for name, size in archive.sizes.items() if "__MACOSX" not in name.split("/")}
    return _read(members, archive.read, file, filename)


def read_text_folder(folder: Path) -> Reading:
    """The text files of a folder."""
    file = shown_file(folder.name or str(folder))
    found = []
    for path in folder.iterdir():
        if path.is_file():
            found.append(path)
        if len(found) > MAX_MEMBERS:
            raise FormatError(f"{file} holds more than {MAX_MEMBERS:,} files; choose a folder with one task set")
    members = {path.name: path.stat().st_size for path in sorted(found)}
    if sum(members.values()) > MAX_FILE_BYTES:
        check_bytes(file, sum(members[name] for name in members if name.endswith(tuple(_ENDINGS))))
    return _read(members, lambda name: (folder / name).read_bytes(), file, folder.name or str(folder))


def write_text(task_set: TaskSet) -> dict[str, bytes]:
    """File names and contents; positives first, every number written so that it reads back exactly."""
    files: dict[str, bytes] = {}
    for task in task_set.tasks:
        for ending, X, y in (("_train.txt", task.X, task.y), ("_test.txt", task.X_test, task.y_test)):
            if X is None or y is None:
                continue
            positive, negative = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
            if len(positive) != len(negative):
                raise FormatError(
                    f"task {task.name!r} has {len(positive)} positive and {len(negative)} negative points in "
                    f"{ending[1:-4]}; the text layout needs equally many, so use NPZ, CSV or Parquet"
                )
            rows = dense(X)[np.concatenate([positive, negative])]
            text = "\n".join(" ".join(map(repr, row)) for row in rows.tolist())
            files[as_file_name(task.name) + ending] = f"{text}\n".encode()
    order = "tasks=" + "|".join(quote(as_file_name(name)) for name in task_set.names)
    known = [about_line(task_set), order, features_line(task_set.feature_names)]
    return files | {ABOUT: "&".join(filter(None, known)).encode()}


def write_text_zip(task_set: TaskSet) -> bytes:
    """The text files in one ZIP."""
    return zipped(write_text(task_set))


def _read(members: Mapping[str, int], contents: Callable[[str], bytes], file: str, filename: str) -> Reading:
    pairs: dict[str, list[str | None]] = {}
    about_member = None
    ignored = []
    for path in members:
        base = PurePosixPath(path).name
        ending = next((ending for ending in _ENDINGS if base.lower().endswith(ending)), None)
        if base.lower() == ABOUT:
            about_member = path
        elif ending is None or base.startswith("._"):
            ignored.append(base)
        else:
            pair = pairs.setdefault(unquote(base[: -len(ending)]), [None, None])
            if pair[_ENDINGS[ending]] is not None:
                raise FormatError(f"{file}: {shown_file(base)!r} is there twice; give every task its own name")
            pair[_ENDINGS[ending]] = path
    if not pairs:
        found = f"found {listed(ignored, 3)}" if ignored else "it is empty"
        raise FormatError(f"{file} holds no NAME_train.txt ({found}); name the files NAME_train.txt and NAME_test.txt")
    check_tasks(file, len(pairs))
    check_unpacked(file, sum(members.values()))
    line = as_utf8(contents(about_member), file)[0].decode().strip() if about_member and members[about_member] else ""
    said = ["In every text file the first half of the rows is positive."]
    tasks: dict[str, tuple[Points, Points | None]] = {}
    cells = 0
    for name in _order(pairs, line):
        points: list[Points | None] = [None, None]
        for part, member in enumerate(pairs[name]):
            if member is not None:
                where = f"{file}: {shown_file(member)!r}"
                X, assumed = read_rows(contents(member), where, max_cells() - cells)
                said += assumed
                cells += X.size
                points[part] = Points(X, np.repeat([1.0, -1.0], len(X) // 2))
        if points[0] is None:
            raise FormatError(f"{file}: task {name[:40]!r} has test rows only; add {name[:40]}_train.txt")
        tasks[name] = points[0], points[1]
    if ignored:
        said.append(f"Left out {listed(ignored, 3)}, which belongs to no task.")
    known, misfits = parse_about(line, tuple(tasks), next(iter(tasks.values()))[0].X.shape[1])
    return reading_of(filename, tasks, known, (*dict.fromkeys(said), *misfits))


def _order(names: Iterable[str], about: str) -> list[str]:
    """The task names as `about.txt` orders them, or else sorted, because files come in no order."""
    stated = dict(parse_qsl(about)).get("tasks", "").split("|")
    given = [unquote(name) for name in stated]
    return given if sorted(given) == sorted(names) else sorted(names)


def read_rows(data: bytes, where: str, cells_left: int) -> tuple[FloatArray, tuple[str, ...]]:
    """A table of numbers with an even number of rows, and what was assumed; sizes are checked before parsing."""
    text, said = as_utf8(data, where)
    text = text.strip()
    if not text:
        raise FormatError(f"{where} is empty; give a row of numbers for each point")
    first = text.split(b"\n", 1)[0]
    check_line(where, len(first))
    separator = None
    if b"," in first or b";" in first:
        separator = ";" if b";" in first else ","
        blanks_separate = len(first.replace(b", ", b",").split()) > 1
        if b"," in first and (separator == ";" or blanks_separate):
            text = text.replace(b",", b".")
            said = (*said, "Numbers have a decimal comma.")
            separator = ";" if b";" in first else None
        else:
            said = (*said, f"Cells are separated by {'commas' if separator == ',' else 'semicolons'}.")
    columns = len(first.decode().split(separator))
    check_shape(where, text.count(b"\n") + 1, columns)
    if (text.count(b"\n") + 1) * columns > cells_left:
        raise FormatError(f"{where} makes the set too large; take fewer rows or features")
    try:
        X = np.loadtxt(
            io.BytesIO(text), dtype=np.float64, delimiter=separator, comments=None, ndmin=2, encoding="utf-8"
        )
    except (ValueError, OverflowError) as error:
        raise _first_fault(text, where, separator, columns) from error
    if len(X) % 2:
        raise FormatError(
            f"{where} has {len(X)} rows; the first half is positive and the second negative, so the number must be even"
        )
    if not np.all(np.isfinite(X)):
        row, column = np.argwhere(~np.isfinite(X))[0]
        raise FormatError(f"{where}: row {row + 1}, number {column + 1} is not finite; correct it or remove the row")
    return X, said


def _first_fault(text: bytes, where: str, separator: str | None, columns: int) -> FormatError:
    """What is wrong with the first row that cannot be read."""
    for number, line in enumerate((line for line in text.decode().split("\n") if line.strip()), start=1):
        cells = line.split(separator)
        if len(cells) != columns:
            return FormatError(
                f"{where}: row {number} has {len(cells)} numbers but the first row {columns}; make them equal"
            )
        for column, cell in enumerate(cells, start=1):
            try:
                finite = math.isfinite(float(cell))
            except ValueError:
                finite = False
            if not finite or "_" in cell:
                return FormatError(
                    f"{where}: row {number}, number {column} is {cell[:30]!r}; correct it or remove the row"
                )
    return FormatError(f"{where} cannot be read as rows of numbers; see the template")
