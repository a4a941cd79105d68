"""Curricula step by step: the bound as it grows, the running sums of the criteria, and two of them side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.curriculum.bound import Bound
from core.curriculum.learn import Learned
from core.curriculum.steps import Curriculum
from dashboard import text, theme
from dashboard.figures import plot
from dashboard.figures.plot import Picture

PARTS = (
    ("hoeffding", "Hoeffding 1/(8√m̄)", "line", "."),
    ("confidence", "certainty −log δ/(n√m̄)", "constant", "x"),
    ("union", "choice L/√m̄", "muted", ""),
    ("selection", "choice of C", "constant", "-"),
    ("error", "error terms", "error", "/"),
    ("complexity", "complexity terms", "complexity", ""),
)
"""Attribute of `Bound`, name on screen, colour of `Ink` and stripes, from the bottom up."""


def bound_parts(bound: Bound) -> tuple[tuple[str, str, str, str], ...]:
    """Those that this bound has: with a C fixed before, nothing is paid for choosing it."""
    return tuple(part for part in PARTS if part[0] != "selection" or bound.selection)


def running(curriculum: Curriculum) -> tuple[Bound, ...]:
    """The bound's running sum: before the first step and after every step."""
    return tuple(curriculum.bound_of(curriculum.chosen[:k]) for k in range(len(curriculum.steps) + 1))


def bound_table(curriculum: Curriculum) -> pd.DataFrame:
    """Every part after every step."""
    bounds = running(curriculum)
    columns: dict[str, object] = {"step": range(len(bounds)), "task": ["", *curriculum.order]}
    columns |= {name: [getattr(bound, part) for bound in bounds] for part, name, *_ in bound_parts(bounds[0])}
    return pd.DataFrame(columns | {"bound": [bound.value for bound in bounds]})


def bound_figure(curriculum: Curriculum, step: int, labels: Mapping[str, str], dark: bool) -> go.Figure:
    """Stacked bars, one bar per step; those after `step` are pale, as they are still to come."""
    ink = theme.ink(dark)
    bounds = running(curriculum)
    places = list(range(len(bounds)))
    names = ["before the first step", *plot.names(curriculum.order, None)]
    pale = {"opacity": [1.0 if place <= step else 0.3 for place in places]}
    bars = [
        plot.bars(
            places,
            plot.hatched(getattr(ink, colour), stripes, dark) | pale,
            f"step %{{x}}: %{{customdata}}<br>{name} %{{y:.4f}}",
            y=[getattr(bound, part) for bound in bounds],
            orientation="v",
            name=name,
            customdata=names,
        )
        for part, name, colour, stripes in bound_parts(bounds[0])
    ]
    half = plot.line([-0.5, len(bounds) - 0.5], [0.5, 0.5], ink.text, 2, "dash", name="½", showlegend=True)
    ticks = ["start", *plot.names((labels[task] for task in curriculum.order), 14)]
    return theme.figure(
        dark,
        400,
        [*bars, half],
        xaxis={"tickangle": -45, "title": "after step", "showgrid": False}
        | ({"tickvals": places, "ticktext": ticks} if len(bounds) <= 26 else {}),
        yaxis={"title": "bound on half the error", "range": [0.0, 1.08 * max(0.5, *(b.value for b in bounds))]},
        barmode="stack",
        bargap=0.25,
        margin={"t": 66},
        legend={"traceorder": "normal"},
    )


def sums(found: Mapping[str, Learned], labels: Mapping[str, str], key: str, title: str, dark: bool) -> Picture:
    """The sum of the criteria after each step of two curricula, as lines with a marker at every step.

    Dash and symbol tell them apart as well as colour, names lean to have room.
    """
    ink = theme.ink(dark)
    totals = {name: np.cumsum([step.chosen.criterion for step in one.steps]) for name, one in found.items()}
    columns: dict[str, object] = {"step": range(1, 1 + max(map(len, totals.values())))}
    styles = (("circle", "solid", ink.error), ("square", "dash", ink.complexity))
    lines, notes = [], []
    for (name, learned), (symbol, dash, colour) in zip(found.items(), styles, strict=False):
        tasks = plot.names((labels[task] for task in learned.order), None)
        steps = list(range(1, len(tasks) + 1))
        columns |= {f"{name}: task": learned.order, f"{name}: sum": totals[name]}
        marker = {"symbol": symbol, "size": 11, "color": colour}
        look = {"mode": "lines+markers", "line": {"color": colour, "width": 3, "dash": dash}, "cliponaxis": False}
        look |= {"name": text.chart(name), "text": tasks, "showlegend": True}
        lines.append(plot.dots(steps, totals[name], marker, "%{text}: %{y:.3f} so far", **look))
        for step, task, total in zip(steps, tasks, totals[name], strict=True):
            above = all(total >= other[step - 1] for other in totals.values())
            side = ("left", "bottom", -4, 8) if above else ("right", "top", 4, -8)
            place = dict(zip(("xanchor", "yanchor", "xshift", "yshift"), side, strict=True))
            notes.append(plot.note(step, total, task, ink.text, 13, textangle=-35, **place))
    longest, highest = max(map(len, totals.values())), max(float(sums[-1]) for sums in totals.values())
    chart = theme.figure(
        dark,
        400,
        lines,
        xaxis={"title": "step", "tickvals": list(range(1, longest + 1)), "range": [0.05, longest + 0.9]},
        yaxis={"title": "sum of the criteria so far", "range": [-0.18 * highest, 1.2 * highest]},
        annotations=notes,
        margin={"t": 44},
    )
    return Picture(
        chart,
        key,
        title,
        "What each sequence has cost after every step: the sum of the criteria so far. The names are the tasks "
        "learned.",
        "; ".join(f"{name}: {sums[-1]:.2f} in all" for name, sums in totals.items()),
        pd.DataFrame(columns),
    )


def diff(
    base: Learned,
    other: Learned,
    colours: Mapping[str, str],
    labels: Mapping[str, str],
    dark: bool,
    forced: Sequence[int] = (),
    label: str = "what if",
) -> Picture:
    """One line per task, from its step in the method's own curriculum to its step in the other, which `label` names."""
    n, same = len(base.order), sum(first == second for first, second in zip(base.order, other.order, strict=True))
    title = f"{same} of {text.counted(n, 'task')} keep their step"
    few = n <= 30

    def line(task: str, first: int, second: int) -> plot.Trace:
        was, now = base.sources[task], other.sources[task]
        name, *starts = plot.names((task, text.source_words(was), text.source_words(now)), None)
        shown = text.chart(labels[task])
        return plot.dots(
            [0, 1],
            [first, second],
            {"size": 11 if few else 6, "color": colours[task]},
            f"{name}<br>method: step {first}, from {starts[0]}<br>{label}: step {second}, from {starts[1]}",
            mode="lines+markers+text" if few else "lines+markers",
            line={
                "color": colours[task],
                "width": 4 if first != second else 2,
                "dash": "solid" if was == now else "dash",
            },
            text=[f"{first}  {shown}", f"{second}  {shown}{' ✎' if second in forced else ''}"],
            textposition=["middle left", "middle right"],
            textfont={"size": 14, "color": theme.ink(dark).text},
            cliponaxis=False,
        )

    chart = theme.figure(
        dark,
        110 + max(24 * min(n, 25), 11 * n, 130),
        [line(task, step, other.order.index(task) + 1) for step, task in enumerate(base.order, start=1)],
        xaxis=plot.PLAIN
        | {"tickvals": [0, 1], "ticktext": ["the method's own choice", label], "range": [-0.9, 1.9], "side": "top"},
        yaxis={"range": [n + 0.6, 0.4], "visible": False},
        margin={"t": 30},
    )
    return Picture(
        chart,
        f"versus-{label.replace(' ', '-')}",
        title,
        "Each line is a task: its step in the method's own curriculum on the left, in the other on the right. "
        "Thick lines change their step, dashed ones their source; ✎ are your choices. With C *shared*, both have the C "
        "of the method's own curriculum, so that only choices differ.",
        f"Two curricula side by side; {title}.",
        _diff_table(base, other, forced),
    )


def _diff_table(base: Learned, other: Learned, forced: Sequence[int]) -> pd.DataFrame:
    """Position by position: task, source and test error in both, and which steps of the what-if the reader chose."""
    columns: dict[str, object] = {"step": range(1, len(base.order) + 1)}
    for name, learned in (("method", base), ("what if", other)):
        columns[f"{name}: task"] = learned.order
        columns[f"{name}: source"] = [learned.sources[task] or "" for task in learned.order]
        columns[f"{name}: criterion"] = [step.chosen.criterion for step in learned.steps]
        if learned.test_error is not None:
            columns[f"{name}: test error"] = [learned.test_error[task] for task in learned.order]
    columns["what if: your choice"] = [step in forced for step in range(1, len(other.order) + 1)]
    frame = pd.DataFrame(columns)
    same_task, same_source = (frame[f"method: {what}"] == frame[f"what if: {what}"] for what in ("task", "source"))
    return frame.assign(**{"same choice": same_task & same_source})
