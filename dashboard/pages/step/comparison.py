"""Two curricula beside each other: the method's own, and the what-if or the one of the lowest bound."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.curriculum.learn import Learned
from core.curriculum.methods import METHODS
from core.orders.best_order import BestOrder
from dashboard import text
from dashboard.components import curricula, figure_card, step_text
from dashboard.figures import curricula as curricula_figure
from dashboard.session import links, widgets
from dashboard.session.current import Current


def best_wanted() -> bool:
    """Whether the link asks for the lowest bound, and no what-if stands in its place."""
    return links.text("best") == "1" and not links.text("whatif")


def switch() -> None:
    """Whether to compare with the lowest bound, which takes the place of a what-if."""
    st.toggle(
        "Compare with the lowest bound",
        help="The method takes the best next step and never looks back. This searches all that it could choose for "
        "the lowest bound: exactly for few tasks, else for the best that can be found.",
        **widgets.synced(
            "w-best", best_wanted(), lambda on: links.put(best=1 if on else None, whatif=None, ifC=None, pick=None)
        ),
    )


def show_words(base: Learned, found: BestOrder) -> None:
    """How the lowest bound was searched, and what greed costs."""
    kept = f"Of all that a search keeping {found.width} curricula per step has found"
    how = f"Of all that {METHODS[base.method]} could choose" if found.exact else kept
    if found.greedy_is_best:
        said = "its own curriculum has the lowest bound: here greed costs nothing."
    else:
        said = f"another curriculum has the lowest bound: greed costs {found.gap:.3f}. "
        said += step_text.difference(base, found.learned)
    st.markdown(f":material/compare_arrows: **Lowest bound:** {how}, {said}")


def show_best(now: Current, base: Learned, found: BestOrder) -> None:
    """Beside the method's own curriculum that of the lowest bound, and a way to step through it."""
    if found.greedy_is_best:
        return
    heading = "What greed costs: the lowest bound against the method's own"
    show(now, base, found.learned, heading, label="lowest bound")

    def follow() -> None:
        """Make it the what-if: all its choices forced, at the same C."""
        curricula.put_whatif(now, found.choices, next(iter(found.learned.chosen_C.values())), best=None)

    st.button("Step through the lowest bound", key="step-best", icon=":material/alt_route:", on_click=follow)


def show(
    now: Current, base: Learned, other: Learned, heading: str, forced: Sequence[int] = (), label: str = "what if"
) -> None:
    """The method's own curriculum and another, which the label names; `forced` are its steps that a person chose."""
    assert base.bound is not None
    assert other.bound is not None
    figure_card.heading(heading, 3)
    columns = st.columns(4)
    change = other.bound.value - base.bound.value
    columns[0].metric("Bound, own", f"{base.bound.value:.3f}")
    _changed(columns[1], f"Bound, {label}", f"{other.bound.value:.3f}", change, 3)
    if base.mean_test_error is not None and other.mean_test_error is not None:
        points = 100 * (other.mean_test_error - base.mean_test_error)
        columns[2].metric("Mean test error, own", text.percent(base.mean_test_error))
        _changed(columns[3], f"Mean test error, {label}", text.percent(other.mean_test_error), points, 1, " points")
    figure_card.show(curricula_figure.diff(base, other, now.colours, now.labels, now.dark, forced, label))


def _changed(column: DeltaGenerator, name: str, value: str, change: float, digits: int, unit: str = "") -> None:
    """A number with how much lower (good) or higher it is; no arrow where the change rounds to nothing."""
    if round(change, digits) == 0.0:
        column.metric(name, value, "the same", delta_color="off", delta_arrow="off")
        return
    lower = change < 0  # said twice, as Streamlit takes only a hyphen for a minus
    shown = f"{text.number(change, digits, sign=True)}{unit}"
    column.metric(name, value, shown, delta_color="green" if lower else "red", delta_arrow="down" if lower else "up")
