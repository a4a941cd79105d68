"""How hard each task is alone, against its semantic rank where there is one: the paper's Figure 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.learn import Learned
from core.curriculum.steps import Candidate
from core.statistics import noise
from core.task_set import TaskSet
from dashboard import text, theme


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
    def correlation(self) -> float | None:
        """Spearman's, of rank and difficulty."""
        return None if self.ranks is None else noise.rank_correlation(self.ranks, self.values)

    @property
    def title(self) -> str:
        """The finding."""
        if self.same_error is None:
            return self._finding
        finding = self._finding
        return (
            f"Alone, every task has a test error of {text.percent(self.same_error)}; {finding[0].lower()}{finding[1:]}"
        )

    @property
    def _finding(self) -> str:
        easiest, hardest = (
            [name for name, value in zip(self.names, self.values, strict=True) if value == extreme]
            for extreme in (min(self.values), max(self.values))
        )
        correlation = self.correlation
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


def info(task_set: TaskSet, alone: Learned) -> Difficulty:
    """From IndSVM's result."""
    order, groups = task_set.semantic_order, task_set.groups
    chosen: dict[str, Candidate] = {step.chosen.task: step.chosen for step in alone.steps}
    errors = alone.test_error
    same = errors is not None and len(errors) > 1 and len(set(errors.values())) == 1
    by_error = errors is not None and not same
    values = errors if errors is not None and by_error else {name: chosen[name].criterion for name in task_set.names}
    counts = [(round(values[task.name] * task.n_test), task.n_test) for task in task_set.tasks] if by_error else []
    sure = [noise.wilson(*count, noise.CHANCE / len(counts)) for count in counts]
    return Difficulty(
        task_set.names,
        tuple(values[name] for name in task_set.names),
        "test error" if by_error else "criterion",
        None if order is None else tuple(order.index(name) + 1 for name in task_set.names),
        None if groups is None else tuple(groups[name] for name in task_set.names),
        errors[task_set.names[0]] if errors is not None and same else None,
        tuple(noise.wilson(*count) for count in counts) if counts else None,
        bool(sure) and max(one.low for one in sure) > min(one.high for one in sure),
    )


def table(found: Difficulty) -> pd.DataFrame:
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


def figure(found: Difficulty, colours: Mapping[str, str], dark: bool, height: int = 470) -> go.Figure:
    """Dots over the semantic rank, a line a group; bars, hardest first, where no order is known."""
    return _bars(found, colours, dark, height) if found.ranks is None else _ranked(found, colours, dark, height)


def _scale(found: Difficulty) -> tuple[float, str]:
    return (100.0, "test error alone, in %") if found.quantity == "test error" else (1.0, "criterion alone")


def _ranked(found: Difficulty, colours: Mapping[str, str], dark: bool, height: int) -> go.Figure:
    assert found.ranks is not None
    scale, title = _scale(found)
    chart = theme.blank(dark, height)
    ink = theme.ink(dark)
    groups = found.groups or ("all tasks",) * len(found.names)
    kinds = list(dict.fromkeys(groups))
    dashes = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
    few = len(found.names) <= 18
    for number, kind in enumerate(kinds):
        members = sorted((k for k, group in enumerate(groups) if group == kind), key=lambda k: found.ranks[k])  # type: ignore[index]
        names = [found.names[k] for k in members]
        y = np.array([found.values[k] * scale for k in members])
        chart.add_trace(
            go.Scatter(
                x=np.array([found.ranks[k] for k in members]),
                y=y,
                mode="lines+markers",
                name=text.chart(text.short(kind)),
                showlegend=len(kinds) > 1,
                line={
                    "color": colours[names[len(names) // 2]] if len(kinds) > 1 else ink.line,
                    "width": 2,
                    "dash": dashes[number % len(dashes)],
                },
                marker={
                    "size": 14 if few else 8,
                    "color": [colours[name] for name in names],
                    "line": {"color": ink.paper, "width": 1.5},
                },
                cliponaxis=False,
                error_y=_whiskers(found, members, ink),
                customdata=names_only(names),
                hovertemplate="%{customdata}<br>place %{x} in the semantic order<br>"
                + _hover(found)
                + "<extra></extra>",
            )
        )
    chart.update_xaxes(title="semantic order (easiest → hardest)", range=_margin(found.names))
    if len(found.names) <= 30:
        in_order = sorted(found.names, key=lambda name: found.ranks[found.names.index(name)])  # type: ignore[index]
        chart.update_xaxes(
            tickvals=np.arange(1, len(in_order) + 1),
            ticktext=[text.chart(text.short(name, 16)) for name in in_order],
            tickangle=-45,
        )
    top = _top(found, scale)
    chart.update_yaxes(title=title, range=[-0.06 * top, 1.06 * top], zeroline=True)
    chart.update_layout(margin={"t": 34 if len(kinds) > 1 else 14, "r": 14})
    return chart


def _whiskers(found: Difficulty, members: Sequence[int], ink: theme.Ink) -> dict[str, object] | None:
    """The 95 % intervals around test errors, in per cent."""
    if found.intervals is None:
        return None
    up = np.array([100 * (found.intervals[k].high - found.values[k]) for k in members])
    down = np.array([100 * (found.values[k] - found.intervals[k].low) for k in members])
    return {"type": "data", "array": up, "arrayminus": down, "color": ink.line, "thickness": 1.2, "width": 3}


def _top(found: Difficulty, scale: float) -> float:
    """The highest number that is drawn."""
    most = max(found.values) if found.intervals is None else max(interval.high for interval in found.intervals)
    return max(float(most) * scale, 5.0 if scale == 100.0 else 1e-6)


def names_only(names: list[str]) -> list[str]:
    """Whole names for hovers, escaped."""
    return [text.chart(name) for name in names]


def _margin(names: tuple[str, ...]) -> list[float]:
    side = 0.4 + 0.03 * len(names)
    return [1 - side, len(names) + side]


def _hover(found: Difficulty) -> str:
    return "test error alone %{y:.2f}\u00a0%" if found.quantity == "test error" else "criterion alone %{y:.3f}"


def _bars(found: Difficulty, colours: Mapping[str, str], dark: bool, height: int) -> go.Figure:
    scale, title = _scale(found)
    order = np.argsort([-value for value in found.values], kind="stable")
    names = [found.names[k] for k in order]
    chart = theme.blank(dark, int(max(height, 90 + 30 * min(len(names), 22) + 14 * max(len(names) - 22, 0))))
    chart.add_trace(
        go.Bar(
            y=np.arange(len(names)),
            x=np.array([found.values[k] * scale for k in order]),
            orientation="h",
            marker={"color": [colours[name] for name in names]},
            text=[text.number(found.values[k] * scale, 1 if scale == 100.0 else 2) for k in order],
            textposition="outside" if found.intervals is None else "none",
            error_x=_whiskers(found, [int(k) for k in order], theme.ink(dark)),
            cliponaxis=False,
            customdata=names_only(names),
            hovertemplate="%{customdata}<br>" + _hover(found).replace("{y", "{x") + "<extra></extra>",
        )
    )
    chart.update_yaxes(
        tickvals=np.arange(len(names)),
        ticktext=[text.chart(text.short(name)) for name in names],
        range=[len(names) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
        tickfont={"size": 14 if len(names) <= 25 else 10},
    )
    chart.update_xaxes(title=title, range=[0, 1.08 * _top(found, scale)])
    chart.update_layout(bargap=0.35, margin={"r": 44})
    return chart
