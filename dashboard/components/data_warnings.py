"""Warnings about the data on screen, one line each: what it does to the figures, and what to do."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.curriculum.learn import Learned
from core.statistics.data_checks import DataWarning, check_data, imbalances, unequal
from dashboard import text
from dashboard.figures import class_balance
from dashboard.session.cache import BoundedCache
from dashboard.session.current import Current

_found: BoundedCache[tuple[DataWarning, ...]] = BoundedCache(64)


def show(now: Current) -> None:
    """One line per warning, behind one heading; nothing where there is none."""
    key = now.task_set.digest, _knows_rows(now)
    found = _found.get(key)
    if found is None:
        found = _found.put(key, check_data(now.task_set))
    lines = [line for one in found if (line := sentence(one, now))]
    if not lines:
        return
    title = f"{text.counted(len(lines), 'thing')} to know before reading the figures"
    with st.expander(title, icon=":material/info:", expanded=now.uploaded, key="odd"):
        st.markdown("\n".join(f"- {line}" for line in lines))


def sentence(found: DataWarning, now: Current) -> str:
    """What was found, what it does, what to do; Markdown. Empty for what does not matter at these settings."""
    who = text.md(text.listed_quoted(found.tasks)) if found.tasks else ""
    kind, much, one = found.kind, found.much, found.much == 1
    if kind == "unbalanced":
        return (
            f"**Unbalanced:** in {who} one class has up to {much:.3g} times the points of the other, so always saying "
            f"the larger is right in up to {text.percent(much / (1 + much), 0)}; read the balanced error below, or "
            f"{_equal_classes(now)}."
        )
    if kind == "tiny":
        return (
            f"**Tiny:** {who} {'has' if len(found.tasks) == 1 else 'have'} under ten training points (fewest: "
            f"{much:.0f}); one point more or less changes its errors and its place. Take more points if you can."
        )
    if kind == "duplicates":
        count, equal = text.counted(int(much), "test point"), "equals" if one else "equal"
        if _knows_rows(now):
            return (
                f"**Seen before:** {count} of {who} {equal} a training point in every column of the table; test errors "
                "come out too low. Remove repeated rows before the split."
            )
        return (
            f"**Perhaps seen before:** {count} of {who} {equal} a training point in label and all features. If a row "
            "is repeated, test errors come out too low; different rows that look alike do no harm."
        )
    if kind == "coarse":
        return (
            f"**Coarse features:** of the points of {who} that equal another of their task in all features, "
            f"{text.percent(much, 0)} equal one with the other label. Different rows look alike, and no learner "
            "can tell them apart; further columns could."
        )
    if kind == "shared":
        return (
            f"**Shared points:** {text.counted(int(much), 'training point')} {'is' if one else 'are'} in several "
            f"tasks, such as {who}; sources have seen {'it' if one else 'them'}, so transfer looks better than it is. "
            "Make disjoint tasks for a fair comparison."
        )
    if kind == "scales" and found.columns is not None and now.normalizes:
        large, small = (_feature(column, now) for column in found.columns)
        return (
            f"**Unlike scales:** numbers of {large} are {much:,.0f} times those of {small}; rows of length 1 then see "
            "little but the largest. Standardise the columns."
        )
    if kind == "untested" and now.uploaded:
        where = "in any task" if len(found.tasks) == len(now.task_set) else f"in {who}"
        return (
            f"**No test data** {where}: there are no test errors; criterion and bound need none. Hold out a share "
            "under *Your own tasks*."
        )
    return ""


def _knows_rows(now: Current) -> bool:
    """Whether it is known which points are the same row of a table."""
    return all(task.ids is not None for task in now.task_set.tasks)


def _equal_classes(now: Current) -> str:
    """How to get tasks with equal classes."""
    if now.uploaded and now.task_set.recipe:
        return "switch on *Equal classes* (on the command line `--balance`) where its tasks are made"
    return "make tasks of a table with *Equal classes* (on the command line `--balance`)"


def _feature(column: int, now: Current) -> str:
    """The feature's name where it has one; Markdown."""
    names = now.task_set.feature_names
    return f"feature {column + 1}" if names is None else text.md(text.quoted(names[column]))


def show_balanced(now: Current, alone: Learned) -> None:
    """Plain beside balanced error of the tasks whose classes are unequal, and what that says of learning alone."""
    uneven = imbalances(now.task_set)
    if not uneven or alone.test_error is None or alone.balanced_error is None:
        return
    frame = pd.DataFrame(
        {
            "task": list(uneven),
            "classes, to 1": [round(ratio, 2) for ratio in uneven.values()],
            "test error alone, %": [100 * alone.test_error[name] for name in uneven],
            "balanced error alone, %": [100 * alone.balanced_error[name] for name in uneven],
        }
    )
    st.markdown(
        "**Balanced error**: the mean of the errors on positive and on negative test points; guessing gives 50\u00a0%."
    )
    st.dataframe(
        frame.round(1), hide_index=True, key="table-balanced", alt="Test error and balanced error of unbalanced tasks"
    )
    show_majority(now, alone)


def show_majority(now: Current, learned: Learned) -> None:
    """Where classes are unequal: both errors, and whether the learner is better than the larger class alone."""
    if unequal(now.task_set):
        show_against(class_balance.learned_words(learned))


def show_against(said: str) -> None:
    """What `figures.class_balance` says, if anything."""
    if said:
        with st.container(key="majority"):
            st.markdown(f":material/balance: {text.md(said)}")
