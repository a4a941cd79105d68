"""Opening files from strangers: what is never opened, and whatever goes wrong as one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.errors import CurriculabError
from data.limits import FormatError, check_bytes
from data.task_names import shown_file

T = TypeVar("T")
_REFUSED = (
    (b"\x93NUMPY", "is a single NumPy array; save all tasks together with numpy.savez"),
    (b"\x80", "is a Python pickle, which is never opened; save it as NPZ, CSV or Parquet"),
    (b"\x1f\x8b", "is compressed with gzip; unpack it first"),
    (b"\xd0\xcf\x11\xe0", "is an old Excel workbook; save it as .xlsx or CSV"),
    (b"\x89HDF", "is an HDF5 or MATLAB file; save it as NPZ, CSV or Parquet"),
    (b"MATLAB 5.0", "is a MATLAB file; save it as NPZ, CSV or Parquet"),
    (b"%PDF", "is a PDF; save the table as CSV"),
    (b"<html", "is a web page; download the table itself"),
    (b"<!DOCTYPE", "is a web page; download the table itself"),
    (b"<!doctype", "is a web page; download the table itself"),
)


def open_bytes(path: Path) -> bytes:
    """The contents of a file on this machine, if it is one and not too large."""
    file = shown_file(path.name)
    try:
        if not path.exists():
            raise FormatError(f"there is no file or folder {str(path)[-200:]!r}; check the path")
        if not path.is_file():
            raise FormatError(f"{file} is neither a file nor a folder; choose a file")
        check_bytes(file, path.stat().st_size)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, CurriculabError):
            raise
        raise FormatError(f"{file} cannot be opened; check its name and permissions") from error


def check_contents(data: bytes, file: str) -> None:
    """Refuse what is never opened, whatever its name: pickles, old workbooks and the like."""
    for start, what in _REFUSED:
        if data.startswith(start):
            raise FormatError(f"{file} {what}")


def guarded(file: str, what: str, action: Callable[[], T]) -> T:
    """The action's result; whatever it raises that is not a sentence yet becomes one, for no file may end worse."""
    try:
        return action()
    except CurriculabError:
        raise
    except MemoryError as error:
        raise FormatError(f"{file} needs more memory than there is; take fewer rows or features") from error
    except Exception as error:
        raise FormatError(f"{file} cannot be read as {what}; compare it with the template") from error
