"""Outcomes as text and back: floats are written so that they come back to the last bit."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from core.errors import CurriculabError
from core.experiments.experiment import NAMES, ORDERS, OrdersOutcome, Outcome
from data.limits import MAX_TASKS
from data.runs.run import MOST_ORDERS, count, line, number, task_name

JOINT = ("mergedsvm", "mt")  # they learn all tasks at once, so they alone have no order
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
        return _orders(values) if values["method"] == ORDERS else _outcome(values)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise CurriculabError(f"an outcome cannot be read ({type(error).__name__}); the run is damaged") from None


def _outcome(values: dict[str, Any]) -> Outcome:
    errors = {task_name(task): number(error) for task, error in values["test_error"].items()}
    tasks = set(errors)
    order = tuple(task_name(task) for task in values["order"])
    sources = {task: None if source is None else task_name(source) for task, source in values["sources"].items()}
    chosen_C = {task: number(C) for task, C in values["chosen_C"].items()}
    bound = values["bound"]
    method = values["method"]
    others = {name: _errors(values.get(name), tasks) for name in ("balanced_error", "majority_error")}
    ordered = set(order) == tasks and len(order) == len(tasks) if method not in JOINT else not order
    if not 0 < len(tasks) <= MAX_TASKS or not set(sources) == tasks == set(chosen_C) or not ordered:
        raise ValueError("the parts do not fit together")
    if method not in NAMES or not _earlier(order or tuple(tasks), sources, method in JOINT):
        raise ValueError("an unknown method, or a source that does not come before its task")
    if not all(0 <= error <= 1 for error in errors.values()) or not all(0 < C <= MOST for C in chosen_C.values()):
        raise ValueError("errors or C that cannot be")
    if bound is not None and ("value" not in bound or not all(abs(number(part)) <= MOST for part in bound.values())):
        raise ValueError("a bound that cannot be")
    return Outcome(
        count(values["repeat"]),
        method,
        _seconds(values["seconds"]),
        order,
        sources,
        chosen_C,
        errors,
        None if bound is None else {line(part, 20): number(value) for part, value in bound.items()},
        **others,
    )


def _errors(values: dict[str, Any] | None, tasks: set[str]) -> dict[str, float] | None:
    """Errors of these tasks that older runs did not record."""
    if values is None:
        return None
    errors = {task: number(error) for task, error in values.items()}
    if set(errors) != tasks or not all(0 <= error <= 1 for error in errors.values()):
        raise ValueError("errors that cannot be")
    return errors


def _earlier(order: tuple[str, ...], sources: dict[str, str | None], none_at_all: bool) -> bool:
    """Whether every source was learned before the task that starts from it."""
    place = {task: k for k, task in enumerate(order)}
    return all(
        source is None or (not none_at_all and place.get(source, len(order)) < place[task])
        for task, source in sources.items()
    )


def _seconds(value: object) -> float:
    if not 0 <= (seconds := number(value)) <= MOST_SECONDS:
        raise ValueError("a time that cannot be")
    return seconds


def _orders(values: dict[str, Any]) -> OrdersOutcome:
    names = tuple(task_name(name) for name in values["names"])
    orders = tuple(tuple(count(k) for k in order) for order in values["orders"])
    errors = tuple(number(error) for error in values["test_errors"])
    bounds = tuple(number(bound) for bound in values["bounds"])
    places = list(range(len(names)))
    if not orders or not len(orders) == len(errors) == len(bounds) or any(sorted(order) != places for order in orders):
        raise ValueError("the parts do not fit together")
    if len(set(names)) < len(names) or len(names) > MAX_TASKS or not all(0 <= error <= 1 for error in errors):
        raise ValueError("names or errors that cannot be")
    if not names or len(orders) > MOST_ORDERS or not all(abs(bound) <= MOST for bound in bounds):
        raise ValueError("orders or bounds that cannot be")
    complete = values["complete"] is True
    return OrdersOutcome(count(values["repeat"]), _seconds(values["seconds"]), names, orders, errors, bounds, complete)
