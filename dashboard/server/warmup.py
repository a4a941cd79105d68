"""What the server loads in the background while the browser loads the page: imports, the first task set, kernels."""

from __future__ import annotations

import gc
import importlib
import logging
import pkgutil
import threading
import time

COLLECT_SECONDS = 10.0
_LOG = logging.getLogger("curriculab.warmup")
_imported = threading.Event()
_imported.set()
_compiling = threading.Event()


def start() -> None:
    """When the server starts: load what pages need, then look for garbage now and then."""
    _imported.clear()
    threading.Thread(target=_run, name="warmup", daemon=True).start()


def wait() -> None:
    """At the start of a page: until the imports are done, so that no two threads import the same at once."""
    _imported.wait()


def compiling() -> bool:
    """Whether the kernels are being compiled, which happens once on a machine."""
    return _compiling.is_set()


def _run() -> None:
    for step in (_import_pages, _load_first_set, _load_kernels):
        try:
            step()
        except Exception:  # whoever needs it meets the same, and is told
            _LOG.exception("not everything could be made ready")
        _imported.set()
    while True:
        time.sleep(COLLECT_SECONDS)
        gc.collect()  # Streamlit would do it after every run: 22 of 96 ms an action with twelve visitors


def _import_pages() -> None:
    """Import all that pages use, and spare these objects from the search for garbage, as they stay for good.

    They are some hundred thousand: looking at each takes longer than a step forward does. What is made later belongs to
    sessions, and must be found when they are over.
    """
    for package in ("dashboard.components", "dashboard.lessons", "dashboard.reports"):
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)
    gc.freeze()


def _load_first_set() -> None:
    from data.sources import catalogue

    catalogue.load(catalogue.DEFAULT)


def _load_kernels() -> None:
    """Load the kernels; compile them where no process has yet."""
    from core.solver.jit import on_disk
    from core.warmup import warm

    if not on_disk():
        print("Preparing: compiling the kernels for this machine, once; about ten seconds", flush=True)
        _compiling.set()
    try:
        warm()
    finally:
        _compiling.clear()
