"""ZIP files from strangers, opened without unpacking anything to disk or beyond the limits."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping

from data.limits import MAX_DIRECTORY_BYTES, MAX_MEMBERS, FormatError, check_unpacked
from data.task_names import shown_file

_END = b"PK\x05\x06"
_END_LENGTH = 22
_LOCATOR_64 = b"PK\x06\x07"
_LOCATOR_64_LENGTH = 20
_PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes of dictionary


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
        members: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name = info.filename
            shown = shown_file(name)
            if name.startswith("/") or "\\" in name or ".." in name.split("/") or name[1:2] == ":":
                raise FormatError(f"{file}: the path of {shown!r} leads out of the archive; pack plain file names")
            if info.flag_bits & 0x1:
                raise FormatError(f"{file}: {shown!r} is encrypted; pack it without a password")
            if info.compress_type not in _PLAIN_METHODS:
                raise FormatError(f"{file}: {shown!r} is packed in an unusual way; use ordinary ZIP compression")
            if name in members:
                raise FormatError(f"{file}: {shown!r} is in the archive twice; give every task its own name")
            members[name] = info
        self._members = members

    @property
    def sizes(self) -> Mapping[str, int]:
        """Unpacked size of every member."""
        return {name: info.file_size for name, info in self._members.items()}

    def read(self, name: str) -> bytes:
        """A member's contents; never more than its stated size."""
        try:
            return self._zip.read(self._members[name])
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError, RuntimeError) as error:
            raise self._damaged(name) from error
        except Exception as error:  # zlib.error has no common base with the others
            raise self._damaged(name) from error

    def _damaged(self, name: str) -> FormatError:
        return FormatError(f"{self._file}: {shown_file(name)!r} is damaged; pack or download the file again")


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
