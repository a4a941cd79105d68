"""How far the methods of two runs differ."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from core.experiments.experiment import NAMES
from core.experiments.run_difference import Between
from core.measure import Measure
from dashboard import text
from dashboard.figures import paired
from dashboard.figures.paired import Dot


def title(found: tuple[Between, ...], first: str, second: str, measure: Measure = "error") -> str:
    """Which methods clearly differ, and which are identical."""
    better = [NAMES[one.method] for one in found if one.clear and one.difference < 0]
    worse = [NAMES[one.method] for one in found if one.clear and one.difference > 0]
    same = [NAMES[one.method] for one in found if one.identical]
    if len(same) == len(found):
        who = f"All {len(same)} methods are" if len(same) > 2 else f"{text.listed(same)} {'are' if same[1:] else 'is'}"
        return f"{who} identical in {first} and {second}, on every repeat"
    alike = f"; identical: {', '.join(same)}" if same else ""
    if not better and not worse:
        return f"No method differs clearly between {first} and {second}{alike}"
    what = (
        ("fewer mistakes", "more mistakes") if measure == "error" else ("lower balanced error", "higher balanced error")
    )
    parts = [f"{what[0]}: {', '.join(better)}"] if better else []
    parts += [f"{what[1]}: {', '.join(worse)}"] if worse else []
    return f"In {second} instead of {first}, clearly {'; '.join(parts)}{alike}"


def figure(found: tuple[Between, ...], second: str, dark: bool, measure: Measure = "error") -> go.Figure:
    """One dot per method with its corrected interval; filled where the interval leaves 0 out."""
    dots = [
        Dot(NAMES[one.method], one.difference, one.interval, one.clear, one.identical, _hover(one)) for one in found
    ]
    axis = f"{text.error_name(measure)} in {text.chart(second)} minus the other's,<br>percentage points"
    return paired.drawn(dots, axis, dark)


def _hover(one: Between) -> str:
    alike = ", identical" if one.identical else ""
    p = "" if one.p_value is None else f", corrected p = {one.p_value:.2g}"
    return f"{alike}{p}, " + (f"{text.counted(one.pairs, 'repeat')} on the same draws" if one.pairs else "other draws")


def table(found: tuple[Between, ...]) -> pd.DataFrame:
    """One row per method, in per cent and percentage points."""
    return pd.DataFrame(
        {
            "method": [NAMES[one.method] for one in found],
            "first %": [100 * one.first.mean for one in found],
            "second %": [100 * one.second.mean for one in found],
            "difference, points": [100 * one.difference for one in found],
            "corrected interval from": [None if one.interval is None else 100 * one.interval.low for one in found],
            "to": [None if one.interval is None else 100 * one.interval.high for one in found],
            "corrected p": [one.p_value for one in found],
            "identical": [one.identical for one in found],
            "paired repeats": [one.pairs for one in found],
        }
    )
