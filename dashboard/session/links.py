"""The address holds all that is on screen: one flat dictionary of texts, kept by the session and shown in the link.

Pages read with `text`, `whole` or `choice` (which fall back to the default where the link holds nonsense) and write
with `put`; a value that stands at its default is left out. Names in use: set, key, recipe, holdout, C, normalize,
bias, delta, seed, measure (the sidebar); method, step, pick, whatif, ifC, solver, scales, hide, guesses (Step
through); without, slides, figure (lectures); lesson, screen, guess, mine, lessonC (lessons); drawing, at (Draw); other
pages add their own. Tasks stand in it by their positions in the set: a what-if is its forced (task, source) pairs, such
as `4.0_7.4` (0: no source); an order is `3.1.2`.

Streamlit can bind a widget to the address itself (`bind="query-params"`, tried in 1.67). It would replace little of
this: a bound name leaves the address as soon as its widget is not drawn, so other pages would lose it; the key is the
name, so a widget could not get a new key (see `widgets.synced`) and two could not share a name as those of C do;
switches read `true` and `false` alone, so older links with `hide=1` would lose theirs; and `st.query_params`, which
whatever is no widget still needs (step, pick, what-if), refuses bound names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn
from urllib.parse import urlencode

import streamlit as st

from core.curriculum.steps import Pair
from dashboard.server import streamlit_internals

OF_LEARNER = ("C", "normalize", "bias", "delta", "seed", "measure")
OF_SETTINGS = ("set", "key", "recipe", "holdout", *OF_LEARNER, "without", "slides")
"""What belongs to no page; all else speaks of one task set's tasks."""
_PRIVATE = ("key", "table")  # they open the visitor's uploads: no link that is passed on has it
_STATE = "_link"
_SHOWN = "_link_shown"
_PAGE = "_link_page"
_ENTERED = "_link_entered"
_KEEP = "_link_keep"
_OPEN = "_link_open"


def read(page: str) -> None:
    """At the start of a run of a page: an address that is new, edited or gone back to replaces the state.

    A switch to another page empties the address and keeps the state; going back to such an empty address brings back
    what the page was entered with. A browser that has not heard of our last change yet carries an older address, which
    is ignored unless Streamlit says that the reader went back in the browser's history.
    """
    shown = dict(st.query_params)
    entered = st.session_state.setdefault(_ENTERED, {})
    fresh, moved = _STATE not in st.session_state, st.session_state.get(_PAGE) != page
    late = not moved and streamlit_internals.is_late()
    if st.session_state.pop(_KEEP, False) or late:
        shown = st.session_state.get(_SHOWN, shown)
    if fresh or (shown and shown != st.session_state.get(_SHOWN)):
        st.session_state[_STATE] = dict(shown)
        st.session_state[_SHOWN] = dict(shown)
    elif not shown and st.session_state.get(_SHOWN) and not moved:
        st.session_state[_STATE] = dict(entered.get(page, {}))
    if moved:
        entered[page] = state() if not shown else {}
        st.session_state[_PAGE] = page
    _show()


def ignore_stale_address() -> None:
    """Keep the state whatever address this request carries: the callback of widgets that change nothing in the link.

    Their request may have left the browser before it had shown our last change to the address.
    """
    st.session_state[_KEEP] = True


def rerun() -> NoReturn:
    """Run the page again and keep the state, whatever address the browser carries."""
    ignore_stale_address()
    st.rerun()


def open_page(page: str) -> None:
    """In a callback, where Streamlit cannot switch: have the next run open that page, with the link as it then is."""
    st.session_state[_OPEN] = page


def page_to_open() -> str:
    """The page that a callback asked for, once; empty otherwise."""
    return str(st.session_state.pop(_OPEN, ""))


def state() -> dict[str, str]:
    """A copy of what the link holds."""
    return dict(st.session_state.get(_STATE, {}))


def page() -> str:
    """The page that is shown."""
    return str(st.session_state.get(_PAGE, ""))


def text(name: str, default: str = "") -> str:
    """A value as it stands in the link."""
    return str(st.session_state.get(_STATE, {}).get(name, default))


def whole(name: str, default: int, least: int, most: int) -> int:
    """A whole number, brought into its range."""
    try:
        return min(max(int(text(name, str(default))), least), most)
    except ValueError:
        return default


def number(name: str, least: float, most: float) -> float | None:
    """A number, if there is one in that range."""
    try:
        value = float(text(name))
    except ValueError:
        return None
    return value if least <= value <= most else None


def fixed_C(name: str = "C") -> float | None:
    """A number as C, of the settings or (`ifC`) of a what-if; None where there is none."""
    return number(name, 1e-6, 1e9)


def choice(name: str, options: Sequence[str], default: str) -> str:
    """One of the options, in any case."""
    wanted = text(name, default).lower()
    return next((option for option in options if option.lower() == wanted), default)


def put(**values: str | int | float | None) -> None:
    """Change what the link holds; None takes a value out."""
    held = st.session_state.setdefault(_STATE, {})
    for name, value in values.items():
        if value is None or value == "":
            held.pop(name, None)
        else:
            held[name] = str(value)
    _show()


def choose_set(name: str, recipe: str = "") -> None:
    """Put another task set on screen, and drop what belongs to the one before."""
    put(set=name, recipe=recipe, holdout=None, normalize=None, bias=None)
    keep_settings()


def keep_settings() -> None:
    """Drop what speaks of tasks that are no longer there, after another set was chosen."""
    put(**dict.fromkeys(set(state()) - set(OF_SETTINGS)))


def drop_whatif() -> None:
    """Forget choices that belong to other settings."""
    put(whatif=None, ifC=None, pick=None)


def address(page: str = "", values: Mapping[str, str] | None = None) -> str:
    """The whole link of what is on screen, or of other values, to be passed on."""
    here = str(st.context.url or "").split("?")[0]
    shown = state() if values is None else values
    query = urlencode({name: value for name, value in shown.items() if name not in _PRIVATE})
    return f"{here}{page}" + (f"?{query}" if query else "")


def encode_choices(choices: Sequence[Pair], names: Sequence[str]) -> str:
    """The pairs for the link; positions count from 1, since names may be long."""
    place = {name: k for k, name in enumerate(names, start=1)}
    return "_".join(f"{place[task]}.{0 if source is None else place[source]}" for task, source in choices)


def decode_choices(code: str, names: Sequence[str]) -> tuple[Pair, ...]:
    """The pairs of a link; empty if they do not fit the tasks."""
    pairs: list[Pair] = []
    for part in code.split("_") if code else []:
        task, _, source = part.partition(".")
        if not (task.isdecimal() and source.isdecimal()) or len(part) > 20:  # Python reads no endless numbers
            return ()
        if not (1 <= int(task) <= len(names) and 0 <= int(source) <= len(names)):
            return ()
        pairs.append((names[int(task) - 1], names[int(source) - 1] if int(source) else None))
    return tuple(pairs)


def encode_order(order: Sequence[str], names: Sequence[str]) -> str:
    """An order of all tasks for the link."""
    return ".".join(str(names.index(name) + 1) for name in order)


def decode_order(code: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The order of a link; None if it does not name every task once."""
    parts = code.split(".")
    if sorted(parts) != sorted(str(k + 1) for k in range(len(names))):
        return None
    return tuple(names[int(part) - 1] for part in parts)


def _show() -> None:
    """Show the state in the address, unless the browser shows it and was told nothing else since its request left."""
    wanted = state()
    if wanted != dict(st.query_params) or wanted != st.session_state.get(_SHOWN, wanted):
        st.query_params.from_dict(wanted)
    st.session_state[_SHOWN] = wanted
