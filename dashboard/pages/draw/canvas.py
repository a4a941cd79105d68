"""The canvas of the page Draw: tasks in the plane, drawn by mouse, touch or keyboard; see `canvas.js`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from data.sources import sketch
from data.sources.sketch import Drawing

_KEY = "canvas"
_HERE = Path(__file__)


def _text(suffix: str) -> str:
    return _HERE.with_suffix(suffix).read_text(encoding="utf-8")


_canvas = st.components.v2.component("curriculab_canvas", html=_text(".html"), css=_text(".css"), js=_text(".js"))


def show(drawing: Drawing, selected: int, lines: Mapping[str, Any], changed: Callable[[], None]) -> None:
    """The canvas with this drawing; `changed` is called when the browser sent another (see `sent`)."""
    data = {
        "tasks": sketch.plain(drawing),
        "at": selected,
        "seq": int(sent().get("seq") or 0),
        "lines": dict(lines),
        "most": {"tasks": sketch.MOST_TASKS, "points": sketch.MOST_POINTS, "name": sketch.LONGEST_NAME},
    }
    _canvas(key=_KEY, data=data, on_drawing_change=changed)


def sent() -> dict[str, Any]:
    """What the browser sent last: `tasks`, `at` (the selected one) and `seq`, which counts what it sent."""
    found = (st.session_state.get(_KEY) or {}).get("drawing")
    return found if isinstance(found, dict) else {}
