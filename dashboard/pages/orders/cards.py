"""Two cards of the page Orders: arrange your own order, and look at one of those that were tried."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.orders.ranking import Place, place_learned
from core.statistics.noise import CHANCE, rounded
from dashboard import text
from dashboard.components import figure_card, order_editor
from dashboard.figures.orders import Spread, standing, steps, whisker_words
from dashboard.pages.orders.study import Study, on_draws
from dashboard.session import current, links, widgets
from dashboard.session.current import Current


def put_order(name: str, order: tuple[str, ...] | None, now: Current) -> None:
    """Change an order in the link: `mine`, or the one `picked`."""
    links.put(**{name: None if order is None else links.encode_order(order, now.task_set.names)})


def mine_of_link(now: Current, found: Study) -> Place | None:
    """Where your own order stands, once there is one and it is learned."""
    order = links.decode_order(links.text("mine"), now.task_set.names)
    if order is None:
        return None
    if found.over is None:
        learned = current.learned(now, "order", order=order, C=found.C)
        return None if learned is None else place_learned(found.orders, "Yours", learned)
    if (row := found.orders.row(order)) is not None:
        return found.place("Yours", row)
    count, row_of_tasks = found.over.draws, np.array([[now.task_set.index(name) for name in order]])
    walked = current.result(
        now,
        f"mine {count} {found.own_C} {order!r}",
        "Learning in your order",
        lambda report: on_draws(now, count, 1, found.own_C, report, only=row_of_tasks),
    )
    if walked is None or walked.over is None or walked.over.draws < count:
        return None
    return found.over.place("Yours", walked.over.of_row(0), order)


def picked_of_link(now: Current, found: Study) -> Place | None:
    """The order that was clicked, if it was tried."""
    order = links.decode_order(links.text("picked"), now.task_set.names)
    row = None if order is None else found.orders.row(order)
    return None if row is None else found.place("Picked", row)


def starts(now: Current, found: Study) -> dict[str, tuple[str, ...]]:
    """Orders with a name."""
    known = now.task_set.semantic_order
    first = {"Semantic": known} if known and found.over is not None else {}
    return first | {place.label: place.order for place in found.places if place.order}


def show_mine(now: Current, found: Study, mine: Place | None) -> None:
    """The order that the reader arranges, and how it does against SeqMT."""
    names, named = now.task_set.names, starts(now, found)
    if "SeqMT" in named:
        named["SeqMT, backwards"] = tuple(reversed(named["SeqMT"]))
    named["the tasks as they come"] = names
    figure_card.heading("Beat the algorithm: arrange your own order")
    if mine is None:
        st.caption("Move a task, or start from an order; yours is then marked in the figures.")
    else:
        st.markdown(verdict(mine, found))
    order_editor.show((mine.order if mine else None) or now.task_set.semantic_order or names, now, named)


def verdict(mine: Place, found: Study) -> str:
    """Who won, with the numbers, and whether chance alone would do it."""
    greedy = found.greedy
    if mine.test_error is None or greedy.test_error is None:
        won = "lower than" if mine.bound < greedy.bound - 1e-9 else "not lower than"
        return f"Your bound **{mine.bound:.3f}** is {won} SeqMT's {greedy.bound:.3f}{text.vacuous(mine.bound)}."
    difference = 100.0 * float(rounded(mine.test_error - greedy.test_error))
    where = "on this draw" if found.over is None else "over these draws"
    if difference == 0:
        won = f"**as good as** SeqMT {where}"
    else:
        won = f"{where} it **{'beats' if difference < 0 else 'loses to'}** SeqMT by {abs(difference):.1f} points"
        sure = is_sure(mine, found)
        won += "" if sure is None else ", more than chance would do" if sure else ", which could be chance"
    error = text.error_name(found.orders.measure)
    return (
        f"Your order has a mean {error} of **{text.percent(mine.test_error)}**{whisker_words(mine, found.noise)}, "
        f"{standing(mine)}: {won} ({text.percent(greedy.test_error)}). Its bound is {mine.bound:.3f}, SeqMT's "
        f"{greedy.bound:.3f}{text.vacuous(mine.bound)}."
    )


def is_sure(mine: Place, found: Study) -> bool | None:
    """Whether yours and SeqMT's differ beyond chance; None where that cannot be told.

    Corrected for the number of orders on screen (Bonferroni): yours may have been chosen among them by its test error.
    """
    p_value = None if mine.order is None else found.p_value(mine.order)
    return None if p_value is None else p_value < CHANCE / len(found.orders.orders)


def show_picked(now: Current, found: Study, picked: Place | None) -> None:
    """One of the orders that were tried, by click or by rank."""
    spread = Spread(found.orders, ())
    ranked = np.argsort(spread.values, kind="stable")
    error = text.error_name(found.orders.measure)
    row = None if picked is None or picked.order is None else found.orders.row(picked.order)

    def put(rank: int | None) -> None:
        put_order("picked", None if rank is None else found.orders.named(int(ranked[rank - 1])), now)

    figure_card.heading("Look at one order")
    st.number_input(
        f"Its rank by {'bound' if spread.by_bound else error}, 1 is the lowest (or click a dot above)",
        min_value=1,
        max_value=len(ranked),
        step=1,
        placeholder="none yet",
        **widgets.synced("w-rank", None if row is None else int(np.flatnonzero(ranked == row)[0]) + 1, put),
    )
    if picked is None or picked.order is None:
        for label, order in starts(now, found).items():
            st.caption(f"**{label}**: {text.md(steps(order, now.labels))}")
        return
    if picked.test_error is not None:
        sure = whisker_words(picked, found.noise)
        st.markdown(f"Mean {error} **{text.percent(picked.test_error)}**{sure}, {standing(picked)}.")
    st.markdown(f"Bound **{picked.bound:.3f}**{text.vacuous(picked.bound)}.")
    st.markdown(text.md(steps(picked.order, now.labels)))
    st.button("Make it mine", icon=":material/content_copy:", on_click=put_order, args=("mine", picked.order, now))
