"""What pages that show a curriculum share: its method, the reader's what-if, and the search for the lowest bound."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.curriculum.steps import Pair
from core.orders.best_order import BestOrder, best_order
from dashboard.session import current, links, widgets
from dashboard.session.current import Current

RULES = {
    "seqmt": "One sequence: each task starts from the one before.",
    "multiseqmt": "Subsequences: a task continues one of the open subsequences or starts a new one.",
    "treemt": "A forest: a task may start from any task that is already learned, or from none.",
}
"""How each of the methods that choose by eq. (4) goes on, in a sentence."""


def choose_method(default: str, explained: bool = True) -> str:
    """One of the three methods; a what-if belongs to its method, so another method ends it.

    Pages have other defaults, so only that of the first page, SeqMT, is left out of the link.
    """

    def put(method: str) -> None:
        links.put(method=None if method == default == "seqmt" else method)
        links.drop_whatif()

    told = " ".join(f"**{METHODS[key]}**: {rule}" for key, rule in RULES.items()) if explained else None
    return widgets.choice("method", "Method", {key: METHODS[key] for key in RULES}, default, put, help=told)


def of_link(now: Current, method: str) -> Learned | None:
    """What the method learns with the what-if of the link, if there is one; None while it is computed."""
    choices = links.decode_choices(links.text("whatif"), now.task_set.names)
    return current.learned(now, method, choices, C=links.fixed_C("ifC") if choices else None)


def put_whatif(now: Current, choices: Sequence[Pair], C: float, **more: str | None) -> None:
    """Let the method go on from these choices, at the C they are made at, or the two curricula would not compare."""
    fixed = f"{C:g}" if now.settings.C == "shared" else None
    links.put(whatif=links.encode_choices(choices, now.task_set.names), ifC=fixed, pick=None, **more)


def show_whatif(words: str) -> None:
    """What the reader chose, in a sentence, with the way back to the method's own choices."""
    with st.container(horizontal=True, vertical_alignment="center", key="whatif"):
        st.markdown(f":material/alt_route: **What if:** {words}")
        st.button("Reset", key="reset", icon=":material/undo:", on_click=links.drop_whatif)


def lowest_bound(now: Current, method: str, beam: int | None = None) -> BestOrder | None:
    """The curriculum of the lowest bound that the method could choose, searched for by a worker."""
    problem, settings = now.problem, now.settings
    return current.result(
        now,
        f"best-{method} {beam}",
        "Searching for the lowest bound",
        lambda report: best_order(problem, settings.C, method=method, delta=settings.delta, beam=beam, progress=report),
    )
