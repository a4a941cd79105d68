"""Page 4: does the order matter, and does the bound choose well?"""

import streamlit as st

from core.orders.ranking import Place
from core.statistics.data_checks import unequal
from dashboard import text
from dashboard.components import code_box, data_warnings, figure_card, order_study, repeated_curricula
from dashboard.components.order_study import Study, Tried
from dashboard.figures import agreement as agreement_figure
from dashboard.figures import by_draw, class_balance
from dashboard.figures import orders as orders_figure
from dashboard.figures.agreement import Agreement
from dashboard.figures.orders import Spread, standing
from dashboard.pages.orders import lowest_bound, order_cards, order_settings, samples_study
from dashboard.pages.orders.samples_study import Drawn
from dashboard.session import current, links
from dashboard.session.current import Current
from data.task_names import counted

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def main() -> None:
    """Settings of this page, both figures, the picked order, your own order."""
    now = current.current()
    st.title("Orders")
    if len(now.task_set) < 2:
        st.info("One task has only one order: choose or upload a set of at least two tasks to compare orders.")
        return
    limit, own_C, draws = order_settings.choose(now)
    found = study(now, limit, own_C, draws)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(stated(now, found, draws), width="stretch")
        with st.popover("Command line", type="tertiary", icon=":material/terminal:"):
            learning = code_box.command(now, "seqmt", found.C)
            st.code(
                order_study.command(learning, limit, own_C and found.C == "shared"), language="bash", wrap_lines=True
            )
    mine, picked = order_cards.mine_on(now, found, own_C), order_cards.picked_on(now, found)
    lowest = lowest_bound.lowest_on(now, found)
    places = (*found.places, *(place for place in (lowest, mine, picked) if place is not None))
    relation = Agreement(found.orders, places, found.noise, greedy_rank(found), C_words(found))
    if found.noise is not None:
        said = orders_figure.noise_words(found.noise, f"mean {relation.error}")
        st.markdown(f"{said} {text.md(greed(found, relation))}")
    if isinstance(found, Tried):
        data_warnings.show_majority(now, found.learned["SeqMT"])
    elif isinstance(found, Drawn) and found.against is not None and unequal(now.task_set):
        data_warnings.show_against(class_balance.words("SeqMT", found.against, found.orders.measure))
    show_figures(now, found, relation)
    left, right = st.columns(2, gap="medium")
    with left, st.container(key="figure-mine", height="stretch"):
        order_cards.show_mine(now, found, mine)
    with right, st.container(key="figure-picked", height="stretch"):
        order_cards.show_picked(now, found, picked)


def study(now: Current, limit: int, own_C: bool, draws: str) -> Study | None:
    """What was asked for, or None while it is computed."""
    problem, settings = now.problem, now.settings
    if draws.startswith("run"):
        return samples_study.of_run(samples_study.stored(now)[draws], now)
    if draws == "1":
        return current.result(
            now,
            f"orders {limit} {own_C}",
            "Trying orders",
            lambda report: order_study.try_orders(problem, settings.C, settings.delta, limit, own_C, report),
            lambda partial: show_partial(now, partial),
        )
    count = int(draws)
    return current.result(
        now,
        f"orders over {count} {limit} {own_C}",
        f"Trying orders on {count} draws",
        lambda report: samples_study.draw(repeated_curricula.source_of(now), count, settings, limit, own_C, report),
        lambda partial: show_partial(now, partial),
    )


def stated(now: Current, found: Study, draws: str) -> str:
    """What was tried, in a line or two."""
    count, of = len(found.orders.orders), order_study.count_orders(now.task_set)
    if found.orders.complete:
        said = f"**All {text.counted(count, 'order')}** of {text.counted(len(now.task_set), 'task')}"
    else:
        shown = f"{of:,}" if of < 10**9 else f"some 10{str(len(str(of)) - 1).translate(RAISED)}"
        said = f"**A random sample of {count:,}** of {shown} orders of {text.counted(len(now.task_set), 'task')}"
    if isinstance(found, Drawn):
        said += f", the same on each of **{counted(found.over.draws, 'draw')}**"
    own = not isinstance(found, Tried) and draws.startswith("run")
    if isinstance(found.C, float):
        chosen = ", which cross-validation chose for SeqMT" if now.settings.C == "shared" and not own else ""
        said += f", all with C = {found.C:g}{chosen}."
    elif isinstance(found, Drawn) and found.C == "shared" and links.text("ordersC") != "own" and not own:
        said += ", on each with the C that cross-validation chose for SeqMT there."
    else:
        said += {
            "shared": ", each with its own C by cross-validation. **A small C makes a small bound, so bounds of unlike "
            "C are hard to compare.**",
            "each": "; every fit picks C.",
        }[found.C]
    if found.orders.test_errors is None:
        some = any(task.n_test for task in now.task_set.tasks)
        said += (
            f" **{'Not every task has' if some else 'The tasks have no'} test data, so only the bound can be shown.**"
        )
    return said


def show_partial(now: Current, found: Study) -> None:
    """What has come so far."""
    spread = Spread(found.orders, found.places, found.noise)
    so_far = counted(found.over.draws, "draw") if isinstance(found, Drawn) else f"{len(found.orders.orders):,} orders"
    figure_card.heading(f"So far {so_far}: {spread.title}")
    st.plotly_chart(orders_figure.figure(spread, now.dark), key="chart-partial", theme=None, alt=spread.title)


def picked_order() -> None:
    """Keep a click of either figure; a figure that was drawn anew reports an empty selection, which is no click."""
    for key in ("orders", "bound-against-error"):
        at = figure_card.clicked(key)
        if at is not None:
            st.session_state["_clicked_order"] = int(at[0] if isinstance(at, list) else at)


def show_figures(now: Current, found: Study, relation: Agreement) -> None:
    """The violin, over draws a violin for each order of interest, and the bound against the test error."""
    spread = Spread(found.orders, relation.places, found.noise)
    row = st.session_state.pop("_clicked_order", None)
    if row is not None and row < len(found.orders.orders):
        links.put(picked=order_study.encode(found.orders.named(row), now.task_set.names))
        links.rerun()
    halves = st.columns(2, gap="medium") if not spread.by_bound else (st.container(), st.container())
    with halves[0]:
        show_spread(now, found, spread)
    if spread.by_bound:
        return
    if isinstance(found, Drawn):
        with halves[1]:
            show_interest(now, found, relation.places, orders_figure.height(spread))
    with halves[1] if isinstance(found, Tried) else st.container():
        show_agreement(now, found, relation, orders_figure.height(spread) if isinstance(found, Tried) else 420)


def show_spread(now: Current, found: Study, spread: Spread) -> None:
    """Every order by its test error."""
    noise = found.noise
    whiskers = "" if noise is None else (
        " Whiskers are 95\u00a0% intervals over the test points of this draw (bootstrap)." if noise.draws == 1
        else " Whiskers are one standard error over the draws, as in the paper's Figure 3."
    )  # fmt: skip
    figure_card.figure(
        orders_figure.figure(spread, now.dark),
        key="orders",
        title=spread.title,
        read="Every dot is one order of the tasks, by its "
        + ("bound" if spread.by_bound else f"{spread.error} over all tasks")
        + "; up and down means nothing, it only keeps dots apart. The violin is wide where many orders are. Each row "
        "above marks a method or an order. *Random* is the mean over all orders shown: what a random order can expect. "
        "*Lowest bound* is the order that a perfect search for the lowest bound would find."
        + f"{whiskers} **Click a dot** to see its order."
        + ("" if noise is None else f"\n\n{orders_figure.noise_details(noise)}"),
        alt=f"{spread.title}. "
        + "; ".join(
            f"{place.label} {spread.written(spread.value(place))}, {standing(place)}" for place in spread.places
        ),
        table=orders_figure.table(spread),
        on_select=picked_order,
    )


def show_interest(now: Current, found: Drawn, places: tuple[Place, ...], height: int) -> None:
    """A violin for each order of interest over the draws."""
    more = {}
    for place in places:
        if place.label in ("Yours", "Picked") and place.order is not None:
            values = found.values_of(place.order)
            if values is not None:
                more[place.label] = values[0]
    interest = by_draw.info(found.over, more)
    figure_card.figure(
        by_draw.orders_figure(interest, now.dark, height),
        key="draws",
        title=by_draw.title(interest, found.orders.measure),
        read="A row is a method or an order, each small dot its mean "
        f"{text.error_name(found.orders.measure)} over all tasks on one draw, the symbol "
        "the mean over the draws with one standard error. A method may choose another order on every draw; *Best* and "
        "*Worst* are one order each, picked by these means.",
        alt=f"{by_draw.title(interest, found.orders.measure)}. "
        + "; ".join(f"{label} {values.mean():.1f}\u00a0%" for label, values in interest.values.items()),
        table=by_draw.table(interest),
    )


def greedy_rank(found: Study) -> int | None:
    """SeqMT's rank by bound on one draw."""
    return found.greedy_rank if isinstance(found, Tried) else None


def C_words(found: Study) -> str:
    """At which C, where it is one."""
    return f"C = {found.C:g}" if isinstance(found.C, float) else ""


def greed(found: Study, relation: Agreement) -> str:
    """How well greedy search minimises the bound, and what that is worth."""
    if not isinstance(found, Drawn) or not found.orders.complete:
        return relation.greedy_words
    count = found.over.draws
    return f"{relation.greedy_words} Greedy search found the lowest bound on {found.greedy_lowest} of {count} draws."


def show_agreement(now: Current, found: Study, relation: Agreement, height: int) -> None:
    """Bound against test error."""
    over = ""
    if isinstance(found, Drawn) and found.noise is not None:
        over = " Values are means over the draws; the rank correlation is the mean of each draw's own, which is above "
        over += f"0 on {found.noise.positive} of {found.over.draws} draws."
    figure_card.figure(
        agreement_figure.figure(relation, now.dark, height),
        key="bound-against-error",
        title=relation.title,
        read="Every dot is one order: to the right its bound, upwards its mean "
        f"{relation.error}. A learner sees only the bound. If dots rise to the right, choosing a low bound chooses a "
        "low error. The rank correlation is Spearman's: 1 the same ranking, 0 none, −1 the opposite. Only the "
        "ranking counts here: a bound above ½ "
        f"says nothing about the error itself.{over} **Click a dot** to see its order.",
        alt=f"{relation.title}. {relation.greedy_words}",
        table=orders_figure.orders_table(found.orders),
        on_select=picked_order,
    )


main()
