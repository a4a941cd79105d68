"""The orders of the selected set with what is marked among them: on one draw, on several, or of a stored run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.curriculum.learn import CSetting, Learned
from core.features import IntArray
from core.orders.all_orders import Orders, every_order
from core.orders.orders_by_draw import LOWEST, OrdersByDraw, learn_methods, noise_over, orders_over_draws
from core.orders.ranking import OrderNoise, Place, extremes, noise_of, pair_p_value, place_learned, place_row
from core.statistics.majority import AgainstMajority, against_majority, over_draws
from core.statistics.t_test import estimate
from dashboard.components import run_choice
from dashboard.session.current import Current
from dashboard.session.job import Work
from data.runs.store import Run, Store

LEARNING = 0.2
"""Roughly the share of the work that goes into the methods."""


@dataclass(frozen=True, eq=False)
class Study:
    """Orders by their values on one draw, or by their means `over` several, and the methods among them.

    `C` is a number where all orders have it; of a `shared` one every order has its `own_C` or, on each draw, SeqMT's.
    `learned` has the methods on the one draw. `against` is SeqMT beside always answering the larger class, where that
    is known. `noise` is None while orders are still walked.
    """

    orders: Orders
    C: CSetting
    own_C: bool
    noise: OrderNoise | None = None
    learned: Mapping[str, Learned] = field(default_factory=dict)
    over: OrdersByDraw | None = None
    against: AgainstMajority | None = None

    @classmethod
    def of_draws(cls, over: OrdersByDraw, C: CSetting, own_C: bool, against: AgainstMajority | None = None) -> Study:
        """By the means over draws."""
        return cls(over.means, C, own_C, noise_over(over), over=over, against=against)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The methods, the expectation of a random order, the lowest bound of all, the best and the worst."""
        if self.over is not None:
            return self.over.places
        methods = [place_learned(self.orders, label, learned) for label, learned in self.learned.items()]
        best, worst, mean = extremes(self.orders)
        lowest = [place_row(self.orders, LOWEST, self.orders.best_by_bound)] if self.orders.complete else []
        return (*methods, mean, *lowest, best, worst)

    @property
    def greedy(self) -> Place:
        """SeqMT among the orders."""
        return next(place for place in self.places if place.label == "SeqMT")

    @property
    def greedy_rank(self) -> int | None:
        """SeqMT's rank by bound on one draw."""
        return self.orders.rank_by_bound(self.greedy.bound) if self.over is None else None

    def place(self, label: str, row: int) -> Place:
        """One of the walked orders."""
        if self.over is None:
            return place_row(self.orders, label, row)
        return self.over.place(label, self.over.of_row(row), self.orders.named(row))

    def p_value(self, order: tuple[str, ...]) -> float | None:
        """Of the difference between an order and SeqMT on the same test points, or draws, where both are known."""
        row = self.orders.row(order)
        if row is None:
            return None
        if self.over is not None:
            found = estimate(self.over.errors[:, row] - self.over.methods["SeqMT"][0], self.over.overlap)
            return None if found is None else found.p_value
        greedy = None if self.greedy.order is None else self.orders.row(self.greedy.order)
        return None if greedy is None else pair_p_value(self.orders, row, greedy)


def on_one_draw(now: Current, limit: int, own_C: bool, report: Work[Study]) -> Study:
    """The methods that learn in one sequence, then every order, or a sample of that size."""
    problem, delta = now.problem, now.settings.delta
    learned, C, C_choices = learn_methods(
        problem, now.settings.C, delta, own_C, lambda done, total: report(LEARNING * done / max(total, 1), 1)
    )
    orders = every_order(
        problem.task_set,
        C=C,
        seed=problem.seed,
        delta=delta,
        limit=limit,
        points=True,
        own_C=own_C,
        C_choices=C_choices,
        measure=problem.measure,
        progress=lambda done, total: report(LEARNING + (1.0 - LEARNING) * done / max(total, 1), 1),
        keep=lambda partial: report.keep(Study(partial, C, own_C, learned=learned)),
    )
    return Study(orders, C, own_C, noise_of(orders), learned, against=against_majority(learned["SeqMT"]))


def on_draws(
    now: Current, count: int, limit: int, own_C: bool, report: Work[Study], only: IntArray | None = None
) -> Study:
    """The same orders, or `only` those, on several draws; draw k has the seed `seed + k`, as in a run."""
    report.note(f"0 of {count} draws")
    source, settings = run_choice.source_of(now), now.settings
    overlap = source.overlap(source.sample(settings.seed))

    def study(over: OrdersByDraw) -> Study:
        against = over_draws(over.against, overlap) if over.against else None
        return Study.of_draws(replace(over, overlap=overlap), settings.C, own_C, against)

    def keep(over: OrdersByDraw) -> None:
        report.note(f"{over.draws} of {count} draws")
        report.keep(study(over))

    return study(
        orders_over_draws(
            lambda seed: settings.problem(source.sample(seed), seed),
            range(settings.seed, settings.seed + count),
            C=settings.C,
            delta=settings.delta,
            orders=limit if only is None else only,
            own_C=own_C,
            progress=report,
            keep=keep,
        )
    )


def stored(now: Current) -> dict[str, Run]:
    """By the name in the link, the runs of the selected set that walked all orders at least twice; the example last."""
    return {f"run{run.id}": run for run in run_choice.repeated(now, "orders", "seqmt")}


def of_run(run: Run) -> Study | None:
    """The draws that a stored run has finished; its orders have a C each."""
    with Store() as store:
        results = run_choice.results_of(store, run)
    over = results.over_draws
    return None if over is None else Study.of_draws(over, run.settings.C, True, results.against_majority("seqmt"))
