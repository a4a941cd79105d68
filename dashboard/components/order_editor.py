"""Arrange an order of the tasks by mouse or keyboard: choose a task in the list, then move it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard import text
from dashboard.components import order_study
from dashboard.session import links, widgets

_MOVING = "_moving"


def show(
    order: tuple[str, ...], names: tuple[str, ...], labels: Mapping[str, str], starts: Mapping[str, tuple[str, ...]]
) -> None:
    """The list in the order of learning, with the buttons that move the chosen task; changes go to the link."""
    place = {name: k for k, name in enumerate(order)}
    moving = st.session_state.get(_MOVING)
    moving = moving if moving in place else order[0]

    def put(changed: tuple[str, ...]) -> None:
        links.put(mine=order_study.encode(changed, names))

    def move(to: int) -> None:
        st.session_state[_MOVING] = moving
        rest = [name for name in order if name != moving]
        to = min(max(to, 0), len(rest))
        put((*rest[:to], moving, *rest[to:]))

    left, right = st.columns([3, 2], gap="small")
    with left, st.container(height=min(620, 90 + 26 * len(order)), border=True):
        moving_key = widgets.synced_key("w-moving", moving)
        st.radio(
            "Your order, first task on top",
            order,
            key=moving_key,
            format_func=lambda name: f"{place[name] + 1}\\. {text.md(labels[name])}",
            on_change=lambda: st.session_state.update({_MOVING: st.session_state[moving_key]}),
        )
    with right:
        here = place[moving]
        first, last = here == 0, here == len(order) - 1
        st.caption(f"Move {text.md(text.quoted(moving))}")
        st.button("To the start", icon=":material/vertical_align_top:", width="stretch", disabled=first,
                  on_click=move, args=(0,))  # fmt: skip
        st.button("Earlier", icon=":material/arrow_upward:", width="stretch", disabled=first,
                  on_click=move, args=(here - 1,))  # fmt: skip
        st.button("Later", icon=":material/arrow_downward:", width="stretch", disabled=last,
                  on_click=move, args=(here + 1,))  # fmt: skip
        st.button("To the end", icon=":material/vertical_align_bottom:", width="stretch", disabled=last,
                  on_click=move, args=(len(order),))  # fmt: skip
        start_from_key = widgets.synced_key("w-start-from", None)

        def begin() -> None:
            chosen = st.session_state[start_from_key]
            if chosen is not None:
                put(starts[chosen])

        st.selectbox("Start from", list(starts), key=start_from_key, placeholder="an order", on_change=begin)
