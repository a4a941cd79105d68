"""The candidates of a step: stacked bars of error and complexity term, best first; and source × task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.steps import Candidate, Step
from core.tasks import FloatArray
from dashboard import text as words
from dashboard import theme
from dashboard.figures import matrix

MOST_BARS = 16


@dataclass(frozen=True, eq=False, slots=True)
class Bars:
    """Candidates by criterion, best first; at most `MOST_BARS`, always with the chosen one."""

    shown: tuple[Candidate, ...]
    chosen: Candidate
    total: int


def ranked(step: Step) -> tuple[Candidate, ...]:
    """All candidates, lowest criterion first; the chosen one before its equals."""
    return tuple(sorted(step.candidates, key=lambda one: (one.criterion, one is not step.chosen)))


def info(step: Step, most: int = MOST_BARS) -> Bars:
    """What the bars of a step show."""
    best = ranked(step)[:most]
    if step.chosen not in best:
        best = (*best[:-1], step.chosen)
    return Bars(best, step.chosen, len(step.candidates))


def label(candidate: Candidate, labels: Mapping[str, str], several: bool) -> str:
    """`task ← source`, short; just the task where all candidates have one source."""
    if not several:
        return labels[candidate.task]
    return f"{labels[candidate.task]} ← {'none' if candidate.source is None else labels[candidate.source]}"


def several_sources(step: Step) -> bool:
    """Whether candidates differ in their source."""
    return len({candidate.source for candidate in step.candidates}) > 1


def figure(found: Bars, labels: Mapping[str, str], several: bool, dark: bool) -> go.Figure:
    """A stacked bar a candidate. `customdata` is [task, source or ''], for clicks."""
    ink = theme.ink(dark)
    n = len(found.shown)
    places = list(range(n))
    pale = [1.0 if candidate is found.chosen else 0.62 for candidate in found.shown]
    ids = [[candidate.task, candidate.source or ""] for candidate in found.shown]
    names = [
        f"{words.chart(c.task)}<br>started from {words.chart(words.source_words(c.source))}" for c in found.shown
    ]  # fmt: skip
    bars = [
        {
            "type": "bar",
            "y": places,
            "x": values,
            "orientation": "h",
            "name": name,
            "marker": {
                "color": colour,
                "opacity": pale,
                "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": ink.paper, "size": 6},
            },
            "customdata": ids,
            "hovertext": names,
            "hovertemplate": f"%{{hovertext}}<br>{name} %{{x:.4f}}<extra></extra>",
        }
        for name, values, colour, pattern in (
            ("error term", [c.error_term for c in found.shown], ink.error, "/"),
            ("complexity term", [c.complexity_term for c in found.shown], ink.complexity, ""),
        )
    ]
    totals = [candidate.criterion for candidate in found.shown]
    sums = {
        "type": "scatter",
        "x": totals,
        "y": places,
        "mode": "text",
        "text": [
            f" {'★ ' if c is found.chosen else ''}{total:.3f}" for c, total in zip(found.shown, totals, strict=True)
        ],
        "textposition": "middle right",
        "textfont": {"size": 14, "color": ink.text},
        "cliponaxis": False,
        "showlegend": False,
        "hoverinfo": "skip",
        "name": "criterion",
    }
    ticks = [words.chart(label(c, labels, several)) for c in found.shown]
    return theme.drawn(
        dark,
        112 + 28 * max(n, 3),
        [*bars, sums],
        yaxis={
            "tickvals": places,
            "ticktext": [
                f"<b>★ {tick}</b>" if c is found.chosen else tick for c, tick in zip(found.shown, ticks, strict=True)
            ],
            "range": [n - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
        },
        xaxis={"title": {"text": "criterion = error + complexity"}, "range": [0, 1.14 * max(*totals, 1e-9)]},
        barmode="stack",
        bargap=0.28,
        margin={"t": 40, "r": 30},
        clickmode="event+select",
        legend={"traceorder": "normal"},
    )


def table(step: Step) -> pd.DataFrame:
    """All candidates of a step, best first."""
    best = ranked(step)
    return pd.DataFrame(
        {
            "rank": range(1, len(best) + 1),
            "task": [c.task for c in best],
            "source": [c.source or "" for c in best],
            "error term": [c.error_term for c in best],
            "complexity term": [c.complexity_term for c in best],
            "criterion": [c.criterion for c in best],
            "C": [c.C for c in best],
            "chosen": [c is step.chosen for c in best],
        }
    )


def grid(step: Step) -> tuple[tuple[str | None, ...], tuple[str, ...], FloatArray]:
    """Sources, tasks and the criterion of each pair; NaN where a pair is no candidate."""
    sources = tuple(dict.fromkeys(c.source for c in step.candidates))
    tasks = tuple(dict.fromkeys(c.task for c in step.candidates))
    values = np.full((len(sources), len(tasks)), np.nan)
    for candidate in step.candidates:
        values[sources.index(candidate.source), tasks.index(candidate.task)] = candidate.criterion
    return sources, tasks, values


def grid_figure(step: Step, labels: Mapping[str, str], picked: Candidate, dark: bool) -> go.Figure:
    """The criterion of every source (row) and task (column): dark is low, and so good."""
    sources, tasks, values = grid(step)
    place = (sources.index(step.chosen.source), tasks.index(step.chosen.task))
    other = (sources.index(picked.source), tasks.index(picked.task))
    hover = [
        [
            f"{words.chart(task)}<br>started from {words.chart(words.source_words(source))}"
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
        picked=None if other == place else other,
    )


def grid_table(step: Step) -> pd.DataFrame:
    """The same matrix, a row a source."""
    sources, tasks, values = grid(step)
    frame = pd.DataFrame(values, columns=list(tasks))
    frame.insert(0, "source \\ task", [words.source_words(source) for source in sources])
    return frame
