"""What a session no longer shows does not stay in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

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
