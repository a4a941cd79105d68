"""How far methods differ: from a pinned baseline on the same draws, or between two runs; dots with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.experiment import NAMES
from core.experiments.summary import PICKED, Between, Difference, Paired
from core.measure import Measure
from dashboard import text, theme
from dashboard.figures import plot

ROW = 34
MARKS = "Filled circles are clear: their whisker leaves 0 out. Squares are identical: no repeat has another test error."


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
    said = [f", {pair.verdict}{_p(pair)}, {text.counted(pair.count, 'repeat')}" for pair in found]
    return _figure(found, said, axis, dark, len(found) + 1)


def runs_figure(found: Sequence[Between], second: str, dark: bool, measure: Measure = "error") -> go.Figure:
    """One dot per method that both runs have."""
    axis = f"{text.error_name(measure)} in {text.chart(second)} minus the other's,<br>percentage points"
    how = [f"{text.counted(one.count, 'repeat')} on the same draws" if one.count else "other draws" for one in found]
    said = [f"{', identical' * one.identical}{_p(one)}, {words}" for one, words in zip(found, how, strict=True)]
    return _figure(found, said, axis, dark, len(found))


def _p(one: Difference) -> str:
    return "" if one.p_value is None else f", corrected p = {one.p_value:.2g}"


def _figure(found: Sequence[Difference], said: list[str], axis: str, dark: bool, rows: int) -> go.Figure:
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
