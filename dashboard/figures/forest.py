"""The learned forest: one lane per subsequence, time to the right (or down, for many tasks)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate, Forest, roots
from core.errors import SettingsError
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Trace

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


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A learned task at its step: its lane, counted from 0, how far it moved from its source, and its test error."""

    chosen: Candidate
    step: int
    lane: int
    subsequence: int
    distance: float
    test_error: float | None
    forced: bool = False

    @property
    def task(self) -> str:
        """Its name."""
        return self.chosen.task

    @property
    def source(self) -> str | None:
        """The task it was learned from."""
        return self.chosen.source


@dataclass(frozen=True, eq=False, slots=True)
class Lanes:
    """All nodes, in the order of learning."""

    nodes: tuple[Node, ...]

    @property
    def n_lanes(self) -> int:
        """How many lanes there are."""
        return 1 + max(node.lane for node in self.nodes)

    @property
    def n_subsequences(self) -> int:
        """How many subsequences or trees were begun."""
        return 1 + max(node.subsequence for node in self.nodes)

    @property
    def branching(self) -> bool:
        """Whether two tasks were learned from the same source."""
        return self.n_lanes > self.n_subsequences

    @property
    def has_test(self) -> bool:
        """Whether nodes have a test error."""
        return self.nodes[0].test_error is not None


def info(learned: Learned) -> Lanes:
    """The lanes of a sequential method's result, with what a person wants to know of every task."""
    if learned.curriculum is None:
        raise SettingsError(f"{learned.method} learns all tasks at once and has no subsequences; choose another method")
    lane, tree = arrange(learned.sources)
    errors, nodes = learned.test_error or {}, []
    for step, chosen in enumerate(learned.curriculum.chosen, start=1):
        task, distance = chosen.task, float(np.linalg.norm(chosen.weights - chosen.source_weights))
        forced = step in learned.forced_steps
        nodes.append(Node(chosen, step, lane[task], tree[task], distance, errors.get(task), forced))
    return Lanes(tuple(nodes))


def arrange(sources: Forest) -> tuple[dict[str, int], dict[str, int]]:
    """Every task's lane and tree: of its pupils the one with most to follow goes on in its lane, others branch off."""
    pupils: dict[str, list[str]] = {task: [] for task in sources}
    for task, source in sources.items():
        if source is not None:
            pupils[source].append(task)
    root, size = roots(sources), dict.fromkeys(sources, 1)
    for task, source in reversed(list(sources.items())):
        if source is not None:
            size[source] += size[task]
    for own in pupils.values():
        own.sort(key=lambda pupil: -size[pupil])  # stable: among equals the first learned
    starts = [task for task, source in sources.items() if source is None]
    heads, lane, free = starts[::-1], {}, 0
    while heads:
        here = [heads.pop()]
        while pupils[here[-1]]:
            here.append(pupils[here[-1]][0])
        for task in here:
            lane[task] = free
            # The last to branch off is on top of the stack and gets the next lane, so lines do not cross.
            heads += pupils[task][:0:-1]
        free += 1
    return lane, {task: starts.index(start) for task, start in root.items()}


def table(found: Lanes) -> pd.DataFrame:
    """One row per task."""
    nodes = found.nodes
    columns: dict[str, object] = {
        "step": [node.step for node in nodes],
        "task": [node.task for node in nodes],
        "source": [node.source or "" for node in nodes],
        "subsequence": [node.subsequence + 1 for node in nodes],
        "distance moved": [node.distance for node in nodes],
        "error term": [node.chosen.error_term for node in nodes],
        "complexity term": [node.chosen.complexity_term for node in nodes],
        "criterion": [node.chosen.criterion for node in nodes],
        "test error": [node.test_error for node in nodes],
        "C": [node.chosen.C for node in nodes],
    }
    if any(node.forced for node in nodes):
        columns["your choice"] = [node.forced for node in nodes]
    return pd.DataFrame(columns)


@dataclass(frozen=True, slots=True)
class Room:
    """What the names need: whether they lie level or slant, pixels per lane, steps to the right of the last task, and
    the share of the width that they take beside lanes that run down."""

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
    direction: Direction | None = None,
    picked: int | None = None,
) -> go.Figure:
    """Lines from source to task, as wide as the distance moved; over them the tasks, coloured by test error.

    The task at the `picked` place, from 0, has a ring and a bold name; ✎ marks steps that the reader chose.
    """
    nodes, n, room = found.nodes, len(found.nodes), Room.of(found, labels)
    right = (direction or default_direction(found, labels)) == "right"
    time, across = ("x", "y") if right else ("y", "x")
    dots = _dots(found, colours, dark, right)
    traces = [*_lines(found, dark), dots]
    if picked is not None:
        look = {"size": dots["marker"]["size"] + 14, "symbol": "circle-open", "color": theme.ink(dark).text}
        place = [nodes[picked].step], [nodes[picked].lane]
        traces.insert(-1, plot.dots(*place, look | {"line": {"width": 3}}, hoverinfo="skip", name="picked"))
    ticks = list(range(1, n + 1)) if n <= 20 else [1, *range(5, n + 1, 5)]
    steps = plot.PLAIN | {"tickvals": ticks, "title": "step of learning"}
    steps["range"] = [0.2, n + room.right] if right else [n + 0.7, 0.1]
    every, kind = list(range(found.n_lanes)), "branch" if found.branching else "subsequence"
    lanes = plot.PLAIN | {"tickvals": every, "ticktext": [str(k + 1) for k in every], "title": kind}
    if right:
        lanes["range"] = [found.n_lanes - 0.6, -0.7 if room.level else -0.95]
    else:
        names = (found.n_lanes + 0.25) * room.beside / (1.0 - room.beside)
        lanes |= {"range": [-0.6, found.n_lanes - 0.35 + names], "side": "top"}
    height = int(70 + room.lane * (found.n_lanes + 0.55)) if right else 110 + ROW * n
    key = 56 if found.has_test else 8  # room for the key of the colours
    return theme.figure(
        dark,
        height + (48 if found.has_test else 0),
        [trace | {time: trace["x"], across: trace["y"]} for trace in traces],
        annotations=_names(found, labels, theme.ink(dark).text, room, picked, right),
        margin={"t": key} if right else {"t": 60, "b": key},
        **{f"{time}axis": steps, f"{across}axis": lanes},
    )


def _lines(found: Lanes, dark: bool) -> list[Trace]:
    """One line to every task, from its source; a start gets a stub out of nothing. `x` is time and `y` the lane."""
    by_task = {node.task: node for node in found.nodes}
    longest, colour = max(node.distance for node in found.nodes) or 1.0, theme.ink(dark).line
    start: Trace = {"mode": "lines+markers", "marker": {"size": [11, 0], "symbol": "diamond", "color": colour}}
    lines = []
    for node in found.nodes:
        times, lanes = [node.step - 0.55, node.step], [node.lane, node.lane]
        if node.source is not None:
            source = by_task[node.source]
            bend = source.step + min(0.6, (node.step - source.step) / 2)
            times, lanes = [source.step, bend, node.step], [source.lane, node.lane, node.lane]
        width = 1.0 + (WIDEST - 1.0) * node.distance / longest
        look = start if node.source is None else {}
        name = f"{text.source_words(node.source)} → {node.task}"
        lines.append(plot.line(times, lanes, colour, width, name=name, **look))
    return lines


def _names(
    found: Lanes, labels: Mapping[str, str], colour: str, room: Room, picked: int | None, right: bool
) -> list[Trace]:
    """The tasks' names: above them, level or slanted, or in a list at the right."""
    notes = []
    for k, node in enumerate(found.nodes):
        name = ("✎ " if node.forced else "") + text.chart(labels[node.task])
        name = f"<b>{name}</b>" if k == picked else name
        size = 14 if len(found.nodes) <= 20 else 13
        if not right:
            listed: Trace = {"xanchor": "left", "yanchor": "middle"}
            notes.append(plot.note(found.n_lanes - 0.35, node.step, f"{node.step}. {name}", colour, size, **listed))
            continue
        slant: Trace = {"xanchor": "center"} if room.level else {"xanchor": "left", "textangle": -38, "xshift": -6}
        notes.append(plot.note(node.step, node.lane, name, colour, size, yanchor="bottom", yshift=18, **slant))
    return notes


def _dots(found: Lanes, rings: Mapping[str, str], dark: bool, right: bool) -> Trace:
    """The tasks; `x` is time and `y` the lane."""
    nodes = found.nodes
    values = np.array([100.0 * node.test_error if node.test_error is not None else np.nan for node in nodes])
    highest = max(float(np.nanmax(values)), 1.0) if found.has_test else 1.0
    scale, colours = theme.sequential(dark), [theme.ink(dark).neutral] * len(nodes)
    if found.has_test:
        colours = [theme.colour_at(scale, share) for share in values / highest]
    narrow = len(nodes) > MOST_TO_THE_RIGHT and right
    side = {"y": 1.0, "yanchor": "top"} if right else {"y": 0.0, "yanchor": "bottom"}
    bar = theme.colour_bar(
        "test error in %", orientation="h", lenmode="pixels", len=190, thickness=9, x=1.0, xanchor="right",
        yref="container", **side,
        tickvals=[0.0, highest], ticktext=["0", f"{highest:.0f}"],  # more of them run into each other beside the title
    )  # fmt: skip
    marker = {
        "size": 16 if narrow else 30 if right and len(nodes) <= 12 else 23,
        "color": values if found.has_test else colours, "colorscale": scale, "cmin": 0.0, "cmax": highest,
        "showscale": found.has_test, "colorbar": bar, "opacity": 1,
        "line": {"color": [rings[node.task] for node in nodes], "width": 3},
    }  # fmt: skip
    return plot.dots(
        [node.step for node in nodes],
        [node.lane for node in nodes],
        marker,
        "%{hovertext}",
        mode="markers+text" if found.has_test and not narrow else "markers",
        text=[f"{value:.0f}" for value in values] if found.has_test else None,
        textfont={"size": 12, "color": [theme.text_on(colour) for colour in colours]},
        customdata=np.arange(len(nodes)),
        hovertext=[_hover(node) for node in nodes],
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        name="tasks",
    )


def _hover(node: Node) -> str:
    error = "" if node.test_error is None else f"<br>test error {text.percent(node.test_error)}"
    task, source = plot.names((node.task, text.source_words(node.source)), 60)
    return (
        f"<b>{task}</b><br>step {node.step}, from {source}{error}<br>moved {node.distance:.2f}, criterion "
        f"{node.chosen.criterion:.3f}, C {node.chosen.C:g}"
    )
