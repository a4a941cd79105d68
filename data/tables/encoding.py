"""Text of unknown encoding, as UTF-8."""

from __future__ import annotations

from data.limits import FormatError

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


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
