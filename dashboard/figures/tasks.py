"""What is being learned: how many points each task has, and how hard it is alone (the paper's Figure 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.learn import Learned
from core.features import IntArray
from core.statistics import noise
from core.task_set import TaskSet
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Trace

PARTS = ("training +1", "training −1", "test +1", "test −1")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def sizes(task_set: TaskSet) -> pd.DataFrame:
    """Points of each class in both parts of every task, with what is known of the task."""
    labels = [task.y for task in task_set.tasks], [task.y_test for task in task_set.tasks]
    counts = [[0 if y is None else int(np.sum(y == label)) for y in part] for part in labels for label in (1.0, -1.0)]
    frame = pd.DataFrame({"task": task_set.names} | dict(zip(PARTS, counts, strict=True)))
    if task_set.semantic_order is not None:
        frame["semantic rank"] = [task_set.semantic_order.index(name) + 1 for name in task_set.names]
    if task_set.groups is not None:
        frame["group"] = [task_set.groups[name] for name in task_set.names]
    return frame


def sizes_title(frame: pd.DataFrame) -> str:
    """The finding: equal or unequal sizes, balanced or not."""
    size = frame[PARTS[0]] + frame[PARTS[1]]
    share = frame[PARTS[0]] / size
    sizes = f"{size.min():,} training points each" if size.min() == size.max() else (
        f"from {size.min():,} to {size.max():,} training points"
    )  # fmt: skip
    if bool(((share > 0.45) & (share < 0.55)).all()):
        return f"Tasks have {sizes}, half of them positive"
    low, high = text.percent(share.min(), 0), text.percent(share.max(), 0)
    return f"Tasks have {sizes}, {low if low == high else f'{low} to {high}'} of them positive"


def sizes_figure(frame: pd.DataFrame, dark: bool) -> go.Figure:
    """Stacked bars, one bar per task."""
    ink, n = theme.ink(dark), len(frame)
    looks = ((ink.positive, 1.0), (ink.negative, 1.0), (ink.positive, 0.4), (ink.negative, 0.4))
    bars = [
        plot.bars(
            frame[part].to_numpy(),
            {"color": theme.faded(colour, share, ink.paper), "line": {"width": 0}},
            f"%{{customdata}}<br>{part}: %{{x}} points",
            name=part,
            customdata=plot.names(frame["task"], None),
        )
        for part, (colour, share) in zip(PARTS, looks, strict=True)
        if frame[part].any()
    ]
    return theme.figure(
        dark,
        max(208, 118 + 26 * min(n, 20) + 13 * max(n - 20, 0)),
        bars,
        xaxis={"title": "points"},
        yaxis=plot.rows(plot.names(frame["task"])),
        barmode="stack",
        bargap=0.3,
        margin={"t": 58},
        legend=plot.ON_TOP | {"traceorder": "normal"},
    )


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Each task's test error (or criterion) alone, with its rank in the semantic order, from 1, and its group."""

    names: tuple[str, ...]
    values: tuple[float, ...]
    quantity: str
    ranks: tuple[int, ...] | None
    groups: tuple[str, ...] | None
    same_error: float | None = None
    """The test error of all tasks, where it is one and the same: the criterion then tells them apart."""
    intervals: tuple[noise.Interval, ...] | None = None
    """Wilson's, of each test error."""
    apart: bool = False
    """Whether some task is harder than another by these intervals, corrected for looking at all tasks (Bonferroni)."""

    @property
    def title(self) -> str:
        """The finding."""
        said = self._finding
        if self.same_error is None:
            return said
        return f"Alone, every task has a test error of {text.percent(self.same_error)}; {said[0].lower()}{said[1:]}"

    @property
    def _finding(self) -> str:
        easiest, hardest = (
            [name for name, value in zip(self.names, self.values, strict=True) if value == extreme]
            for extreme in (min(self.values), max(self.values))
        )
        correlation = None if self.ranks is None else noise.rank_correlation(self.ranks, self.values)
        if len(self.names) == 1:
            return f"How hard is {text.quoted(self.names[0])} alone?"
        if np.ptp(self.values) == 0:
            return "All tasks are equally hard"
        if correlation is None:
            if self.intervals is not None and not self.apart:
                return "No task is harder than another beyond noise, on this draw"
            if self.intervals is None:
                most = f"{'has' if len(hardest) == 1 else 'have'} the largest criterion alone"
                return f"{text.listed_quoted(hardest)} {most} and {text.listed_quoted(easiest)} the smallest"
            most = "is the hardest task" if len(hardest) == 1 else "are the hardest tasks"
            return f"Alone, {text.listed_quoted(hardest)} {most} and {text.listed_quoted(easiest)} the easiest"
        told = f"rank correlation {text.number(correlation, 2)}"
        interval = noise.rank_interval(correlation, len(self.names))
        if interval is None:
            return f"Too few tasks to say whether the known order tells how hard they are ({told})"
        told += f", 95{text.NO_BREAK}% interval {text.number(interval.low, 2)} to {text.number(interval.high, 2)}"
        if interval.low > 0:
            return f"The known order tells how hard tasks are ({told})"
        if interval.high < 0:
            return f"The known order runs against how hard tasks are ({told})"
        return f"Whether the known order tells how hard tasks are is left open ({told})"


def difficulty(task_set: TaskSet, alone: Learned) -> Difficulty:
    """From IndSVM's result."""
    names, order, groups = task_set.names, task_set.semantic_order, task_set.groups
    ranks = None if order is None else tuple(order.index(name) + 1 for name in names)
    kinds = None if groups is None else tuple(groups[name] for name in names)
    errors = None if alone.test_error is None else tuple(alone.test_error[name] for name in names)
    same = errors is not None and len(set(errors)) == 1 < len(errors)
    if errors is None or same:
        criteria = {step.chosen.task: step.chosen.criterion for step in alone.steps}
        values = tuple(criteria[name] for name in names)
        return Difficulty(names, values, "criterion", ranks, kinds, None if errors is None else errors[0])
    counts = [(round(error * task.n_test), task.n_test) for error, task in zip(errors, task_set.tasks, strict=True)]
    sure = [noise.wilson(*count, noise.CHANCE / len(counts)) for count in counts]
    apart = max(one.low for one in sure) > min(one.high for one in sure)
    intervals = tuple(noise.wilson(*count) for count in counts)
    return Difficulty(names, errors, "test error", ranks, kinds, None, intervals, apart)


def difficulty_table(found: Difficulty) -> pd.DataFrame:
    """The numbers of the figure."""
    columns: dict[str, object] = {"task": found.names, f"{found.quantity} alone": found.values}
    if found.intervals is not None:
        columns["95 % from"] = [interval.low for interval in found.intervals]
        columns["95 % to"] = [interval.high for interval in found.intervals]
    if found.ranks is not None:
        columns["semantic rank"] = found.ranks
    if found.groups is not None:
        columns["group"] = found.groups
    return pd.DataFrame(columns)


def difficulty_figure(found: Difficulty, colours: Mapping[str, str], dark: bool, height: int = 470) -> go.Figure:
    """Dots over the semantic rank, one line per group; bars, hardest first, where no order is known."""
    tested = found.quantity == "test error"
    scale, title = (100.0, "test error alone, in %") if tested else (1.0, "criterion alone")
    order = np.argsort(found.ranks or [-value for value in found.values], kind="stable")
    names, values = [found.names[k] for k in order], scale * np.array(found.values)[order]
    lows = highs = values
    if found.intervals is not None:
        lows, highs = (scale * np.array([(one.low, one.high) for one in found.intervals])[order]).T
    top = max(float(highs.max()), 5.0 if tested else 1e-6)
    ink = theme.ink(dark)

    def whiskers(own: IntArray) -> Trace | None:
        """The 95 % intervals around test errors."""
        up, down = (highs - values)[own], (values - lows)[own]
        return None if found.intervals is None else plot.whiskers(up, ink.line, down, thickness=1.2, width=3)

    n, hover = len(names), "test error alone %{{{}:.2f}}\u00a0%" if tested else "criterion alone %{{{}:.3f}}"
    if found.ranks is None:
        bars = plot.bars(
            values,
            {"color": [colours[name] for name in names]},
            "%{customdata}<br>" + hover.format("x"),
            text=[text.number(value, 1 if tested else 2) for value in values],
            textposition="outside" if found.intervals is None else "none",
            error_x=whiskers(np.arange(n)),
            cliponaxis=False,
            customdata=plot.names(names, None),
        )
        return theme.figure(
            dark,
            max(height, 90 + 30 * min(n, 22) + 14 * max(n - 22, 0)),
            [bars],
            xaxis={"title": title, "range": [0, 1.08 * top]},
            yaxis=plot.rows(plot.names(names)),
            bargap=0.35,
            margin={"r": 44},
        )
    groups = np.array(found.groups or ("all tasks",) * n)[order]
    kinds, traces = list(dict.fromkeys(found.groups or groups)), []
    for kind, dash in zip(kinds, DASHES * len(kinds), strict=False):
        own = np.flatnonzero(groups == kind)
        line = colours[names[own[len(own) // 2]]] if len(kinds) > 1 else ink.line
        traces.append(
            plot.dots(
                own + 1,
                values[own],
                {"size": 14 if n <= 18 else 8, "color": [colours[names[k]] for k in own],
                 "line": {"color": ink.paper, "width": 1.5}},
                "%{customdata}<br>place %{x} in the semantic order<br>" + hover.format("y"),
                mode="lines+markers",
                name=text.chart(text.short(kind)),
                showlegend=len(kinds) > 1,
                line={"color": line, "width": 2, "dash": dash},
                cliponaxis=False,
                error_y=whiskers(own),
                customdata=plot.names((names[k] for k in own), None),
            )
        )  # fmt: skip
    side = 0.4 + 0.03 * n
    ticks = {"tickvals": np.arange(1, n + 1), "ticktext": plot.names(names, 16), "tickangle": -45}
    return theme.figure(
        dark,
        height,
        traces,
        xaxis={"title": "semantic order (easiest → hardest)", "range": [1 - side, n + side]}
        | (ticks if n <= 30 else {}),
        yaxis={"title": title, "range": [-0.06 * top, 1.06 * top], "zeroline": True},
        margin={"t": 34 if len(kinds) > 1 else 14, "r": 14},
    )
