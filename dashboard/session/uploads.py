"""Uploads: held by the session that read them, and for a while by the server, so that a reload brings them back.

The server keeps each under a random name that stands in its visitor's address alone (`key=…`), in memory, bounded in
number, in bytes and in time. A link that is passed on names an upload by its digest only: it says what to upload.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import streamlit as st

from core.task_set import TaskSet
from dashboard.server.serving import points_bytes, register_cache, serving
from dashboard.session import links
from dashboard.session.cache import BoundedCache
from data.sources.table import TableSource

PREFIX = "upload:"
HOURS = 8
"""How long the server keeps an upload that nobody looks at."""
_HELD = "_uploads"
_KEYS = "_upload_keys"


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Held:
    """A task set of a visitor, its file name and what was assumed when it was read.

    If it was made of a table: that table with its recipe, and the file itself, which a run keeps. `least` is the number
    of training points of a class below which tasks of a task-set file were left out.
    """

    filename: str
    task_set: TaskSet
    assumptions: tuple[str, ...]
    digest: str
    table: TableSource | None = None
    contents: bytes = b""
    least: int = 1

    @property
    def recipe(self) -> str:
        """As it stands in links; empty for a task-set file."""
        return "" if self.table is None else self.table.recipe.as_text()

    @property
    def nbytes(self) -> float:
        """About what it takes in memory beside the points of its tasks."""
        return len(self.contents) + (0.0 if self.table is None else self.table.table.nbytes)

    @property
    def name(self) -> str:
        """As it stands in links: the digest's first 16 letters."""
        return self.digest[:16]


_shelf: BoundedCache[Held] = BoundedCache(64, 4e8, HOURS * 3600.0)
register_cache(_shelf.drop)


def held() -> dict[str, Held]:
    """The session's uploads by the name that links use."""
    found: dict[str, Held] = st.session_state.setdefault(_HELD, {})
    return found


def wanted() -> str:
    """The name of the upload that the link asks for; empty where it asks for another set."""
    chosen = links.text("set")
    return chosen.removeprefix(PREFIX)[:16] if chosen.startswith(PREFIX) else ""


def find() -> Held | None:
    """The upload that the link asks for, if this session holds it or the link has its key."""
    name = wanted()
    found = held().get(name)
    if found is None:
        kept = _shelf.get(links.text("key"))
        if kept is None or kept.name != name:
            return None
        found = kept
        st.session_state.setdefault(_KEYS, {})[name] = links.text("key")
    hold(found)
    links.put(key=st.session_state[_KEYS][name], recipe=found.recipe)
    return found


def hold(read: Held) -> str:
    """Keep an upload, for this session and for its next reload; returns the set's name in links."""
    uploads = held()
    uploads[read.name] = read
    while len(uploads) > serving().uploads_each:
        uploads.pop(next(name for name in uploads if name != read.name))
    key = st.session_state.setdefault(_KEYS, {}).setdefault(read.name, secrets.token_urlsafe(16))
    if _shelf.get(key) is None:
        _shelf.put(key, read, points_bytes(read.task_set) + read.nbytes)
    return f"{PREFIX}{read.name}"
