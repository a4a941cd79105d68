"""The candidates of a step: bars of error and complexity term, best first, stacked or each on a scale of its own; and
the criterion of every source and task as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.steps import Candidate, Step
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Matrix, Trace

MOST_BARS = 16
CHOSEN, YOURS = "★", "✎"
"""Marks of what the method chose, and of what the reader chose in its place."""


@dataclass(frozen=True, eq=False, slots=True)
class Bars:
    """Candidates by criterion, best first; at most `MOST_BARS`, always with the chosen one."""

    shown: tuple[Candidate, ...]
    chosen: Candidate
    total: int
    several: bool
    forced: bool = False

    @property
    def mark(self) -> str:
        """What stands before the chosen one: a star, or a pen where the reader chose."""
        return YOURS if self.forced else CHOSEN


@dataclass(frozen=True, slots=True)
class Frame:
    """What all steps of a curriculum share: how many rows, how long names are, and the largest of each number."""

    rows: int
    letters: int
    error: float
    complexity: float
    criterion: float

    @property
    def unlike(self) -> bool:
        """Whether the two terms differ in size by more than ten, so that on one scale one of them is a sliver."""
        low, high = sorted((self.error, self.complexity))
        return high > 10.0 * low


def ranked(step: Step) -> tuple[Candidate, ...]:
    """All candidates, lowest criterion first; the chosen one before its equals, which may differ in their last bits."""
    return tuple(sorted(step.candidates, key=lambda one: (round(one.criterion, 9), one is not step.chosen)))


def info(step: Step, most: int = MOST_BARS, forced: bool = False) -> Bars:
    """What the bars of a step show; `forced` if the reader chose."""
    best = ranked(step)[:most]
    if step.chosen not in best:
        best = (*best[:-1], step.chosen)
    return Bars(best, step.chosen, len(step.candidates), several_sources(step), forced)


def label(candidate: Candidate, labels: Mapping[str, str], several: bool) -> str:
    """`task ← source`, short; just the task where all candidates have one source."""
    if not several:
        return labels[candidate.task]
    return f"{labels[candidate.task]} ← {'none' if candidate.source is None else labels[candidate.source]}"


def several_sources(step: Step) -> bool:
    """Whether candidates differ in their source."""
    return len({candidate.source for candidate in step.candidates}) > 1


def frame(steps: Sequence[Bars], labels: Mapping[str, str]) -> Frame:
    """The room that the bars of any of these steps need, so that nothing jumps from step to step."""
    shown = [one for found in steps for one in found.shown]
    return Frame(
        rows=max(3, *(len(found.shown) for found in steps)),
        letters=max(len(label(one, labels, found.several)) for found in steps for one in found.shown),
        error=max(one.error_term for one in shown),
        complexity=max(one.complexity_term for one in shown),
        criterion=max(one.criterion for one in shown),
    )


def figure(
    found: Bars,
    labels: Mapping[str, str],
    dark: bool,
    *,
    room: Frame | None = None,
    picked: Candidate | None = None,
    own_scales: bool = False,
) -> go.Figure:
    """A stacked bar for each candidate, or on `own_scales` its two terms side by side.

    `customdata` is [task, source or ''], for clicks; the picked candidate has a dotted frame.
    """
    size, ink = room or frame([found], labels), theme.ink(dark)
    scales = _scales(found, size, own_scales)
    ticks = plot.names((label(c, labels, found.several) for c in found.shown), None)
    ticks = [
        f"<b>{found.mark} {tick}</b>" if c is found.chosen else tick for c, tick in zip(found.shown, ticks, strict=True)
    ]
    rows, font = list(range(len(ticks))), {"size": 14, "color": ink.text}
    look = {"textposition": "middle right", "name": "criterion"}
    numbers = [plot.words(one.values, rows, one.words, font, xaxis=one.axis, **look) for one in scales]
    row = max(28, min(54, 400 // size.rows))  # few bars are thicker, and fill the card beside the formula
    frames = []
    if picked is not None and picked is not found.chosen and picked in found.shown:
        at = found.shown.index(picked)
        place = {"yref": "y", "name": "picked"}
        frames = [
            plot.frame((0, one.values[at]), (at - 0.45, at + 0.45), ink.text, "dot", xref=one.axis, **place)
            for one in scales
        ]
    return theme.figure(
        dark,
        112 + row * size.rows,
        [*_bars(found, dark, scales), *numbers],
        yaxis=plot.rows(ticks, range=[size.rows - 0.4, -0.6], automargin=False),
        **{f"xaxis{one.axis[1:]}": one.layout | {"range": [0, max(one.end, 1e-9)]} for one in scales},
        barmode="stack",
        bargap=0.28 if row < 40 else 0.4,
        # Names of all steps fit, so that the bars begin at one place; a letter is about 8 pixels wide.
        margin={"t": 40, "r": 30, "b": 50, "l": min(30 + 8 * size.letters, 340)},
        shapes=frames,
        clickmode="event+select",
        legend={"traceorder": "normal"},
    )


class Scale(NamedTuple):
    """A horizontal axis with the place where every bar ends on it, and the words behind the bars."""

    axis: str
    end: float
    values: list[float]
    words: list[str]
    layout: Trace


def _scales(found: Bars, size: Frame, own_scales: bool) -> list[Scale]:
    """One for the sum, or one for each term."""
    total = [f" {found.mark + ' ' if c is found.chosen else ''}{c.criterion:.3f}" for c in found.shown]
    if not own_scales:
        criteria = [c.criterion for c in found.shown]
        return [Scale("x", 1.16 * size.criterion, criteria, total, {"title": "criterion = error + complexity"})]
    errors, complexities = ([c.error_term for c in found.shown], [c.complexity_term for c in found.shown])
    added = [f" + {value:.3f} ={criterion}" for value, criterion in zip(complexities, total, strict=True)]
    place = {"anchor": "y", "nticks": 4}
    left, right = {"title": "error term", "domain": (0.0, 0.44)}, {"title": "complexity term", "domain": (0.5, 1.0)}
    return [
        Scale("x", 1.3 * size.error, errors, [f" {value:.3f}" for value in errors], left | place),
        Scale("x2", 1.75 * size.complexity, complexities, added, right | place),
    ]


def _bars(found: Bars, dark: bool, scales: Sequence[Scale]) -> list[Trace]:
    """Both terms of every candidate; others than the chosen one are pale by their colour, since a click on a bar may
    change opacities only."""
    ink = theme.ink(dark)
    hover = [f"{text.chart(c.task)}<br>started from {text.chart(text.source_words(c.source))}" for c in found.shown]
    opaque = {"marker": {"opacity": 1}}

    def term(name: str, values: list[float], colour: str, stripes: str, scale: Scale) -> Trace:
        colours = [colour if c is found.chosen else theme.faded(colour, 0.62, ink.paper) for c in found.shown]
        return plot.bars(
            values,
            plot.hatched(colours, stripes, dark),
            f"%{{hovertext}}<br>{name} %{{x:.4f}}",
            name=name,
            xaxis=scale.axis,
            selected=opaque,
            unselected=opaque,
            customdata=[[c.task, c.source or ""] for c in found.shown],
            hovertext=hover,
        )

    return [
        term("error term", [c.error_term for c in found.shown], ink.error, "/", scales[0]),
        term("complexity term", [c.complexity_term for c in found.shown], ink.complexity, "", scales[-1]),
    ]


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


def source_matrix(step: Step, picked: Candidate, sign: str = CHOSEN) -> Matrix:
    """The criterion of every source (row) and task (column): dark is low, and so good; `sign` marks the chosen.

    NaN where a pair is no candidate.
    """
    sources = list(dict.fromkeys(c.source for c in step.candidates))
    tasks = list(dict.fromkeys(c.task for c in step.candidates))
    values = np.full((len(sources), len(tasks)), np.nan)

    def at(one: Candidate) -> tuple[int, int]:
        return sources.index(one.source), tasks.index(one.task)

    for candidate in step.candidates:
        values[at(candidate)] = candidate.criterion
    rows = [text.source_words(source) for source in sources]
    a, b = plot.names(rows, None), plot.names(tasks, None)
    return Matrix(
        values,
        rows,
        tasks,
        lambda i, j: f"{b[j]}<br>started from {a[i]}<br>criterion {values[i, j]:.4f}",
        ("source", "task"),
        "criterion",
        "{:.2f}",
        low_is_strong=True,
        mark=at(step.chosen),
        sign=sign,
        picked=None if at(picked) == at(step.chosen) else at(picked),
    )
