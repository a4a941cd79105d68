"""Everything at rest: built-in task sets, reading and writing task sets, the paper's published figures, stored runs.

`from data import catalogue, formats, make_tasks` are the three doors: built-in sets by name, files, and any table.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from data.archives import formats
    from data.sources import catalogue
    from data.sources.table import make_tasks

_HOME = {"catalogue": "data.sources.catalogue", "formats": "data.archives.formats"}

__all__ = ["catalogue", "formats", "make_tasks"]


def __getattr__(name: str) -> object:
    if name == "make_tasks":
        return importlib.import_module("data.sources.table").make_tasks
    if name not in _HOME:
        raise AttributeError(f"module 'data' has no attribute {name!r}")
    return importlib.import_module(_HOME[name])
