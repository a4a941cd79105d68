"""What a handout shows of one curriculum: every step with its bars, the bound, and where its order stands among all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.curriculum.learn import CSetting, Learned, Problem
from core.curriculum.methods import METHODS
from core.fitting.cross_validation import Progress
from core.orders.all_orders import every_order
from core.orders.ranking import place
from dashboard import text
from dashboard.figures import candidates, curricula, orders
from dashboard.reports.page import Section

MOST_STEPS = 30
MOST_TASKS = 5
"""Tasks up to which all orders are tried for a report: 120."""


def steps(learned: Learned, labels: Mapping[str, str]) -> Iterator[Section]:
    """A section a step, all on one scale, then the bound as it grew."""
    shown = [candidates.info(step) for step in learned.steps[:MOST_STEPS]]
    room = candidates.frame(shown, labels)
    name = METHODS[learned.method]
    for number, (step, found) in enumerate(zip(learned.steps, shown, strict=False), start=1):
        chosen = step.chosen
        yield Section(
            f"{name}, step {number} of {len(learned.steps)}: {text.quoted(chosen.task)} "
            f"from {text.source_words(chosen.source and text.quoted(chosen.source))}",
            "A bar a candidate: its error term plus its complexity term. The method takes the lowest sum (★)."
            if number == 1
            else "",
            candidates.figure(found, labels, False, room=room),
            candidates.table(step),
            alt=f"Step {number} chooses {chosen.task}, criterion {chosen.criterion:.3f}",
        )
    if learned.curriculum is not None and learned.bound is not None:
        yield Section(
            f"{name}: the bound grows to {learned.bound.value:.2f}{text.vacuous(learned.bound.value)}",
            "Theorem 1 bounds half the expected error over all tasks; above ½ it says nothing about the error.",
            curricula.bound_figure(learned.curriculum, len(learned.steps), labels, False),
            curricula.bound_table(learned.curriculum),
        )


def violin(
    problem: Problem, learned: Learned, C: CSetting, delta: float, progress: Progress | None = None
) -> Iterator[Section]:
    """All orders, where they are few enough, with the learned one marked."""
    task_set = problem.task_set
    if not 2 <= len(task_set) <= MOST_TASKS or learned.bound is None:
        return
    tried = every_order(
        task_set,
        C=C,
        seed=problem.seed,
        delta=delta,
        solver=problem.solver,
        measure=problem.measure,
        progress=progress,
    )
    name = METHODS[learned.method]
    own = place(tried, name, tuple(learned.order), learned.bound.value, learned.mean_error)
    spread = orders.Spread(tried, (own,))
    yield Section(
        spread.title,
        f"Every dot is one of all {len(tried.orders)} orders of the tasks; {name}'s is marked.",
        orders.figure(spread, False),
        orders.table(spread),
    )
