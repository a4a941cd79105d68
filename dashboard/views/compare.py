"""Page 5: all methods over all repeats of a run, next to what the paper published."""

from pathlib import Path

import pandas as pd
import streamlit as st

from core.experiments.experiment import NAMES
from core.experiments.statistics import Results
from dashboard import text
from dashboard.figures import compare, paired
from dashboard.parts import framing
from dashboard.session import current as cached
from dashboard.session import links
from dashboard.session.current import Current
from data.runs.store import Run, Store
from data.sets.published import PAPER, published_for

TERMS = ("seqmt", "error", "compl")


def main() -> None:
    """Choose a run; its means, differences, tasks and orders."""
    now = cached.current()
    st.title("Compare")
    with Store() as store:
        runs = [run for run in store.runs() if run.done_in_all > run.done.get("orders", 0)]
        run = chosen(runs, now)
        results = None if run is None else store.results(run)
    if run is None or results is None:
        st.info("There is no run with results yet. Start one on the Runs page; it appears here while it is computed.")
        if st.button("Go to Runs", icon=":material/history:", type="primary"):
            st.switch_page("views/runs.py")
        return
    st.markdown(headline(run))
    show_methods(run, results, now)
    left, right = st.columns(2, gap="medium")
    with left:
        show_paired(results, now)
    with right:
        show_tasks(results, now)
    if results.walks:
        show_orders(results, now)
    if all(method in results.methods for method in TERMS):
        show_terms(run, results)


def chosen(runs: list[Run], now: Current) -> Run | None:
    """The run of the link, else the newest of the selected set, else the newest."""
    if not runs:
        return None
    by_id = {run.id: run for run in runs}
    wanted = links.whole("run", 0, 0, 2**31)
    mine = next((run.id for run in runs if run.settings.source == now.origin), runs[0].id)
    st.session_state["w-run"] = wanted if wanted in by_id else mine
    st.selectbox(
        "Run",
        list(by_id),
        key="w-run",
        format_func=lambda run: label(by_id[run]),
        on_change=lambda: links.put(run=st.session_state["w-run"]),
    )
    return by_id[st.session_state["w-run"]]


def label(run: Run) -> str:
    """A run in a line."""
    state = "" if run.finished else f", {run.done_in_all} of {run.total} pieces"
    name = text.short(Path(run.settings.source).name, 40)
    return f"{run.id}: {name}, {run.settings.repeats} repeats, C {run.settings.C}{state}"


def headline(run: Run) -> str:
    """What was compared, and whether it is complete."""
    settings = run.settings
    so_far = "" if run.finished else f" **Not finished: {run.done_in_all} of {run.total} pieces are shown.**"
    return (
        f"**{text.md(text.short(Path(settings.source).name, 60))}**: {settings.repeats} repeats from seed "
        f"{settings.seed}, C {settings.C}; {text.md(run.split)}.{so_far}"
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


def show_paired(results: Results, now: Current) -> None:
    """Against a baseline that the person pins."""
    methods = list(results.methods)
    usual = "seqmt" if "seqmt" in methods else methods[0]
    st.session_state["w-base"] = links.choice("base", methods, usual)
    st.selectbox(
        "Baseline",
        methods,
        key="w-base",
        format_func=NAMES.__getitem__,
        on_change=lambda: links.put(base=st.session_state["w-base"]),
    )
    found = paired.info(results, st.session_state["w-base"])
    if not found:
        st.info("No other method has a repeat in common with this one yet.")
        return
    framing.figure(
        paired.figure(found, now.dark),
        key="paired",
        title=paired.title(found),
        read="Each dot is a method's test error minus the baseline's on the same draws, the whisker the 95 % "
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
    """All fixed orders over the repeats."""
    walk = results.walks[0]
    kind = "All" if walk.complete else "A random sample of"
    framing.figure(
        compare.orders_figure(results, now.dark),
        key="fixed-orders",
        title=compare.orders_title(results),
        read=f"{kind} {len(walk.orders)} fixed orders by their mean test error over {len(results.walks)} repeats. "
        "Lines are the means of methods, whose order may differ from repeat to repeat.",
        alt=f"Histogram of the mean test errors of {len(walk.orders)} orders. {compare.orders_title(results)}.",
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
                "test error %": 100 * average.mean,
                "standard error": None if spread is None else 100 * spread,
            }
            | (
                {}
                if theirs is None
                else {"published %": theirs.mean, "published standard error": theirs.standard_error}
            )
        )
    framing.heading("Which of the two terms chooses well?")
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The paper's Table 1")


main()
