"""Methods over repeats: means with standard errors, each task, and all fixed orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.order_noise import noise_over
from core.experiments.experiment import NAMES
from core.experiments.statistics import Results
from dashboard import text, theme
from dashboard.figures import matrix
from dashboard.figures.orders import Spread
from data.sets.published import Published

ROW = 34


@dataclass(frozen=True, slots=True)
class Bar:
    """One method's mean test error in per cent, beside the paper's where it published one."""

    method: str
    mean: float
    standard_error: float | None
    repeats: int
    published: Published | None


def info(results: Results, published: Mapping[str, Published]) -> tuple[Bar, ...]:
    """A bar a method, as asked for."""
    bars = []
    for method in results.methods:
        average = results.average(method)
        spread = None if average.standard_error is None else 100 * average.standard_error
        bars.append(Bar(NAMES[method], 100 * average.mean, spread, average.count, published.get(NAMES[method])))
    return tuple(bars)


def title(bars: tuple[Bar, ...]) -> str:
    """Which method is ahead, not counting Best and Worst, which look at the test errors."""
    fair = [bar for bar in bars if bar.method not in ("Best", "Worst")] or list(bars)
    best = min(fair, key=lambda bar: bar.mean)
    if best.repeats == 1:
        return f"On this one draw {best.method} has the lowest mean test error: {best.mean:.1f}\u00a0%"
    reach = best.mean + (best.standard_error or 0.0)
    near = [bar.method for bar in fair if bar is not best and bar.mean <= reach]
    close = f"; within one standard error: {', '.join(near)}" if near else ""
    return f"{best.method} has the lowest mean test error: {best.mean:.1f}\u00a0% over {best.repeats} repeats{close}"


def figure(bars: tuple[Bar, ...], dark: bool) -> go.Figure:
    """Figure 2 of the paper: a bar a method with its standard error; diamonds are the paper's own figures."""
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
            customdata=[[bar.standard_error or float("nan"), bar.repeats] for bar in bars],
            hovertemplate="%{y}: %{x:.2f}\u00a0% ± %{customdata[0]:.2f} over %{customdata[1]} repeats<extra></extra>",
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
    chart.update_xaxes(title="mean test error over tasks, %", rangemode="tozero")
    chart.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=names)
    return chart


def table(bars: tuple[Bar, ...]) -> pd.DataFrame:
    """A row a method."""
    frame = pd.DataFrame(
        {
            "method": [bar.method for bar in bars],
            "test error %": [bar.mean for bar in bars],
            "standard error": [bar.standard_error for bar in bars],
            "repeats": [bar.repeats for bar in bars],
        }
    )
    if any(bar.published for bar in bars):
        frame["published %"] = [bar.published and bar.published.mean for bar in bars]
        frame["published standard error"] = [bar.published and bar.published.standard_error for bar in bars]
    return frame


def tasks_table(results: Results) -> pd.DataFrame:
    """Mean test error in per cent, a row a method and a column a task."""
    rows = [
        {"method": NAMES[method]} | {task: 100 * average.mean for task, average in results.per_task(method).items()}
        for method in results.methods
    ]
    return pd.DataFrame(rows)


def tasks_title(results: Results) -> str:
    """The hardest task on average."""
    means = np.mean([results.errors(method).mean(axis=0) for method in results.methods], axis=0)
    hardest = int(np.argmax(means))
    return f"{text.quoted(results.tasks[hardest])} is the hardest task: {text.percent(means[hardest])} on average"


def tasks_figure(results: Results, labels: Mapping[str, str], dark: bool) -> go.Figure:
    """A cell a method and task, with its mean test error."""
    values = 100 * np.array([results.errors(method).mean(axis=0) for method in results.methods])
    methods = [NAMES[method] for method in results.methods]
    hover = [
        [
            f"{NAMES[method]} on {text.chart(task)}: {100 * one.mean:.2f}\u00a0%"
            + ("" if one.standard_error is None else f" ± {100 * one.standard_error:.2f} over {one.count} repeats")
            for task, one in results.per_task(method).items()
        ]
        for method in results.methods
    ]
    return matrix.figure(
        values, methods, [labels[task] for task in results.tasks], hover=hover, row_title="", column_title="task",
        colour_title="test error, %", dark=dark, number="{:.1f}",
    )  # fmt: skip


def orders_info(results: Results) -> Spread | None:
    """All fixed orders over the repeats, with the methods of one sequence marked; None without."""
    over = results.over_draws
    return None if over is None else Spread(over.means, over.places, noise_over(over))


def orders_table(results: Results) -> pd.DataFrame:
    """A row an order, the best first."""
    walk = results.walks[0]
    frame = pd.DataFrame(
        {
            "order": [" > ".join(walk.names[k] for k in order) for order in walk.orders],
            "test error %": 100 * results.order_means,
        }
    )
    return frame.sort_values("test error %", kind="stable")
