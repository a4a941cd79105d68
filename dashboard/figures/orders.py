"""Every order by its mean test error: the paper's Figure 3, with the named methods marked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.analysis.all_orders import Orders
from core.analysis.ranking import Place
from core.tasks import FloatArray
from dashboard import theme

FLAT = 1e-9
"""A range below which all orders count as equal: a density of equal values cannot be drawn."""
SYMBOLS = {
    "SeqMT": "star",
    "Semantic": "square",
    "Random": "diamond",
    "Diversity": "x",
    "Best": "triangle-left",
    "Worst": "triangle-right",
    "Yours": "hexagram",
    "Picked": "circle-open-dot",
}


@dataclass(frozen=True, eq=False)
class Spread:
    """The orders and the places to mark; by test error in percent, or by bound without test data."""

    orders: Orders
    places: tuple[Place, ...]

    @property
    def by_bound(self) -> bool:
        """Whether there is no test data, so that the bound alone can be shown."""
        return self.orders.test_errors is None

    @property
    def values(self) -> FloatArray:
        """What the orders are spread over."""
        errors = self.orders.test_errors
        return self.orders.bounds if errors is None else 100.0 * errors

    def value(self, place: Place) -> float:
        """A place on the same scale."""
        return place.bound if place.test_error is None else 100.0 * place.test_error

    @property
    def quantity(self) -> str:
        """The axis in words, with its unit."""
        return "bound (Theorem 1)" if self.by_bound else "mean test error (%)"

    @property
    def flat(self) -> bool:
        """Whether all orders are equal."""
        return bool(np.ptp(self.values) <= FLAT * max(1.0, float(np.max(np.abs(self.values)))))

    def written(self, value: float) -> str:
        """A value as people read it."""
        return f"{value:.3f}" if self.by_bound else f"{value:.1f} %"

    @property
    def title(self) -> str:
        """The finding."""
        count, what = len(self.values), "bound" if self.by_bound else "mean test error"
        if self.flat:
            return f"The order makes no difference here: all {count} have the same {what}"
        low, high = (self.written(float(pick(self.values))) for pick in (np.min, np.max))
        greedy = next((place for place in self.places if place.label == "SeqMT"), None)
        text = f"The order alone moves the {what} from {low} to {high}"
        return text if greedy is None else f"{text}; SeqMT is {standing(greedy)}"


def standing(place: Place) -> str:
    """'better than 90 % of orders': those that are clearly worse, ties left out."""
    if place.label in ("Best", "Worst"):
        return f"the {place.label.lower()} of them"
    return f"better than {math.floor(place.beaten)} % of orders"


def table(found: Spread) -> pd.DataFrame:
    """The marked places."""
    return pd.DataFrame(
        {
            "mark": [place.label for place in found.places],
            "mean test error": [place.test_error for place in found.places],
            "bound": [place.bound for place in found.places],
            "percentile": [place.percentile for place in found.places],
            "order": [" > ".join(place.order) if place.order else "mean over the orders" for place in found.places],
        }
    )


def orders_table(orders: Orders) -> pd.DataFrame:
    """A row an order."""
    columns: dict[str, object] = {"bound": orders.bounds}
    if orders.test_errors is not None:
        columns["mean test error"] = orders.test_errors
    columns["C"] = orders.C
    columns["order"] = [" > ".join(orders.named(row)) for row in range(len(orders.orders))]
    return pd.DataFrame(columns)


def figure(found: Spread, dark: bool, highlight: Sequence[str] = ("SeqMT", "Yours", "Picked")) -> go.Figure:
    """A violin with a jittered strip of all orders over it, and a row above it for every marked place."""
    ink = theme.ink(dark)
    values, rows = found.values, sorted(found.places, key=found.value)
    chart = theme.blank(dark, 250 + 34 * len(rows))
    if not found.flat:
        chart.add_trace(
            go.Violin(
                x=values,
                y=np.zeros(len(values)),
                orientation="h",
                width=1.5,
                points=False,
                spanmode="hard",
                line={"color": ink.complexity, "width": 1.5},
                fillcolor=_faint(ink.complexity),
                hoverinfo="skip",
                meanline={"visible": True},
                showlegend=False,
                name="density",
            )
        )
    jitter = np.random.default_rng(0).uniform(-0.3, 0.3, len(values))
    chart.add_trace(
        go.Scattergl(
            x=values,
            y=jitter,
            mode="markers",
            customdata=np.arange(len(values)),
            name="orders",
            showlegend=False,
            marker={"size": 6 if len(values) <= 1500 else 4, "color": ink.complexity, "opacity": 0.55},
            selected={"marker": {"opacity": 0.55}},
            unselected={"marker": {"opacity": 0.55}},
            hovertemplate=f"{'bound' if found.by_bound else 'test error'} %{{x:.4g}}<br>click for its order"
            "<extra></extra>",
        )
    )
    heights = [1.15 + 0.42 * (len(rows) - 1 - k) for k in range(len(rows))]
    for place, height in zip(rows, heights, strict=True):
        _mark(chart, found, place, height, dark, place.label in highlight)
    low, high = (float(pick([*values, *map(found.value, rows)])) for pick in (np.min, np.max))
    room = max(high - low, 1e-3 if found.by_bound else 1.0)
    edge = low - 0.1 * room if found.by_bound else max(low - 0.1 * room, -0.05 * room)  # no error is below 0
    chart.update_xaxes(title=found.quantity, range=[edge, high + 0.1 * room], zeroline=False)
    names = [f"{place.label}  <b>{found.written(found.value(place))}</b>" for place in rows]
    chart.update_yaxes(
        tickvals=[0.0, *heights],
        ticktext=[f"{len(values):,} orders", *names],
        range=[-0.85, 1.05 + 0.42 * len(rows)],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
    )
    return chart


def _mark(chart: go.Figure, found: Spread, place: Place, height: float, dark: bool, bold: bool) -> None:
    """A symbol over its value, a thin line down to the violin, and its standing towards the middle."""
    ink = theme.ink(dark)
    x, values = found.value(place), found.values
    left = x > (float(np.min(values)) + float(np.max(values))) / 2
    strong = ink.error if bold else ink.text
    text = standing(place).removesuffix(" of orders")
    chart.add_shape(
        type="line", x0=x, x1=x, y0=-0.3, y1=height, line={"color": strong, "width": 1.5 if bold else 1, "dash": "dot"}
    )
    chart.add_trace(
        go.Scatter(
            x=[x],
            y=[height],
            mode="markers",
            showlegend=False,
            name=place.label,
            marker={
                "symbol": SYMBOLS.get(place.label, "circle"),
                "size": 15 if bold else 12,
                "color": strong,
                "line": {"width": 1, "color": ink.paper},
            },
            hovertext=[f"<b>{place.label}</b> {found.written(x)}<br>percentile {place.percentile:.1f}"],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
        )
    )
    chart.add_annotation(
        x=x,
        y=height,
        text=f"<b>{text}</b>" if bold else text,
        showarrow=False,
        xanchor="right" if left else "left",
        xshift=-12 if left else 12,
        font={"color": ink.text, "size": 14},
        bgcolor=ink.paper,  # hides the lines of the rows above
        borderpad=1,
    )


def _faint(colour: str) -> str:
    return "rgba({},{},{},0.16)".format(*(int(colour[k : k + 2], 16) for k in (1, 3, 5)))


def steps(order: Sequence[str], labels: Mapping[str, str]) -> str:
    """An order for the screen, plain text."""
    return " → ".join(labels[name] for name in order)
