"""Paired differences between methods and a pinned baseline, on the same draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.experiment import NAMES
from core.experiments.summary import PICKED, Paired, Results
from core.measure import Measure
from core.statistics.noise import Interval
from dashboard import text, theme

ROW = 34


@dataclass(frozen=True, slots=True)
class Dot:
    """One row of the figure: a difference of test errors with its interval, and what more its hover says."""

    name: str
    difference: float
    interval: Interval | None
    clear: bool
    identical: bool
    said: str


def info(results: Results, baseline: str, measure: Measure | None = None) -> tuple[Paired, ...]:
    """Every other method against the baseline, on the repeats that both have."""
    return results.against(baseline, measure)


def title(found: tuple[Paired, ...]) -> str:
    """Which methods are clearly better or worse than the baseline, and which are identical with it."""
    base = NAMES[found[0].baseline]
    better, worse, same = (
        [NAMES[pair.method] for pair in found if pair.verdict == verdict]
        for verdict in ("clearly better", "clearly worse", "identical")
    )
    if len(same) == len(found):
        who = (
            f"All {len(same)} other methods are"
            if len(same) > 2
            else f"{text.listed(same)} {'are' if same[1:] else 'is'}"
        )
        return f"{who} identical with {base} on every repeat"
    alike = f"; identical: {', '.join(same)}" if same else ""
    if found[0].baseline in PICKED:
        return f"{base} is picked by these test errors, so nothing is claimed against it{alike}"
    if not better and not worse:
        return f"No method differs clearly from {base} on these draws{alike}"
    parts = [f"worse than {base}: {', '.join(worse)}"] if worse else []
    parts += [f"better{'' if worse else f' than {base}'}: {', '.join(better)}"] if better else []
    return f"Clearly {'; '.join(parts)}{alike}"


def reading(found: tuple[Paired, ...]) -> str:
    """How to read the marks, and what was done so that they claim no more than the repeats bear."""
    picked = any(pair.verdict == "picked by test error" for pair in found)
    said = " Best and Worst are picked by these very test errors, so nothing is claimed of them." if picked else ""
    if any(not pair.learned for pair in found):
        said += (
            " Nothing is claimed of two methods of which neither is clearly better than always answering the larger "
            "class."
        )
    return f"{MARKS}{said} {correction(sum(pair.interval is not None for pair in found), found[0].overlap)}"


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


CLEAR = ("clearly better", "clearly worse")
MARKS = "Filled circles are clear: their whisker leaves 0 out. Squares are identical: no repeat has another test error."


def figure(found: tuple[Paired, ...], dark: bool, measure: Measure = "error") -> go.Figure:
    """One dot per method with its corrected interval; filled where the interval leaves 0 out."""
    dots = [
        Dot(NAMES[p.method], p.difference, p.interval, p.verdict in CLEAR, p.verdict == "identical", _hover(p))
        for p in found
    ]
    axis = f"{text.error_name(measure)} minus {NAMES[found[0].baseline]}'s,<br>percentage points"
    return drawn(dots, axis, dark, ROW)  # as tall as the bars of all methods beside it


def _hover(pair: Paired) -> str:
    p = "" if pair.p_value is None else f", corrected p = {pair.p_value:.2g}"
    return f", {pair.verdict}{p}, {text.counted(pair.count, 'repeat')}"


def drawn(dots: Sequence[Dot], axis: str, dark: bool, more: int = 0) -> go.Figure:
    """Differences with their symmetric intervals around 0; filled where they are clear, a square where nothing differs
    at all.
    """
    ink = theme.ink(dark)
    chart = theme.blank(dark, 110 + ROW * len(dots) + more)
    widths = [
        np.nan if dot.interval is None or dot.identical else dot.interval.high - dot.interval.low for dot in dots
    ]  # no whisker where there is nothing to show; of a list Plotly would take 0
    chart.add_trace(
        go.Scatter(
            x=100 * np.array([dot.difference for dot in dots]),
            y=[dot.name for dot in dots],
            mode="markers",
            marker={
                "size": 13,
                "symbol": [
                    "square-open" if dot.identical else "circle" if dot.clear else "circle-open" for dot in dots
                ],
                "color": [
                    ink.muted if dot.difference == 0 else ink.hurts if dot.difference > 0 else ink.helps for dot in dots
                ],
                "line": {"width": 2},
            },
            error_x={"type": "data", "array": 50 * np.array(widths), "color": ink.muted, "thickness": 2},
            customdata=[dot.said for dot in dots],
            hovertemplate="%{y}: %{x:+.2f} points%{customdata}<extra></extra>",
        )
    )
    chart.add_vline(x=0, line={"color": ink.line, "width": 2})
    chart.update_xaxes(title=axis)
    chart.update_yaxes(autorange="reversed")
    return chart


def table(found: tuple[Paired, ...]) -> pd.DataFrame:
    """One row per method."""
    return pd.DataFrame(
        {
            "method": [NAMES[pair.method] for pair in found],
            "baseline": [NAMES[pair.baseline] for pair in found],
            "difference, points": [100 * pair.difference for pair in found],
            "corrected interval from": [None if pair.interval is None else 100 * pair.interval.low for pair in found],
            "to": [None if pair.interval is None else 100 * pair.interval.high for pair in found],
            "corrected p": [pair.p_value for pair in found],
            "verdict": [pair.verdict for pair in found],
            "repeats": [pair.count for pair in found],
        }
    )
