"""Orders and methods over several draws: one row each with a dot for every draw; and the orders of runs, as in the
paper's Figure 3."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.summary import Results
from core.measure import Measure
from core.orders.orders_by_draw import LOWEST, RANDOM, OrdersByDraw, noise_over
from core.statistics.noise import rounded
from core.statistics.t_test import standard_error, t_interval
from core.task_set import FloatArray
from dashboard import text, theme
from dashboard.figures import orders, plot
from dashboard.figures.plot import Picture

LEAST = 5
"""Draws from which on a violin is shown; fewer are dots."""
NARROW = 24
"""Characters of an axis title that fit beside the names of the methods on a phone."""
SHIFTS = {"SeqMT": -0.28, "Semantic": -0.14, RANDOM: 0.0, "Diversity": 0.14, LOWEST: 0.28}
"""Where beside the middle of its violin a method stands, so that whiskers do not hide each other."""


@dataclass(frozen=True, eq=False, slots=True)
class Draws:
    """A value on every draw for each order or method, in one unit; `quantity` names the axis.

    `ranked` are the orders and methods of one set, in per cent, with `overlap` as in `OrdersByDraw`.
    """

    values: Mapping[str, FloatArray]
    quantity: str
    overlap: float | None = None
    ranked: bool = False

    @property
    def first(self) -> int:
        """The number of the first draw: those of lessons are called by their seeds."""
        return 1 if self.ranked else 0

    @property
    def count(self) -> int:
        """How many draws."""
        return len(next(iter(self.values.values())))

    @property
    def means(self) -> dict[str, float]:
        """The mean over the draws of each."""
        return {name: float(np.mean(values)) for name, values in self.values.items()}

    def lower(self, first: str, second: str) -> int:
        """On how many draws the first has the lower value."""
        return int(np.sum(self.values[first] < self.values[second] - 1e-9))


def info(found: OrdersByDraw, more: dict[str, FloatArray]) -> Draws:
    """Mean test errors in per cent of all that is marked among the orders, and of `more` (yours, the picked)."""
    errors = {name: values[0] for name, values in found.marked.items()} | more
    quantity = f"mean {text.error_name(found.means.measure)} of each draw (%)"
    return Draws({name: 100.0 * rounded(values) for name, values in errors.items()}, quantity, found.overlap, True)


def title(found: Draws, measure: Measure) -> str:
    """On how many draws SeqMT does better than a random order can expect, and whether that could be chance."""
    differences = rounded(found.values["SeqMT"] - found.values[RANDOM])
    if not differences.any():
        return f"SeqMT and a random order have the same {text.error_name(measure)} on all {found.count} draws"
    likely = t_interval(differences, found.overlap)
    chance = ", which could be chance" if likely is None or 0.0 in likely else ""
    return (
        f"SeqMT {fewer(measure)} than a random order can expect on {np.sum(differences < 0)} of "
        f"{text.counted(found.count, 'draw')}{chance}"
    )


def fewer(measure: Measure) -> str:
    """What is said of a learner whose error is lower: balanced errors are no counts of mistakes."""
    return "makes fewer mistakes" if measure == "error" else "has a lower balanced error"


def written(found: Draws) -> dict[str, str]:
    """The means as people read them, all with the same decimals."""
    digits = 1 if max(map(abs, found.means.values())) >= 2 else 3
    return {name: text.number(mean, digits) for name, mean in found.means.items()}


def table(found: Draws) -> pd.DataFrame:
    """One row per draw, one column per order or method."""
    return pd.DataFrame({"draw": np.arange(found.first, found.first + found.count), **found.values})


def figure(found: Draws, dark: bool, height: int | None = None) -> go.Figure:
    """A dot for every draw, aside so that equal values can be counted, and a mark for the mean with its number.

    Methods of a lesson stand as they are listed, with a diamond. What is `ranked` stands by its mean, with a violin,
    its own symbol and one standard error.
    """
    ink, ranked, means = theme.ink(dark), found.ranked, found.means
    diamond = {"symbol": "diamond", "size": 16, "color": ink.error, "line": {"width": 1.5, "color": ink.paper}}
    aside, numbers = np.linspace(-0.16, 0.16, found.count), np.arange(found.first, found.first + found.count)
    order = sorted(means, key=lambda name: round(means[name], 9)) if ranked else list(means)
    traces, names = [], []
    for at, name in enumerate(order):
        values, shown = found.values[name], text.chart(name)
        own = orders.colour(name, dark) if ranked and name in orders.BOLD else ink.complexity
        if ranked and found.count >= LEAST and plot.varies(values):
            traces.append(plot.violin(values, at, own, width=0.85, name=f"{shown} violin"))
        half = standard_error(values, found.overlap) if ranked else None
        dot = {"size": 6 if ranked else 9, "color": own, "opacity": 0.55}
        number = "%{x:.2f}\u00a0%" if ranked else "%{x:.3g}"
        each, mean = f"{shown}, draw %{{customdata}}: {number}", f"<b>{shown}</b>: mean of {found.count} draws {number}"
        sure = None if half is None else plot.whiskers([half], ink.text, thickness=2, width=4)
        mark = orders.marker(name, dark) if ranked else diamond
        traces += [
            plot.dots(values, at + aside, dot, each, customdata=numbers, name=f"{shown} draws"),
            plot.dots([means[name]], [at], mark, mean, name=shown, error_x=sure),
        ]
        said = f"  <b>{means[name]:.1f}\u00a0%</b>" if ranked else f"<br><b>◆ {written(found)[name]}</b>"
        names.append(shown + said)
    title = [found.quantity] if ranked else textwrap.wrap(found.quantity, NARROW)
    axis = {"title": "<br>".join(title), "rangemode": "normal" if ranked or min(means.values()) < 0 else "tozero"}
    return theme.figure(
        dark,
        height or 90 + 20 * len(title) + 62 * len(names),
        traces,
        xaxis=axis,
        yaxis=plot.rows(names, fixedrange=True),
        margin=plot.name_margin(names) if ranked else {},
    )


def picture(found: Draws, key: str, title: str, dark: bool) -> Picture:
    """Ways of learning over the draws."""
    means = "; ".join(f"{name}: mean {mean}" for name, mean in written(found).items())
    return Picture(
        figure(found, dark),
        key,
        title,
        "Every dot is one fresh draw of the same kind of tasks; up and down within a row means nothing. The diamond is "
        "the mean over the draws. Further left is better.",
        f"{found.quantity} over {found.count} draws. {means}.",
        table(found),
    )


def figure3(runs: Mapping[str, OrdersByDraw], dark: bool) -> Picture:
    """One violin of all orders per run, with the methods on it; symbols with one standard error over the draws."""
    traces, rows, draws = [], [], [info(over, {}) for over in runs.values()]
    for k, (label, over) in enumerate(runs.items()):
        errors = 100.0 * over.errors.mean(axis=0)
        if plot.varies(errors):
            own, mean = theme.ink(dark).complexity, {"visible": True}
            traces.append(plot.violin(errors, k, own, True, width=0.9, meanline=mean, name=f"orders {k}"))
        row = {"run": label, "draws": over.draws, "orders": len(errors)}
        row |= {"best order": errors.min(), "mean order": errors.mean(), "worst order": errors.max()}
        rows.append(row | {name: mean for name, mean in draws[k].means.items() if name in SHIFTS})
    for label, shift in SHIFTS.items():
        found = {k: one for k, one in enumerate(draws) if label in one.values}
        if found:
            places, means = [k + shift for k in found], [one.means[label] for one in found.values()]
            halves = [standard_error(one.values[label], one.overlap) or 0.0 for one in found.values()]
            whiskers = plot.whiskers(halves, orders.colour(label, dark), thickness=1.5)
            look = {"name": label, "showlegend": True, "error_y": whiskers}
            hover = f"<b>{label}</b> %{{y:.2f}}\u00a0%"
            traces.append(plot.dots(places, means, orders.marker(label, dark), hover, **look))
    measure = next(iter(runs.values())).means.measure
    names = {"tickvals": list(range(len(runs))), "ticktext": plot.names(runs, 34), "range": [-0.6, len(runs) - 0.4]}
    axis = {"title": f"mean {text.error_name(measure)} of the orders (%)", "zeroline": False}
    told = [one.means for one in draws if "SeqMT" in one.means]
    better = sum(rounded(means["SeqMT"]) < rounded(means[RANDOM]) for means in told)
    title = f"SeqMT {fewer(measure)} than a random order can expect in {better} of {len(told)} runs"
    return Picture(
        theme.figure(dark, 480, traces, xaxis=plot.PLAIN | names, yaxis=axis),
        "figure-3",
        title,
        "One violin per run: all fixed orders by their mean test error over the repeats. Symbols are the methods "
        "with one standard error, moved aside so that they do not hide each other; the line across is the mean order, "
        "*Random*. The paper's Figure 3.",
        f"Violins of the orders of {len(runs)} runs. {title}.",
        pd.DataFrame(rows),
    )


def run_orders(results: Results, dark: bool) -> Picture | None:
    """All fixed orders over the repeats, as the paper's Figure 3; None where they were not tried."""
    over = results.over_draws
    if over is None:
        return None
    spread, walk = orders.Spread(over.means, over.places, noise_over(over)), results.walks[0]
    named = [" > ".join(walk.names[k] for k in order) for order in walk.orders]
    error = text.error_name(results.settings.measure) + " %"
    table = pd.DataFrame({"order": named, error: 100 * results.order_means})
    which = "All" if spread.orders.complete else "A random sample of"
    noise = "" if spread.noise is None else f"\n\n{orders.noise_details(spread.noise)}"
    return Picture(
        orders.figure(spread, dark),
        "fixed-orders",
        spread.title,
        f"{which} {len(spread.values)} fixed orders, the same in each repeat: every dot is one, by its {spread.error} "
        "over the repeats. Rows above are the methods' means with one standard error; a method's order may differ from "
        f"repeat to repeat.{noise}",
        f"Violin of the {spread.error}s of {len(spread.values)} orders. {spread.title}.",
        table.sort_values(error, kind="stable"),
    )
