"""The candidates of a step as a matrix: the criterion of every source and task."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.steps import Candidate, Step
from core.task_set import FloatArray
from dashboard import text
from dashboard.figures import matrix


def grid(step: Step) -> tuple[tuple[str | None, ...], tuple[str, ...], FloatArray]:
    """Sources, tasks and the criterion of each pair; NaN where a pair is no candidate."""
    sources = tuple(dict.fromkeys(c.source for c in step.candidates))
    tasks = tuple(dict.fromkeys(c.task for c in step.candidates))
    values = np.full((len(sources), len(tasks)), np.nan)
    for candidate in step.candidates:
        values[sources.index(candidate.source), tasks.index(candidate.task)] = candidate.criterion
    return sources, tasks, values


def figure(step: Step, labels: Mapping[str, str], picked: Candidate, dark: bool, sign: str = "★") -> go.Figure:
    """The criterion of every source (row) and task (column): dark is low, and so good; `sign` marks the chosen."""
    sources, tasks, values = grid(step)
    place = (sources.index(step.chosen.source), tasks.index(step.chosen.task))
    other = (sources.index(picked.source), tasks.index(picked.task))
    hover = [
        [
            f"{text.chart(task)}<br>started from {text.chart(text.source_words(source))}"
            f"<br>criterion {values[i, j]:.4f}"
            for j, task in enumerate(tasks)
        ]
        for i, source in enumerate(sources)
    ]
    return matrix.figure(
        values,
        ["no source" if source is None else labels[source] for source in sources],
        [labels[task] for task in tasks],
        hover=hover,
        row_title="source",
        column_title="task",
        colour_title="criterion",
        dark=dark,
        reverse=True,
        number="{:.2f}",
        mark=place,
        sign=sign,
        picked=None if other == place else other,
    )


def table(step: Step) -> pd.DataFrame:
    """The same matrix, a row a source."""
    sources, tasks, values = grid(step)
    frame = pd.DataFrame(values, columns=list(tasks))
    frame.insert(0, "source \\ task", [text.source_words(source) for source in sources])
    return frame
