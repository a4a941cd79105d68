"""How far methods differ: from a pinned baseline on the same draws, or between two runs; dots with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.experiment import NAMES
from core.experiments.run_difference import Between
from core.experiments.summary import PICKED, Paired
from core.measure import Measure
from core.statistics.noise import Interval
from dashboard import text, theme
from dashboard.figures import plot

ROW = 34
MARKS = "Filled circles are clear: their whisker leaves 0 out. Squares are identical: no repeat has another test error."


@dataclass(frozen=True, slots=True)
class Dot:
    """One row of the figure: a difference of test errors with its interval, and what more its hover says."""

    name: str
    difference: float
    interval: Interval | None
    clear: bool
    identical: bool
    said: str

    @property
    def symbol(self) -> str:
        """Filled where the difference is clear, a square where nothing differs at all."""
        return "square-open" if self.identical else "circle" if self.clear else "circle-open"

    @property
    def reach(self) -> float:
        """Half the interval in percentage points; NaN, which shows no whisker, where there is nothing to show."""
        return np.nan if self.interval is None or self.identical else 50 * (self.interval.high - self.interval.low)


def from_baseline(found: Sequence[Paired]) -> list[Dot]:
    """Methods against the baseline."""
    return [
        Dot(
            NAMES[pair.method],
            pair.difference,
            pair.interval,
            pair.verdict.startswith("clearly"),
            pair.verdict == "identical",
            f", {pair.verdict}{_p(pair.p_value)}, {text.counted(pair.count, 'repeat')}",
        )
        for pair in found
    ]


def between_runs(found: Sequence[Between]) -> list[Dot]:
    """Methods of the second run against the same in the first."""
    return [
        Dot(
            NAMES[one.method],
            one.difference,
            one.interval,
            one.clear,
            one.identical,
            f"{', identical' if one.identical else ''}{_p(one.p_value)}, "
            + (f"{text.counted(one.pairs, 'repeat')} on the same draws" if one.pairs else "other draws"),
        )
        for one in found
    ]


def _p(value: float | None) -> str:
    return "" if value is None else f", corrected p = {value:.2g}"


def baseline_title(found: Sequence[Paired]) -> str:
    """Which methods are clearly better or worse than the baseline, and which are identical with it."""
    base, dots = NAMES[found[0].baseline], from_baseline(found)
    better, worse, alike = _clear(dots)
    if all(dot.identical for dot in dots):
        return f"{_all(dots, 'other methods')} identical with {base} on every repeat"
    if found[0].baseline in PICKED:
        return f"{base} is picked by these test errors, so nothing is claimed against it{alike}"
    if not better and not worse:
        return f"No method differs clearly from {base} on these draws{alike}"
    parts = [f"worse than {base}: {worse}"] if worse else []
    parts += [f"better{'' if worse else f' than {base}'}: {better}"] if better else []
    return f"Clearly {'; '.join(parts)}{alike}"


def runs_title(found: Sequence[Between], first: str, second: str, measure: Measure = "error") -> str:
    """Which methods clearly differ between two runs, and which are identical."""
    dots = between_runs(found)
    better, worse, alike = _clear(dots)
    if all(dot.identical for dot in dots):
        return f"{_all(dots, 'methods')} identical in {first} and {second}, on every repeat"
    if not better and not worse:
        return f"No method differs clearly between {first} and {second}{alike}"
    fewer, more = ("fewer", "more") if measure == "error" else ("lower", "higher")
    what = "mistakes" if measure == "error" else "balanced error"
    parts = [f"{fewer} {what}: {better}"] if better else []
    parts += [f"{more} {what}: {worse}"] if worse else []
    return f"In {second} instead of {first}, clearly {'; '.join(parts)}{alike}"


def _clear(dots: Sequence[Dot]) -> tuple[str, str, str]:
    """Who is clearly better and who clearly worse, and how the title ends where methods are identical."""
    better = [dot.name for dot in dots if dot.clear and dot.difference < 0]
    worse = [dot.name for dot in dots if dot.clear and dot.difference > 0]
    same = [dot.name for dot in dots if dot.identical]
    return ", ".join(better), ", ".join(worse), f"; identical: {', '.join(same)}" if same else ""


def _all(dots: Sequence[Dot], what: str) -> str:
    """All of them, by name where they are at most two, with the verb."""
    if len(dots) > 2:
        return f"All {len(dots)} {what} are"
    return f"{text.listed([dot.name for dot in dots])} {'are' if len(dots) > 1 else 'is'}"


def reading(found: Sequence[Paired]) -> str:
    """How to read the marks, and what was done so that they claim no more than the repeats bear."""
    said = MARKS
    if any(pair.verdict == "picked by test error" for pair in found):
        said += " Best and Worst are picked by these very test errors, so nothing is claimed of them."
    if any(not pair.learned for pair in found):
        said += (
            " Nothing is claimed of two methods of which neither is clearly better than always answering the larger "
            "class."
        )
    return f"{said} {correction(sum(pair.interval is not None for pair in found), found[0].overlap)}"


def correction(count: int, overlap: float | None) -> str:
    """What was done so that whiskers and p-values claim no more than the repeats bear."""
    said = "Whiskers are 95\u00a0% confidence intervals of the mean (Student's t). "
    if count > 1:
        said += f"Whiskers and p-values are corrected for looking at {count} methods (Holm). "
    if overlap is None:
        return f"{said}Every repeat is a draw of its own, so nothing is corrected for shared rows."
    return (
        f"{said}The repeats split the same rows anew, so they share most of them. Whiskers and p-values are corrected "
        f"for that (Nadeau and Bengio): the variance of a mean over J repeats is taken as 1/J + {overlap:.2f} times "
        f"that of one repeat. The {overlap:.2f} is the number of test points for each training point."
    )


def baseline_figure(found: Sequence[Paired], dark: bool, measure: Measure = "error") -> go.Figure:
    """One dot per method, as tall as the bars of all methods beside it."""
    axis = f"{text.error_name(measure)} minus {NAMES[found[0].baseline]}'s,<br>percentage points"
    return figure(from_baseline(found), axis, dark, len(found) + 1)


def runs_figure(found: Sequence[Between], second: str, dark: bool, measure: Measure = "error") -> go.Figure:
    """One dot per method that both runs have."""
    axis = f"{text.error_name(measure)} in {text.chart(second)} minus the other's,<br>percentage points"
    return figure(between_runs(found), axis, dark, len(found))


def figure(dots: Sequence[Dot], axis: str, dark: bool, rows: int) -> go.Figure:
    """Differences with their symmetric intervals around 0; green helps and orange hurts."""
    ink = theme.ink(dark)
    colours = [ink.muted if dot.difference == 0 else ink.hurts if dot.difference > 0 else ink.helps for dot in dots]
    shown = plot.dots(
        100 * np.array([dot.difference for dot in dots]),
        [dot.name for dot in dots],
        {"size": 13, "symbol": [dot.symbol for dot in dots], "color": colours, "line": {"width": 2}},
        "%{y}: %{x:+.2f} points%{customdata}",
        error_x=plot.whiskers(np.array([dot.reach for dot in dots]), ink.muted, thickness=2),
        customdata=[dot.said for dot in dots],
    )
    chart = theme.figure(dark, 110 + ROW * rows, [shown], xaxis={"title": axis}, yaxis={"autorange": "reversed"})
    return chart.add_vline(x=0, line={"color": ink.line, "width": 2})


def baseline_table(found: Sequence[Paired]) -> pd.DataFrame:
    """One row per method."""
    return pd.DataFrame(
        {"method": [NAMES[pair.method] for pair in found], "baseline": [NAMES[pair.baseline] for pair in found]}
        | _numbers(found)
        | {"verdict": [pair.verdict for pair in found], "repeats": [pair.count for pair in found]}
    )


def runs_table(found: Sequence[Between]) -> pd.DataFrame:
    """One row per method, in per cent and percentage points."""
    return pd.DataFrame(
        {
            "method": [NAMES[one.method] for one in found],
            "first %": [100 * one.first.mean for one in found],
            "second %": [100 * one.second.mean for one in found],
        }
        | _numbers(found)
        | {"identical": [one.identical for one in found], "paired repeats": [one.pairs for one in found]}
    )


def _numbers(found: Sequence[Paired] | Sequence[Between]) -> dict[str, list[float | None]]:
    return {
        "difference, points": [100 * one.difference for one in found],
        "corrected interval from": [None if one.interval is None else 100 * one.interval.low for one in found],
        "to": [None if one.interval is None else 100 * one.interval.high for one in found],
        "corrected p": [one.p_value for one in found],
    }
