"""Every order of the selected set, with the methods that learn in one sequence beside them."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.all_orders import LIMIT, Orders, every_order
from core.analysis.ranking import Place, extremes, place_learned
from core.curriculum.learn import CSetting, Learned, Problem
from core.tasks import TaskSet
from dashboard.session.job_panel import Report

SAMPLES = (200, 1000, LIMIT)
LEARNING = 0.2
"""Roughly the share of the work that goes into the methods."""


@dataclass(frozen=True, eq=False)
class Tried:
    """The orders walked, at a C that may be a setting, and the methods learned at the same."""

    orders: Orders
    learned: dict[str, Learned]
    C: CSetting

    @property
    def places(self) -> tuple[Place, ...]:
        """All that is marked: the methods, the expectation of a random order, the best and the worst."""
        methods = [place_learned(self.orders, label, learned) for label, learned in self.learned.items()]
        best, worst, mean = extremes(self.orders)
        return (*methods, mean, best, worst)


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
    others = {"Semantic": "semantic"} if problem.task_set.semantic_order else {}
    for label, method in (others | {"Diversity": "diversity"}).items():
        learned[label] = problem.learn(method, C, delta=delta, progress=learning)
    orders = every_order(
        problem.task_set,
        C=C,
        seed=problem.seed,
        delta=delta,
        limit=limit,
        progress=walking,
        keep=lambda partial: report.keep(Tried(partial, learned, C)),
    )
    return Tried(orders, learned, C)


def encode(order: Sequence[str], names: Sequence[str]) -> str:
    """An order for the link: places in the set from 1, such as `3.1.2`."""
    return ".".join(str(names.index(name) + 1) for name in order)


def decode(text: str, names: Sequence[str]) -> tuple[str, ...] | None:
    """The order of a link; None if it does not name every task once."""
    parts = text.split(".")
    if sorted(parts) != sorted(str(k + 1) for k in range(len(names))):
        return None
    return tuple(names[int(part) - 1] for part in parts)


def command(learning: str, limit: int) -> str:
    """The command line that walks these orders, from the one that learns SeqMT at the same settings."""
    parts = shlex.split(learning)
    at = parts.index("--method")
    return shlex.join(
        [parts[0], "orders", *parts[2:at], *parts[at + 2 :], "--limit", str(limit), "--csv", "orders.csv"]
    )
