"""What a candidate learned: source weights, change and new weights, as images or as the features that moved most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.steps import Candidate
from core.task_set import FloatArray
from dashboard import text, theme

MOST_FEATURES = 15
GAP = 0.04
"""Between two images, as a share of the figure."""


def parts(candidate: Candidate, bias: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Source weights, change and new weights, without the bias."""
    end = -1 if bias else None
    source, new = candidate.source_weights[:end], candidate.weights[:end]
    return source, new - source, new


def table(candidate: Candidate, bias: bool, names: Sequence[str] | None = None) -> pd.DataFrame:
    """All weights, features by name, or counted from 1 where they have none."""
    source, change, new = parts(candidate, bias)
    features = list(names) if names else np.arange(1, len(new) + 1)
    return pd.DataFrame({"feature": features, "source weight": source, "change": change, "new weight": new})


def images(candidate: Candidate, bias: bool, shape: tuple[int, int], dark: bool) -> go.Figure:
    """Three images on one scale around 0: blue speaks for the positive class, orange against it."""
    source, change, new = parts(candidate, bias)
    start = (
        "no source: zeros" if candidate.source is None else f"source: {text.chart(text.short(candidate.source, 18))}"
    )
    titles = (start, "+ change", f"= {text.chart(text.short(candidate.task, 18))}")
    return beside(dict(zip(titles, (source, change, new), strict=True)), shape, dark)


def largest(candidate: Candidate, bias: bool) -> float:
    """The largest of all weights before, between and after: the end of their scale."""
    return float(np.max(np.abs(np.concatenate(parts(candidate, bias)))))


def beside(shown: Mapping[str, FloatArray], shape: tuple[int, int], dark: bool, most: float | None = None) -> go.Figure:
    """Images of weights by their titles, in a row on one scale from -`most` to `most`."""
    ink = theme.ink(dark)
    most = max(most or max(float(np.max(np.abs(values))) for values in shown.values()), 1e-12)
    scale = [(0.0, ink.negative), (0.5, ink.neutral), (1.0, ink.positive)]
    bare = {"showticklabels": False, "showgrid": False, "zeroline": False, "constrain": "domain"}
    width = (1.0 - GAP * (len(shown) - 1)) / len(shown)
    data, layout, headings = [], {}, []
    for k, (title, values) in enumerate(shown.items()):
        number = "" if k == 0 else str(k + 1)
        left = k * (width + GAP)
        right = left + width
        data.append(
            {
                "type": "heatmap",
                "z": values.reshape(shape),
                "zmin": -most,
                "zmax": most,
                "colorscale": scale,
                "showscale": k == len(shown) - 1,
                "colorbar": theme.colour_bar("weight", lenmode="pixels", len=190),
                "hovertemplate": "row %{y}, column %{x}: %{z:.3f}<extra></extra>",
                "xaxis": f"x{number}",
                "yaxis": f"y{number}",
            }
        )
        layout[f"xaxis{number}"] = bare | {"domain": [left, right], "anchor": f"y{number}"}
        layout[f"yaxis{number}"] = bare | {"autorange": "reversed", "anchor": f"x{number}", "scaleanchor": f"x{number}"}
        headings.append(
            {
                "text": title,
                "font": {"size": 15, "color": ink.text},
                "x": (left + right) / 2,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "bottom",
                "showarrow": False,
            }
        )
    return theme.drawn(dark, 330, data, margin={"t": 40}, annotations=headings, **layout)


def features(candidate: Candidate, bias: bool, dark: bool, names: Sequence[str] | None = None) -> go.Figure:
    """The features whose weight moved most, from the source's (ring) to the new one (dot)."""
    ink = theme.ink(dark)
    source, change, new = parts(candidate, bias)
    moved = np.argsort(-np.abs(change), kind="stable")[:MOST_FEATURES]
    n = len(moved)
    titles = names or [f"feature {k + 1}" for k in range(len(new))]
    chart = theme.blank(dark, 120 + 26 * n)
    for k, feature in enumerate(moved):
        chart.add_trace(
            go.Scatter(x=[source[feature], new[feature]], y=[k, k], mode="lines", showlegend=False,
                       line={"color": ink.line, "width": 2}, hoverinfo="skip")
        )  # fmt: skip
    for name, values, symbol in (("source weight", source, "circle-open"), ("new weight", new, "circle")):
        chart.add_trace(
            go.Scatter(
                x=values[moved],
                y=np.arange(n),
                mode="markers",
                name=name,
                marker={"symbol": symbol, "size": 11, "color": ink.complexity, "line": {"width": 2}},
                customdata=[text.chart(titles[k]) for k in moved],
                hovertemplate=f"%{{customdata}}<br>{name} %{{x:.4f}}<extra></extra>",
            )
        )
    chart.update_yaxes(
        tickvals=np.arange(n),
        ticktext=[text.chart(text.short(titles[k])) for k in moved],
        range=[n - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )
    chart.update_xaxes(title="weight", zeroline=True)
    chart.update_layout(margin={"t": 40})
    return chart
