"""Everything at rest: built-in task sets, reading and writing task sets, the paper's published figures."""

from __future__ import annotations

import importlib

_MODULES = {"catalogue": "data.sets.catalogue", "formats": "data.files.formats"}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'data' has no attribute {name!r}")
    return importlib.import_module(_MODULES[name])
