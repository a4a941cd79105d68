"""Every control is used, undone by Back or by Reset, and used again: it does the same, and nothing fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core import TaskSet
from dashboard.session import links
from data.runs.store import Store
from data.sources import sketch as drawing
from tests.dashboard.screens import PAGES, drawn, link, open_page, settled, with_code
from tests.data.runhelp import finished_run, write_tasks

KINDS = ("button", "toggle", "checkbox", "segmented_control", "radio", "selectbox", "number_input", "select_slider",
         "multiselect", "text_input")  # fmt: skip
UNCERTAIN = ("piqp", "daqp", "clarabel")
"""Solvers that may be installed."""
LEARNER = {"C, how much a mistake costs", "Scale every point to length 1", "Append a bias coordinate 1",
           "δ, how often the bound may fail", "Seed", "Measure"}  # fmt: skip
"""What *Reset settings* undoes."""
SKETCH = drawing.encode(
    drawing.Drawing(
        (
            drawing.DrawnTask("east", ((200, 120), (220, 140)), ((60, 120), (40, 140))),
            drawing.DrawnTask("north", ((120, 200), (140, 220)), ((120, 60), (140, 40))),
        )
    )
)
SCREENS: dict[str, tuple[str, TaskSet | None, dict[str, str]]] = {
    **{name: PAGES[name] for name in ("step-whatif", "step-best", "step-hidden", "orders", "subsequences-repeats")},
    "lesson": ("lessons", None, {"lesson": "1", "screen": "2", "guess": "d"}),
    "lesson with a slider": ("lessons", None, {"lesson": "3", "screen": "3"}),
    "draw": ("draw", None, {"drawing": SKETCH, "C": "10"}),
    "compare": ("compare", None, {"set": "plane-equal", "C": "10", "run": "1"}),
    "runs": ("runs", None, {"set": "plane-equal", "C": "10"}),
}  # fmt: skip
SIDEBARS: dict[str, tuple[str, TaskSet | None, dict[str, str]]] = {
    "built-in": ("runs", None, {"set": "plane-equal"}),
    "fixed C": ("step", None, {"set": "plane-equal", "C": "10", "whatif": "2.0"}),
    "upload without test data": ("runs", drawn(3, test=False), {}),
}


@pytest.fixture(autouse=True)
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A store with two runs."""
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))
    with Store() as store:
        for repeats in (2, 3):
            finished_run(store, write_tasks(tmp_path / "three.csv"), repeats)


def held(app: AppTest) -> dict[str, str]:
    return {name: link(app, name) for name in app.query_params if name != "key"}


def fine(app: AppTest, what: object) -> None:
    assert not app.exception, (what, [element.value for element in app.exception])
    unforeseen = [error.value for error in app.error if "nobody foresaw" in error.value or "unexpected" in error.value]
    assert not unforeseen, what


def controls(place: Any) -> Iterator[tuple[str, str, list[Any]]]:
    """Kind, label and two other values (or one twice) of each control that can be used."""
    for kind in KINDS:
        for control in getattr(place, kind):
            if not control.disabled:
                yield kind, control.label, values(kind, control)


def values(kind: str, control: Any) -> list[Any]:
    if kind == "text_input":
        return ["/nowhere", "/"]
    if kind == "multiselect":
        return [list(control.options[:1]), list(control.options[-2:])]
    if kind == "checkbox":
        return [not control.value] * 2
    if kind == "select_slider":
        return [control.options[0], control.options[-1]]
    others = other_values(kind, control)
    return [others[0], others[-1]]


def other_values(kind: str, control: Any) -> list[Any]:
    """All that it could be set to."""
    if kind == "button":
        return ["pressed"]
    if kind == "toggle":
        return [not control.value]
    if kind == "number_input":
        return [value for value in (control.min, control.max) if value != control.value]
    shown = control.formatted_values if kind == "segmented_control" else [control.options[control.index or 0]]
    return [option for option in control.options if option not in (*shown, *UNCERTAIN)] or [shown[0]]


def used(app: AppTest, in_sidebar: bool, kind: str, label: str, value: Any) -> dict[str, str] | None:
    """Use a control; what the link holds then. None if it is not there."""
    found = [one for one in getattr(app.sidebar if in_sidebar else app.main, kind) if one.label == label]
    if not found or found[0].disabled:
        return None
    control = found[0]
    if kind == "button":
        control.click()
    else:
        if hasattr(control, "options"):  # options are chosen as they are shown
            control.__class__ = type("Shown", (type(control),), {"format_func": property(lambda _: str)})
        control.set_value(value)
    app.run()
    fine(app, (kind, label, value))
    return held(app)


def back(app: AppTest, start: dict[str, str]) -> None:
    """As the browser's Back does: an address of before."""
    app.query_params.clear()
    app.query_params.update(start)
    app.run()
    fine(app, "back")


def use_all(app: AppTest, in_sidebar: bool, left_out: tuple[str, ...] = ()) -> int:
    """Each control: a value, Back, a value, Reset, a value, of which the first and one after are the same; how many."""
    start = dict(app.query_params)
    found = [one for one in controls(app.sidebar if in_sidebar else app.main) if one[1] not in left_out]
    for kind, label, (one, other) in found:
        what = (in_sidebar, kind, label)
        undone = in_sidebar and label in LEARNER and not {*links.OF_LEARNER} & {*start}
        first = used(app, *what, one)
        back(app, start)
        after_back = used(app, *what, other if undone else one)
        reset = used(app, True, "button", "Reset settings", None) is not None
        after_reset = used(app, *what, one if undone else other)
        assert (after_reset if undone else after_back) == first, what
        assert reset or not undone, what
        back(app, start)
    return len(found)


@pytest.mark.parametrize("name", SCREENS)
def test_every_control_of_a_page(name: str) -> None:
    page, task_set, query = SCREENS[name]
    app = open_page(page, task_set, **query)
    buttons = tuple(one.label for one in app.main.button) if page == "runs" else ()  # they start, open and delete runs
    assert use_all(settled(app), False, buttons) >= 2


@pytest.mark.parametrize("name", SIDEBARS)
def test_every_control_of_the_sidebar(name: str) -> None:
    page, task_set, query = SIDEBARS[name]
    app = with_code(open_page(page, task_set, **query))
    assert use_all(app, True, ("Report (HTML)", "All sets and their stories", "Reset settings")) >= 10
