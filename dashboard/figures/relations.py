"""Which tasks resemble which, and which help which, as matrices."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.orders.transfer import Transfer
from core.task_set import FloatArray
from dashboard import text
from dashboard.figures import plot
from dashboard.figures.plot import Matrix, Picture


def similarity(values: FloatArray, names: tuple[str, ...], dark: bool) -> Picture:
    """Cosines between the weights that the tasks learn alone; the title names the two most alike."""
    itself, said = np.eye(len(names), dtype=bool), plot.names(names, None)
    matrix = Matrix(
        np.where(itself, np.nan, values),
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
    most = np.unravel_index(np.argmax(np.where(itself, -np.inf, values)), values.shape)
    pair = " and ".join(text.quoted(names[int(k)]) for k in most)
    title = f"Most alike are {pair} (cosine {text.number(values[most], 2)})"
    first, second = np.triu_indices(len(names), 1)
    table = {"task": [names[k] for k in first], "other task": [names[k] for k in second]}
    return Picture(
        plot.matrix(matrix, dark),
        "similarity",
        title,
        "The cosine of the angle between the weights that two tasks learn alone (bias left out): 1 means the same "
        "direction, 0 nothing in common, −1 opposite.",
        f"Matrix of cosines between the weights of {text.counted(len(names), 'task')}. {title}.",
        pd.DataFrame(table | {"cosine": values[first, second]}),
    )


def transfer(found: Transfer, dark: bool) -> Picture:
    """Task (column) started from source (row), minus the task alone; the title counts the pairs that help."""
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
    matrix = Matrix(
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
    n, best, noise = len(names), found.best_pair(), " beyond noise" if tested else ""
    title = f"A source helps{noise} in {found.helped} of {n * (n - 1)} pairs and hurts in {found.hurt}"
    if best is not None:
        title += f"; {text.quoted(best[0])} helps {text.quoted(best[1])} most"
    elif not found.hurt:
        title = f"No task helps or hurts another{noise} on this draw"
    i, j = np.nonzero(~np.eye(n, dtype=bool))
    table = {
        "source": [found.names[k] for k in i],
        "task": [found.names[k] for k in j],
        f"{found.quantity} started": found.started[i, j],
        f"{found.quantity} alone": np.asarray(found.alone)[j],
        "difference": difference[i, j],
        "p-value (McNemar, Holm)": found.p_values[i, j],
        "beyond noise": sure[i, j],
        "C": found.C[i, j],
    }
    measured = "percentage points of test error" if tested else "the criterion, as there are no test errors"
    return Picture(
        plot.matrix(matrix, dark),
        "transfer",
        title,
        f"The task in the column, started from the source in the row, minus the same task alone, in {measured}. "
        "**Below 0 (green): the source helps. Above 0 (orange): it hurts.** Pale cells with a "
        "number in brackets could be chance: McNemar's test on the task's test points, with Holm's correction for "
        "looking at all pairs. With C *shared*, all fits use the C that is best for IndSVM.",
        f"Matrix of the change in {found.quantity} for all pairs of {text.counted(n, 'task')}. {title}.",
        pd.DataFrame(table),
    )
