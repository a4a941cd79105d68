"""Where not all orders are tried: a search for the one of the lowest bound, when it is asked for."""

from __future__ import annotations

import streamlit as st

from core.orders.best_order import EXACT_UP_TO, BestOrder, best_order
from core.orders.over_samples import LOWEST
from core.orders.ranking import Place, place_learned
from dashboard.components.order_study import Study, Tried
from dashboard.figures.strips import FOUND
from dashboard.session import current, links
from dashboard.session.current import Current
from dashboard.session.job_panel import Report

BEAM = 200
"""Orders that are kept at every step where there are too many tasks for an exact search: some seconds' worth."""


def lowest_on(now: Current, found: Study) -> Place | None:
    """The order that was found, marked by how sure that is; a button to begin with. All orders need no search."""
    if not isinstance(found, Tried) or found.orders.complete:
        return None
    if links.text("best") != "1":
        st.button(
            "Search for the lowest bound", icon=":material/search:", on_click=lambda: links.put(best=1),
            help="The order that a perfect search would find, exactly for up to ten tasks, else the best of a beam "
            f"search that keeps {BEAM} orders at every step: what does SeqMT's greed cost?",
        )  # fmt: skip
        return None
    problem, C, delta, C_choices = now.problem, found.C, now.settings.delta, found.C_choices
    beam = None if len(now.task_set) <= EXACT_UP_TO["seqmt"] else BEAM

    def work(report: Report[BestOrder]) -> BestOrder:
        return best_order(problem, C, delta=delta, beam=beam, C_choices=C_choices, progress=report)

    best = current.result(now, f"best {C} {beam}", "Searching for the lowest bound", work)
    return None if best is None else place_learned(found.orders, LOWEST if best.exact else FOUND, best.learned)
