"""A widget that something else changes, too: what the browser still sends of the old one undoes nothing."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.dashboard.screens import SECONDS, open_page


def page() -> None:
    import streamlit as st

    from dashboard.session import widgets

    synced = widgets.synced(
        "w-x", st.session_state.get("value", "a"), lambda _: st.session_state.update(value="reader")
    )
    st.segmented_control("x", ["a", "b"], **synced)
    st.text(synced["key"])


def test_a_change_by_the_reader_keeps_the_widget_and_another_gives_it_a_new_key() -> None:
    app = AppTest.from_function(page, default_timeout=SECONDS).run()
    assert app.text[0].value == "w-x"
    app.session_state["value"] = "b"
    assert app.run().text[0].value == "w-x-1"
    assert app.session_state["w-x-1"] == "b"
    assert app.run().text[0].value == "w-x-1"
    assert app.session_state["value"] == "b"  # no callback took the change for the reader's


def test_a_method_that_two_pages_share_is_shown_on_both() -> None:
    app = open_page("step", method="treemt", C="10")
    app.switch_page("pages/subsequences/page.py").run()
    assert not app.exception
    assert not app.error
    assert app.segmented_control(key="w-method").value == "treemt"
