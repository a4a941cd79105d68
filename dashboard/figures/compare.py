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
from core.orders.significance import noise_over
from core.statistics.noise import rounded
from dashboard import text, theme
from dashboard.figures import matrix
from dashboard.figures.orders import Spread
from data.published import Published

ROW = 34


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
    chart = theme.blank(dark, 110 + ROW * len(bars))
    names = [bar.method for bar in bars]
    chart.add_trace(
        go.Bar(
            x=np.array([bar.mean for bar in bars]),
            y=names,
            orientation="h",
            name="this run",
            marker={"color": [ink.other if name in ("Best", "Worst") else ink.complexity for name in names]},
            error_x={
                "type": "data",
                "array": [bar.standard_error or 0.0 for bar in bars],
                "color": ink.text,
                "thickness": 2,
            },
            customdata=[[bar.standard_error or float("nan"), text.counted(bar.repeats, "repeat")] for bar in bars],
            hovertemplate="%{y}: %{x:.2f}\u00a0% ± %{customdata[0]:.2f} over %{customdata[1]}<extra></extra>",
        )
    )
    known = [bar for bar in bars if bar.published is not None]
    if known:
        chart.add_trace(
            go.Scatter(
                x=np.array([bar.published.mean for bar in known if bar.published]),
                y=[bar.method for bar in known],
                mode="markers",
                name="published",
                marker={"symbol": "diamond", "size": 12, "color": ink.error, "line": {"width": 1, "color": ink.paper}},
                error_x={
                    "type": "data",
                    "array": [bar.published.standard_error for bar in known if bar.published],
                    "color": ink.error,
                },
                hovertemplate="%{y} in the paper: %{x:.2f}\u00a0%<extra></extra>",
            )
        )
    chart.update_xaxes(title=f"mean {text.error_name(bars[0].measure)} over tasks, %", rangemode="tozero")
    chart.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=names)
    return chart


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


def tasks_table(results: Results, measure: Measure | None = None) -> pd.DataFrame:
    """Mean test error in per cent, one row per method and one column per task."""
    return pd.DataFrame(
        {"method": NAMES[method]} | {task: 100 * one.mean for task, one in results.per_task(method, measure).items()}
        for method in results.methods
    )


def tasks_title(results: Results, measure: Measure | None = None) -> str:
    """The task of the highest mean error over all methods."""
    means = np.mean([results.errors(method, measure).mean(axis=0) for method in results.methods], axis=0)
    if len(means) > 1 and np.ptp(rounded(means)) == 0:
        return f"All tasks have the same mean error: {text.percent(means[0])}"
    hardest = int(np.argmax(means))
    return f"{text.quoted(results.tasks[hardest])} has the highest mean error: {text.percent(means[hardest])}"


def tasks_figure(results: Results, labels: Mapping[str, str], dark: bool, measure: Measure | None = None) -> go.Figure:
    """One cell per method and task, with its mean test error."""
    values = 100 * np.array([results.errors(method, measure).mean(axis=0) for method in results.methods])
    methods = [NAMES[method] for method in results.methods]
    hover = [
        [
            f"{NAMES[method]} on {text.chart(task)}: {100 * one.mean:.2f}\u00a0%"
            + ("" if one.standard_error is None else f" ± {100 * one.standard_error:.2f} over {one.count} repeats")
            for task, one in results.per_task(method, measure).items()
        ]
        for method in results.methods
    ]
    return matrix.figure(
        values, methods, [labels[task] for task in results.tasks], hover=hover, row_title="", column_title="task",
        colour_title=f"{text.error_name(measure or results.settings.measure)}, %", dark=dark, number="{:.1f}",
    )  # fmt: skip


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
