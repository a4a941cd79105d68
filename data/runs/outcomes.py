"""Outcomes as text and back: floats are written so that they come back to the last bit."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from core.errors import CurriculabError
from core.experiments.experiment import NAMES, ORDERS, OrdersOutcome, Outcome
from data.limits import MAX_TASKS
from data.runs.run import MOST_ORDERS, count, line, number, task_name

JOINT = ("mergedsvm", "mt")
"""They learn all tasks at once, so they alone have no order."""
MOST_SECONDS = 1e9
MOST = 1e100
"""Of what is averaged: sums of these, and their squares, are finite."""


def outcome_text(outcome: Outcome | OrdersOutcome) -> str:
    """One line of JSON."""
    return json.dumps(asdict(outcome) | {"method": outcome.method}, allow_nan=False, separators=(",", ":"))


def outcome_from(text: str) -> Outcome | OrdersOutcome:
    """The inverse of `outcome_text`; text of another form is refused."""
    try:
        values = json.loads(text)
        outcome, fits = _orders(values) if values["method"] == ORDERS else _outcome(values)
        if not fits or not 0 <= outcome.seconds <= MOST_SECONDS:
            raise ValueError("the parts do not fit together")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise CurriculabError(f"an outcome cannot be read ({type(error).__name__}); the run is damaged") from None
    return outcome


def _outcome(values: dict[str, Any]) -> tuple[Outcome, bool]:
    """What a method did, and whether its parts fit together: every source is learned before the task that starts from
    it."""
    recorded = ("chosen_C", "test_error", "balanced_error", "majority_error")  # the last two not by older runs
    numbers = {name: _numbers(values[name]) for name in recorded if values.get(name) is not None}
    sources = {task_name(t): None if source is None else task_name(source) for t, source in values["sources"].items()}
    order = tuple(map(task_name, values["order"]))
    bound = None if values["bound"] is None else {line(name, 20): number(n) for name, n in values["bound"].items()}
    made = Outcome(
        count(values["repeat"]), values["method"], number(values["seconds"]), order, sources, bound=bound, **numbers
    )
    errors = [error for name in recorded[1:] for error in numbers.get(name, {}).values()]
    place = {task: k for k, task in enumerate(order)}
    if made.method in JOINT:
        ordered = not order and not any(sources.values())
    else:
        ordered = (
            set(order) == set(sources)
            and len(order) == len(place)
            and all(source is None or place.get(source, len(order)) < place[task] for task, source in sources.items())
        )
    return made, (
        made.method in NAMES
        and ordered
        and 0 < len(sources) <= MAX_TASKS
        and all(set(named) == set(sources) for named in numbers.values())
        and all(0 <= error <= 1 for error in errors)
        and all(0 < C <= MOST for C in made.chosen_C.values())
        and (bound is None or ("value" in bound and all(abs(part) <= MOST for part in bound.values())))
    )


def _numbers(values: dict[str, Any]) -> dict[str, float]:
    return {task_name(task): number(value) for task, value in values.items()}


def _orders(values: dict[str, Any]) -> tuple[OrdersOutcome, bool]:
    """A walk of the orders, and whether its parts fit together."""
    walk = OrdersOutcome(
        count(values["repeat"]),
        number(values["seconds"]),
        tuple(map(task_name, values["names"])),
        tuple(tuple(map(count, order)) for order in values["orders"]),
        tuple(map(number, values["test_errors"])),
        tuple(map(number, values["bounds"])),
        values["complete"] is True,
    )
    places = list(range(len(walk.names)))
    return walk, (
        0 < len(set(walk.names)) == len(places) <= MAX_TASKS
        and 0 < len(walk.orders) == len(walk.test_errors) == len(walk.bounds) <= MOST_ORDERS
        and all(sorted(order) == places for order in walk.orders)
        and all(0 <= error <= 1 for error in walk.test_errors)
        and all(abs(bound) <= MOST for bound in walk.bounds)
    )
