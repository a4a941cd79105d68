"""What a session no longer shows does not stay in memory."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from dashboard.server import warmup
from dashboard.session import job_panel
from dashboard.session.job import Job

APP = str(Path(__file__).resolve().parents[2] / "dashboard" / "app.py")


def test_changed_seeds_leave_no_callbacks_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Callbacks hold the task set they were made with; Streamlit keeps them for as long as the session lives."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["set"] = "plane-unrelated?train=4&test=2"
    app.query_params["C"] = "1"
    app.run()
    app.switch_page("pages/step/page.py").run()
    state: Any = app.session_state
    while not isinstance(state, SessionState):
        state = object.__getattribute__(state, "_state")
    kept = []
    for seed in range(1, 9):
        app.query_params["seed"] = str(seed)
        app.run()
        assert not app.exception
        kept.append(len(state._new_widget_state.widget_metadata))
    assert max(kept[2:]) <= kept[1] + 2, f"widgets that are kept after each change: {kept}"


@pytest.mark.parametrize(("seen", "grace"), [(True, job_panel.GRACE_SECONDS), (False, 0.0)])
def test_only_the_first_page_of_a_server_is_shown_before_anything_is_waited_for(
    seen: bool, grace: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    shown = threading.Event()
    if seen:
        shown.set()
    monkeypatch.setattr(warmup, "_shown", shown)
    monkeypatch.setattr(Job, "wait", lambda self, seconds: waited.append(seconds))
    assert warmup.first_page() is not seen
    job_panel.Jobs().run("slot", "key", "Working", lambda report: 1)
    assert waited == [grace]
    warmup.forget_callbacks()  # as every page ends
    assert not warmup.first_page()


def late_page() -> None:
    """Shows a button on its first run only, and says of every run whether its request is late."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from dashboard.server import warmup

    context = get_script_run_ctx()
    assert context is not None
    context.is_history_navigation = bool(st.session_state.get("back"))
    st.code(str(warmup.is_late()))
    if st.session_state.setdefault("first", True):
        st.checkbox("gone soon", key="gone")
    st.checkbox("stays", key="stays")
    st.session_state["first"] = False
    warmup.forget_callbacks()


def test_a_request_with_a_widget_that_is_gone_is_late_unless_the_reader_went_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = AppTest.from_function(late_page).run()
    old = app.checkbox(key="gone").check()._widget_state
    app.checkbox(key="gone").uncheck()
    said = [app.run().code[0].value, app.checkbox(key="stays").check().run().code[0].value]
    assert said == ["False", "False"]
    found = type(app._tree).get_widget_states

    def with_old(tree: Any) -> Any:
        states = found(tree)
        states.widgets.append(old)
        return states

    monkeypatch.setattr(type(app._tree), "get_widget_states", with_old)
    assert app.run().code[0].value == "True"
    app.session_state["back"] = True
    assert app.run().code[0].value == "False"
