"""The candidates of a step: bars of error and complexity term, best first, stacked or each on a scale of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.curriculum.steps import Candidate, Step
from dashboard import text, theme

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
    """All candidates, lowest criterion first; the chosen one before its equals."""
    return tuple(sorted(step.candidates, key=lambda one: (one.criterion, one is not step.chosen)))


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
    """A stacked bar a candidate, or on `own_scales` its two terms side by side.

    `customdata` is [task, source or ''], for clicks; the picked candidate has a dotted frame.
    """
    ink = theme.ink(dark)
    n = len(found.shown)
    ticks = [text.chart(label(c, labels, found.several)) for c in found.shown]
    size = room or frame([found], labels)
    row = max(28, min(54, 400 // size.rows))  # few bars are thicker, and fill the card beside the formula
    return theme.drawn(
        dark,
        112 + row * size.rows,
        [*_bars(found, ink, own_scales), *_numbers(found, ink, own_scales)],
        yaxis={
            "tickvals": list(range(n)),
            "ticktext": [
                f"<b>{found.mark} {tick}</b>" if c is found.chosen else tick
                for c, tick in zip(found.shown, ticks, strict=True)
            ],
            "range": [size.rows - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
            "automargin": False,
        },
        **_axes(size, own_scales),
        barmode="stack",
        bargap=0.28 if row < 40 else 0.4,
        # Names of all steps fit, so that the bars begin at one place; a letter is about 8 pixels wide.
        margin={"t": 40, "r": 30, "b": 50, "l": min(30 + 8 * size.letters, 340)},
        shapes=_picked(found, picked, ink, own_scales),
        clickmode="event+select",
        legend={"traceorder": "normal"},
    )


def _axes(size: Frame, own_scales: bool) -> dict[str, Any]:
    """One axis for the sum, or one for each term."""
    if not own_scales:
        return {
            "xaxis": {"title": {"text": "criterion = error + complexity"}, "range": [0, 1.16 * _some(size.criterion)]}
        }
    ends = (
        ("xaxis", "error term", size.error, (0.0, 0.44), 1.3),
        ("xaxis2", "complexity term", size.complexity, (0.5, 1.0), 1.75),
    )
    return {
        name: {"title": {"text": title}, "range": [0, room * _some(most)], "domain": domain, "anchor": "y", "nticks": 4}
        for name, title, most, domain, room in ends
    }


def _some(most: float) -> float:
    return max(most, 1e-9)


def _bars(found: Bars, ink: theme.Ink, own_scales: bool) -> list[dict[str, Any]]:
    """Both terms of every candidate; others than the chosen one are pale by their colour, since a click on a bar may
    change opacities only."""
    ids = [[candidate.task, candidate.source or ""] for candidate in found.shown]
    names = [
        f"{text.chart(c.task)}<br>started from {text.chart(text.source_words(c.source))}" for c in found.shown
    ]  # fmt: skip
    terms = (
        ("error term", [c.error_term for c in found.shown], ink.error, "/", "x"),
        ("complexity term", [c.complexity_term for c in found.shown], ink.complexity, "", "x2" if own_scales else "x"),
    )
    return [
        {
            "type": "bar",
            "y": list(range(len(found.shown))),
            "x": values,
            "xaxis": axis,
            "orientation": "h",
            "name": name,
            "marker": {
                "color": [colour if c is found.chosen else theme.faded(colour, 0.62, ink.paper) for c in found.shown],
                "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": ink.paper, "size": 6},
            },
            "selected": {"marker": {"opacity": 1}},
            "unselected": {"marker": {"opacity": 1}},
            "customdata": ids,
            "hovertext": names,
            "hovertemplate": f"%{{hovertext}}<br>{name} %{{x:.4f}}<extra></extra>",
        }
        for name, values, colour, pattern, axis in terms
    ]


def _numbers(found: Bars, ink: theme.Ink, own_scales: bool) -> list[dict[str, Any]]:
    """The criterion behind every bar; on own scales each term's number, too."""
    sums = [f"{found.mark + ' ' if c is found.chosen else ''}{c.criterion:.3f}" for c in found.shown]
    shown: list[tuple[str, list[float], list[str]]] = [("x", [c.criterion for c in found.shown], sums)]
    if own_scales:
        shown = [
            ("x", [c.error_term for c in found.shown], [f"{c.error_term:.3f}" for c in found.shown]),
            ("x2", [c.complexity_term for c in found.shown],
             [f"+ {c.complexity_term:.3f} = {total}" for c, total in zip(found.shown, sums, strict=True)]),
        ]  # fmt: skip
    return [
        {
            "type": "scatter",
            "x": values,
            "y": list(range(len(values))),
            "xaxis": axis,
            "mode": "text",
            "text": [f" {one}" for one in words],
            "textposition": "middle right",
            "textfont": {"size": 14, "color": ink.text},
            "cliponaxis": False,
            "showlegend": False,
            "hoverinfo": "skip",
            "name": "criterion",
        }
        for axis, values, words in shown
    ]


def _picked(found: Bars, picked: Candidate | None, ink: theme.Ink, own_scales: bool) -> list[dict[str, Any]]:
    """A dotted frame around the picked bar, as in the matrix of sources and tasks."""
    if picked is None or picked is found.chosen or picked not in found.shown:
        return []
    at = found.shown.index(picked)
    values = (("x", picked.error_term), ("x2", picked.complexity_term)) if own_scales else (("x", picked.criterion),)
    return [
        {"type": "rect", "xref": axis, "yref": "y", "x0": 0, "x1": value, "y0": at - 0.45, "y1": at + 0.45,
         "line": {"color": ink.text, "width": 3, "dash": "dot"}, "name": "picked"}
        for axis, value in values
    ]  # fmt: skip


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
