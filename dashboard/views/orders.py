"""Page 4: does the order matter, and does the bound choose well?"""

import numpy as np
import streamlit as st

from core.analysis.all_orders import LIMIT
from core.analysis.ranking import Place, agreement, place_learned, place_row
from core.curriculum.learn import Learned
from dashboard import text as words
from dashboard.figures import agreement as agreement_figure
from dashboard.figures import orders as orders_figure
from dashboard.figures.agreement import Agreement
from dashboard.figures.orders import Spread, standing, steps
from dashboard.parts import arranging, framing, order_study
from dashboard.parts.order_study import Tried
from dashboard.session import current as cached
from dashboard.session import links
from dashboard.session.current import Current
from dashboard.session.job_panel import Report
from dashboard.shell import codebox

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def main() -> None:
    """Settings of this page, both figures, the picked order, your own order."""
    now = cached.current()
    st.title("Orders")
    if len(now.task_set) < 2:
        st.info("One task has only one order: choose or upload a set of at least two tasks to compare orders.")
        return
    limit, own_C = choose(now)
    problem, settings = now.problem, now.settings
    found = cached.result(
        now,
        f"orders {limit} {own_C}",
        "Trying orders",
        lambda report: order_study.try_orders(problem, settings.C, settings.delta, limit, own_C, report),
        lambda partial: show_partial(now, partial),
    )
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(stated(now, found), width="stretch")
        with st.popover("Command line", type="tertiary", icon=":material/terminal:"):
            learning = codebox.command(now, "seqmt", found.C)
            st.code(order_study.command(learning, limit), language="bash", wrap_lines=True)
    mine, picked = mine_on(now, found), picked_on(now, found)
    places = (*found.places, *([mine] if mine else []), *([picked] if picked else []))
    show_figures(now, found, places)
    left, right = st.columns(2, gap="medium")
    with left, st.container(key="figure-mine"):
        show_mine(now, found, mine)
    with right, st.container(key="figure-picked"):
        show_picked(now, found, picked)


def choose(now: Current) -> tuple[int, bool]:
    """How many orders, and whether each has its own C."""
    sampled = order_study.count_orders(now.task_set) > LIMIT
    limit = order_study.default_limit(now.task_set)
    with st.container(horizontal=True, gap="large"):
        if sampled:
            options = {str(sample): sample for sample in order_study.SAMPLES}
            st.session_state["w-limit"] = links.choice("limit", tuple(options), str(limit))
            default = str(limit)
            st.segmented_control(
                "Random orders to try", list(options), key="w-limit", required=True,
                on_change=lambda: links.put(
                    limit=None if st.session_state["w-limit"] == default else st.session_state["w-limit"]),
            )  # fmt: skip
            limit = options[st.session_state["w-limit"]]
        if now.settings.C == "shared":
            st.session_state["w-ordersC"] = links.choice("ordersC", ("seqmt", "own"), "seqmt")
            st.segmented_control(
                "C of the orders", ["seqmt", "own"], key="w-ordersC", required=True,
                format_func={"seqmt": "SeqMT's, for all", "own": "each its own"}.__getitem__,
                help="**SeqMT's, for all**: the C that cross-validation chose for SeqMT: quick, and bounds compare "
                "like with like. **each its own**: every order is cross-validated as a method of its own: slow for "
                "many orders, and an order that picks a small C has a small bound for that reason alone.",
                on_change=lambda: links.put(
                    ordersC=None if st.session_state["w-ordersC"] == "seqmt" else st.session_state["w-ordersC"]),
            )  # fmt: skip
            return limit, st.session_state["w-ordersC"] == "own"
    return limit, True


def stated(now: Current, found: Tried) -> str:
    """What was tried, in a line or two."""
    count, of = len(found.orders.orders), order_study.count_orders(now.task_set)
    if found.orders.complete:
        text = f"**All {count:,} orders** of {len(now.task_set)} tasks"
    else:
        shown = f"{of:,}" if of < 10**9 else f"some 10{str(len(str(of)) - 1).translate(RAISED)}"
        text = f"**A random sample of {count:,}** of {shown} orders of {len(now.task_set)} tasks"
    if isinstance(found.C, float):
        chosen = ", which cross-validation chose for SeqMT" if now.settings.C == "shared" else ""
        text += f", all with C = {found.C:g}{chosen}."
    else:
        text += {
            "shared": ", each with its own C by cross-validation. **A small C makes a small bound, so bounds of unlike "
            "C are hard to compare.**",
            "each": "; every fit picks C.",
        }[found.C]
    if found.orders.test_errors is None:
        text += " **Not every task has test data, so only the bound can be shown.**"
    return text


def show_partial(now: Current, found: Tried) -> None:
    """What has come so far."""
    spread = Spread(found.orders, found.places)
    framing.heading(f"So far {len(found.orders.orders):,} orders: {spread.title}")
    st.plotly_chart(orders_figure.figure(spread, now.dark), key="chart-partial", theme=None, alt=spread.title)


def picked_order() -> None:
    """Keep a click of either figure; a figure that was drawn anew reports an empty selection, which is no click."""
    for key in ("orders", "bound-against-error"):
        at = framing.clicked(key)
        if at is not None:
            st.session_state["_clicked_order"] = int(at[0] if isinstance(at, list) else at)


def show_figures(now: Current, found: Tried, places: tuple[Place, ...]) -> None:
    """The violin and the bound against the test error."""
    spread = Spread(found.orders, places)
    names = now.task_set.names
    row = st.session_state.pop("_clicked_order", None)
    if row is not None and row < len(found.orders.orders):
        links.put(picked=order_study.encode(found.orders.named(row), names))
        st.rerun()
    halves = st.columns(2, gap="medium") if not spread.by_bound else (st.container(), st.container())
    with halves[0]:
        framing.figure(
            orders_figure.figure(spread, now.dark),
            key="orders",
            title=spread.title,
            read="Every dot is one order of the tasks, by its "
            + ("bound" if spread.by_bound else "mean test error over all tasks")
            + "; up and down means nothing, it only keeps dots apart. The violin is wide where many orders are. Each "
            "row above marks a method or an order. *Random* is the mean over all orders shown: what a random order can "
            "expect. **Click a dot** to see its order.",
            alt=f"{spread.title}. "
            + "; ".join(f"{place.label} {spread.written(spread.value(place))}, {standing(place)}" for place in places),
            table=orders_figure.table(spread),
            on_select=picked_order,
        )
    if spread.by_bound:
        return
    greedy = found.learned["SeqMT"].bound
    rank = None if greedy is None else found.orders.rank_by_bound(greedy.value)
    relation = Agreement(found.orders, places, agreement(found.orders), rank)
    with halves[1]:
        framing.figure(
            agreement_figure.figure(relation, now.dark),
            key="bound-against-error",
            title=relation.title,
            read="Every dot is one order: to the right its bound, upwards its mean test error. A learner sees only the "
            "bound. If dots rise to the right, choosing a low bound chooses a low error. The rank correlation is "
            "Spearman's: 1 the same ranking, 0 none, −1 the opposite. Only the ranking counts here: a bound above ½ "
            "says nothing about the error itself. **Click a dot** to see its order.",
            alt=f"{relation.title}. {relation.greedy_words}",
            table=orders_figure.orders_table(found.orders),
            on_select=picked_order,
        )
        st.markdown(words.md(relation.greedy_words))


def mine_on(now: Current, found: Tried) -> Place | None:
    """Where your own order lands, once there is one."""
    order = order_study.decode(links.text("mine"), now.task_set.names)
    if order is None:
        return None
    problem, C, delta = now.problem, found.C, now.settings.delta

    def work(report: Report[Learned]) -> Learned:
        return problem.learn("order", C, delta=delta, order=order, progress=report)

    learned = cached.result(now, f"mine {C} {order!r}", "Learning in your order", work)
    return None if learned is None else place_learned(found.orders, "Yours", learned)


def picked_on(now: Current, found: Tried) -> Place | None:
    """The order that was clicked, if it was walked."""
    order = order_study.decode(links.text("picked"), now.task_set.names)
    row = None if order is None else found.orders.row(order)
    return None if row is None else place_row(found.orders, "Picked", row)


def show_mine(now: Current, found: Tried, mine: Place | None) -> None:
    """Beat the algorithm."""
    names = now.task_set.names
    methods = {label: learned.order for label, learned in found.learned.items()}
    starts = methods | {
        place.label: place.order for place in found.places if place.order and place.label not in methods
    }
    starts |= {"SeqMT, backwards": tuple(reversed(methods["SeqMT"])), "the tasks as they come": names}
    order = (mine.order if mine else None) or now.task_set.semantic_order or names
    framing.heading("Beat the algorithm: arrange your own order")
    if mine is None:
        st.caption("Move a task, or start from an order; yours is then marked in the figures.")
    else:
        st.markdown(verdict(mine, next(place for place in found.places if place.label == "SeqMT")))
    arranging.show(order, names, now.labels, starts)


def verdict(mine: Place, greedy: Place) -> str:
    """Who won, with the numbers."""
    if mine.test_error is None or greedy.test_error is None:
        won = "lower than" if mine.bound < greedy.bound - 1e-9 else "not lower than"
        return f"Your bound **{mine.bound:.3f}** is {won} SeqMT's {greedy.bound:.3f}."
    difference = 100.0 * (mine.test_error - greedy.test_error)
    if abs(difference) < 1e-9:
        won = "**as good as** SeqMT"
    else:
        won = f"**{'beats' if difference < 0 else 'loses to'}** SeqMT by {abs(difference):.1f} points"
    return (
        f"Your order has a mean test error of **{mine.test_error:.1%}**, {standing(mine)}: {won} "
        f"({greedy.test_error:.1%}). Its bound is {mine.bound:.3f}, SeqMT's {greedy.bound:.3f}."
    )


def show_picked(now: Current, found: Tried, picked: Place | None) -> None:
    """One of the walked orders, by click or by rank."""
    names = now.task_set.names
    spread = Spread(found.orders, ())
    ranked = np.argsort(spread.values, kind="stable")
    what = "bound" if spread.by_bound else "test error"
    framing.heading("Look at one order")
    row = None if picked is None or picked.order is None else found.orders.row(picked.order)
    st.session_state["w-rank"] = None if row is None else int(np.flatnonzero(ranked == row)[0]) + 1

    def chosen() -> None:
        rank = st.session_state["w-rank"]
        order = None if rank is None else found.orders.named(int(ranked[rank - 1]))
        links.put(picked=None if order is None else order_study.encode(order, names))

    st.number_input(
        f"Its rank by {what}, 1 is the lowest (or click a dot above)", min_value=1, max_value=len(ranked), step=1,
        key="w-rank", placeholder="none yet", on_change=chosen,
    )  # fmt: skip
    if picked is None or picked.order is None:
        return
    error = "" if picked.test_error is None else f"Mean test error **{picked.test_error:.1%}**, {standing(picked)}. "
    st.markdown(f"{error}Bound **{picked.bound:.3f}**.")
    st.markdown(words.md(steps(picked.order, now.labels)))
    st.button(
        "Make it mine", icon=":material/content_copy:",
        on_click=lambda: links.put(mine=order_study.encode(picked.order or names, names)),
    )  # fmt: skip


main()
