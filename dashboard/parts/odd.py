"""What is odd about the set on screen, a line each: what it does to the figures, and what to do."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.oddities import Oddity, balanced_errors, imbalance, oddities
from core.curriculum.learn import Learned
from dashboard import text
from dashboard.session.cache import Kept
from dashboard.session.current import Current

_found: Kept[tuple[Oddity, ...]] = Kept(64)


def show(now: Current) -> None:
    """A line for everything odd, behind one heading; nothing where nothing is."""
    found = _found.get(now.digest)
    if found is None:
        found = _found.put(now.digest, oddities(now.task_set))
    lines = [line for one in found if (line := sentence(one, now))]
    if not lines:
        return
    title = (
        "1 thing to know before reading the figures"
        if len(lines) == 1
        else f"{len(lines)} things to know before reading the figures"
    )
    with st.expander(title, icon=":material/info:", expanded=now.uploaded, key="odd"):
        st.markdown("\n".join(f"- {line}" for line in lines))


def sentence(odd: Oddity, now: Current) -> str:
    """What is odd, what it does, what to do; Markdown."""
    who = text.md(text.listed_quoted(odd.tasks)) if odd.tasks else ""
    all_of_them = len(odd.tasks) == len(now.task_set)
    if odd.kind == "unbalanced":
        return (
            f"**Unbalanced:** in {who} one class has up to {odd.much:.3g} times the points of the other, so always "
            f"saying the larger is right in up to {text.percent(odd.much / (1 + odd.much), 0)}; read the "
            "balanced error below, or make tasks with equal classes."
        )
    if odd.kind == "tiny":
        return (
            f"**Tiny:** {who} {'has' if len(odd.tasks) == 1 else 'have'} under ten training points (fewest: "
            f"{odd.much:.0f}); one point more or less changes its errors and its place. Take more points if you can."
        )
    if odd.kind == "duplicates":
        return (
            f"**Seen before:** {odd.much:,.0f} test points of {who} are training points, too; test errors come out too "
            "low. Remove repeated rows before the split."
        )
    if odd.kind == "shared":
        return (
            f"**Shared points:** {odd.much:,.0f} training points are in several tasks, such as {who}; sources "
            "have seen them, so transfer looks better than it is. Make disjoint tasks for a fair comparison."
        )
    if odd.kind == "scales" and odd.columns is not None and now.normalizes:
        large, small = (_feature(column, now) for column in odd.columns)
        return (
            f"**Unlike scales:** numbers of {large} are {odd.much:,.0f} times those of {small}; rows of length 1 then "
            "see little but the largest. Standardise the columns."
        )
    if odd.kind == "untested" and now.uploaded:
        return (
            f"**No test data** {'in any task' if all_of_them else f'in {who}'}: there are no test errors; criterion "
            "and bound need none. Hold out a share under *Your own tasks*."
        )
    return ""


def _feature(column: int, now: Current) -> str:
    """The feature's name where it has one; Markdown."""
    names = now.task_set.feature_names
    return f"feature {column + 1}" if names is None else text.md(text.quoted(names[column]))


def show_balanced(now: Current, alone: Learned) -> None:
    """Plain beside balanced error, where classes differ by more than 2 : 1."""
    found = balanced_errors(now.prepared, alone.weights)
    if not found or alone.test_error is None:
        return
    rows = [
        (name, round(imbalance(now.task_set[name]), 2), 100 * alone.test_error[name], 100 * error)
        for name, error in found.items()
    ]
    frame = pd.DataFrame(
        rows, columns=pd.Index(["task", "classes, to 1", "test error alone, %", "balanced error alone, %"])
    )
    st.markdown(
        "**Balanced error**: the mean of the errors on positive and on negative test points; guessing gives 50\u00a0%."
    )
    st.dataframe(
        frame.round(1), hide_index=True, key="table-balanced", alt="Test error and balanced error of unbalanced tasks"
    )
