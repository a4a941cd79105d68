"""The bound of Theorem 1 as it grows, step by step, with each of its parts."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from core.curriculum.bound import Bound
from core.curriculum.steps import Curriculum
from dashboard import text as words
from dashboard import theme

PARTS = (
    ("hoeffding", "1/(8√m̄)"),
    ("confidence", "−log δ/(n√m̄)"),
    ("union", "L/√m̄"),
    ("error", "error terms"),
    ("complexity", "complexity terms"),
)
"""Attribute of `Bound` and name on screen, from the bottom up."""


def running(curriculum: Curriculum) -> tuple[Bound, ...]:
    """The bound's running sum: before the first step and after every step."""
    return tuple(curriculum.bound_of(curriculum.chosen[:k]) for k in range(len(curriculum.steps) + 1))


def table(curriculum: Curriculum) -> pd.DataFrame:
    """Every part after every step."""
    bounds = running(curriculum)
    columns: dict[str, object] = {"step": range(len(bounds)), "task": ["", *curriculum.order]}
    columns |= {name: [getattr(bound, part) for bound in bounds] for part, name in PARTS}
    return pd.DataFrame(columns | {"bound": [bound.value for bound in bounds]})


def figure(curriculum: Curriculum, step: int, labels: Mapping[str, str], dark: bool) -> go.Figure:
    """Stacked bars, a bar a step; those after `step` are pale, as they are still to come."""
    ink = theme.ink(dark)
    bounds = running(curriculum)
    places = list(range(len(bounds)))
    names = ["before the first step", *[words.chart(task) for task in curriculum.order]]
    colours = (ink.line, ink.constant, ink.muted, ink.error, ink.complexity)
    patterns = (".", "x", "", "/", "")
    bars = [
        {
            "type": "bar",
            "x": places,
            "y": [getattr(bound, part) for bound in bounds],
            "name": name,
            "marker": {
                "color": colour,
                "opacity": [1.0 if place <= step else 0.3 for place in places],
                "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": ink.paper, "size": 5},
            },
            "customdata": names,
            "hovertemplate": f"step %{{x}}: %{{customdata}}<br>{name} %{{y:.4f}}<extra></extra>",
        }
        for (part, name), colour, pattern in zip(PARTS, colours, patterns, strict=True)
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
        "ticktext": ["start", *[words.chart(words.short(labels[task], 14)) for task in curriculum.order]],
    }
    return theme.drawn(
        dark,
        400,
        [*bars, half],
        xaxis={"tickangle": -45, "title": {"text": "after step"}, "showgrid": False}
        | (ticks if len(bounds) <= 26 else {}),
        yaxis={"title": {"text": "bound on half the error"}, "rangemode": "tozero"},
        barmode="stack",
        bargap=0.25,
        margin={"t": 66},
        legend={"traceorder": "normal"},
    )
