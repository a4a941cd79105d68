"""Methods over repeats: means with standard errors, each task, and all fixed orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.experiment import NAMES
from core.experiments.summary import Results
from core.measure import Measure
from core.orders.over_samples import noise_over
from core.statistics.noise import rounded
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.differences import ROW
from dashboard.figures.orders import Spread
from dashboard.figures.plot import Matrix
from data.published import Published


@dataclass(frozen=True, slots=True)
class Bar:
    """One method's mean error in per cent, beside the paper's where it published one.

    `other` is the mean by the other measure, where classes are unequal.
    """

    method: str
    mean: float
    standard_error: float | None
    repeats: int
    published: Published | None
    measure: Measure = "error"
    other: float | None = None


def info(results: Results, published: Mapping[str, Published], measure: Measure | None = None) -> tuple[Bar, ...]:
    """One bar per method, as asked for; by the run's measure if none is given. The paper published plain errors."""
    by = measure or results.settings.measure
    beside = results.unequal and "balanced" in results.measures
    bars = []
    for method in results.methods:
        average = results.average(method, by)
        spread = None if average.standard_error is None else 100 * average.standard_error
        theirs = published.get(NAMES[method]) if by == "error" else None
        other = 100 * results.average(method, "balanced" if by == "error" else "error").mean if beside else None
        bars.append(Bar(NAMES[method], 100 * average.mean, spread, average.count, theirs, by, other))
    return tuple(bars)


def title(bars: tuple[Bar, ...]) -> str:
    """Which method is ahead, not counting Best and Worst, which look at the test errors."""
    fair = [bar for bar in bars if bar.method not in ("Best", "Worst")] or list(bars)
    best = min(fair, key=lambda bar: float(rounded(bar.mean)))
    error = text.error_name(best.measure)
    tied = [bar for bar in fair if rounded(bar.mean - best.mean) == 0]
    names = text.listed([bar.method for bar in tied], len(tied))
    has = f"has the lowest mean {error}" if len(tied) == 1 else f"share the lowest mean {error}"
    if len(tied) == len(fair) > 2:
        names, has = f"all {len(tied)} methods", f"have the same mean {error}"
    if best.repeats == 1:
        return f"On this one draw {names} {has}: {best.mean:.1f}\u00a0%"
    reach = best.mean + (best.standard_error or 0.0)
    near = [bar.method for bar in fair if bar not in tied and bar.mean <= reach]
    close = f"; within one standard error: {', '.join(near)}" if near else ""
    return f"{names[0].upper()}{names[1:]} {has}: {best.mean:.1f}\u00a0% over {best.repeats} repeats{close}"


def shared_rows(results: Results) -> str:
    """What a standard error of repeats that split the same rows anew counts in; empty for fresh draws."""
    return (
        "" if results.overlap is None else ", wider as the repeats split the same rows anew and so share most of them"
    )


def figure(bars: tuple[Bar, ...], dark: bool) -> go.Figure:
    """Figure 2 of the paper: one bar per method with its standard error; diamonds are the paper's own figures."""
    ink = theme.ink(dark)
    names = [bar.method for bar in bars]
    errors = [bar.standard_error or 0.0 for bar in bars]
    own = plot.bars(
        np.array([bar.mean for bar in bars]),
        {"color": [ink.other if name in ("Best", "Worst") else ink.complexity for name in names]},
        "%{y}: %{x:.2f}\u00a0% ± %{customdata[0]:.2f} over %{customdata[1]}",
        y=names,
        name="this run",
        error_x=plot.whiskers(errors, ink.text, thickness=2),
        customdata=[[bar.standard_error or np.nan, text.counted(bar.repeats, "repeat")] for bar in bars],
    )
    known = [(bar.method, bar.published) for bar in bars if bar.published is not None]
    paper = plot.dots(
        np.array([published.mean for _, published in known]),
        [method for method, _ in known],
        {"symbol": "diamond", "size": 12, "color": ink.error, "line": {"width": 1, "color": ink.paper}},
        "%{y} in the paper: %{x:.2f}\u00a0%",
        name="published",
        showlegend=True,
        error_x=plot.whiskers([published.standard_error for _, published in known], ink.error),
    )
    return theme.figure(
        dark,
        110 + ROW * len(bars),
        [own, paper] if known else [own],
        xaxis={"title": f"mean {text.error_name(bars[0].measure)} over tasks, %", "rangemode": "tozero"},
        yaxis={"autorange": "reversed", "categoryorder": "array", "categoryarray": names},
    )


def table(bars: tuple[Bar, ...]) -> pd.DataFrame:
    """One row per method."""
    frame = pd.DataFrame(
        {
            "method": [bar.method for bar in bars],
            f"{text.error_name(bars[0].measure)} %": [bar.mean for bar in bars],
            "standard error": [bar.standard_error for bar in bars],
            "repeats": [bar.repeats for bar in bars],
        }
    )
    if any(bar.other is not None for bar in bars):
        frame[f"{text.error_name('balanced' if bars[0].measure == 'error' else 'error')} %"] = [b.other for b in bars]
    if any(bar.published for bar in bars):
        frame["published %"] = [bar.published and bar.published.mean for bar in bars]
        frame["published standard error"] = [bar.published and bar.published.standard_error for bar in bars]
    return frame


def tasks(results: Results, measure: Measure | None = None) -> Matrix:
    """The mean test error in per cent of every method (row) on every task (column)."""
    methods, names = [NAMES[method] for method in results.methods], plot.names(results.tasks, None)
    found = [list(results.per_task(method, measure).values()) for method in results.methods]

    def said(i: int, j: int) -> str:
        one = found[i][j]
        spread = "" if one.standard_error is None else f" ± {100 * one.standard_error:.2f} over {one.count} repeats"
        return f"{methods[i]} on {names[j]}: {100 * one.mean:.2f}\u00a0%{spread}"

    return Matrix(
        100 * np.array([[one.mean for one in row] for row in found]),
        methods,
        results.tasks,
        said,
        ("", "task"),
        f"{text.error_name(measure or results.settings.measure)}, %",
        "{:.1f}",
    )


def tasks_title(results: Results, measure: Measure | None = None) -> str:
    """The task of the highest mean error over all methods."""
    means = np.mean([results.errors(method, measure).mean(axis=0) for method in results.methods], axis=0)
    if len(means) > 1 and np.ptp(rounded(means)) == 0:
        return f"All tasks have the same mean error: {text.percent(means[0])}"
    hardest = int(np.argmax(means))
    return f"{text.quoted(results.tasks[hardest])} has the highest mean error: {text.percent(means[hardest])}"


def orders_info(results: Results) -> Spread | None:
    """All fixed orders over the repeats, with the methods of one sequence marked; None without."""
    over = results.over_draws
    return None if over is None else Spread(over.means, over.places, noise_over(over))


def orders_table(results: Results) -> pd.DataFrame:
    """One row per order, the best first."""
    walk, error = results.walks[0], f"{text.error_name(results.settings.measure)} %"
    frame = pd.DataFrame(
        {
            "order": [" > ".join(walk.names[k] for k in order) for order in walk.orders],
            error: 100 * results.order_means,
        }
    )
    return frame.sort_values(error, kind="stable")
