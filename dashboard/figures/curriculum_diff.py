"""Two curricula side by side: when each task comes in either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from core.curriculum.learn import Learned
from dashboard import text, theme


def table(base: Learned, other: Learned, forced: Sequence[int] = ()) -> pd.DataFrame:
    """Position by position: task, source and test error in both, and which steps of the what-if the reader chose."""
    columns: dict[str, object] = {"step": range(1, len(base.order) + 1)}
    for name, learned in (("method", base), ("what if", other)):
        columns[f"{name}: task"] = learned.order
        columns[f"{name}: source"] = [learned.sources[task] or "" for task in learned.order]
        columns[f"{name}: criterion"] = [step.chosen.criterion for step in learned.steps]
        if learned.test_error is not None:
            columns[f"{name}: test error"] = [learned.test_error[task] for task in learned.order]
    columns["what if: your choice"] = [step in forced for step in range(1, len(other.order) + 1)]
    same = zip(base.order, other.order, strict=True)
    columns["same choice"] = [
        first == second and base.sources[first] == other.sources[second] for first, second in same
    ]  # fmt: skip
    return pd.DataFrame(columns)


def figure(
    base: Learned,
    other: Learned,
    colours: Mapping[str, str],
    labels: Mapping[str, str],
    dark: bool,
    forced: Sequence[int] = (),
    label: str = "what if",
) -> go.Figure:
    """A line a task, from its step in the method's own curriculum to its step in the other, which the label names."""
    ink = theme.ink(dark)
    n = len(base.order)
    chart = theme.blank(dark, 110 + max(24 * min(n, 25), 11 * n, 130))
    few = n <= 30
    for task in base.order:
        first, second = base.order.index(task) + 1, other.order.index(task) + 1
        moved = base.sources[task] != other.sources[task]
        chart.add_trace(
            go.Scatter(
                x=[0, 1],
                y=[first, second],
                mode="lines+markers+text" if few else "lines+markers",
                line={
                    "color": colours[task],
                    "width": 4 if first != second else 2,
                    "dash": "dash" if moved else "solid",
                },
                marker={"size": 11 if few else 6, "color": colours[task]},
                text=[
                    f"{first}  {text.chart(labels[task])}",
                    f"{second}  {text.chart(labels[task])}{' ✎' if second in forced else ''}",
                ],
                textposition=["middle left", "middle right"],
                textfont={"size": 14, "color": ink.text},
                cliponaxis=False,
                showlegend=False,
                hovertemplate=(
                    f"{text.chart(task)}<br>method: step {first}, from "
                    f"{text.chart(text.source_words(base.sources[task]))}<br>{label}: step {second}, from "
                    f"{text.chart(text.source_words(other.sources[task]))}<extra></extra>"
                ),
            )
        )
    chart.update_xaxes(
        tickvals=[0, 1], ticktext=["the method's own choice", label], range=[-0.9, 1.9], side="top",
        showgrid=False, zeroline=False,
    )  # fmt: skip
    chart.update_yaxes(range=[n + 0.6, 0.4], visible=False)
    chart.update_layout(margin={"t": 30})
    return chart
