"""What every control of a page does to the link, tried one by one from the same screen (tests/golden)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.screens import link, open_page
from tests.dashboard.test_pages_golden import PAGES
from tests.golden import same

SCREENS = (
    "step", "step-whatif", "step-best", "step-hidden", "step-guessed", "orders", "orders-shared",
    "subsequences", "subsequences-repeats",
)  # fmt: skip
KINDS = ("button", "toggle", "segmented_control", "radio", "selectbox", "number_input")
UNCERTAIN = ("piqp", "daqp", "clarabel")  # solvers that may be installed


def held(app: AppTest) -> dict[str, str]:
    """What the link holds, but for the upload."""
    return {name: link(app, name) for name in app.query_params if name not in ("set", "key")}


def acts(app: AppTest) -> Iterator[tuple[str, int, Any]]:
    """Every control that can be used now, and the limits or the first and last option that it does not stand at."""
    for kind in KINDS:
        for place, control in enumerate(getattr(app.main, kind)):
            if not control.disabled:
                others = other_values(kind, control)
                yield from ((kind, place, value) for value in dict.fromkeys((others[0], others[-1])))


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


def tried(app: AppTest, kind: str, place: int, value: Any) -> str:
    """Use a control and say what became of the link."""
    control, before = getattr(app.main, kind)[place], held(app)
    if kind == "button":
        control.click()
    else:
        if kind in ("segmented_control", "radio", "selectbox"):  # options are chosen as they are shown
            control.__class__ = type("Shown", (type(control),), {"format_func": property(lambda _: str)})
        control.set_value(value)
    app.run()
    assert not app.exception
    after = held(app)
    changes = [
        f"{name}={after.get(name, '')}" for name in sorted({*before, *after}) if before.get(name) != after.get(name)
    ]
    return f"{kind} {control.label!r} → {value}: {', '.join(changes) or 'the link stays'}"


@pytest.mark.parametrize("name", SCREENS)
def test_what_every_control_does_to_the_link(name: str) -> None:
    page, task_set, values = PAGES[name]
    app = open_page(page, task_set, **values)
    start, begins, said = dict(app.query_params), held(app), []
    for act in list(acts(app)):
        said.append(tried(app, *act))
        app.query_params.clear()
        app.query_params.update(start)
        app.run()
        assert held(app) == begins
    same(f"controls-{name}", "\n".join(said))
