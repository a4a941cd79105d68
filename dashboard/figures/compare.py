"""Methods over repeats: means with standard errors, differences from one of them or between two runs, and each task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.difference import Between, Difference, Paired
from core.experiments.experiment import NAMES, PICKED
from core.experiments.summary import Results
from core.measure import Measure
from core.statistics.noise import rounded
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Matrix
from data.published import Published

ROW = 34
"""Pixels of the row of a method."""
MARKS = "Filled circles are clear: their whisker leaves 0 out. Squares are identical: no repeat has another test error."


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
            text.error_name(bars[0].measure) + " %": [bar.mean for bar in bars],
            "standard error": [bar.standard_error for bar in bars],
            "repeats": [bar.repeats for bar in bars],
        }
    )
    if any(bar.other is not None for bar in bars):
        frame[text.error_name("balanced" if bars[0].measure == "error" else "error") + " %"] = [b.other for b in bars]
    if any(bar.published for bar in bars):
        frame["published %"] = [bar.published and bar.published.mean for bar in bars]
        frame["published standard error"] = [bar.published and bar.published.standard_error for bar in bars]
    return frame


def baseline_title(found: Sequence[Paired]) -> str:
    """Which methods are clearly better or worse than the baseline, and which are identical with it."""
    base, (better, worse, alike) = NAMES[found[0].baseline], _clear(found)
    if all(pair.identical for pair in found):
        return f"{_all(found, 'other methods')} identical with {base} on every repeat"
    if found[0].baseline in PICKED:
        return f"{base} is picked by these test errors, so nothing is claimed against it{alike}"
    if not better and not worse:
        return f"No method differs clearly from {base} on these draws{alike}"
    parts = [f"worse than {base}: {worse}"] if worse else []
    parts += [f"better{'' if worse else f' than {base}'}: {better}"] if better else []
    return f"Clearly {'; '.join(parts)}{alike}"


def runs_title(found: Sequence[Between], first: str, second: str, measure: Measure = "error") -> str:
    """Which methods clearly differ between two runs, and which are identical."""
    better, worse, alike = _clear(found)
    if all(one.identical for one in found):
        return f"{_all(found, 'methods')} identical in {first} and {second}, on every repeat"
    if not better and not worse:
        return f"No method differs clearly between {first} and {second}{alike}"
    fewer, more = ("fewer", "more") if measure == "error" else ("lower", "higher")
    what = "mistakes" if measure == "error" else "balanced error"
    parts = [f"{fewer} {what}: {better}"] if better else []
    parts += [f"{more} {what}: {worse}"] if worse else []
    return f"In {second} instead of {first}, clearly {'; '.join(parts)}{alike}"


def _clear(found: Sequence[Difference]) -> tuple[str, str, str]:
    """Who is clearly better and who clearly worse, and how the title ends where methods are identical."""
    better = [NAMES[one.method] for one in found if one.clear and one.difference < 0]
    worse = [NAMES[one.method] for one in found if one.clear and one.difference > 0]
    same = [NAMES[one.method] for one in found if one.identical]
    return ", ".join(better), ", ".join(worse), f"; identical: {', '.join(same)}" if same else ""


def _all(found: Sequence[Difference], what: str) -> str:
    """All of them, by name where they are at most two, with the verb."""
    if len(found) > 2:
        return f"All {len(found)} {what} are"
    return f"{text.listed([NAMES[one.method] for one in found])} {'are' if len(found) > 1 else 'is'}"


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


def correction(count: int, *overlaps: float | None) -> str:
    """What was done so that whiskers and p-values claim no more than the repeats bear: of two runs, those that overlap
    more.
    """
    overlap = max((one for one in overlaps if one is not None), default=None)
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
    said = [f", {pair.verdict}{_p(pair)}, {text.counted(pair.count, 'repeat')}" for pair in found]
    return _differences(found, said, axis, dark, len(found) + 1)


def runs_figure(found: Sequence[Between], second: str, dark: bool, measure: Measure = "error") -> go.Figure:
    """One dot per method that both runs have."""
    axis = f"{text.error_name(measure)} in {text.chart(second)} minus the other's,<br>percentage points"
    how = [f"{text.counted(one.count, 'repeat')} on the same draws" if one.count else "other draws" for one in found]
    said = [f"{', identical' * one.identical}{_p(one)}, {words}" for one, words in zip(found, how, strict=True)]
    return _differences(found, said, axis, dark, len(found))


def _p(one: Difference) -> str:
    return "" if one.p_value is None else f", corrected p = {one.p_value:.2g}"


def _differences(found: Sequence[Difference], said: list[str], axis: str, dark: bool, rows: int) -> go.Figure:
    """Differences with their symmetric intervals around 0; green helps and orange hurts."""
    ink = theme.ink(dark)
    symbols = ["square-open" if one.identical else "circle" if one.clear else "circle-open" for one in found]
    colours = [ink.muted if one.difference == 0 else ink.hurts if one.difference > 0 else ink.helps for one in found]
    # No whisker where there is nothing to show; of a list Plotly would take 0.
    spans = [np.nan if one.interval is None or one.identical else one.interval.high - one.interval.low for one in found]
    shown = plot.dots(
        100 * np.array([one.difference for one in found]),
        [NAMES[one.method] for one in found],
        {"size": 13, "symbol": symbols, "color": colours, "line": {"width": 2}},
        "%{y}: %{x:+.2f} points%{customdata}",
        error_x=plot.whiskers(50 * np.array(spans), ink.muted, thickness=2),
        customdata=said,
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
        | {"identical": [one.identical for one in found], "paired repeats": [one.count for one in found]}
    )


def _numbers(found: Sequence[Difference]) -> dict[str, list[float | None]]:
    return {
        "difference, points": [100 * one.difference for one in found],
        "corrected interval from": [None if one.interval is None else 100 * one.interval.low for one in found],
        "to": [None if one.interval is None else 100 * one.interval.high for one in found],
        "corrected p": [one.p_value for one in found],
    }


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
