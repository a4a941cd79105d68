"""What the browser's own parts ask for (player, lesson screens, canvas, clicked charts), and what becomes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.components import player
from dashboard.pages.draw import canvas
from data.sources.sketch import Drawing, DrawnTask
from tests.dashboard.screens import SECONDS


def page() -> None:
    """Shows the part that `show` names after the browser sent `sent`, and what then stands in the link."""
    import json

    import streamlit as st

    from dashboard.components import figure_card, player
    from dashboard.pages.draw import canvas
    from dashboard.session import links
    from data.sources.sketch import Drawing, DrawnTask

    links.read("page")
    part = st.session_state["show"]
    sent = json.loads(st.session_state["sent"])
    if sent is not None:
        st.session_state[{"step": "player", "screens": "screens", "canvas": "canvas"}.get(part, "chart-x")] = sent
    said: object = None
    if part == "step":
        said = player.show(["a", "b", "c"])
    elif part == "screens":
        went: list[object] = []
        go = lambda screen, answers: went.append([screen, sorted(answers.items())] if answers else screen)  # noqa: E731
        player.screens(["a", "b", "c"], 2, 4, go, choices=[3, 4, 0], word="Next", quiet=True, slides=False)
        said = went
    elif part == "canvas":
        canvas.show(Drawing((DrawnTask("t", ((1, 2),)),)), 1, {"line": [3]}, lambda: None)
        said = canvas.sent()
    else:
        clicks: list[object] = []
        figure_card.tell_click("x", clicks.append)
        said = clicks
    st.code(json.dumps(said))
    st.code(json.dumps(links.state()))


def sending(
    part: str, sent: object, monkeypatch: pytest.MonkeyPatch, call: bool = True, **link: str
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """What the page says, what the browser's part is given, and the link, after the part has called back."""
    given: dict[str, Any] = {}

    def component(*, key: str, data: dict[str, Any], **callbacks: Any) -> None:
        given.update(data | {"key": key, "callbacks": sorted(callbacks)})
        for callback in callbacks.values() if call else ():
            callback()

    monkeypatch.setattr(player, "_player", component)
    monkeypatch.setattr(player, "_screens", component)
    monkeypatch.setattr(canvas, "_canvas", component)
    app = AppTest.from_function(page, default_timeout=SECONDS)
    app.session_state["show"], app.session_state["sent"] = part, json.dumps(sent)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return json.loads(app.code[0].value), given, json.loads(app.code[1].value)


@pytest.mark.parametrize(
    ("sent", "before", "after"),
    [
        ({"at": {"step": 2, "seq": 5}}, {"step": "3", "pick": "1.0"}, {"step": "2"}),
        ({"at": {"step": 1, "seq": 5}}, {"step": "3", "pick": "1.0"}, {}),
        ({"at": {"step": 3, "seq": 5}}, {"step": "3", "pick": "1.0"}, {"step": "3", "pick": "1.0"}),
        ({"at": {"step": 1, "seq": 5}}, {"pick": "1.0"}, {"pick": "1.0"}),
        ({"at": {"step": "2", "seq": 5}}, {"step": "3"}, {"step": "3"}),
        ({"at": "nonsense"}, {"step": "3"}, {"step": "3"}),
        ({}, {"step": "3"}, {"step": "3"}),
        (None, {"step": "3"}, {"step": "3"}),
    ],
)
def test_a_step_that_is_asked_for_is_put_in_the_link_and_the_pick_of_another_step_is_not_kept(
    sent: object, before: dict[str, str], after: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at, given, link = sending("step", sent, monkeypatch, **before)
    assert at == int(before.get("step", "1"))
    assert link == after
    seq = sent["at"]["seq"] if isinstance(sent, dict) and isinstance(sent.get("at"), dict) else 0
    assert given == {
        "key": "player", "kind": "player", "step": at, "seq": seq, "steps": ["a", "b", "c"], "pace": 1600,
        "callbacks": ["on_at_change"],
    }  # fmt: skip


@pytest.mark.parametrize("step", ["0", "9", "x"])
def test_a_step_that_is_not_there_is_brought_into_range(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at, given, _ = sending("step", None, monkeypatch, step=step)
    assert at == given["step"] == {"0": 1, "9": 3, "x": 1}[step]


@pytest.mark.parametrize(
    ("wish", "went"),
    [
        ({"step": 3, "chapter": 4, "seq": 7}, [3]),
        ({"step": 2, "chapter": 4, "seq": 7}, []),
        ({"step": 4, "chapter": 4, "seq": 7}, [4]),
        ({"step": 9, "chapter": 4, "seq": 7}, [4]),
        ({"step": 0, "chapter": 4, "seq": 7}, [0]),
        ({"step": -3, "chapter": 4, "seq": 7}, [0]),
        ({"step": 3, "chapter": 5, "seq": 7}, []),
        ({"step": "3", "chapter": 4, "seq": 7}, []),
        ({"step": 3, "chapter": 4, "seq": 7, "answers": [[2, 4]]}, [[3, [[2, 3]]]]),
        ({"step": 2, "chapter": 4, "seq": 7, "answers": [[1, 1], [2, 2]]}, [[2, [[1, 0], [2, 1]]]]),
        ({"step": 2, "chapter": 4, "seq": 7, "answers": [[2, 5], [3, 1], [9, 1], [0, 1], [2, 0]]}, []),
        ({"step": 3, "chapter": 4, "seq": 7, "answers": [7, ["2", 1], [2], "x", None]}, [3]),
        ({"step": 3, "chapter": 4, "seq": 7, "answers": 7}, [3]),
        ({"step": 3, "chapter": 5, "seq": 7, "answers": [[2, 4]]}, []),
    ],
)
def test_a_screen_that_is_asked_for_is_shown_if_it_belongs_to_this_chapter(
    wish: dict[str, Any], went: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, given, _ = sending("screens", {"at": wish}, monkeypatch)
    assert found == went
    assert given == {
        "key": "screens", "kind": "screens", "step": 2, "seq": 7, "steps": ["a", "b", "c"], "slides": False, "most": 4,
        "choices": [3, 4, 0], "chapter": 4, "next": "Next", "quiet": True, "top": True, "callbacks": ["on_at_change"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sent", "wish", "seq"),
    [
        ({"drawing": {"seq": 6, "at": 1}}, {"seq": 6, "at": 1}, 6),
        ({"drawing": {"seq": None}}, {"seq": None}, 0),
        ({"drawing": [1]}, {}, 0),
        (None, {}, 0),
    ],
)
def test_the_canvas_is_told_its_drawing_its_limits_and_what_it_sent_last(
    sent: object, wish: dict[str, Any], seq: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, given, _ = sending("canvas", sent, monkeypatch, call=False)
    assert found == wish
    assert given == {
        "key": "canvas", "at": 1, "seq": seq, "lines": {"line": [3]}, "callbacks": ["on_drawing_change"],
        "tasks": canvas.sketch.plain(Drawing((DrawnTask("t", ((1, 2),)),))),
        "most": {"tasks": 12, "points": 500, "name": 30},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ({"selection": {"points": [{"customdata": ["t", 2]}, {"customdata": ["u", 3]}]}}, [["t", 2]]),
        ({"selection": {"points": [{"customdata": [7]}]}}, [7]),
        ({"selection": {"points": [{"customdata": 0}]}}, [0]),
        ({"selection": {"points": [{"x": 1}]}}, []),
        ({"selection": {"points": []}}, []),
        (None, []),
    ],
)
def test_a_click_is_read_by_the_data_of_its_first_point(
    sent: object, found: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sending("chart", sent, monkeypatch)[0] == found
