"""What is ready before it is needed, and what must not stay in memory.

Imports, compiled kernels and the first task set are loaded behind the server's back while the browser loads the page;
objects of sessions that are over, and callbacks of widgets that are gone, are let go.
"""

from __future__ import annotations

import gc
import importlib
import logging
import pkgutil
import sys
import threading
import time
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SafeSessionState

COLLECT_SECONDS = 10.0
FILES_SECONDS = 1.0
"""How long imports wait for a first browser to have fetched its files, which they would slow down."""
FIRST_SECONDS = 5.0
"""How long the kernels wait for a first visitor."""
_LOG = logging.getLogger(__name__)
_settled = threading.Event()
_settled.set()
_compiling = threading.Event()
_has_files = threading.Event()
_shown = threading.Event()
_shown.set()


def settle_behind() -> None:
    """When the server starts: make ready what pages need, then look for garbage now and then.

    Meanwhile the server sends the browser some hundred small files, and must not wait for its turn at each of them.
    """
    _settled.clear()
    _shown.clear()
    sys.setswitchinterval(0.0005)
    threading.Thread(target=_behind, name="tidying", daemon=True).start()


def has_files() -> None:
    """A browser asks for more than files: it is running Streamlit's scripts now, and has time."""
    _has_files.set()


def wait() -> None:
    """At the start of a page: until the imports are done, so that no two threads import the same at once."""
    _settled.wait()


def first_page() -> bool:
    """Whether nobody has seen a page of this server yet: then what is there is shown before anything is waited for."""
    return not _shown.is_set()


def compiling() -> bool:
    """Whether the kernels are being compiled, which happens once on a machine."""
    return _compiling.is_set()


def _behind() -> None:
    try:
        _has_files.wait(FILES_SECONDS)
        _settle()
        _load_first_set()
    except Exception:
        _LOG.exception("not everything could be made ready")
    finally:
        _settled.set()
    try:
        _shown.wait(FIRST_SECONDS)  # what the first page needs of the rest, it loads itself, and undisturbed
        _warm()
    except Exception:  # whoever needs it meets the same, and is told
        _LOG.exception("not everything could be made ready")
    finally:
        sys.setswitchinterval(0.005)
    while True:
        time.sleep(COLLECT_SECONDS)
        gc.collect()  # Streamlit would do it after every run: 22 of 96 ms an action with twelve visitors


def _load_first_set() -> None:
    from data.sources import catalogue

    catalogue.load(catalogue.DEFAULT)


def _warm() -> None:
    """Load the kernels; compile them where no process has yet."""
    from core.solver.compiled import on_disk
    from core.warmup import warm

    if not on_disk():
        print("Preparing: compiling the kernels for this machine, once; about ten seconds", flush=True)
        _compiling.set()
    try:
        warm()
    finally:
        _compiling.clear()


def _settle() -> None:
    """Before the first session: import all that pages use, and spare it from the search for garbage.

    These objects stay for good, and are some hundred thousand: looking at each takes longer than a step forward does.
    What is made later belongs to sessions, and must be found when they are over.
    """
    for package in ("dashboard.components", "dashboard.lessons", "dashboard.reports", "streamlit.elements"):
        home = importlib.import_module(package)
        for module in pkgutil.iter_modules(home.__path__, f"{package}."):
            if not module.ispkg:
                importlib.import_module(module.name)
    gc.freeze()  # what the imports left as garbage, two thousand objects, is not worth the look
    gc.enable()


def forget_callbacks() -> None:
    """At the end of a run of the whole page: let go of the callbacks of widgets that it did not show.

    Streamlit keeps them as long as the session lives, and with them all data they were made with. And a request that
    left the browser before it knew that a widget is gone still has its value, which would count as the reader's change.
    """
    _shown.set()
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or context.fragment_ids_this_run:
        return
    try:
        shown, known = set(context.shared.widget_ids_this_run.snapshot()), _widgets(context).widget_metadata
    except AttributeError:  # another Streamlit, which keeps them elsewhere
        return
    for widget in [widget for widget in known if widget not in shown]:
        del known[widget]


def is_late() -> bool:
    """Whether the request left the browser before it knew what the last whole run shows: it has widgets that are gone.

    Who goes through the browser's history does not wait for that, and says so.
    """
    context: Any = get_script_run_ctx(suppress_warning=True)
    try:
        widgets = _widgets(context)
        return not context.is_history_navigation and not widgets.states.keys() <= widgets.widget_metadata.keys()
    except AttributeError:
        return False


def _widgets(context: Any) -> Any:
    """What Streamlit knows of a session's widgets."""
    state = context.session_state
    while isinstance(state, SafeSessionState):  # in Streamlit's own tests one wraps another
        state = state._state
    return state._new_widget_state
