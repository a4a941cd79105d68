"""What the Orders page is asked for: how many draws, how many orders, at which C; and a set where the story holds."""

from __future__ import annotations

import streamlit as st

from core.orders.all_orders import LIMIT
from dashboard import text
from dashboard.components import order_study
from dashboard.pages.orders import samples_study
from dashboard.session import links, widgets
from dashboard.session.current import Current
from data.runs import example
from data.runs.store import Run
from data.sources.catalogue import STORY_C, STORY_SET

DRAWS = """One draw shows that draw alone; over more the same orders run on each, and means are shown. A stored run
needs no computing."""
OWN_C = """**SeqMT's, for all**: the C that cross-validation chose for SeqMT: quick, and bounds compare like with like.
**each its own**: every order is cross-validated as a method of its own: slow for many orders, and an order that picks a
small C has a small bound for that reason alone."""


def choose(now: Current) -> tuple[int, bool, str]:
    """How many orders, whether each has its own C, and how many draws."""
    limit = order_study.default_limit(now.task_set)
    own_C = True
    runs = samples_study.stored(now)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        names = {str(count): str(count) for count in samples_study.COUNTS}
        names |= {name: _stored_words(run) for name, run in list(runs.items())[:3]}
        draws = "1"
        if now.task_set.has_test or now.uploaded:
            draws = pick("draws", "Draws of the task set", names, "1", DRAWS)
        if order_study.count_orders(now.task_set) > LIMIT and draws not in runs:
            samples = {str(sample): f"{sample:,}" for sample in order_study.SAMPLES}
            limit = int(pick("limit", "Random orders to try", samples, str(limit)))
        if now.settings.C == "shared" and draws not in runs:
            options = {"seqmt": "SeqMT's, for all", "own": "each its own"}
            own_C = pick("ordersC", "C of the orders", options, "seqmt", OWN_C) == "own"
        if order_study.count_orders(now.task_set) > LIMIT:
            st.button(
                f"The example: all orders of {STORY_SET}", icon=":material/lightbulb:", on_click=open_example,
                help=f"At C = {STORY_C:g}, over 20 draws, as in the paper's Figure 3.",
            )  # fmt: skip
    return limit, own_C, draws


def _stored_words(run: Run) -> str:
    which = "example" if run.id == example.ID else f"run {run.id}"
    return f"{which}: {run.settings.repeats}, C {text.setting(run.settings.C)}"


def open_example() -> None:
    """A set of five tasks on which the paper's story shows, over draws."""
    links.put(**dict.fromkeys(links.state()))
    links.put(set=STORY_SET, C=f"{STORY_C:g}", draws="20")


def pick(name: str, label: str, options: dict[str, str], default: str, help: str | None = None) -> str:
    """A choice that the link holds."""
    key = widgets.synced_key(f"w-{name}", links.choice(name, tuple(options), default))
    st.segmented_control(
        label, list(options), key=key, required=True, format_func=options.__getitem__, help=help,
        on_change=lambda: links.put(**{name: None if st.session_state[key] == default else st.session_state[key]}),
    )  # fmt: skip
    return str(st.session_state[key])
