"""Page 5: all methods over all repeats of a run, next to what the paper published."""

import html

import pandas as pd
import streamlit as st

from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.measure import Measure
from core.statistics.data_checks import unequal
from dashboard import text
from dashboard.components import data_warnings, figure_card, run_choice, run_controls
from dashboard.figures import by_draw, class_balance, compare, plot
from dashboard.figures import orders as orders_figure
from dashboard.pages.compare import run_comparison
from dashboard.session import current, links, widgets
from dashboard.session.current import Current
from data.published import PAPER, published_for
from data.runs import bundle
from data.runs.store import Run, Store

TERMS = ("seqmt", "error", "compl")


def main() -> None:
    """Choose a run; its means, differences, tasks and orders, and other runs beside it."""
    now = current.current()
    st.title("Compare")
    with Store() as store:
        runs = run_choice.listed(store, now)
        show_start(now, any(run_choice.is_of_set(run, now) for run in runs.values()))
        first, second, third = st.columns([3, 3, 2], gap="medium")
        with first:
            run = run_choice.choose(runs, now)
        with second:
            others = run_choice.beside(runs, run)
        results = run_choice.results_of(store, run)
        with third:
            base = baseline(results) if results.methods else ""
            measure = choose_measure(results)
        others_results = [run_choice.results_of(store, other) for other in others]
    whose = run_choice.heading(run, now)
    current.set_run_title(f"{whose}, C {text.setting(run.settings.C)}, seed {run.settings.seed}")
    figure_card.heading(whose, 3)
    st.markdown(headline(run))
    if not run.finished and not run.imported and not figure_card.large():
        run_controls.watch(run)
    if not results.methods:
        st.info("Its first results appear here as soon as they are computed.")
        return
    if figure_card.large():
        named = f"{text.short(run.title, 40)}, C {text.setting(run.settings.C)}"
        st.html(f"<p class='slides-about'>{html.escape(named)}</p>")
    show_classes(now, run, results, measure)
    if others:
        run_comparison.show(now, [run, *others], [results, *others_results], measure)
    left, right = st.columns(2, gap="medium")
    with left:
        show_methods(run, results, measure, now)
    with right:
        show_paired(results, base, measure, now)
    show_tasks(results, measure, now)
    show_orders(results, now)
    if all(method in results.methods for method in TERMS):
        show_terms(run, results, measure)


def choose_measure(results: Results) -> Measure:
    """By which error the figures go: the run's own measure, or the other one where classes are unequal."""
    own = results.settings.measure
    if "balanced" not in results.measures or not (results.unequal or own == "balanced"):
        return own
    chosen = widgets.choice(
        "by",
        "Measure",
        {"error": "error", "balanced": "balanced"},
        own,
        help="**error**: the share of wrong test points. **balanced**: the mean of the errors on positive and on "
        "negative test points.",
    )
    return "balanced" if chosen == "balanced" else "error"


def show_classes(now: Current, run: Run, results: Results, measure: Measure) -> None:
    """Which methods are no better than always answering the larger class, where that is worth saying."""
    data_warnings.show_against(class_balance.results_words(results, measure))
    asked = links.text("by") == "balanced" or (unequal(now.task_set) and run_choice.is_of_set(run, now))
    if asked and "balanced" not in results.measures:
        st.caption("Balanced errors were not recorded in this run: start it again on the page Runs to have them.")


def show_start(now: Current, has_run: bool) -> None:
    """The form for a new run of the set on screen: at once where it has none, else on demand."""
    if figure_card.large() or (has_run and run_controls.refusal(now)):
        return
    if has_run:
        with st.expander("Start a new run", icon=":material/play_arrow:"):
            run = run_controls.start(now)
    else:
        named = text.md(text.short(now.name, 60))
        st.markdown(f"There is no run of **{named}** yet.")
        run = run_controls.start(now)
    if run is not None:
        links.put(run=run.id, beside=None)
        links.rerun()


def headline(run: Run) -> str:
    """What was compared, and whether it is complete."""
    settings = run.settings
    shipped = (
        f" **An example that comes with Curriculab** (computed by version {text.md(run.versions['curriculab'])}); "
        f"`{bundle.EXAMPLE_COMMAND}` repeats it."
        if run.id == bundle.EXAMPLE
        else ""
    )
    by = ", by balanced error" if settings.measure == "balanced" else ""
    so_far = "" if run.finished else f" **Not finished: {run.done_in_all} of {run.total} pieces are shown.**"
    return (
        f"{text.counted(settings.repeats, 'repeat')} from seed {settings.seed}, C {text.setting(settings.C)}{by}; "
        f"{text.md(run.split)}.{so_far}{shipped}"
    )


def show_methods(run: Run, results: Results, measure: Measure, now: Current) -> None:
    """The paper's Figure 2."""
    bars = compare.info(results, published_for(run.settings.source), measure)
    paper = f" Diamonds are the paper's own figures ({PAPER})." if any(bar.published for bar in bars) else ""
    figure_card.figure(
        compare.figure(bars, now.dark),
        key="methods",
        title=compare.title(bars),
        read=f"A bar is the mean over repeats of the mean {text.error_name(measure)} over tasks, the whisker one "
        f"standard error of that mean{compare.shared_rows(results)}. Best and Worst (grey) are picked among fixed "
        f"orders by their test error, so nobody could use them.{paper}",
        alt=f"Bars of the mean {text.error_name(measure)} of {len(bars)} methods. {compare.title(bars)}.",
        table=compare.table(bars),
    )


def baseline(results: Results) -> str:
    """The method that the others are measured against."""
    methods = list(results.methods)
    usual = "seqmt" if "seqmt" in methods else methods[0]
    chosen = links.choice("base", methods, usual)
    put = widgets.synced("w-base", chosen, lambda base: links.put(base=base))
    return str(st.selectbox("Baseline", methods, format_func=NAMES.__getitem__, **put))


def show_paired(results: Results, base: str, measure: Measure, now: Current) -> None:
    """Against a baseline that the person pins."""
    found = results.against(base, measure)
    if not found:
        st.info("No other method has a repeat in common with this one yet.")
        return
    title = compare.baseline_title(found)
    figure_card.figure(
        compare.baseline_figure(found, now.dark, measure),
        key="paired",
        title=title,
        read=f"Each dot is a method's {text.error_name(measure)} minus the baseline's on the same draws; left of 0 is "
        f"better. {compare.reading(found)} Where methods do not differ, at most 5\u00a0% of runs call any of them "
        "clearly better or worse.",
        alt=f"Differences of {len(found)} methods from {NAMES[found[0].baseline]}. {title}.",
        table=compare.baseline_table(found),
    )


def show_tasks(results: Results, measure: Measure, now: Current) -> None:
    """Where the means come from."""
    found = compare.tasks(results, measure)
    figure_card.figure(
        plot.matrix(found, now.dark),
        key="per-task",
        title=compare.tasks_title(results, measure),
        read=f"Mean {text.error_name(measure)} over the repeats, in per cent, of each task under each method.",
        alt=f"Table of {text.error_name(measure)}s of {len(results.methods)} methods on {len(results.tasks)} tasks.",
        table=found.frame("method"),
    )


def show_orders(results: Results, now: Current) -> None:
    """All fixed orders over the repeats, as the paper's Figure 3."""
    spread = by_draw.run_orders(results)
    if spread is None:
        return
    noise = spread.noise
    figure_card.figure(
        orders_figure.figure(spread, now.dark),
        key="fixed-orders",
        title=spread.title,
        read=f"Every dot is one fixed order by its {spread.error} over the repeats; {len(spread.values)} orders, the "
        "same in each. Rows above are the methods' means with one standard error; a method's order may differ from "
        "repeat to repeat." + ("" if noise is None else f"\n\n{orders_figure.noise_details(noise)}"),
        alt=f"Violin of the {spread.error}s of {len(spread.values)} orders. {spread.title}.",
        table=by_draw.run_orders_table(results),
    )


def show_terms(run: Run, results: Results, measure: Measure) -> None:
    """The paper's Table 1: SeqMT by both terms, and by one alone."""
    published = published_for(run.settings.source) if measure == "error" else {}
    rows = []
    for method, name in zip(TERMS, ("error + complexity (SeqMT)", "error alone", "complexity alone"), strict=True):
        average, theirs = results.average(method, measure), published.get(NAMES[method])
        spread = average.standard_error
        row = {
            "next task by": name,
            text.error_name(measure) + " %": f"{100 * average.mean:.1f}",
            "standard error": "–" if spread is None else f"{100 * spread:.1f}",
        }
        if theirs is not None:
            row["published %"] = f"{theirs.mean:.1f}"
            row["published standard error"] = f"{theirs.standard_error:.1f}"
        rows.append(row)
    figure_card.heading("Which of the two terms chooses well?")
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The paper's Table 1")


main()
