"""Page 5: all methods over all repeats of a run, next to what the paper published."""

import html
from pathlib import Path

import pandas as pd
import streamlit as st

from core.experiments.experiment import NAMES
from core.experiments.statistics import Results
from dashboard import text
from dashboard.figures import compare, paired
from dashboard.figures import orders as orders_figure
from dashboard.parts import beside, framing, run_choice
from dashboard.session import current, links, widgets
from dashboard.session.current import Current
from data.runs import example
from data.runs.store import Run, Store
from data.sets.published import PAPER, published_for

TERMS = ("seqmt", "error", "compl")


def main() -> None:
    """Choose a run; its means, differences, tasks and orders, and other runs beside it."""
    now = current.current()
    st.title("Compare")
    with Store() as store:
        runs = run_choice.readable(store)
        first, second, third = st.columns([2, 2, 1], gap="medium")
        with first:
            run = run_choice.choose(runs, now)
        with second:
            others = run_choice.beside(runs, run)
        results = run_choice.results_of(store, run)
        with third:
            base = baseline(results)
        others_results = [run_choice.results_of(store, other) for other in others]
    st.markdown(headline(run))
    if framing.large():
        named = f"{text.short(Path(run.settings.source).name, 40)}, C {text.setting(run.settings.C)}"
        st.html(f"<p class='slides-about'>{html.escape(named)}</p>")
    if others:
        beside.show(now, [run, *others], [results, *others_results])
    left, right = st.columns(2, gap="medium")
    with left:
        show_methods(run, results, now)
    with right:
        show_paired(results, base, now)
    show_tasks(results, now)
    show_orders(results, now)
    if all(method in results.methods for method in TERMS):
        show_terms(run, results)


def headline(run: Run) -> str:
    """What was compared, and whether it is complete."""
    settings = run.settings
    shipped = (
        f" **An example that comes with Curriculab** (computed by version {text.md(run.versions['curriculab'])}); "
        f"`{example.COMMAND}` repeats it. Start your own on the page Runs."
        if run.id == example.ID
        else ""
    )
    so_far = "" if run.finished else f" **Not finished: {run.done_in_all} of {run.total} pieces are shown.**"
    return (
        f"**{text.md(text.short(Path(settings.source).name, 60))}**: {settings.repeats} repeats from seed "
        f"{settings.seed}, C {text.setting(settings.C)}; {text.md(run.split)}.{so_far}{shipped}"
    )


def show_methods(run: Run, results: Results, now: Current) -> None:
    """The paper's Figure 2."""
    bars = compare.info(results, published_for(run.settings.source))
    paper = f" Diamonds are the paper's own figures ({PAPER})." if any(bar.published for bar in bars) else ""
    framing.figure(
        compare.figure(bars, now.dark),
        key="methods",
        title=compare.title(bars),
        read="A bar is the mean over repeats of the mean test error over tasks, the whisker one standard error of "
        "that mean. Best and Worst (grey) are picked among fixed orders by their test error, so nobody could use "
        f"them.{paper}",
        alt=f"Bars of the mean test error of {len(bars)} methods. {compare.title(bars)}.",
        table=compare.table(bars),
    )


def baseline(results: Results) -> str:
    """The method that the others are measured against."""
    methods = list(results.methods)
    usual = "seqmt" if "seqmt" in methods else methods[0]
    base_key = widgets.shown("w-base", links.choice("base", methods, usual))
    st.selectbox(
        "Baseline",
        methods,
        key=base_key,
        format_func=NAMES.__getitem__,
        on_change=lambda: links.put(base=st.session_state[base_key]),
    )
    return str(st.session_state[base_key])


def show_paired(results: Results, base: str, now: Current) -> None:
    """Against a baseline that the person pins."""
    found = paired.info(results, base)
    if not found:
        st.info("No other method has a repeat in common with this one yet.")
        return
    framing.figure(
        paired.figure(found, now.dark),
        key="paired",
        title=paired.title(found),
        read="Each dot is a method's test error minus the baseline's on the same draws, the whisker the 95\u00a0% "
        "confidence interval of the mean (Student's t). Left of 0 is better. Filled dots leave 0 out. The "
        "table has the p-values of the Wilcoxon signed-rank test; none is corrected for looking at several methods.",
        alt=f"Differences of {len(found)} methods from {NAMES[found[0].baseline]}. {paired.title(found)}.",
        table=paired.table(found),
    )


def show_tasks(results: Results, now: Current) -> None:
    """Where the means come from."""
    framing.figure(
        compare.tasks_figure(results, text.shorts(results.tasks), now.dark),
        key="per-task",
        title=compare.tasks_title(results),
        read="Mean test error over the repeats, in per cent, of each task under each method.",
        alt=f"Table of test errors of {len(results.methods)} methods on {len(results.tasks)} tasks.",
        table=compare.tasks_table(results),
    )


def show_orders(results: Results, now: Current) -> None:
    """All fixed orders over the repeats, as the paper's Figure 3."""
    spread = compare.orders_info(results)
    if spread is None:
        return
    noise = spread.noise
    framing.figure(
        orders_figure.figure(spread, now.dark),
        key="fixed-orders",
        title=spread.title,
        read=f"Every dot is one fixed order by its mean test error over the repeats; {len(spread.values)} orders, the "
        "same in each. Rows above are the methods' means with one standard error; a method's order may differ from "
        "repeat to repeat." + ("" if noise is None else f"\n\n{orders_figure.noise_details(noise)}"),
        alt=f"Violin of the mean test errors of {len(spread.values)} orders. {spread.title}.",
        table=compare.orders_table(results),
    )


def show_terms(run: Run, results: Results) -> None:
    """The paper's Table 1: SeqMT by both terms, and by one alone."""
    published = published_for(run.settings.source)
    rows = []
    for method, name in zip(TERMS, ("error + complexity (SeqMT)", "error alone", "complexity alone"), strict=True):
        average = results.average(method)
        theirs = published.get(NAMES[method])
        spread = average.standard_error
        rows.append(
            {
                "next task by": name,
                "test error %": f"{100 * average.mean:.1f}",
                "standard error": "–" if spread is None else f"{100 * spread:.1f}",
            }
            | (
                {}
                if theirs is None
                else {
                    "published %": f"{theirs.mean:.1f}",
                    "published standard error": f"{theirs.standard_error:.1f}",
                }
            )
        )
    framing.heading("Which of the two terms chooses well?")
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The paper's Table 1")


main()
