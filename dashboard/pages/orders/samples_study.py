"""The same orders over several draws of the selected set: computed here, or taken from a stored run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.curriculum.learn import CSetting
from core.errors import CurriculabError
from core.features import IntArray
from core.orders.over_samples import OverDraws, orders_over_draws
from core.orders.ranking import Place
from core.orders.result import Orders
from core.orders.significance import OrderNoise, noise_over
from core.statistics.majority import AgainstMajority, over_draws
from core.task_set import FloatArray
from dashboard.components import run_choice
from dashboard.session.current import Current, Settings
from dashboard.session.job_panel import Report
from data.runs import example
from data.runs.store import Run, Store
from data.sources.source import Source

COUNTS = (1, 5, 20)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The orders by their means over draws; `semantic` is the known order, to begin one's own with.

    `against` is SeqMT beside always answering the larger class, where that is known.
    """

    over: OverDraws
    C: CSetting
    semantic: tuple[str, ...] | None = None
    against: AgainstMajority | None = None

    @cached_property
    def orders(self) -> Orders:
        """By their means."""
        return self.over.means

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Means with standard errors."""
        return self.over.places

    @cached_property
    def noise(self) -> OrderNoise | None:
        """Friedman's test, and the gap on draws that did not choose it."""
        return noise_over(self.over)

    @property
    def starts(self) -> dict[str, tuple[str, ...]]:
        """Semantic, and the best and the worst order."""
        known = {"Semantic": self.semantic} if self.semantic else {}
        return known | {place.label: place.order for place in self.places if place.order}

    @property
    def greedy_lowest(self) -> int:
        """On how many draws no order has a lower bound than SeqMT."""
        return int(np.sum(self.over.methods["SeqMT"][1] <= self.over.lowest[1] + 1e-9))

    def values_of(self, order: tuple[str, ...]) -> FloatArray | None:
        """Errors and bounds on every draw, where the order was walked."""
        row = self.orders.row(order)
        return None if row is None else self.over.of_row(row)

    def place_of(self, label: str, values: FloatArray, order: tuple[str, ...]) -> Place:
        """Any order among them."""
        return self.over.place(self.orders, label, values, order)


def draw(
    source: Source,
    count: int,
    settings: Settings,
    limit: int,
    own_C: bool,
    report: Report[Drawn],
    only: IntArray | None = None,
) -> Drawn:
    """Draw k has the seed `seed + k`, as in a run; `only` names the orders instead of all."""
    report.note(f"0 of {count} draws")

    def keep(over: OverDraws) -> None:
        report.note(f"{over.draws} of {count} draws")
        report.keep(drawn(over))

    def drawn(over: OverDraws) -> Drawn:
        against = over_draws(over.against, overlap) if over.against else None
        return Drawn(replace(over, overlap=overlap), settings.C, semantic, against)

    first = source.sample(settings.seed)
    semantic, overlap = first.semantic_order, source.overlap(first)
    over = orders_over_draws(
        source.sample, count, **settings.learner(), limit=limit, own_C=own_C, only=only, progress=report, keep=keep
    )
    return drawn(over)


def stored(now: Current) -> dict[str, Run]:
    """By the name in the link, the stored runs of the selected set that walked all orders at least twice."""
    shipped = example.example()[0]
    try:
        with Store() as store:
            runs = (*store.runs(), shipped)
    except CurriculabError:  # the page has more to show than stored runs
        runs = (shipped,)
    walked = [run for run in runs if min(run.done.get("orders", 0), run.done.get("seqmt", 0)) > 1]
    return {f"run{run.id}": run for run in walked if run_choice.is_of_set(run, now)}


def of_run(run: Run, now: Current) -> Drawn | None:
    """The draws that a stored run has finished."""
    with Store() as store:
        results = run_choice.results_of(store, run)
    over, semantic = results.over_draws, now.task_set.semantic_order
    return None if over is None else Drawn(over, run.settings.C, semantic, results.against_majority("seqmt"))
