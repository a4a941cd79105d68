"""The link: what a page reads of it, what it keeps, and what it forgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import every_order
from dashboard.session import links
from tests.dashboard.screens import SECONDS, drawn, link, open_page, settled


def page() -> None:
    """A page that shows what its link says, and does what `do` says."""
    import json

    import streamlit as st

    from dashboard.session import links

    links.read(st.session_state.get("page", "one"))
    for name, values in json.loads(st.session_state.get("do", "[]")):
        getattr(links, name)(**values)
    st.session_state["do"] = "[]"
    said = {
        "state": links.state(),
        "page": links.page(),
        "text": [links.text("a"), links.text("none"), links.text("none", "usual")],
        "whole": [links.whole("n", 3, 1, 9), links.whole("none", 3, 1, 9), links.whole("a", 3, 1, 9)],
        "number": [links.number("n", 1, 20), links.number("n", 20, 30), links.number("a", 1, 9), links.fixed_C("n")],
        "choice": [links.choice("c", ("Left", "Right"), "Left"), links.choice("a", ("Left", "Right"), "Left")],
        "address": [
            links.address(),
            links.address("other"),
            links.address("p", {"x": "1 2", "key": "s", "table": "t"}),
        ],
    }
    st.code(json.dumps(said))


def opened(**query: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=SECONDS)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def said(app: AppTest) -> dict[str, object]:
    import json

    assert not app.exception
    found: dict[str, object] = json.loads(app.code[0].value)
    return found


def done(app: AppTest, *calls: tuple[str, dict[str, object]]) -> AppTest:
    import json

    app.session_state["do"] = json.dumps(calls)
    return app.run()


def shown(app: AppTest) -> dict[str, str]:
    return {name: link(app, name) for name in app.query_params}


def test_values_are_read_within_their_range_or_by_default() -> None:
    found = said(opened(a="some text", n="12", c="RIGHT", key="secret"))
    assert found["state"] == {"a": "some text", "n": "12", "c": "RIGHT", "key": "secret"}
    assert found["page"] == "one"
    assert found["text"] == ["some text", "", "usual"]
    assert found["whole"] == [9, 3, 3]
    assert found["number"] == [12, None, None, 12]
    for nonsense in ("nan", "-1", "inf", "0", "1e99"):
        assert said(opened(n=nonsense))["number"][-1] is None
    assert found["choice"] == ["Right", "Left"]
    assert said(opened(n="-4"))["whole"] == [1, 3, 3]
    assert said(opened(n="5"))["whole"] == [5, 3, 3]


def test_an_address_has_all_but_what_opens_an_upload() -> None:
    here, other, given = said(opened(a="b c", key="secret", table="t"))["address"]
    assert here.endswith("?a=b+c")
    assert other.endswith("other?a=b+c")
    assert given.endswith("p?x=1+2")
    assert "secret" not in here
    empty = said(opened())["address"][0]
    assert "?" not in empty


def test_what_is_put_is_shown_and_nothing_takes_it_out() -> None:
    app = done(opened(a="1", b="2"), ("put", {"a": 5, "b": None, "c": "x", "d": "", "e": 0.5}))
    assert said(app)["state"] == shown(app) == {"a": "5", "c": "x", "e": "0.5"}
    app = done(app, ("put", {"a": ""}))
    assert shown(app) == {"c": "x", "e": "0.5"}


def test_another_set_forgets_what_speaks_of_tasks_and_other_settings_forget_the_what_if() -> None:
    settings = {"set": "s", "key": "k", "recipe": "r", "holdout": "1", "C": "10", "normalize": "none", "bias": "0",
                "delta": "0.1", "seed": "3", "without": "set", "slides": "1"}  # fmt: skip
    own = {"step": "2", "pick": "1.0", "whatif": "2.0", "ifC": "10", "method": "treemt", "mine": "2.1", "best": "1"}
    app = done(opened(**settings, **own), ("keep_settings", {}))
    assert shown(app) == settings
    app = done(opened(**settings, **own), ("drop_whatif", {}))
    assert shown(app) == settings | {name: own[name] for name in ("step", "method", "mine", "best")}


def test_an_address_that_is_edited_counts_and_one_that_lags_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(a="1")
    app.query_params["a"] = "2"
    assert said(app.run())["state"] == {"a": "2"}
    app = done(app, ("put", {"a": "3"}))
    assert shown(app) == {"a": "3"}
    done(app, ("ignore_stale_address", {}))
    app.query_params["a"] = "2"  # the browser had not heard of the 3 yet
    assert said(app.run())["state"] == {"a": "3"}
    with monkeypatch.context() as slow:
        slow.setattr("dashboard.server.streamlit_internals.is_late", lambda: True)
        for _ in range(2):  # nor has it now
            app.query_params["a"] = "2"
            assert said(app.run())["state"] == shown(app) == {"a": "3"}
        app.session_state["page"] = "two"
        assert said(app.run())["state"] == {"a": "3"}
        app.query_params["a"] = "4"  # a link to another page counts, whatever the browser knows
        app.session_state["page"] = "one"
        assert said(app.run())["state"] == {"a": "4"}
    app.query_params["a"] = "2"  # now somebody went back
    assert said(app.run())["state"] == {"a": "2"}


def test_a_switch_of_pages_keeps_the_state_and_going_back_brings_the_pages_own() -> None:
    app = opened(a="1")
    app.session_state["page"] = "two"
    app.query_params.clear()
    found = said(app.run())
    assert (found["page"], found["state"]) == ("two", {"a": "1"})
    app = done(app, ("put", {"b": "2"}))
    assert shown(app) == {"a": "1", "b": "2"}
    app.query_params.clear()  # back to the address with which the page was entered
    assert said(app.run())["state"] == {"a": "1"}


def test_a_what_if_does_not_outlive_its_task_set_or_its_seed() -> None:
    start = {"set": "plane-tree?train=10", "C": "10", "delta": "0.1", "normalize": "none"}
    own = {"method": "treemt", "whatif": "2.0_1.2", "ifC": "10", "pick": "3.1", "step": "2"}
    app = open_page("step", **start, **own)
    app.number_input(key="w-seed").set_value(3).run()
    assert shown(app) == start | {"method": "treemt", "step": "2", "seed": "3"}
    app = open_page("step", **start, **own)
    app.selectbox(key="w-set").set_value("plane-groups").run()
    assert shown(app) == {"set": "plane-groups", "C": "10", "delta": "0.1"}


def test_a_browser_that_draws_the_list_of_sets_anew_falls_back_to_the_set_of_the_link() -> None:
    app = open_page("tasks", set="plane-groups", C="10")
    for name in ("plane-equal", "plane-misleading"):
        app.selectbox(key="w-set").set_value(name).run()
        box = app.selectbox(key="w-set")
        assert box.options[box.proto.default] == name
        assert box.value == name


SMALL = replace(drawn(4), semantic_order=("task 2", "task 1", "task 4", "task 3"))
_WALKED = every_order(SMALL, C=10.0)
LOWEST = links.encode_order(_WALKED.named(int(np.argsort(_WALKED.test_errors, kind="stable")[0])), SMALL.names)
Act = Callable[[AppTest], object]
CONTROLS: dict[str, tuple[str, dict[str, str], Act, dict[str, str | None]]] = {
    "hide": ("step", {}, lambda app: app.toggle(key="w-hide").set_value(True), {"hide": "1"}),
    "show": ("step", {"hide": "1"}, lambda app: app.toggle(key="w-hide").set_value(False), {"hide": None}),
    "guess": ("step", {"hide": "1"}, lambda app: app.button(key="guess-1-2").click(), {"guesses": "1.3"}),
    "guess more": (
        "step", {"hide": "1", "guesses": "1.3", "step": "2"}, lambda app: app.button(key="guess-2-0").click(),
        {"guesses": "1.3_2.1"},
    ),
    "guess again": (
        "step", {"hide": "1", "guesses": "1.3", "pick": "1.0"}, lambda app: app.button(key="guess-reset").click(),
        {"guesses": None, "pick": None},
    ),
    "best": (
        "step", {"whatif": "2.0", "pick": "1.0"}, lambda app: app.toggle(key="w-best").set_value(True),
        {"best": "1", "whatif": None, "pick": None},
    ),
    "force": (
        "step", {"pick": "1.0"}, lambda app: app.button(key="force").click(),
        {"whatif": "1.0", "pick": None, "method": "seqmt"},
    ),
    "reset": ("step", {"whatif": "1.0"}, lambda app: app.button(key="reset").click(), {"whatif": None}),
    "own scales": ("step", {}, lambda app: grouped(app, "w-scales").set_value("own"), {"scales": "own"}),
    "draws": ("orders", {}, lambda app: grouped(app, "w-draws").set_value("5"), {"draws": "5"}),
    "rank": ("orders", {}, lambda app: app.number_input(key="w-rank").set_value(1), {"picked": LOWEST}),
    "mine": ("orders", {"picked": "4.3.2.1"}, lambda app: labelled(app, "Make it mine").click(), {"mine": "4.3.2.1"}),
    "later": ("orders", {"mine": "4.3.2.1"}, lambda app: labelled(app, "Later").click(), {"mine": "3.4.2.1"}),
    "to the end": ("orders", {"mine": "4.3.2.1"}, lambda app: labelled(app, "To the end").click(), {"mine": "3.2.1.4"}),
    "start": (
        "orders", {"mine": "4.3.2.1"},
        lambda app: app.selectbox(key="w-start-from").set_value("the tasks as they come"),
        {"mine": "1.2.3.4"},
    ),
}  # fmt: skip


def grouped(app: AppTest, key: str) -> Any:
    return next(one for one in app.get("button_group") if one.key == key)


def labelled(app: AppTest, label: str) -> Any:
    return next(one for one in app.button if one.label == label)


@pytest.mark.parametrize("control", CONTROLS)
def test_a_control_writes_into_the_link_what_it_says(control: str) -> None:
    page, query, act, expected = CONTROLS[control]
    app = open_page(page, SMALL, C="10", **query)
    before = shown(app)
    act(app)
    settled(app.run())
    assert not app.exception
    changed = {name: value for name, value in shown(app).items() if before.get(name) != value}
    gone = {name: None for name in before if name not in shown(app)}
    assert changed | gone == expected


def test_an_address_that_the_browser_is_about_to_leave_is_shown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """There and back again within one answer's time: the request of the second change still has the first address."""

    class Params(dict[str, str]):
        def from_dict(self, wanted: dict[str, str]) -> None:
            told.append(dict(wanted))

    told: list[dict[str, str]] = []
    monkeypatch.setattr(links, "st", SimpleNamespace(session_state={}, query_params=Params(step="2")))
    links.put(step=2)
    links.put(step=2)
    assert told == []  # the browser shows it
    links.put(step=3)
    links.put(step=2)
    assert told == [{"step": "3"}, {"step": "2"}]


def test_tasks_and_sources_beyond_the_set_make_no_what_if() -> None:
    names = ("a", "b", "c")
    assert links.decode_choices("3.0_1.3", names) == (("c", None), ("a", "c"))
    for wrong in ("4.0", "0.0", "1.4", "1.5", "1.0_4.1", "1.0_2.4", "1", "1.", ".1", "1.-1", "1.0_"):
        assert links.decode_choices(wrong, names) == (), wrong
