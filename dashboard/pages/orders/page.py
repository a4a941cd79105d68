"""Page 4: does the order matter, and does the bound choose well?"""

import math
import shlex
from functools import partial

import streamlit as st

from core.orders.all_orders import LIMIT
from core.orders.best_order import EXACT_UP_TO
from core.orders.orders_by_draw import LOWEST
from core.orders.ranking import Place, place_learned
from core.statistics.data_checks import unequal
from dashboard import text
from dashboard.components import code_box, curricula, data_warnings, figure_card
from dashboard.figures import agreement as agreement_figure
from dashboard.figures import by_draw, class_balance
from dashboard.figures import orders as orders_figure
from dashboard.figures.orders import FOUND, Spread, standing
from dashboard.pages.orders import cards
from dashboard.pages.orders.study import Study, of_run, on_draws, on_one_draw, stored
from dashboard.session import current, links, widgets
from dashboard.session.current import Current
from data.runs import bundle
from data.runs.store import Run
from data.sources.catalogue import STORY_C, STORY_SET

DRAWS = ("1", "5", "20")
SAMPLES = (200, 1000, LIMIT)
BEAM = 200
"""Orders that are kept at every step where there are too many tasks for an exact search: some seconds' worth."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
DRAWS_HELP = """One draw shows that draw alone; over more the same orders run on each, and means are shown. A stored
run needs no computing."""
OWN_C_HELP = """**SeqMT's, for all**: the C that cross-validation chose for SeqMT: quick, and bounds compare like with
like. **each its own**: every order is cross-validated as a method of its own: slow for many orders, and an order that
picks a small C has a small bound for that reason alone."""
SEARCH_HELP = f"""The order that a perfect search would find, exactly for up to ten tasks, else the best of a beam
search that keeps {BEAM} orders at every step: what does SeqMT's greed cost?"""


def main() -> None:
    """Settings of this page, the figures, the picked order, your own order."""
    now = current.current()
    st.title("Orders")
    if len(now.task_set) < 2:
        st.info("One task has only one order: choose or upload a set of at least two tasks to compare orders.")
        return
    limit, found = choose(now)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(tried_words(now, found), width="stretch")
        with st.popover("Command line", type="tertiary", icon=":material/terminal:"):
            st.code(command(now, found, limit), language="bash", wrap_lines=True)
    mine, picked = cards.mine_of_link(now, found), cards.picked_of_link(now, found)
    lowest = lowest_bound(now, found)
    places = (*found.places, *(place for place in (lowest, mine, picked) if place is not None))
    spread = Spread(found.orders, places, found.noise)
    if found.noise is not None:
        said = orders_figure.noise_words(found.noise, spread.error)
        st.markdown(f"{said} {text.md(greedy_words(found, spread))}")
    if found.against is not None and unequal(now.task_set):
        data_warnings.show_against(class_balance.words("SeqMT", found.against, found.orders.measure))
    show_figures(now, found, spread)
    left, right = st.columns(2, gap="medium")
    with left, st.container(key="figure-mine", height="stretch"):
        cards.show_mine(now, found, mine)
    with right, st.container(key="figure-picked", height="stretch"):
        cards.show_picked(now, found, picked)


def choose(now: Current) -> tuple[int, Study | None]:
    """Ask how many orders, on which draws and at which C; how many orders, and what became of them so far."""
    all_orders = math.factorial(len(now.task_set))
    limit, own_C, draws, runs = LIMIT, True, DRAWS[0], stored(now)
    with st.container(horizontal=True, gap="large", vertical_alignment="bottom"):
        if now.task_set.has_test or now.uploaded:
            names = {count: count for count in DRAWS} | {
                name: stored_words(run) for name, run in list(runs.items())[:3]
            }
            draws = widgets.choice("draws", "Draws of the task set", names, DRAWS[0], help=DRAWS_HELP)
        if all_orders > LIMIT:
            limit = SAMPLES[1] if len(now.task_set) <= 10 else SAMPLES[0]
            if draws not in runs:
                samples = {str(sample): f"{sample:,}" for sample in SAMPLES}
                limit = int(widgets.choice("limit", "Random orders to try", samples, str(limit)))
        if now.settings.C == "shared" and draws not in runs:
            options = {"seqmt": "SeqMT's, for all", "own": "each its own"}
            own_C = widgets.choice("ordersC", "C of the orders", options, "seqmt", help=OWN_C_HELP) == "own"
        if all_orders > LIMIT:
            st.button(
                f"The example: all orders of {STORY_SET}", icon=":material/lightbulb:", on_click=open_example,
                help=f"At C = {STORY_C:g}, over 20 draws, as in the paper's Figure 3.",
            )  # fmt: skip
    if draws in runs:
        return limit, of_run(runs[draws])
    count = int(draws)
    title = "Trying orders" if count == 1 else f"Trying orders on {count} draws"
    work = on_one_draw if count == 1 else partial(on_draws, count=count)
    name = f"orders {count} {limit} {own_C}"
    return limit, current.result(
        now, name, title, lambda report: work(now, limit=limit, own_C=own_C, report=report), partial(show_partial, now)
    )


def stored_words(run: Run) -> str:
    """A stored run in the choice of draws."""
    which = "example" if run.id == bundle.EXAMPLE else f"run {run.id}"
    return f"{which}: {run.settings.repeats}, C {text.setting(run.settings.C)}"


def open_example() -> None:
    """A set of five tasks on which the paper's story shows, over draws."""
    links.put(**dict.fromkeys(links.state()))
    links.put(set=STORY_SET, C=f"{STORY_C:g}", draws="20")


def tried_words(now: Current, found: Study) -> str:
    """What was tried, in a line or two."""
    count, of = len(found.orders.orders), math.factorial(len(now.task_set))
    tasks = text.counted(len(now.task_set), "task")
    if found.orders.complete:
        said = f"**All {text.counted(count, 'order')}** of {tasks}"
    else:
        shown = f"{of:,}" if of < 10**9 else f"some 10{str(len(str(of)) - 1).translate(RAISED)}"
        said = f"**A random sample of {count:,}** of {shown} orders of {tasks}"
    if found.over is not None:
        said += f", the same on each of **{text.counted(found.over.draws, 'draw')}**"
    if isinstance(found.C, float):
        chosen = ", which cross-validation chose for SeqMT" if found.over is None and now.settings.C == "shared" else ""
        said += f", all with C = {found.C:g}{chosen}."
    elif found.C == "each":
        said += "; every fit picks C."
    elif found.own_C:
        said += ", each with its own C by cross-validation. **A small C makes a small bound, so bounds of unlike C are "
        said += "hard to compare.**"
    else:
        said += ", on each with the C that cross-validation chose for SeqMT there."
    if found.orders.test_errors is None:
        some = any(task.n_test for task in now.task_set.tasks)
        who = "Not every task has" if some else "The tasks have no"
        said += f" **{who} test data, so only the bound can be shown.**"
    return said


def command(now: Current, found: Study, limit: int) -> str:
    """The command line that walks these orders."""
    own = ["--own-C"] if found.own_C and found.C == "shared" else []
    words = [*code_box.words(now, found.C), *own]
    return shlex.join(["curriculab", "orders", *words, "--limit", str(limit), "--csv", "orders.csv"])


def lowest_bound(now: Current, found: Study) -> Place | None:
    """The order of the lowest bound, marked by how sure that is; a button to begin with. All orders need no search."""
    if found.over is not None or found.orders.complete:
        return None
    if links.text("best") != "1":
        st.button(
            "Search for the lowest bound", icon=":material/search:", on_click=lambda: links.put(best=1),
            help=SEARCH_HELP,
        )  # fmt: skip
        return None
    best = curricula.lowest_bound(now, "seqmt", None if len(now.task_set) <= EXACT_UP_TO["seqmt"] else BEAM)
    return None if best is None else place_learned(found.orders, LOWEST if best.exact else FOUND, best.learned)


def greedy_words(found: Study, spread: Spread) -> str:
    """How well greedy search minimises the bound, and what that is worth."""
    said, over = agreement_figure.greedy_words(spread, found.greedy_rank), found.over
    if over is None or not found.orders.complete:
        return said
    return f"{said} Greedy search found the lowest bound on {over.greedy_lowest} of {over.draws} draws."


def show_partial(now: Current, found: Study) -> None:
    """What has come so far."""
    spread = Spread(found.orders, found.places, found.noise)
    orders = f"{len(found.orders.orders):,} orders"
    so_far = orders if found.over is None else text.counted(found.over.draws, "draw")
    figure_card.heading(f"So far {so_far}: {spread.title}")
    st.plotly_chart(orders_figure.figure(spread, now.dark), key="chart-partial", theme=None, alt=spread.title)


def show_figures(now: Current, found: Study, spread: Spread) -> None:
    """The violin, over draws a violin for each order of interest, and the bound against the test error."""
    if spread.by_bound:
        show_spread(now, found, spread)
        return
    height = orders_figure.height(spread)
    left, right = st.columns(2, gap="medium")
    with left:
        show_spread(now, found, spread)
    with right:
        if found.over is None:
            show_agreement(now, found, spread, height)
        else:
            show_by_draw(now, found, spread.places, height)
    if found.over is not None:
        show_agreement(now, found, spread, 420)


def show_spread(now: Current, found: Study, spread: Spread) -> None:
    """Every order by its test error."""
    noise, what = found.noise, "bound" if spread.by_bound else f"{spread.error} over all tasks"
    whiskers = "" if noise is None else (
        " Whiskers are 95\u00a0% intervals over the test points of this draw (bootstrap)." if noise.draws == 1
        else " Whiskers are one standard error over the draws, as in the paper's Figure 3."
    )  # fmt: skip
    figure_card.figure(
        orders_figure.figure(spread, now.dark),
        key="orders",
        title=spread.title,
        read=f"Every dot is one order of the tasks, by its {what}"
        "; up and down means nothing, it only keeps dots apart. The violin is wide where many orders are. Each row "
        "above marks a method or an order. *Random* is the mean over all orders shown: what a random order can expect. "
        "*Lowest bound* is the order that a perfect search for the lowest bound would find."
        + f"{whiskers} **Click a dot** to see its order."
        + ("" if noise is None else f"\n\n{orders_figure.noise_details(noise)}"),
        alt=f"{spread.title}. "
        + "; ".join(
            f"{place.label} {spread.written(spread.value(place))}, {standing(place)}" for place in spread.places
        ),
        table=orders_figure.table(spread),
        on_click=lambda row: cards.put_order("picked", found.orders.named(int(row)), now),
    )


def show_by_draw(now: Current, found: Study, places: tuple[Place, ...], height: int) -> None:
    """A violin over the draws for each method and order of interest."""
    assert found.over is not None
    more = {
        place.label: found.over.errors[:, row]
        for place in places
        if place.label in ("Yours", "Picked") and place.order and (row := found.orders.row(place.order)) is not None
    }
    shown = by_draw.info(found.over, more)
    title = by_draw.title(shown, found.orders.measure)
    figure_card.figure(
        by_draw.figure(shown, now.dark, height),
        key="draws",
        title=title,
        read="A row is a method or an order, each small dot its mean "
        f"{text.error_name(found.orders.measure)} over all tasks on one draw, the symbol "
        "the mean over the draws with one standard error. A method may choose another order on every draw; *Best* and "
        "*Worst* are one order each, picked by these means.",
        alt=f"{title}. " + "; ".join(f"{label} {values.mean():.1f}\u00a0%" for label, values in shown.values.items()),
        table=by_draw.table(shown),
    )


def show_agreement(now: Current, found: Study, spread: Spread, height: int) -> None:
    """Bound against test error."""
    means = ""
    if found.over is not None and found.noise is not None:
        means = " Values are means over the draws; the rank correlation is the mean of each draw's own, which is above "
        means += f"0 on {found.noise.positive} of {found.over.draws} draws."
    title = agreement_figure.title(spread, f"C = {found.C:g}" if isinstance(found.C, float) else "")
    figure_card.figure(
        agreement_figure.figure(spread, now.dark, height),
        key="bound-against-error",
        title=title,
        read="Every dot is one order: to the right its bound, upwards its "
        f"{spread.error}. A learner sees only the bound. If dots rise to the right, choosing a low bound chooses a "
        "low error. The rank correlation is Spearman's: 1 the same ranking, 0 none, −1 the opposite. Only the "
        "ranking counts here: a bound above ½ "
        f"says nothing about the error itself.{means} **Click a dot** to see its order.",
        alt=f"{title}. {agreement_figure.greedy_words(spread, found.greedy_rank)}",
        table=orders_figure.orders_table(found.orders),
        on_click=lambda row: cards.put_order("picked", found.orders.named(int(row)), now),
    )


main()
