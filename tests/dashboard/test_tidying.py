"""What a session no longer shows does not stay in memory."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from dashboard.session import job_panel, tidying
from dashboard.session.job import Job

APP = str(Path(__file__).resolve().parents[2] / "dashboard" / "app.py")


def test_changed_seeds_leave_no_callbacks_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Callbacks hold the task set they were made with; Streamlit keeps them for as long as the session lives."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["set"] = "plane-unrelated?train=4&test=2"
    app.query_params["C"] = "1"
    app.run()
    app.switch_page("views/step.py").run()
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
    monkeypatch.setattr(tidying, "_shown", shown)
    monkeypatch.setattr(Job, "wait", lambda self, seconds: waited.append(seconds))
    assert tidying.first_page() is not seen
    job_panel.Jobs().run("slot", "key", "Working", lambda report: 1)
    assert waited == [grace]
    tidying.forget_callbacks()  # as every page ends
    assert not tidying.first_page()
