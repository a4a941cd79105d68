"""What repeats have in common: transfers, starts and ends, companions, and when each task is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from core.statistics.patterns import MOST_COMPARED, Patterns, Stability
from core.task_set import FloatArray
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Matrix, Picture


def transfers(found: Patterns, dark: bool) -> Picture:
    """Share of repeats in which the task of the column was learned from that of the row; the last row is no source."""
    title, names = "No task was ever learned from another", found.names
    if found.transfers.any():
        i, j = np.unravel_index(int(np.argmax(found.transfers)), found.transfers.shape)
        source, task = (text.quoted(names[k]) for k in (int(i), int(j)))
        title = f"Most often {task} is learned from {source}: in {text.percent(found.transfers[i, j], 0)} of "
        title += f"{found.repeats} repeats"
        others = int(np.sum(found.transfers == found.transfers[i, j])) - 1
        title += f", and {text.counted(others, 'other transfer')} as often" if others else ""
    values = np.vstack([found.transfers, found.starts])
    rows, columns = np.nonzero(found.transfers)
    table = pd.DataFrame(
        {
            "source": [names[k] for k in rows],
            "task": [names[k] for k in columns],
            "share of repeats": found.transfers[rows, columns],
        }
    )
    return Picture(
        plot.matrix(_shares(values, (*names, "no source"), names, "{1} from {0}", ("source", "task")), dark),
        "transfers",
        title,
        "The task of the column was learned from the source of the row in that share of the repeats. Columns add up to "
        "100\u00a0%: the last row counts the repeats in which the task had no source.",
        title,
        table.sort_values("share of repeats", ascending=False, kind="stable"),
    )


def ends(found: Patterns, labels: Mapping[str, str], dark: bool) -> Picture:
    """Two bars per task: how often it started and how often it ended a subsequence."""
    ink, names = theme.ink(dark), plot.names((labels[name] for name in found.names), None)
    start, end = int(np.argmax(found.starts)), int(np.argmax(found.ends))
    title = (
        f"{text.quoted(found.names[start])} starts a subsequence in {text.percent(found.starts[start], 0)} of the "
        f"repeats, {text.quoted(found.names[end])} ends one in {text.percent(found.ends[end], 0)}"
    )
    kinds = (("starts", found.starts, ink.complexity, ""), ("ends", found.ends, ink.error, "/"))
    hover = "%{{hovertext}} {} a subsequence in %{{x:.0f}}\u00a0% of the repeats"
    chart = theme.figure(
        dark,
        120 + max(34 * len(names), 120),
        [
            plot.bars(
                100.0 * values, plot.hatched(colour, stripes, dark), hover.format(word), name=word, hovertext=names
            )
            for word, values, colour, stripes in kinds
        ],
        xaxis={"title": "share of repeats (%)", "range": [0, 101]},
        yaxis=plot.rows(names),
        barmode="group",
        bargap=0.25,
    )
    return Picture(
        chart,
        "ends",
        title,
        "How often the task had no source (starts, plain bars), and how often nothing was learned from it (ends, "
        "striped bars). A task that is alone does both.",
        title,
        _table(found),
    )


def _table(found: Patterns) -> pd.DataFrame:
    """One row per task."""
    return pd.DataFrame(
        {
            "task": found.names,
            "starts": found.starts,
            "ends": found.ends,
            "mean step": found.positions.mean(axis=0),
            "earliest step": found.positions.min(axis=0),
            "latest step": found.positions.max(axis=0),
        }
    )


def companions(found: Patterns, dark: bool) -> Picture:
    """Share of repeats in which two tasks were in one subsequence; companions stand beside each other."""
    order = list(found.by_companions)
    names = [found.names[k] for k in order]
    matrix = _shares(found.together[np.ix_(order, order)], names, names, "{0} with {1}", ("task", "task"))
    apart, title = found.together[~np.eye(len(names), dtype=bool)], "No two tasks were ever in one subsequence"
    if apart.any():
        always, trees = int(np.sum(apart >= 1.0 - 1e-9)) // 2, float(np.mean(found.trees))
        title = (
            f"{always} of {len(apart) // 2} pairs of tasks always stay together; {trees:.1f} subsequences on average"
        )
    return Picture(
        plot.matrix(matrix, dark),
        "companions",
        title,
        "The share of repeats in which two tasks were in the same subsequence. Tasks are sorted so that companions "
        "stand beside each other: blocks are tasks that belong together.",
        title,
        matrix.frame("task"),
    )


def positions(found: Patterns, labels: Mapping[str, str], colours: Mapping[str, str], dark: bool) -> Picture:
    """One dot per repeat at the step of the task, a bar at the mean; the earliest task is on top."""
    mean = found.positions.mean(axis=0)
    order = np.argsort(mean, kind="stable")
    names, n = [found.names[k] for k in order], len(order)
    at = np.repeat(np.arange(n), found.repeats) + np.tile(np.linspace(-0.22, 0.22, found.repeats), n)
    each = {"size": 7, "opacity": 0.75, "color": np.repeat([colours[name] for name in names], found.repeats)}
    middle = {"symbol": "line-ns-open", "size": 20, "color": theme.ink(dark).text, "line": {"width": 3}}
    first, last = (text.quoted(found.names[int(pick(mean))]) for pick in (np.argmin, np.argmax))
    title = f"{first} tends to be learned first, {last} last"
    chart = theme.figure(
        dark,
        120 + max(30 * n, 120),
        [
            plot.dots(found.positions[:, order].T.ravel(), at, each, "step %{x}", name="repeats", showlegend=True),
            plot.dots(mean[order], np.arange(n), middle, "mean step %{x:.1f}", name="mean", showlegend=True),
        ],
        xaxis={"title": "step of learning", "range": [0.5, n + 0.5]},
        yaxis=plot.rows(plot.names((labels[name] for name in names), None)),
    )
    return Picture(
        chart,
        "positions",
        title,
        "One dot per repeat, at the step at which it learned the task; the bar is the mean. One sequence keeps all "
        "tasks together, so there are no companions to show.",
        title,
        _table(found),
    )


def stable_words(found: Stability, repeats: int, fresh: bool) -> str:
    """How stable it all is, in plain text. Only `fresh` draws are held against chance: repeats that split the same rows
    agree beyond it on labels drawn at random, too.
    """
    compared = f"first {MOST_COMPARED}" if repeats > MOST_COMPARED else f"{repeats}"
    together = (
        f" and {text.percent(found.companions, 0)} of their pairs in one subsequence"
        f"{_by_chance(found.companions_by_chance, fresh)}"
        if found.companions_by_chance < 1.0
        else ""  # one sequence keeps all together, whatever its order
    )
    return (
        f"How stable is it? Two of the {compared} repeats share {text.percent(found.transfers, 0)} of their transfers "
        f"on average{_by_chance(found.transfers_by_chance, fresh)}{together}. "
        f"Their orders have a rank correlation of {found.order:.2f}.".replace("-", "−")
        + ("" if fresh else " They split the same rows anew, so they agree even where there is nothing to learn.")
    )


def _by_chance(share: float, fresh: bool) -> str:
    return f" (by chance: {text.percent(share, 0)})" if fresh else ""


def _shares(
    values: FloatArray, row_names: Sequence[str], column_names: Sequence[str], said: str, axes: tuple[str, str]
) -> Matrix:
    """Shares of the repeats, from none to all, with `said` of row and column in the hover."""
    a, b = (plot.names(names, 60) for names in (row_names, column_names))
    return Matrix(
        values,
        row_names,
        column_names,
        lambda i, j: f"{said.format(a[i], b[j])}: {text.percent(values[i, j], 0)} of repeats",
        axes,
        "share of repeats (%)",
        scale=100.0,
        ends=(0.0, 1.0),
        zeros=False,
    )
