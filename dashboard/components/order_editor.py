"""Arrange an order of the tasks by mouse or keyboard: choose a task in the list, then move it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard import text
from dashboard.session import links, widgets
from dashboard.session.current import Current

_MOVING = "_moving"


def show(order: tuple[str, ...], now: Current, starts: Mapping[str, tuple[str, ...]]) -> None:
    """The list in the order of learning, with the buttons that move the chosen task; changes go to the link."""
    place = {name: k for k, name in enumerate(order)}
    moving = st.session_state.get(_MOVING)
    moving = moving if moving in place else order[0]

    def put(changed: tuple[str, ...]) -> None:
        links.put(mine=links.encode_order(changed, now.task_set.names))

    def move(to: int) -> None:
        st.session_state[_MOVING] = moving
        rest = [name for name in order if name != moving]
        put((*rest[:to], moving, *rest[to:]))

    left, right = st.columns([3, 2], gap="small")
    with left, st.container(height=min(620, 90 + 26 * len(order)), border=True):
        st.radio(
            "Your order, first task on top",
            order,
            format_func=lambda name: f"{place[name] + 1}\\. {text.md(now.labels[name])}",
            **widgets.synced("w-moving", moving, lambda name: st.session_state.update({_MOVING: name})),
        )
    with right:
        here, last = place[moving], len(order) - 1
        st.caption(f"Move {text.md(text.quoted(moving))}")
        for label, icon, to in (
            ("To the start", "vertical_align_top", 0),
            ("Earlier", "arrow_upward", max(here - 1, 0)),
            ("Later", "arrow_downward", min(here + 1, last)),
            ("To the end", "vertical_align_bottom", last),
        ):
            st.button(label, icon=f":material/{icon}:", width="stretch", disabled=to == here, on_click=move, args=(to,))
        st.selectbox(
            "Start from",
            list(starts),
            placeholder="an order",
            **widgets.synced("w-start-from", None, lambda name: put(starts[name]) if name is not None else None),
        )
