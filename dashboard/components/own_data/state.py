"""The table that is being made into tasks, and the recipe so far.

The session holds it, and for a while the server, under a random name in the visitor's address alone (`table=…`), so
that a reload in the middle loses nothing.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from core.errors import CurriculabError
from dashboard.server.serving import hold_bytes, reading_limits, register_cache
from dashboard.session import links, uploads
from dashboard.session.cache import BoundedCache
from data.files import NoTableError
from data.recipes.inference import adapted, guess
from data.recipes.plan import Plan, plan
from data.recipes.recipe import Kind, Recipe, recipe_of
from data.tables.reading import read_table
from data.tables.table import Table

_STATE = "_bring"


@dataclass(eq=False, slots=True, weakref_slot=True)
class TableImport:
    """A file with a table, why it is no task set as it stands, the recipe so far, and whether it is on screen."""

    contents: bytes
    filename: str
    digest: str
    why: str
    recipe: Recipe
    is_open: bool = True
    opened_at: tuple[str, str] | None = None
    key: str = field(default_factory=uploads.random_key)

    @property
    def table(self) -> Table:
        """The table, read once."""
        return _table(self.digest, self.filename, self.recipe.sheet, self.recipe.side, self.contents)

    @property
    def plan(self) -> Plan:
        """What would come of the recipe."""
        return plan(self.table, self.recipe)


_shelf: BoundedCache[TableImport] = BoundedCache(16, 2e8, uploads.HOURS * 3600.0)
register_cache(_shelf.drop)


@st.cache_resource(max_entries=1, show_spinner="Reading the table …", scope="session")
def _table(digest: str, filename: str, sheet: str, side: int, _contents: bytes) -> Table:
    with reading_limits():
        return read_table(_contents, filename, sheet, side)


def begin(contents: bytes, filename: str, why: CurriculabError) -> TableImport | str:
    """Take up a file: with the recipe of a link that waits for it, or else the guess; a sentence if it is no table."""
    digest = hashlib.sha256(contents).hexdigest()
    found = TableImport(contents, filename, digest, str(why), Recipe())
    waits = bool(uploads.wanted()) and uploads.wanted() not in uploads.held()
    try:
        found.recipe = recipe_of(links.text("recipe")) if waits else found.recipe
        fits = waits and not found.plan.problems
    except CurriculabError:
        fits, found.recipe = False, Recipe()
    try:
        found.recipe = found.recipe if fits else guess(found.table)
        hold_bytes(found, len(contents) + found.table.nbytes)
    except NoTableError:
        return str(why)
    except CurriculabError as error:
        return str(error)
    st.session_state[_STATE] = found
    _keep(found)
    return found


def _keep(found: TableImport) -> None:
    _shelf.put(found.key, found, len(found.contents))
    links.put(table=found.key)


def now() -> TableImport | None:
    """The table in hand, on screen or not."""
    found: TableImport | None = st.session_state.get(_STATE)
    return found


def watch(page: str) -> None:
    """At the start of a run: close the mapping after a change of page or set, and bring it back after a reload."""
    if now() is None and links.text("table"):
        kept = _shelf.get(links.text("table"))
        if kept is not None:
            kept.opened_at = None
            st.session_state[_STATE] = kept
    found, here = now(), (page, links.text("set"))
    if found is not None and found.is_open:
        found.is_open = found.opened_at in (None, here)
        found.opened_at = here
    if links.text("table") and not is_open():
        links.put(table=None)


def is_open() -> bool:
    """Whether the main area shows the mapping."""
    found = now()
    return found is not None and found.is_open


def reopen(found: TableImport) -> None:
    """Show the mapping again."""
    found.is_open, found.opened_at = True, None
    _keep(found)


def forget() -> None:
    """Nothing is in hand: another file was chosen, or none."""
    st.session_state.pop(_STATE, None)


def change(**values: Any) -> None:
    """Change parts of the recipe; what makes no sense leaves it as it was."""
    found = now()
    if found is not None:
        with suppress(CurriculabError):
            found.recipe = replace(found.recipe, **values)


def change_kind(kind: Kind) -> None:
    """Another recipe: columns are guessed for it, and choices that any recipe has are kept."""
    found = now()
    if found is None:
        return
    old = found.recipe
    wanted = Recipe(
        kind, test=old.test, sheet=old.sheet, side=old.side, split=old.split, least=old.least, balance=old.balance
    )
    made = adapted(found.table, guess(found.table, wanted, any_kind=False))
    found.recipe = replace(made, missing=old.missing if old.missing == "mean" else made.missing)
