"""Names of tasks and files: what is accepted of strangers, what survives spreadsheets and file systems."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from data.limits import MAX_NAME_CHARACTERS, FormatError

_FORMULA = "=+-@"
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # marks that reverse the text after them
_ROOT = r"(?:~|[A-Za-z]:\\|/)(?=[^\s])"
_QUOTED = re.compile(rf"(['\"]){_ROOT}(?:(?:(?!\1)[^\n])*[/\\])?")
# Without quotes nobody knows where a path ends: up to the last slash before the sentence goes on, blanks included.
_PLAIN = re.compile(rf"(?<![\w.'\"]){_ROOT}(?:(?:(?!; )[^\n])*[/\\])?")
_UNSAFE_IN_FILES = re.compile(r'[%/\\:*?"<>|]|^\.|[. ]$')


def clean_task_name(name: str, file: str) -> str:
    """The name without surrounding blanks, or an error if it cannot be shown on one line."""
    name = name.strip()
    if not name:
        raise FormatError(f"{file}: a task has an empty name; give every task a name")
    if len(name) > MAX_NAME_CHARACTERS:
        raise FormatError(
            f"{file}: the task name {name[:30] + '...'!r} has {len(name):,} characters; "
            f"use at most {MAX_NAME_CHARACTERS}"
        )
    if is_hidden(name):
        raise FormatError(f"{file}: the task name {name[:30]!r} holds control characters; use plain text")
    return name


def shown_file(name: str) -> str:
    """A file name that is safe to print on one line, at most 60 characters long."""
    name = visible(PurePath(name).name or name) or "the file"
    return name if len(name) <= 60 else f"{name[:35]}...{name[-22:]}"


def set_name(filename: str) -> str:
    """What a task set from a file is called: the file's name without its ending."""
    return shown_file(PurePath(filename).stem.strip() or "task set")


def escape_formula(name: str) -> str:
    """`name` with an apostrophe before =, +, - or @, so that no spreadsheet runs it as a formula."""
    guarded = name[:1] in _FORMULA or (name[:1] == "'" and name[1:2] in _FORMULA + "'")
    return f"'{name}" if name and guarded else name


def unescape_formula(name: str) -> str:
    """The inverse of `escape_formula`."""
    return name[1:] if name[:1] == "'" and name[1:2] and name[1] in _FORMULA + "'" else name


def as_file_name(name: str) -> str:
    """`name` with everything that some file system refuses written as %XX; the inverse is `urllib.parse.unquote`."""
    return _UNSAFE_IN_FILES.sub(lambda match: f"%{ord(match[0]):02X}", name)


def listed(names: list[str] | tuple[str, ...], most: int = 5) -> str:
    """Names for a sentence, shortened: 'a', 'b' and 3 more."""
    shown = ", ".join(repr(name if len(name) <= 40 else f"{name[:37]}...") for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def counted(number: int, thing: str) -> str:
    """As `1 row` and `1,200 rows`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def fewer_than(least: int) -> str:
    """Why a task is left out that has fewer training points of a class than asked for."""
    needs = ", which cross-validation needs" if least == 2 else ""
    return f"fewer than {counted(least, 'training point')} of a class{needs}"


def is_hidden(text: str) -> bool:
    """Whether it holds control characters, half characters or marks that turn the text around."""
    return any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in _TURNING for c in text)


def visible(text: str) -> str:
    """The text with a question mark in place of every such character."""
    return "".join("?" if is_hidden(character) else character for character in text)


def written(number: float) -> str:
    """A number as a person would write it."""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def without_folders(sentence: str) -> str:
    """The sentence with the last part alone of every path that is not relative: where files lie is nobody else's
    business.
    """
    return _PLAIN.sub("", _QUOTED.sub(r"\1", sentence))
