"""Which tasks resemble which, and which help which, as matrices."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.orders.transfer import Transfer
from core.task_set import FloatArray
from dashboard import text
from dashboard.figures import plot
from dashboard.figures.plot import Matrix


def similarity(values: FloatArray, names: tuple[str, ...]) -> Matrix:
    """Cosines between the weights that the tasks learn alone."""
    shown, said = np.where(np.eye(len(names), dtype=bool), np.nan, values), plot.names(names, None)
    return Matrix(
        shown,
        names,
        names,
        lambda i, j: f"{said[i]}<br>{said[j]}<br>cosine {text.number(values[i, j], 2)}",
        ("", ""),
        "cosine",
        "{:.1f}",
        ends=(-1.0, 1.0),
        diverging=True,
        low_is_strong=True,
    )


def similarity_table(values: FloatArray, names: tuple[str, ...]) -> pd.DataFrame:
    """One row per pair."""
    i, j = np.triu_indices(len(names), 1)
    return pd.DataFrame({"task": [names[k] for k in i], "other task": [names[k] for k in j], "cosine": values[i, j]})


def similarity_title(values: FloatArray, names: tuple[str, ...]) -> str:
    """The finding: the two most alike."""
    off = np.where(np.eye(len(names), dtype=bool), -np.inf, values)
    i, j = np.unravel_index(np.argmax(off), off.shape)
    pair = f"{text.quoted(names[int(i)])} and {text.quoted(names[int(j)])}"
    return f"Most alike are {pair} (cosine {text.number(off[i, j], 2)})"


def transfer(found: Transfer) -> Matrix:
    """Task (column) started from source (row), minus the task alone."""
    tested, names = found.quantity == "test error", plot.names(found.names, None)
    difference, sure = found.difference, found.beyond_noise
    scale, unit = (100.0, " points") if tested else (1.0, "")
    written = text.percent if tested else lambda value: text.number(value, 3)

    def said(i: int, j: int) -> str:
        noise = f", {'beyond' if sure[i, j] else 'within'} noise" if tested else ""
        return (
            f"{names[j]} started from {names[i]}<br>{found.quantity} {written(found.started[i, j])}, alone "
            f"{written(found.alone[j])}<br>difference {text.number(scale * difference[i, j], 2, sign=True)}{unit}"
            f"{noise}<br>C {found.C[i, j]:g}"
        )

    most = max(0.01, float(np.max(np.abs(np.nan_to_num(difference)))))
    return Matrix(
        difference,
        found.names,
        found.names,
        said,
        ("started from", "task"),
        "percentage points" if tested else "criterion",
        "{:+.0f}" if tested else "{:+.1f}",
        scale,
        ends=(-most, most),
        diverging=True,
        pale=~sure if tested else None,
    )


def transfer_table(found: Transfer) -> pd.DataFrame:
    """One row per pair."""
    i, j = np.nonzero(~np.eye(len(found.names), dtype=bool))
    return pd.DataFrame(
        {
            "source": [found.names[k] for k in i],
            "task": [found.names[k] for k in j],
            f"{found.quantity} started": found.started[i, j],
            f"{found.quantity} alone": np.asarray(found.alone)[j],
            "difference": found.difference[i, j],
            "p-value (McNemar, Holm)": found.p_values[i, j],
            "beyond noise": found.beyond_noise[i, j],
            "C": found.C[i, j],
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
