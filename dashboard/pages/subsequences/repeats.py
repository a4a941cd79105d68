"""What the curricula of several repeats have in common; repeats are computed here, or those of a stored run."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.curriculum.methods import METHODS
from core.curriculum.steps import Forest
from core.fitting.cross_validation import part_of
from core.statistics.patterns import patterns, stability
from dashboard import text
from dashboard.components import figure_card, run_choice
from dashboard.figures import patterns as pattern_figures
from dashboard.session import current, widgets
from dashboard.session.current import Current
from dashboard.session.job import Work
from data.runs import bundle
from data.runs.store import Run, Store

COUNTS = ("5", "10", "20")


def repeat(now: Current, method: str, count: int, report: Work[tuple[Forest, ...]]) -> tuple[Forest, ...]:
    """The sources of every repeat; repeat k draws and learns with seed `seed + k`, as in a run."""
    source, settings = run_choice.source_of(now), now.settings
    found: tuple[Forest, ...] = ()
    for k in range(count):
        report.note(f"{k} of {count} repeats")
        report(k, count)
        problem = settings.problem(source.sample(settings.seed + k), settings.seed + k)
        learned = problem.learn(method, settings.C, delta=settings.delta, progress=part_of(report, k, count))
        found = (*found, learned.sources)
        report.keep(found)
    return found


def stored(now: Current, method: str) -> dict[str, Run]:
    """By name, the stored runs of the selected set in which the method finished at least twice."""
    return {f"run {run.id}": run for run in run_choice.repeated(now, method) if run.id != bundle.EXAMPLE}


def of_run(run: Run, method: str) -> tuple[Forest, ...]:
    """The sources of the finished repeats of a stored run, in the order of learning."""
    with Store() as store:
        return tuple(one.forest for one in store.results(run).of(method))


def show(now: Current, method: str) -> None:
    """Patterns over repeats, of a stored run or computed here on demand."""
    st.divider()
    figure_card.heading("The same over repeats" if now.uploaded else "Is that chance? The same over repeats", 3)
    runs = stored(now, method)
    how = "the rows split anew" if now.uploaded else "fresh draws of the set"
    options = {name: name for name in ("off", *COUNTS, *runs)}
    chosen = widgets.choice("repeats", f"Repeats: {how}, or those of a stored run", options, "off")
    if chosen == "off":
        how = "splits of the rows" if now.uploaded else "fresh draws"
        st.caption(f"Choose a number: the method then learns on so many {how}, and you see what they share.")
        return
    if chosen in runs:
        forests: tuple[Forest, ...] | None = of_run(runs[chosen], method)
    else:
        work = partial(repeat, now, method, int(chosen))
        forests = current.result(now, f"repeats {method} {chosen}", f"Repeating {METHODS[method]}", work)
    if forests:
        show_patterns(now, method, forests)


def show_patterns(now: Current, method: str, forests: tuple[Forest, ...]) -> None:
    """Transfers, starts and ends, companions or positions, stability."""
    names = [name for name in now.task_set.names if name in forests[0]]
    found, stable = patterns(forests, names), stability(forests, names)
    told = pattern_figures.stable_words(stable, found.repeats, not now.uploaded) if stable else None
    st.markdown(text.md(told or "One repeat cannot tell how stable this is."))
    left, right = st.columns(2, gap="medium")
    with left:
        figure_card.show(pattern_figures.transfers(found, now.dark))
    with right:
        if method == "seqmt":
            figure_card.show(pattern_figures.positions(found, now.labels, now.colours, now.dark))
        else:
            figure_card.show(pattern_figures.companions(found, now.dark))
    figure_card.show(pattern_figures.ends(found, now.labels, now.dark))
