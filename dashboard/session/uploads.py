"""Uploads: held by the session that read them, and for a while by the server, so that a reload brings them back.

The server keeps each under a random name that stands in its visitor's address alone (`key=…`), in memory, bounded in
number, in bytes and in time. A link that is passed on names an upload by its digest only: it says what to upload.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

import streamlit as st

from dashboard.server.serving import points_bytes, register_cache, serving
from dashboard.session import links
from dashboard.session.cache import BoundedCache
from data.sources.offered import Offered

PREFIX = "upload:"
HOURS = 8
"""How long the server keeps an upload that nobody looks at."""
_HELD = "_uploads"


def random_key() -> str:
    """A text of 22 letters that cannot be guessed."""
    return secrets.token_urlsafe(16)


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Upload(Offered):
    """A visitor's set: as one that the server offers, but its file, which a run of a table keeps, is held in memory.

    Whoever knows its `key` may see it.
    """

    contents: bytes = b""
    key: str = field(default_factory=random_key, init=False)

    @property
    def nbytes(self) -> float:
        """About what it takes in memory beside the points of its tasks."""
        return len(self.contents) + (0.0 if self.table is None else self.table.table.nbytes)

    @property
    def name(self) -> str:
        """As it stands in links: the digest's first 16 letters."""
        return self.digest[:16]


_shelf: BoundedCache[Upload] = BoundedCache(64, 4e8, HOURS * 3600.0)
register_cache(_shelf.drop)


def held() -> dict[str, Upload]:
    """The session's uploads by the name that links use."""
    found: dict[str, Upload] = st.session_state.setdefault(_HELD, {})
    return found


def wanted() -> str:
    """The name of the upload that the link asks for; empty where it asks for another set."""
    chosen = links.text("set")
    return chosen.removeprefix(PREFIX)[:16] if chosen.startswith(PREFIX) else ""


def find() -> Upload | None:
    """The upload that the link asks for, if this session holds it or the link has its key."""
    name = wanted()
    found = held().get(name) or _shelf.get(links.text("key"))
    if found is None or found.name != name:
        return None
    hold(found)
    links.put(key=found.key, recipe=found.recipe)
    return found


def hold(read: Upload) -> str:
    """Keep an upload, for this session and for its next reload; returns the set's name in links."""
    uploads = held()
    uploads[read.name] = read
    while len(uploads) > serving().uploads_each:
        uploads.pop(next(name for name in uploads if name != read.name))
    if _shelf.get(read.key) is None:
        _shelf.put(read.key, read, points_bytes(read.task_set) + read.nbytes)
    return f"{PREFIX}{read.name}"
