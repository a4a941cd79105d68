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

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class NoTableError(FormatError):
    """A file that holds no table at all: what is wrong with it as a task set says more."""


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


def as_utf8(data: bytes, file: str) -> tuple[bytes, tuple[str, ...]]:
    """The same text in UTF-8 without a byte-order mark, and what was assumed of its encoding."""
    assumptions: tuple[str, ...] = ()
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            if encoding == "utf-8":
                data = data[len(mark) :]
                break
            try:
                return data[len(mark) :].decode(encoding).encode(), ("The text is UTF-16.",)
            except UnicodeDecodeError:
                raise FormatError(f"{file} is neither UTF-8 nor UTF-16 text; save it as UTF-8") from None
    if b"\0" in data:
        raise FormatError(f"{file} holds bytes that no text has; save it as CSV in UTF-8")
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            data = data.decode("cp1252", errors="replace").encode()
            assumptions = ("The text is not UTF-8, so it was read as Windows-1252 (Western European).",)
    return data, assumptions
