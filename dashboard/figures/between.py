"""How far the methods of two runs differ."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from core.experiments.experiment import NAMES
from core.experiments.two_runs import Between
from dashboard import text
from dashboard.figures import paired


def title(found: tuple[Between, ...], first: str, second: str) -> str:
    """Which methods clearly differ."""
    better = [NAMES[one.method] for one in found if one.clear and one.difference < 0]
    worse = [NAMES[one.method] for one in found if one.clear and one.difference > 0]
    if not better and not worse:
        return f"No method differs clearly between {first} and {second}"
    parts = [f"fewer mistakes: {', '.join(better)}"] if better else []
    parts += [f"more mistakes: {', '.join(worse)}"] if worse else []
    return f"In {second} instead of {first}, clearly {'; '.join(parts)}"


def figure(found: tuple[Between, ...], second: str, dark: bool) -> go.Figure:
    """A dot a method with its 95 % interval; filled where the interval leaves 0 out."""
    return paired.dots(
        [NAMES[one.method] for one in found],
        [one.difference for one in found],
        [None if one.interval is None else one.interval.high for one in found],
        [f", {one.pairs} repeats on the same draws" if one.pairs else ", on other draws" for one in found],
        f"test error in {text.chart(second)} minus the other's,<br>percentage points",
        dark,
    )


def table(found: tuple[Between, ...]) -> pd.DataFrame:
    """A row a method, in per cent and percentage points."""
    return pd.DataFrame(
        {
            "method": [NAMES[one.method] for one in found],
            "first %": [100 * one.first.mean for one in found],
            "second %": [100 * one.second.mean for one in found],
            "difference, points": [100 * one.difference for one in found],
            "95 % from": [None if one.interval is None else 100 * one.interval.low for one in found],
            "to": [None if one.interval is None else 100 * one.interval.high for one in found],
            "paired repeats": [one.pairs for one in found],
        }
    )
