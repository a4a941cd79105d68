"""How much a file may hold. Every limit is checked on sizes and headers, before the contents are unpacked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from core.errors import CurriculabError

MAX_FILE_BYTES = 200 * 2**20
MAX_UNPACKED_BYTES = 512 * 2**20
MAX_MEMBERS = 5_000
MAX_DIRECTORY_BYTES = 4 * 2**20  # a ZIP's table of contents; 5,000 members with long names need about 2 MB
MAX_TASKS = 500
MAX_ROWS = 1_000_000
MAX_FEATURES = 50_000
MAX_CELLS = 50_000_000  # rows times features: 400 MB as float64
MAX_NAME_CHARACTERS = 200
MAX_LINE_BYTES = 5 * 2**20  # of a header or row of text: 100 for each of the most features

_most_cells: ContextVar[int | None] = ContextVar("most_cells", default=None)


class FormatError(CurriculabError):
    """A file that is not a task set, or one that is too large."""


@contextmanager
def at_most(cells: int | None) -> Iterator[None]:
    """Inside, files may hold no more numbers than that, and unpack to a size in proportion; None leaves it as it is."""
    before = _most_cells.set(cells)
    try:
        yield
    finally:
        _most_cells.reset(before)


def max_cells() -> int:
    """Rows times features that a file may hold here."""
    fewer = _most_cells.get()
    return MAX_CELLS if fewer is None else min(fewer, MAX_CELLS)


def max_unpacked_bytes() -> int:
    """What a file may unpack to here."""
    return MAX_UNPACKED_BYTES * max_cells() // MAX_CELLS


def check_bytes(file: str, size: int) -> None:
    """Refuse a file that is empty or larger than `MAX_FILE_BYTES`."""
    if size == 0:
        raise FormatError(f"{file} is empty; choose a file with a task set in it")
    if size > MAX_FILE_BYTES:
        raise FormatError(
            f"{file} has {size / 2**20:,.0f} MB; the most that is read is {MAX_FILE_BYTES // 2**20} MB, "
            "so take fewer rows or features"
        )


def check_unpacked(file: str, size: int) -> None:
    """Refuse contents that unpack to more than `MAX_UNPACKED_BYTES`."""
    if size > (most := max_unpacked_bytes()):
        raise FormatError(
            f"{file} unpacks to {size / 2**20:,.0f} MB; the most that is unpacked is "
            f"{most // 2**20} MB, so take fewer rows or features"
        )


def check_line(file: str, size: int) -> None:
    """Refuse a first line longer than `MAX_LINE_BYTES`."""
    if size > MAX_LINE_BYTES:
        raise FormatError(
            f"{file}: the first line has {size:,} characters; the longest that is read has {MAX_LINE_BYTES:,}, "
            "so check its line ends"
        )


def check_shape(file: str, rows: int, features: int) -> None:
    """Refuse more rows, features or cells than the limits allow."""
    for count, most, what in (
        (rows, MAX_ROWS, "rows"),
        (features, MAX_FEATURES, "features"),
        (rows * features, max_cells(), "numbers (rows times features)"),
    ):
        if count > most:
            raise FormatError(f"{file} holds {count:,} {what}; the most that is read is {most:,}, so take fewer")


def check_tasks(file: str, tasks: int) -> None:
    """Refuse a file without tasks or with more than `MAX_TASKS`."""
    if tasks == 0:
        raise FormatError(f"{file} holds no task; see the template for the expected form")
    if tasks > MAX_TASKS:
        raise FormatError(f"{file} holds {tasks:,} tasks; the most that is read is {MAX_TASKS}, so take fewer")
