"""Two cards of the Orders page: arrange your own order, and look at one of those walked."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.curriculum.learn import Learned
from core.orders.ranking import Place, place_learned, place_row
from core.statistics.noise import CHANCE, by_row, cochran_q, mcnemar, rounded
from core.statistics.t_test import estimate
from core.task_set import FloatArray
from dashboard import text
from dashboard.components import figure_card, order_editor, order_study, repeated_curricula
from dashboard.components.order_study import Study, Tried
from dashboard.figures.orders import Spread, standing, steps, whisker_words
from dashboard.pages.orders import samples_study
from dashboard.pages.orders.samples_study import Drawn
from dashboard.session import current, links, widgets
from dashboard.session.current import Current
from dashboard.session.job_panel import Report


def mine_on(now: Current, found: Study, own_C: bool) -> Place | None:
    """Where your own order lands, once there is one."""
    order = order_study.decode(links.text("mine"), now.task_set.names)
    if order is None:
        return None
    if isinstance(found, Drawn):
        values = _over_draws(now, found, order, own_C)
        return None if values is None else found.place_of("Yours", values, order)
    problem, C, delta = now.problem, found.C, now.settings.delta
    C_choices = found.C_choices if isinstance(found, Tried) else 1

    def work(report: Report[Learned]) -> Learned:
        return problem.learn("order", C, delta=delta, order=order, C_choices=C_choices, progress=report)

    learned = current.result(now, f"mine {C} {order!r}", "Learning in your order", work)
    return None if learned is None else place_learned(found.orders, "Yours", learned)


def _over_draws(now: Current, found: Drawn, order: tuple[str, ...], own_C: bool) -> FloatArray | None:
    """Your order on every draw: one of those walked, or else walked now."""
    known = found.values_of(order)
    if known is not None:
        return known
    count, settings = found.over.draws, now.settings
    row = np.array([[now.task_set.index(name) for name in order]])

    def work(report: Report[Drawn]) -> Drawn:
        return samples_study.draw(repeated_curricula.source_of(now), count, settings, 1, own_C, report, only=row)

    walked = current.result(now, f"mine {count} {own_C} {order!r}", "Learning in your order", work)
    return None if walked is None or walked.over.draws < count else walked.over.of_row(0)


def picked_on(now: Current, found: Study) -> Place | None:
    """The order that was clicked, if it was walked."""
    order = order_study.decode(links.text("picked"), now.task_set.names)
    row = None if order is None else found.orders.row(order)
    if row is None or order is None:
        return None
    if isinstance(found, Drawn):
        return found.place_of("Picked", found.over.of_row(row), order)
    return place_row(found.orders, "Picked", row)


def show_mine(now: Current, found: Study, mine: Place | None) -> None:
    """Beat the algorithm."""
    names = now.task_set.names
    starts = dict(found.starts)
    if "SeqMT" in starts:
        starts["SeqMT, backwards"] = tuple(reversed(starts["SeqMT"]))
    starts["the tasks as they come"] = names
    order = (mine.order if mine else None) or now.task_set.semantic_order or names
    figure_card.heading("Beat the algorithm: arrange your own order")
    if mine is None:
        st.caption("Move a task, or start from an order; yours is then marked in the figures.")
    else:
        st.markdown(verdict(mine, next(place for place in found.places if place.label == "SeqMT"), found))
    order_editor.show(order, names, now.labels, starts)


def verdict(mine: Place, greedy: Place, found: Study) -> str:
    """Who won, with the numbers, and whether chance alone would do it."""
    if mine.test_error is None or greedy.test_error is None:
        won = "lower than" if mine.bound < greedy.bound - 1e-9 else "not lower than"
        return f"Your bound **{mine.bound:.3f}** is {won} SeqMT's {greedy.bound:.3f}{text.vacuous(mine.bound)}."
    difference = 100.0 * float(rounded(mine.test_error - greedy.test_error))
    where = "on this draw" if isinstance(found, Tried) else "over these draws"
    if difference == 0:
        won = f"**as good as** SeqMT {where}"
    else:
        won = f"{where} it **{'beats' if difference < 0 else 'loses to'}** SeqMT by {abs(difference):.1f} points"
        sure = _sure(mine, found)
        won += "" if sure is None else ", more than chance would do" if sure else ", which could be chance"
    error = text.error_name(found.orders.measure)
    return (
        f"Your order has a mean {error} of **{text.percent(mine.test_error)}**{whisker_words(mine, found.noise)}, "
        f"{standing(mine)}: {won} ({text.percent(greedy.test_error)}). Its bound is {mine.bound:.3f}, SeqMT's "
        f"{greedy.bound:.3f}{text.vacuous(mine.bound)}."
    )


def _sure(mine: Place, found: Study) -> bool | None:
    """Whether yours and SeqMT's differ beyond chance: on the same test points, or on the same draws.

    Corrected for the number of orders on screen (Bonferroni): yours may have been chosen among them by its test error.
    """
    if mine.order is None:
        return None
    chance = CHANCE / len(found.orders.orders)
    if isinstance(found, Drawn):
        values = found.values_of(mine.order)
        if values is None:
            return None
        difference = estimate(values[0] - found.over.methods["SeqMT"][0], found.over.overlap)
        return None if difference is None else difference.p_value < chance
    greedy = found.learned["SeqMT"].order if isinstance(found, Tried) else mine.order
    rows = [row for order in (mine.order, greedy) if (row := found.orders.row(order)) is not None]
    points = found.orders.points
    if points is None or len(rows) < 2:
        return None
    wrong = points.wrong[rows]
    if found.orders.measure == "balanced":
        return cochran_q(wrong, points.rows, points.shares).p_value < chance  # of two: McNemar's test, at their costs
    more = by_row((wrong[0] * 1.0 - wrong[1])[None], points.rows)[0]
    return mcnemar(more > 0, more < 0) < chance


def show_picked(now: Current, found: Study, picked: Place | None) -> None:
    """One of the walked orders, by click or by rank."""
    names = now.task_set.names
    spread = Spread(found.orders, ())
    ranked = np.argsort(spread.values, kind="stable")
    error = text.error_name(found.orders.measure)
    what = "bound" if spread.by_bound else error
    figure_card.heading("Look at one order")
    row = None if picked is None or picked.order is None else found.orders.row(picked.order)
    rank_key = widgets.synced_key("w-rank", None if row is None else int(np.flatnonzero(ranked == row)[0]) + 1)

    def chosen() -> None:
        rank = st.session_state[rank_key]
        order = None if rank is None else found.orders.named(int(ranked[rank - 1]))
        links.put(picked=None if order is None else order_study.encode(order, names))

    st.number_input(
        f"Its rank by {what}, 1 is the lowest (or click a dot above)", min_value=1, max_value=len(ranked), step=1,
        key=rank_key, placeholder="none yet", on_change=chosen,
    )  # fmt: skip
    if picked is None or picked.order is None:
        for label, order in found.starts.items():
            st.caption(f"**{label}**: {text.md(steps(order, now.labels))}")
        return
    if picked.test_error is not None:
        sure = whisker_words(picked, found.noise)
        st.markdown(f"Mean {error} **{text.percent(picked.test_error)}**{sure}, {standing(picked)}.")
    st.markdown(f"Bound **{picked.bound:.3f}**{text.vacuous(picked.bound)}.")
    st.markdown(text.md(steps(picked.order, now.labels)))
    st.button(
        "Make it mine", icon=":material/content_copy:",
        on_click=lambda: links.put(mine=order_study.encode(picked.order or names, names)),
    )  # fmt: skip
