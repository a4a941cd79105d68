"""The bound of Theorem 1 as it grows, step by step, with each of its parts."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from core.curriculum.bound import Bound
from core.curriculum.steps import Curriculum
from dashboard import text, theme

PARTS = (
    ("hoeffding", "Hoeffding 1/(8√m̄)"),
    ("confidence", "certainty −log δ/(n√m̄)"),
    ("union", "choice L/√m̄"),
    ("selection", "choice of C"),
    ("error", "error terms"),
    ("complexity", "complexity terms"),
)
"""Attribute of `Bound` and name on screen, from the bottom up."""


def parts(bound: Bound) -> tuple[tuple[str, str], ...]:
    """Those that this bound has: with a C fixed before, nothing is paid for choosing it."""
    return tuple(part for part in PARTS if part[0] != "selection" or bound.selection)


def running(curriculum: Curriculum) -> tuple[Bound, ...]:
    """The bound's running sum: before the first step and after every step."""
    return tuple(curriculum.bound_of(curriculum.chosen[:k]) for k in range(len(curriculum.steps) + 1))


def table(curriculum: Curriculum) -> pd.DataFrame:
    """Every part after every step."""
    bounds = running(curriculum)
    columns: dict[str, object] = {"step": range(len(bounds)), "task": ["", *curriculum.order]}
    columns |= {name: [getattr(bound, part) for bound in bounds] for part, name in parts(bounds[0])}
    return pd.DataFrame(columns | {"bound": [bound.value for bound in bounds]})


def figure(curriculum: Curriculum, step: int, labels: Mapping[str, str], dark: bool) -> go.Figure:
    """Stacked bars, a bar a step; those after `step` are pale, as they are still to come."""
    ink = theme.ink(dark)
    bounds = running(curriculum)
    places = list(range(len(bounds)))
    names = ["before the first step", *[text.chart(task) for task in curriculum.order]]
    colours = {"hoeffding": ink.line, "confidence": ink.constant, "union": ink.muted, "selection": ink.constant}
    colours |= {"error": ink.error, "complexity": ink.complexity}
    patterns = {"hoeffding": ".", "confidence": "x", "selection": "-", "error": "/"}
    bars = [
        {
            "type": "bar",
            "x": places,
            "y": [getattr(bound, part) for bound in bounds],
            "name": name,
            "marker": {
                "color": colours[part],
                "opacity": [1.0 if place <= step else 0.3 for place in places],
                "pattern": {"shape": patterns.get(part, ""), "fillmode": "overlay", "fgcolor": ink.paper, "size": 5},
            },
            "customdata": names,
            "hovertemplate": f"step %{{x}}: %{{customdata}}<br>{name} %{{y:.4f}}<extra></extra>",
        }
        for part, name in parts(bounds[0])
    ]
    half = {
        "type": "scatter",
        "x": [-0.5, len(bounds) - 0.5],
        "y": [0.5, 0.5],
        "mode": "lines",
        "name": "½",
        "line": {"color": ink.text, "width": 2, "dash": "dash"},
        "hoverinfo": "skip",
    }
    ticks = {
        "tickvals": places,
        "ticktext": ["start", *[text.chart(text.short(labels[task], 14)) for task in curriculum.order]],
    }
    return theme.drawn(
        dark,
        400,
        [*bars, half],
        xaxis={"tickangle": -45, "title": {"text": "after step"}, "showgrid": False}
        | (ticks if len(bounds) <= 26 else {}),
        yaxis={
            "title": {"text": "bound on half the error"},
            "range": [0.0, 1.08 * max(0.5, *(bound.value for bound in bounds))],
        },
        barmode="stack",
        bargap=0.25,
        margin={"t": 66},
        legend={"traceorder": "normal"},
    )
