"""Step through's comparison of the greedy curriculum with the one that has the lowest bound."""

from __future__ import annotations

import streamlit as st

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.orders.best_order import BestOrder, best_order
from dashboard.components import step_text
from dashboard.pages.step import charts
from dashboard.session import current, job_panel, link_codes, links, widgets
from dashboard.session.current import Current

SWITCH = "Compare with the lowest bound"


def wanted() -> bool:
    """Whether the link asks for the comparison, and no what-if stands in its place."""
    return links.text("best") == "1" and not links.text("whatif")


def switch() -> None:
    """Whether to compare; it is in the link."""
    best_key = widgets.synced_key("w-best", wanted())
    st.toggle(
        SWITCH,
        key=best_key,
        on_change=lambda: changed(best_key),
        help="The method takes the best next step and never looks back. This searches all that it could choose for "
        "the lowest bound: exactly for few tasks, else for the best that can be found.",
    )


def changed(key: str) -> None:
    """The two comparisons take the same place, so one ends the other."""
    links.put(best="1" if st.session_state[key] else None, whatif=None, ifC=None, pick=None)


def show_words(now: Current, base: Learned) -> BestOrder | None:
    """What greed costs, in a sentence, as soon as it is known."""
    found = search(now, base.method)
    if found is not None:
        difference = "" if found.greedy_is_best else f" {step_text.difference(base, found.learned)}"
        st.markdown(f":material/compare_arrows: **Lowest bound:** {verdict(found)}{difference}")
    return found


def show(now: Current, base: Learned, found: BestOrder) -> None:
    """The two curricula side by side, and a way to step through the other one."""
    if found.greedy_is_best:
        return
    charts.show_versus(
        now, base, found.learned, "What greed costs: the lowest bound against the method's own", label="lowest bound"
    )
    st.button(
        "Step through the lowest bound",
        key="step-best",
        icon=":material/alt_route:",
        on_click=follow,
        args=(now, found),
    )


def search(now: Current, method: str) -> BestOrder | None:
    """The lowest bound, searched by a worker."""
    settings, problem = now.settings, now.problem

    def work(report: job_panel.Report[BestOrder]) -> BestOrder:
        return best_order(problem, settings.C, method=method, delta=settings.delta, progress=report)

    return current.result(now, f"best-{method} {settings.C}", "Searching the lowest bound", work)


def verdict(found: BestOrder) -> str:
    """How it was searched, and what greed costs."""
    name = METHODS[found.greedy.method]
    how = (
        f"Of all that {name} could choose"
        if found.exact
        else f"Of all that a search keeping {found.width} curricula a step has found"
    )
    if found.greedy_is_best:
        return f"{how}, its own curriculum has the lowest bound: here greed costs nothing."
    return f"{how}, another curriculum has the lowest bound: greed costs {found.gap:.3f}."


def follow(now: Current, found: BestOrder) -> None:
    """Make the lowest bound the what-if: all its choices forced, at the same C."""
    C = next(iter(found.learned.chosen_C.values()))
    links.put(
        whatif=link_codes.encode(found.choices, now.task_set.names),
        ifC=f"{C:g}" if now.settings.C == "shared" else None,
        best=None,
        pick=None,
    )
