"""A screen as one file: the task set as NPZ, and the page, settings and what-if of its link, in a ZIP."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from core.task_set import TaskSet
from data.archives.formats import dump, read
from data.assembly import Reading
from data.files import Archive, guarded, zipped
from data.limits import FormatError

ENDING = ".curriculab"
_SET, _LINK = "set.npz", "link.json"
_NAME = re.compile(r"[A-Za-z][\w-]{0,30}")
_OF_THE_SET = ("set", "key", "table", "recipe", "hide")  # they belong to the file itself, or to one visitor
_MOST_VALUES, _LONGEST, _LINK_BYTES = 60, 2000, 200_000


@dataclass(frozen=True, eq=False, slots=True)
class Screen:
    """What such a file holds: the set, the values of the link, and the page; empty in files that do not name it."""

    reading: Reading
    link: dict[str, str]
    page: str


def dump_bundle(task_set: TaskSet, link: Mapping[str, str], page: str) -> bytes:
    """The file's contents."""
    kept = {name: value for name, value in link.items() if name not in _OF_THE_SET}
    known = json.dumps({"name": task_set.name, "page": page, "link": kept})
    return zipped({_SET: dump(task_set, "npz"), _LINK: known}, zipfile.ZIP_STORED)


def is_bundle(data: bytes) -> bool:
    """Whether these are the contents of such a file: it begins with the set."""
    return data.startswith(b"PK\x03\x04") and data[30 : 30 + len(_SET)] == _SET.encode()


def read_bundle(data: bytes, file: str) -> Screen:
    """The set, the values of the link and the page; what is no plain text is left out: it comes from strangers."""
    archive = guarded(file, "a bundle", lambda: Archive(data, file))
    if set(archive.sizes) != {_SET, _LINK} or archive.sizes[_LINK] > _LINK_BYTES:
        raise FormatError(f"{file} is no bundle; download it again")
    try:
        known = json.loads(archive.read(_LINK))
        name, link = str(known["name"]), dict(known["link"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FormatError(f"{file}: its settings cannot be read; download it again") from None
    values = {
        key: value
        for key, value in list(link.items())[:_MOST_VALUES]
        if isinstance(key, str) and _NAME.fullmatch(key) and key not in _OF_THE_SET
        if isinstance(value, str) and len(value) <= _LONGEST
    }
    page = known.get("page")
    reading = read(archive.read(_SET), f"{name.partition('?')[0][:100] or 'bundle'}.npz")
    return Screen(reading, values, page if isinstance(page, str) and _NAME.fullmatch(page) else "")
