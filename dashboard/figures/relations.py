"""Which tasks resemble which, and which help which, as matrices."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.orders.transfer import Transfer
from core.task_set import FloatArray
from dashboard import text
from dashboard.figures import matrix


def similarity(values: FloatArray, names: tuple[str, ...], dark: bool) -> go.Figure:
    """Cosines between the weights that the tasks learn alone."""
    shown = np.where(np.eye(len(names), dtype=bool), np.nan, values)
    hover = [
        [f"{text.chart(a)}<br>{text.chart(b)}<br>cosine {text.number(values[i, j], 2)}" for j, b in enumerate(names)]
        for i, a in enumerate(names)
    ]
    return matrix.figure(
        shown, names, names, hover=hover, row_title="", column_title="", colour_title="cosine", dark=dark,
        diverging=1.0, reverse=True, number="{:.1f}",
    )  # fmt: skip


def similarity_table(values: FloatArray, names: tuple[str, ...]) -> pd.DataFrame:
    """One row a pair."""
    i, j = np.triu_indices(len(names), 1)
    return pd.DataFrame({"task": [names[k] for k in i], "other task": [names[k] for k in j], "cosine": values[i, j]})


def similarity_title(values: FloatArray, names: tuple[str, ...]) -> str:
    """The finding: the two most alike."""
    off = np.where(np.eye(len(names), dtype=bool), -np.inf, values)
    i, j = np.unravel_index(np.argmax(off), off.shape)
    pair = f"{text.quoted(names[int(i)])} and {text.quoted(names[int(j)])}"
    return f"Most alike are {pair} (cosine {text.number(off[i, j], 2)})"


def transfer(found: Transfer, dark: bool) -> go.Figure:
    """Task (column) started from source (row), minus the task alone."""
    percent = found.quantity == "test error"
    scale, unit = (100.0, " points") if percent else (1.0, "")
    difference = found.difference
    most = float(np.nanmax(np.abs(difference))) if np.isfinite(difference).any() else 0.0
    hover = [
        [
            f"{text.chart(b)} started from {text.chart(a)}<br>{found.quantity} {_value(found.started[i, j], percent)}"
            f", alone {_value(found.alone[j], percent)}"
            f"<br>difference {text.number(scale * difference[i, j], 2, sign=True)}{unit}"
            + (f", {'beyond' if found.beyond_noise[i, j] else 'within'} noise" if percent else "")
            + f"<br>C {found.C[i, j]:g}"
            for j, b in enumerate(found.names)
        ]
        for i, a in enumerate(found.names)
    ]
    return matrix.figure(
        difference,
        found.names,
        found.names,
        hover=hover,
        row_title="started from",
        column_title="task",
        colour_title="percentage points" if percent else "criterion",
        dark=dark,
        diverging=max(most, 0.01),
        number="{:+.0f}" if percent else "{:+.1f}",
        scale=scale,
        pale=~found.beyond_noise if percent else None,
    )


def _value(value: float, percent: bool) -> str:
    return text.percent(value) if percent else text.number(value, 3)


def transfer_table(found: Transfer) -> pd.DataFrame:
    """One row a pair."""
    pairs = [(i, j) for i in range(len(found.names)) for j in range(len(found.names)) if i != j]
    return pd.DataFrame(
        {
            "source": [found.names[i] for i, _ in pairs],
            "task": [found.names[j] for _, j in pairs],
            f"{found.quantity} started": [found.started[pair] for pair in pairs],
            f"{found.quantity} alone": [found.alone[j] for _, j in pairs],
            "difference": [found.difference[pair] for pair in pairs],
            "p-value (McNemar, Holm)": [found.p_values[pair] for pair in pairs],
            "beyond noise": [bool(found.beyond_noise[pair]) for pair in pairs],
            "C": [found.C[pair] for pair in pairs],
        }
    )


def transfer_title(found: Transfer) -> str:
    """The finding: how many pairs help, and the best."""
    n = len(found.names)
    best = found.best_pair()
    noise = " beyond noise" if found.quantity == "test error" else ""
    if best is None and not found.hurt:
        return f"No task helps or hurts another{noise} on this draw"
    counts = f"A source helps{noise} in {found.helped} of {n * (n - 1)} pairs and hurts in {found.hurt}"
    return counts if best is None else f"{counts}; {text.quoted(best[0])} helps {text.quoted(best[1])} most"
