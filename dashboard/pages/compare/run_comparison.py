"""Several runs side by side on Compare: their orders as in the paper's Figure 3, and two runs in detail."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.experiments.experiment import differing
from core.experiments.summary import Results, between
from core.measure import Measure
from dashboard import text
from dashboard.components import figure_card, run_choice
from dashboard.figures import by_draw, compare
from dashboard.session.current import Current
from data.runs.run import source_title
from data.runs.store import Run


def show(now: Current, runs: Sequence[Run], results: Sequence[Results], measure: Measure) -> None:
    """The orders of all runs that walked them; with two runs, what differs between them."""
    if len(runs) == 2:
        show_two(now, runs[0], runs[1], results[0], results[1], measure)
    if any(run.settings.measure != runs[0].settings.measure for run in runs):
        st.caption("Their orders were measured by unlike errors, so that they are not drawn side by side.")
        return
    walked = {
        run_choice.name(run): over
        for run, one in zip(runs, results, strict=True)
        if (over := one.over_draws) is not None
    }
    if len(walked) < 2:
        if len(runs) > 2:
            st.info("Runs with Best or Worst try all orders; those appear here as violins side by side.")
        return
    figure_card.figure(
        by_draw.figure3(walked, now.dark),
        key="figure-3",
        title=by_draw.figure3_title(walked),
        read="One violin per run: all fixed orders by their mean test error over the repeats. Symbols are the methods "
        "with one standard error, moved aside so that they do not hide each other; the line across is the mean order, "
        "*Random*. The paper's Figure 3.",
        alt=f"Violins of the orders of {len(walked)} runs. {by_draw.figure3_title(walked)}.",
        table=by_draw.figure3_table(walked),
    )


def show_two(now: Current, first: Run, second: Run, ours: Results, theirs: Results, measure: Measure) -> None:
    """What differs in their settings, and by how much each method differs."""
    names = run_choice.name(first), run_choice.name(second)
    same_draws = first.digest == second.digest and first.settings.seed == second.settings.seed
    settings = differing(first.settings, second.settings)
    figure_card.heading("What differs between the two")
    if settings:
        rows = [
            {"setting": _named(name)} | {run: _shown(name, value) for run, value in zip(names, values, strict=True)}
            for name, values in settings.items()
        ]
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="The settings that differ")
    else:
        st.markdown("Their settings are the same.")
    by: Measure = measure if measure in theirs.measures else "error"
    found = between(ours, theirs, same_draws, by)
    if not found:
        st.info("They have no method in common.")
        return
    how = (
        "Both drew the same task sets, so that repeat by repeat is compared."
        if same_draws
        else "They drew different task sets, so that means are compared (Welch's test), which tells less."
    )
    figure_card.figure(
        compare.runs_figure(found, names[1], now.dark, by),
        key="between",
        title=compare.runs_title(found, *names, by),
        read=f"Each dot is a method's mean {text.error_name(by)} in {text.md(names[1])} minus that in "
        f"{text.md(names[0])}. Left of 0 the second run {by_draw.fewer(by)}. {how} {compare.MARKS} "
        f"{compare.correction(len(found), _overlap(ours, theirs))}",
        alt=compare.runs_title(found, *names, by),
        table=compare.runs_table(found),
    )


def _overlap(first: Results, second: Results) -> float | None:
    """That of the run whose repeats overlap more; None where both drew anew."""
    return max((one.overlap for one in (first, second) if one.overlap is not None), default=None)


def _shown(setting: str, value: str) -> str:
    """A file by its name: where it lies is nobody else's business."""
    return text.short(source_title(value), 60) if setting == "source" else value


def _named(setting: str) -> str:
    return {"source": "task set", "methods": "methods that it alone has", "limit": "most orders"}.get(setting, setting)
