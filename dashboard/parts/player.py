"""Forward, back, play and jump, by mouse and keyboard; the step is in the link."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import streamlit as st

from core.curriculum.steps import Candidate
from dashboard.session import links

SECONDS = 1.6
"""Between two steps when playing."""
_PLAYING = "_playing"
_MOVED = "_playing_moved"


def show(chosen: Sequence[Candidate], labels: Mapping[str, str]) -> int:
    """The controls of a curriculum with these choices; returns the step on screen, from 1."""
    n = len(chosen)
    step = links.whole("step", 1, 1, n)
    playing = bool(st.session_state.get(_PLAYING)) and step < n
    st.session_state[_PLAYING] = playing

    def go(to: int) -> None:
        st.session_state[_PLAYING] = False
        _put(to)

    with st.container(horizontal=True, vertical_alignment="bottom", key="player", gap="small"):
        for name, icon, to, key in (
            ("First", ":material/first_page:", 1, "Home"),
            ("Back", ":material/chevron_left:", max(step - 1, 1), "Left"),
        ):
            st.button(name, icon=icon, key=f"go-{name}", shortcut=key, on_click=go, args=(to,), disabled=step == 1)
        st.button(
            "Pause" if playing else "Play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            key="go-Play",
            shortcut="P",
            on_click=_toggle,
            args=(not playing, step, n),
            disabled=n == 1,
        )
        for name, icon, to, key in (
            ("Forward", ":material/chevron_right:", min(step + 1, n), "Right"),
            ("Last", ":material/last_page:", n, "End"),
        ):
            kind = "primary" if name == "Forward" else "secondary"
            st.button(
                name,
                icon=icon,
                key=f"go-{name}",
                shortcut=key,
                on_click=go,
                args=(to,),
                disabled=step == n,
                type=kind,  # type: ignore[arg-type]
            )
        st.session_state["w-step"] = step
        st.selectbox(
            "Jump to step",
            range(1, n + 1),
            key="w-step",
            format_func=lambda k: f"{k} of {n}: {labels[chosen[k - 1].task]}",
            on_change=lambda: go(st.session_state["w-step"]),
            width=260,
        )
    if playing:
        _tick(step)
    return step


def _put(step: int) -> None:
    links.put(step=None if step == 1 else step, pick=None)


def _toggle(play: bool, step: int, n: int) -> None:
    st.session_state[_PLAYING] = play
    st.session_state[_MOVED] = time.monotonic()
    if play and step == n:
        _put(1)


@st.fragment(run_every=SECONDS / 2)
def _tick(step: int) -> None:
    """Moves on when it is time; the fragment's timer stands still while nothing plays."""
    if not st.session_state.get(_PLAYING) or time.monotonic() - st.session_state.get(_MOVED, 0.0) < SECONDS:
        return
    st.session_state[_MOVED] = time.monotonic()
    _put(step + 1)
    st.rerun()
