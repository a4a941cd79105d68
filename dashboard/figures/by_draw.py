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
from core.orders.over_samples import LOWEST, RANDOM, OverDraws, noise_over
from core.statistics.noise import rounded
from core.statistics.t_test import standard_error, t_interval
from core.task_set import FloatArray
from dashboard import text, theme
from dashboard.figures import orders, plot

LEAST = 5
"""Draws from which on a violin is shown; fewer are dots."""
NARROW = 24
"""Characters of an axis title that fit beside the names of the methods on a phone."""
SHIFTS = {"SeqMT": -0.28, "Semantic": -0.14, RANDOM: 0.0, "Diversity": 0.14, LOWEST: 0.28}
"""Where beside the middle of its violin a method stands, so that whiskers do not hide each other."""


@dataclass(frozen=True, eq=False, slots=True)
class Draws:
    """A value on every draw for each order or method, in one unit; `quantity` names the axis.

    `ranked` are the orders and methods of one set, in per cent, with `overlap` as in `OverDraws`.
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


def info(found: OverDraws, more: Mapping[str, FloatArray]) -> Draws:
    """Mean test errors in per cent of the methods, a random order, the lowest bound, the best and the worst order, and
    `more` (yours, the picked)."""
    means = found.errors.mean(axis=0)
    errors = {name: values[0] for name, values in found.methods.items()}
    errors[RANDOM] = found.random[0]
    if found.complete:
        errors[LOWEST] = found.lowest[0]
    errors |= {"Best": found.errors[:, means.argmin()], "Worst": found.errors[:, means.argmax()], **more}
    quantity = f"mean {text.error_name(found.measure)} of each draw (%)"
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


def figure3(runs: Mapping[str, OverDraws], dark: bool) -> go.Figure:
    """One violin of all orders per run, with the methods on it; symbols with one standard error over the draws."""
    traces, draws = [], [info(over, {}) for over in runs.values()]
    for k, over in enumerate(runs.values()):
        errors = 100.0 * over.errors.mean(axis=0)
        if plot.varies(errors):
            own, mean = theme.ink(dark).complexity, {"visible": True}
            traces.append(plot.violin(errors, k, own, True, width=0.9, meanline=mean, name=f"orders {k}"))
    for label, shift in SHIFTS.items():
        found = {k: one for k, one in enumerate(draws) if label in one.values}
        if found:
            places, means = [k + shift for k in found], [one.means[label] for one in found.values()]
            halves = [standard_error(one.values[label], one.overlap) or 0.0 for one in found.values()]
            whiskers = plot.whiskers(halves, orders.colour(label, dark), thickness=1.5)
            look = {"name": label, "showlegend": True, "error_y": whiskers}
            hover = f"<b>{label}</b> %{{y:.2f}}\u00a0%"
            traces.append(plot.dots(places, means, orders.marker(label, dark), hover, **look))
    measure = next(iter(runs.values())).measure
    names = {"tickvals": list(range(len(runs))), "ticktext": plot.names(runs, 34), "range": [-0.6, len(runs) - 0.4]}
    axis = {"title": f"mean {text.error_name(measure)} of the orders (%)", "zeroline": False}
    return theme.figure(dark, 480, traces, xaxis=plot.PLAIN | names, yaxis=axis)


def figure3_title(runs: Mapping[str, OverDraws]) -> str:
    """On how many sets SeqMT's mean is below that of a random order."""
    told = [means for over in runs.values() if "SeqMT" in (means := info(over, {}).means)]
    better = sum(rounded(means["SeqMT"]) < rounded(means[RANDOM]) for means in told)
    measure = next(iter(runs.values())).measure
    return f"SeqMT {fewer(measure)} than a random order can expect in {better} of {len(told)} runs"


def figure3_table(runs: Mapping[str, OverDraws]) -> pd.DataFrame:
    """One row per run: its orders and the methods, in per cent."""
    rows = []
    for label, over in runs.items():
        errors = 100.0 * over.errors.mean(axis=0)
        row: dict[str, object] = {"run": label, "draws": over.draws, "orders": len(errors)}
        row |= {"best order": errors.min(), "mean order": errors.mean(), "worst order": errors.max()}
        rows.append(row | {name: mean for name, mean in info(over, {}).means.items() if name in SHIFTS})
    return pd.DataFrame(rows)


def run_orders(results: Results) -> orders.Spread | None:
    """All fixed orders over the repeats, with the methods of one sequence marked; None without."""
    over = results.over_draws
    return None if over is None else orders.Spread(over.means, over.places, noise_over(over))


def run_orders_table(results: Results) -> pd.DataFrame:
    """One row per order, the best first."""
    walk, error = results.walks[0], text.error_name(results.settings.measure) + " %"
    named = [" > ".join(walk.names[k] for k in order) for order in walk.orders]
    return pd.DataFrame({"order": named, error: 100 * results.order_means}).sort_values(error, kind="stable")
