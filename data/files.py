"""Opening files from strangers: what is refused, ZIP within the limits, and whatever goes wrong as one sentence."""

from __future__ import annotations

import codecs
import io
import os
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from core.errors import CurriculabError
from data.limits import MAX_DIRECTORY_BYTES, MAX_MEMBERS, FormatError, check_bytes, check_unpacked
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
PARQUET = b"PAR1"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How the contents begin."""
OFFICE = "[Content_Types].xml"
"""A member of every workbook and any other office document."""
_END = b"PK\x05\x06"
_END_LENGTH = 22
_LOCATOR_64 = b"PK\x06\x07"
_LOCATOR_64_LENGTH = 20
_PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes of dictionary


class NoTableError(FormatError):
    """A file that holds no table at all: what is wrong with it as a task set says more."""


def own_folder(variable: str) -> Path:
    """The folder that an environment variable names, else `~/.local/share/curriculab`."""
    if chosen := os.environ.get(variable):
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "curriculab"


def open_file(path_or_bytes: str | os.PathLike[str] | bytes, filename: str | None) -> tuple[bytes, str]:
    """The contents of a file on this machine, or of an upload, and its name; refuses what is never opened.

    That is what is empty or too large, and by its first bytes, whatever its name: pickles, old workbooks and the like.
    """
    if isinstance(path_or_bytes, bytes):
        data, filename = path_or_bytes, filename or "upload"
    else:
        data, filename = _bytes_of(Path(path_or_bytes)), filename or Path(path_or_bytes).name
    file = shown_file(filename)
    check_bytes(file, len(data))
    for start, what in _REFUSED:
        if data.startswith(start):
            raise FormatError(f"{file} {what}")
    return data, filename


def _bytes_of(path: Path) -> bytes:
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
    """The same text in UTF-8 with the line ends of Unix and no byte-order mark, and what was assumed of it."""
    said: tuple[str, ...] = ()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            data, said = data.decode("utf-16").encode(), ("The text is UTF-16.",)
        except UnicodeDecodeError:
            raise FormatError(f"{file} is neither UTF-8 nor UTF-16 text; save it as UTF-8") from None
    else:
        data = data.removeprefix(codecs.BOM_UTF8)
        if b"\0" in data:
            raise FormatError(f"{file} holds bytes that no text has; save it as CSV in UTF-8")
        try:
            data.decode()
        except UnicodeDecodeError:
            data = data.decode("cp1252", errors="replace").encode()
            said = ("The text is not UTF-8, so it was read as Windows-1252 (Western European).",)
    return (data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data), said


def leads_out(name: str) -> bool:
    """Whether a member of that name would be unpacked outside its folder, on any system."""
    return name.startswith("/") or "\\" in name or ".." in name.split("/") or name[1:2] == ":"


def zipped(files: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, contents in files.items():
            archive.writestr(name, contents)
    return buffer.getvalue()


class Archive:
    """The members of a ZIP, by name; sizes and names are checked on its table of contents alone."""

    def __init__(self, data: bytes, file: str) -> None:
        _check_directory(data, file)
        self._file = file
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        infos = [info for info in self._zip.infolist() if not info.is_dir()]
        if len(infos) > MAX_MEMBERS:
            raise FormatError(f"{file} holds {len(infos):,} files; the most that is read is {MAX_MEMBERS:,}")
        check_unpacked(file, sum(info.file_size for info in infos))
        self._members: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name = info.filename
            shown = shown_file(name)
            if leads_out(name):
                raise FormatError(f"{file}: the path of {shown!r} leads out of the archive; pack plain file names")
            if info.flag_bits & 0x1:
                raise FormatError(f"{file}: {shown!r} is encrypted; pack it without a password")
            if info.compress_type not in _PLAIN_METHODS:
                raise FormatError(f"{file}: {shown!r} is packed in an unusual way; use ordinary ZIP compression")
            if name in self._members:
                raise FormatError(f"{file}: {shown!r} is in the archive twice; give every task its own name")
            self._members[name] = info

    @property
    def sizes(self) -> Mapping[str, int]:
        """Unpacked size of every member."""
        return {name: info.file_size for name, info in self._members.items()}

    def read(self, name: str) -> bytes:
        """A member's contents; never more than its stated size."""
        try:
            return self._zip.read(self._members[name])
        except Exception as error:  # those of zipfile and zlib have no common base
            what = f"{shown_file(name)!r} is damaged; pack or download the file again"
            raise FormatError(f"{self._file}: {what}") from error


def _check_directory(data: bytes, file: str) -> None:
    """Refuse a table of contents that alone would fill memory: zipfile makes an object of every entry."""
    end = len(data) - _END_LENGTH
    if data[end : end + 4] != _END or data[-2:] != b"\0\0":
        end = data.rfind(_END, max(0, len(data) - _END_LENGTH - 2**16))
    if end < 0 or end + _END_LENGTH > len(data):
        raise FormatError(f"{file} begins like a ZIP but its end is missing; download or pack it again")
    directory_bytes: int = struct.unpack_from("<I", data, end + 12)[0]
    if data[max(0, end - _LOCATOR_64_LENGTH) : end].startswith(_LOCATOR_64) or directory_bytes > MAX_DIRECTORY_BYTES:
        raise FormatError(f"{file} has too large a table of contents; pack at most {MAX_MEMBERS:,} files")
