"""Paired differences between methods and a pinned baseline, on the same draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.experiments.experiment import NAMES
from core.experiments.statistics import Paired, Results
from dashboard import theme

ROW = 34


def info(results: Results, baseline: str) -> tuple[Paired, ...]:
    """Every other method against the baseline, on the repeats that both have."""
    ours = {outcome.repeat for outcome in results.of(baseline)}
    return tuple(
        results.paired(method, baseline)
        for method in results.methods
        if method != baseline and ours & {outcome.repeat for outcome in results.of(method)}
    )


def title(found: tuple[Paired, ...]) -> str:
    """How many methods are clearly better or worse than the baseline."""
    base = NAMES[found[0].baseline]
    better = [NAMES[pair.method] for pair in found if pair.high is not None and pair.high < 0]
    worse = [NAMES[pair.method] for pair in found if pair.low is not None and pair.low > 0]
    if not better and not worse:
        return f"No method differs clearly from {base} on these draws"
    parts = [f"worse than {base}: {', '.join(worse)}"] if worse else []
    parts += [f"better: {', '.join(better)}"] if better else []
    return f"Clearly {'; '.join(parts)}"


def figure(found: tuple[Paired, ...], dark: bool) -> go.Figure:
    """A dot a method with its 95 % interval; filled where the interval leaves 0 out."""
    return dots(
        [NAMES[pair.method] for pair in found],
        [pair.difference for pair in found],
        [pair.high for pair in found],
        [
            f", Wilcoxon p = {'-' if pair.p_value is None else f'{pair.p_value:.2g}'}, {pair.count} repeats"
            for pair in found
        ],
        f"test error minus {NAMES[found[0].baseline]}'s,<br>percentage points",
        dark,
        ROW,  # as tall as the bars of all methods beside it
    )


def dots(
    names: Sequence[str],
    differences: Sequence[float],
    highs: Sequence[float | None],
    said: Sequence[str],
    axis: str,
    dark: bool,
    more: int = 0,
) -> go.Figure:
    """Differences of test errors with their symmetric intervals around 0; filled where the interval leaves 0 out."""
    ink = theme.ink(dark)
    chart = theme.blank(dark, 110 + ROW * len(names) + more)
    halves = [0.0 if high is None else high - value for value, high in zip(differences, highs, strict=True)]
    clear = [high is not None and abs(d) > half for d, high, half in zip(differences, highs, halves, strict=True)]
    chart.add_trace(
        go.Scatter(
            x=100 * np.array(differences),
            y=list(names),
            mode="markers",
            marker={
                "size": 13,
                "symbol": ["circle" if sure else "circle-open" for sure in clear],
                "color": [ink.hurts if difference > 0 else ink.helps for difference in differences],
                "line": {"width": 2},
            },
            error_x={"type": "data", "array": 100 * np.array(halves), "color": ink.muted, "thickness": 2},
            customdata=list(said),
            hovertemplate="%{y}: %{x:+.2f} points%{customdata}<extra></extra>",
        )
    )
    chart.add_vline(x=0, line={"color": ink.line, "width": 2})
    chart.update_xaxes(title=axis)
    chart.update_yaxes(autorange="reversed")
    return chart


def table(found: tuple[Paired, ...]) -> pd.DataFrame:
    """A row a method."""
    return pd.DataFrame(
        {
            "method": [NAMES[pair.method] for pair in found],
            "baseline": [NAMES[pair.baseline] for pair in found],
            "difference, points": [100 * pair.difference for pair in found],
            "95 % from": [None if pair.low is None else 100 * pair.low for pair in found],
            "to": [None if pair.high is None else 100 * pair.high for pair in found],
            "Wilcoxon p": [pair.p_value for pair in found],
            "repeats": [pair.count for pair in found],
        }
    )
