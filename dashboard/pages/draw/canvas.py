"""The canvas of the page Draw: tasks in the plane, drawn by mouse, touch or keyboard; see `canvas.js`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dashboard.session import widgets
from data.sources import sketch
from data.sources.sketch import Drawing

_KEY = "canvas"
_canvas = widgets.own_part("canvas", __file__)


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
    return widgets.sent(_KEY, "drawing")
