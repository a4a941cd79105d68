"""Every order of the selected set on one draw, with the methods that learn in one sequence beside them."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from core.curriculum.learn import CSetting, Learned, Problem
from core.orders.all_orders import LIMIT, every_order
from core.orders.over_samples import LOWEST
from core.orders.ranking import Place, extremes, place_learned, place_row
from core.orders.result import Orders
from core.orders.significance import OrderNoise, noise_of
from core.task_set import TaskSet
from dashboard.session.job_panel import Report

SAMPLES = (200, 1000, LIMIT)
LEARNING = 0.2
"""Roughly the share of the work that goes into the methods."""


class Study(Protocol):
    """What the page shows, of one draw or of several: orders with their values, the places to mark, what is noise."""

    @property
    def orders(self) -> Orders:
        """Every order, by its values or by its means over the draws."""

    @property
    def places(self) -> tuple[Place, ...]:
        """All that is marked."""

    @property
    def noise(self) -> OrderNoise | None:
        """What is more than chance; None while it cannot be told."""

    @property
    def C(self) -> CSetting:
        """The C of the orders, or how each gets its own."""

    @property
    def starts(self) -> dict[str, tuple[str, ...]]:
        """Named orders to begin with when one arranges one's own."""


@dataclass(frozen=True, eq=False)
class Tried:
    """The orders walked on one draw, at a C that may be a setting, and the methods learned at the same."""

    orders: Orders
    learned: dict[str, Learned]
    C: CSetting
    noise: OrderNoise | None = None

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The methods, the expectation of a random order, the lowest bound of all, the best and the worst."""
        methods = [place_learned(self.orders, label, learned) for label, learned in self.learned.items()]
        best, worst, mean = extremes(self.orders)
        lowest = [place_row(self.orders, LOWEST, self.orders.best_by_bound)] if self.orders.complete else []
        return (*methods, mean, *lowest, best, worst)

    @property
    def C_choices(self) -> int:
        """What every bound pays for the choice of C, so that bounds compare."""
        return paid_choices(self.learned)

    @property
    def starts(self) -> dict[str, tuple[str, ...]]:
        """The orders of the methods and of the other places."""
        methods = {label: learned.order for label, learned in self.learned.items()}
        return methods | {p.label: p.order for p in self.places if p.order and p.label not in methods}

    @property
    def greedy_rank(self) -> int | None:
        """SeqMT's rank by bound."""
        bound = self.learned["SeqMT"].bound
        return None if bound is None else self.orders.rank_by_bound(bound.value)


def paid_choices(learned: Mapping[str, Learned]) -> int:
    """Among how many C SeqMT's was picked."""
    bound = learned["SeqMT"].bound
    return 1 if bound is None else bound.C_choices


def count_orders(task_set: TaskSet) -> int:
    """n!"""
    return math.factorial(len(task_set))


def default_limit(task_set: TaskSet) -> int:
    """How many orders are tried unless asked for: a few seconds' worth."""
    if count_orders(task_set) <= LIMIT:
        return LIMIT
    return SAMPLES[1] if len(task_set) <= 10 else SAMPLES[0]


def try_orders(problem: Problem, C: CSetting, delta: float, limit: int, own_C: bool, report: Report[Tried]) -> Tried:
    """Learn SeqMT, Diversity and (where there is an order) Semantic, then walk the orders.

    With C `shared` and not `own_C`, everything else uses the C that cross-validation chose for SeqMT.
    """

    def learning(done: float, total: float) -> None:
        report(LEARNING * done / max(total, 1), 1)

    def walking(done: float, total: float) -> None:
        report(LEARNING + (1.0 - LEARNING) * done / max(total, 1), 1)

    learned = {"SeqMT": problem.learn("seqmt", C, delta=delta, progress=learning)}
    if C == "shared" and not own_C:
        C = learned["SeqMT"].chosen_C[learned["SeqMT"].order[0]]
    C_choices = paid_choices(learned)
    others = {"Semantic": "semantic"} if problem.task_set.semantic_order else {}
    for label, method in (others | {"Diversity": "diversity"}).items():
        learned[label] = problem.learn(method, C, delta=delta, C_choices=C_choices, progress=learning)
    orders = every_order(
        problem.task_set,
        C=C,
        seed=problem.seed,
        delta=delta,
        solver=problem.solver,
        limit=limit,
        points=True,
        own_C=own_C,
        C_choices=C_choices,
        measure=problem.measure,
        progress=walking,
        keep=lambda partial: report.keep(Tried(partial, learned, C)),
    )
    return Tried(orders, learned, C, noise_of(orders))


def encode(order: Sequence[str], names: Sequence[str]) -> str:
    """An order for the link: places in the set from 1, such as `3.1.2`."""
    return ".".join(str(names.index(name) + 1) for name in order)


def decode(text: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The order of a link; None if it does not name every task once."""
    parts = text.split(".")
    if sorted(parts) != sorted(str(k + 1) for k in range(len(names))):
        return None
    return tuple(names[int(part) - 1] for part in parts)


def command(learning: str, limit: int, own_C: bool = False) -> str:
    """The command line that walks these orders, from the one that learns SeqMT at the same settings."""
    parts = shlex.split(learning)
    at = parts.index("--method")
    own = ["--own-C"] if own_C else []
    return shlex.join(
        [parts[0], "orders", *parts[2:at], *parts[at + 2 :], *own, "--limit", str(limit), "--csv", "orders.csv"]
    )
