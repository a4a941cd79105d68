"""Whatever fails in the sidebar is told in a sentence with a way out; the rest of it and the page stay."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.components import sidebar
from tests.dashboard.screens import charts, link, open_page

PARTS = {
    "selected": "The choice of the task set",
    "choose_set": "The list of task sets",
    "upload.show": "The box of your own tasks",
    "choose_settings": "The box of the learner",
    "code_box.show": "The box of link and code",
}
LABELS = {"choose_set": "Task set", "choose_settings": "Seed"}
"""A control that the part shows."""


def broken(*given: Any) -> None:
    raise RuntimeError("out of luck")


def told(app: AppTest, what: str) -> None:
    """One sentence in the sidebar, and the link that leads out."""
    assert not app.exception
    [sentence] = [error.value.replace("\\", "") for error in app.sidebar.error]
    assert sentence == (
        f"{what} met a problem that nobody foresaw (RuntimeError: out of luck). The rest of this screen still works. "
        "The log of the server says more."
    )
    assert [html.proto.body for html in app.sidebar.get("html")] == [
        "<a href='./' style='color: inherit'>Start afresh</a>, with the first task set and its settings."
    ]


@pytest.mark.parametrize("name", PARTS)
def test_a_part_that_fails_leaves_the_others_and_the_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as now:
        now.setattr(f"dashboard.components.sidebar.{name}", broken)
        app = open_page("tasks", set="plane-equal", C="10")
        told(app, PARTS[name])
        labels = {one.label for kind in ("selectbox", "number_input") for one in getattr(app.sidebar, kind)}
        stay = {
            label for part, label in LABELS.items() if part != name and (part, name) != ("choose_settings", "selected")
        }
        assert stay <= labels
        if name == "selected":
            assert "Choose another in the sidebar" in app.warning[0].value
        else:
            assert charts(app) >= 3
    app.run()
    assert not app.sidebar.error


def test_a_change_that_fails_leaves_everything_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page("tasks", set="plane-equal", C="10")
    with monkeypatch.context() as now:
        now.setattr(sidebar, "_put", lambda **values: broken())
        app.number_input(key="w-delta").set_value(0.2).run()
    told(app, "The last change")
    assert charts(app) >= 3
    delta = next(one for one in app.sidebar.number_input if one.label.startswith("δ"))
    assert delta.value == 0.05
    delta.set_value(0.2).run()
    assert not app.sidebar.error
    assert link(app, "delta") == "0.2"
