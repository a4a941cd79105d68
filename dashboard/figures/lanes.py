"""The learned forest: a lane a subsequence, time to the right (or down, for many tasks)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from dashboard import text, theme
from dashboard.figures.forest import Lanes, Node

Direction = Literal["right", "down"]
MOST_TO_THE_RIGHT = 20
"""Tasks up to which time runs to the right; more are easier to read as a list."""
TALLEST = 720
MOST_ROOM = 0.35
"""Share of the steps that may be left free for the names at the right end."""
WIDEST = 11.0
ROW = 30
NARROW = 470.0
"""Pixels of a plot beside another, in which slanted names must not run into each other."""
PHONE = 300.0
"""Pixels of a plot on a phone or in half a lesson: names that lie level or stand at the right must fit into it."""


@dataclass(frozen=True, slots=True)
class Room:
    """What the names need: whether they lie level or slant, pixels a lane, steps to the right of the last task, and the
    share of the width that they take beside lanes that run down."""

    level: bool
    lane: float
    right: float
    beside: float

    @classmethod
    def of(cls, found: Lanes, labels: Mapping[str, str]) -> Room:
        """A letter is about 7 pixels wide; slanted names rise by 38 degrees."""
        n, width = len(found.nodes), 7.2 * max(len(labels[node.task]) for node in found.nodes)
        beside = min((width + 30.0) / PHONE, 0.65)
        if n * width <= PHONE:
            return cls(True, 84.0, 0.6, beside)
        share = min(0.8 * width / NARROW, 0.3)
        return cls(False, 52.0 + 0.62 * width, 0.4 + n * share / (1.0 - share), beside)


def default_direction(found: Lanes, labels: Mapping[str, str]) -> Direction:
    """Time to the right while the names fit."""
    n, room = len(found.nodes), Room.of(found, labels)
    fits = n <= MOST_TO_THE_RIGHT and found.n_lanes * room.lane <= TALLEST and room.right <= MOST_ROOM * n
    return "right" if fits or room.level else "down"


def figure(
    found: Lanes,
    labels: Mapping[str, str],
    colours: Mapping[str, str],
    dark: bool,
    direction: Direction = "right",
    picked: int | None = None,
) -> go.Figure:
    """Lines from source to task, as wide as the distance moved; over them the tasks, coloured by test error.

    The task at the `picked` place, from 0, has a ring and a bold name; ✎ marks steps that the reader chose.
    """
    ink = theme.ink(dark)
    n = len(found.nodes)
    right = direction == "right"
    room = Room.of(found, labels)
    height = int(70 + room.lane * (found.n_lanes + 0.55)) if right else 110 + ROW * n
    chart = theme.blank(dark, height + (48 if found.has_test else 0))
    by_task = {node.task: node for node in found.nodes}
    longest = max(node.distance for node in found.nodes) or 1.0
    for node in found.nodes:
        time, lane = _path(node, by_task)
        chart.add_trace(
            go.Scatter(
                x=time if right else lane,
                y=lane if right else time,
                mode="lines+markers" if node.source is None else "lines",
                line={"width": 1.0 + (WIDEST - 1.0) * node.distance / longest, "color": ink.line},
                marker={"size": [11, 0], "symbol": "diamond", "color": ink.line},
                hoverinfo="skip",
                showlegend=False,
                name=f"{text.source_words(node.source)} → {node.task}",
            )
        )
    dots = _dots(found, colours, dark, right)
    if picked is not None:
        chart.add_trace(_ring(found.nodes[picked], dots.marker.size, ink.text, right))
    chart.add_trace(dots)
    names = [("✎ " if node.forced else "") + text.chart(labels[node.task]) for node in found.nodes]
    if picked is not None:
        names[picked] = f"<b>{names[picked]}</b>"
    for node, name in zip(found.nodes, names, strict=True):
        place = {"x": node.step, "y": node.lane} if right else {"x": found.n_lanes - 0.35, "y": node.step}
        chart.add_annotation(
            **place,
            text=name if right else f"{node.step}. {name}",
            showarrow=False,
            xanchor="center" if right and room.level else "left",
            yanchor="bottom" if right else "middle",
            yshift=18 if right else 0,
            xshift=-6 if right and not room.level else 0,
            textangle=0 if room.level or not right else -38,
            font={"size": 14 if n <= 20 else 13, "color": ink.text},
        )
    _axes(chart, found, right, room)
    return chart


def _path(node: Node, by_task: Mapping[str, Node]) -> tuple[list[float], list[float]]:
    """Times and lanes of the line that ends in a node; a start gets a stub out of nothing."""
    if node.source is None:
        return [node.step - 0.55, node.step], [node.lane, node.lane]
    source = by_task[node.source]
    if source.lane == node.lane:
        return [source.step, node.step], [node.lane, node.lane]
    bend = source.step + min(0.6, (node.step - source.step) / 2)
    return [source.step, bend, node.step], [source.lane, node.lane, node.lane]


def _ring(node: Node, size: float, colour: str, right: bool) -> go.Scatter:
    """Around the task whose details are shown."""
    place = ([node.step], [node.lane]) if right else ([node.lane], [node.step])
    return go.Scatter(
        x=place[0],
        y=place[1],
        mode="markers",
        marker={"size": size + 14, "symbol": "circle-open", "color": colour, "line": {"width": 3}},
        hoverinfo="skip",
        showlegend=False,
        name="picked",
    )


def _dots(found: Lanes, rings: Mapping[str, str], dark: bool, right: bool) -> go.Scatter:
    nodes, ink = found.nodes, theme.ink(dark)
    values = np.array([100.0 * node.test_error if node.test_error is not None else np.nan for node in nodes])
    highest = max(float(np.nanmax(values)), 1.0) if found.has_test else 1.0
    shares = np.nan_to_num(values) / highest
    colours = [theme.colour_at(theme.sequential(dark), share) for share in shares]
    if not found.has_test:
        colours = [ink.neutral] * len(nodes)
    times, lanes = [node.step for node in nodes], [node.lane for node in nodes]
    narrow = len(nodes) > MOST_TO_THE_RIGHT and right
    return go.Scatter(
        x=times if right else lanes,
        y=lanes if right else times,
        mode="markers+text" if found.has_test and not narrow else "markers",
        text=[f"{value:.0f}" for value in values] if found.has_test else None,
        textfont={"size": 12, "color": [theme.text_on(colour) for colour in colours]},
        marker={
            "size": 16 if narrow else 30 if right and len(nodes) <= 12 else 23,
            "color": values if found.has_test else colours,
            "colorscale": theme.sequential(dark),
            "cmin": 0.0,
            "cmax": highest,
            "showscale": found.has_test,
            "colorbar": theme.colour_bar(
                "test error in %",
                orientation="h",
                lenmode="pixels",
                len=190,
                thickness=9,
                x=1.0,
                xanchor="right",
                y=1.0 if right else 0.0,
                yref="container",
                yanchor="top" if right else "bottom",
                tickvals=[0.0, highest],  # more of them run into each other beside the title
                ticktext=["0", f"{highest:.0f}"],
            ),
            "line": {"color": [rings[node.task] for node in nodes], "width": 3},
            "opacity": 1,
        },
        customdata=np.arange(len(nodes)),
        hovertext=[_hover(node) for node in nodes],
        hovertemplate="%{hovertext}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}, "textfont": {"color": None}},
        showlegend=False,
        name="tasks",
    )


def _hover(node: Node) -> str:
    error = "" if node.test_error is None else f"<br>test error {text.percent(node.test_error)}"
    source = text.chart(text.short(node.source, 60)) if node.source else "no source"
    return (
        f"<b>{text.chart(text.short(node.task, 60))}</b><br>step {node.step}, from {source}{error}"
        f"<br>moved {node.distance:.2f}, criterion {node.criterion:.3f}, C {node.C:g}"
    )


def _axes(chart: go.Figure, found: Lanes, right: bool, room: Room) -> None:
    n = len(found.nodes)
    ticks = list(range(1, n + 1)) if n <= 20 else [1, *range(5, n + 1, 5)]
    steps = {"tickvals": ticks, "title": "step of learning", "showgrid": False, "zeroline": False}
    lanes = {
        "tickvals": list(range(found.n_lanes)),
        "ticktext": [str(k + 1) for k in range(found.n_lanes)],
        "title": "branch" if found.branching else "subsequence",
        "showgrid": False,
        "zeroline": False,
    }
    key = 56 if found.has_test else 8  # room for the key of the colours
    chart.update_layout(margin={"t": key} if right else {"t": 60, "b": key})
    if right:
        chart.update_xaxes(**steps, range=[0.2, n + room.right])
        chart.update_yaxes(**lanes, range=[found.n_lanes - 0.6, -0.95 if not room.level else -0.7])
    else:
        names = (found.n_lanes + 0.25) * room.beside / (1.0 - room.beside)
        chart.update_xaxes(**lanes, range=[-0.6, found.n_lanes - 0.35 + names], side="top")
        chart.update_yaxes(**steps, range=[n + 0.7, 0.1])
