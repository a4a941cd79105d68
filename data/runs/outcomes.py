"""Outcomes as text and back: floats are written so that they come back to the last bit."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from core.errors import CurriculabError
from core.experiments.experiment import NAMES
from core.experiments.outcome import ORDERS, OrdersOutcome, Outcome


def outcome_text(outcome: Outcome | OrdersOutcome) -> str:
    """One line of JSON."""
    return json.dumps(asdict(outcome) | {"method": outcome.method}, allow_nan=False, separators=(",", ":"))


def outcome_from(text: str) -> Outcome | OrdersOutcome:
    """The inverse of `outcome_text`; text of another form is refused."""
    try:
        values = json.loads(text)
        return _orders(values) if values["method"] == ORDERS else _outcome(values)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CurriculabError(f"an outcome cannot be read ({type(error).__name__}); the run is damaged") from None


def _outcome(values: dict[str, Any]) -> Outcome:
    tasks = set(values["test_error"])
    order = tuple(_text(task) for task in values["order"])
    sources = {task: None if source is None else _text(source) for task, source in values["sources"].items()}
    chosen_C = {task: _number(C) for task, C in values["chosen_C"].items()}
    errors = {task: _number(error) for task, error in values["test_error"].items()}
    bound = values["bound"]
    fits = set(sources) == tasks == set(chosen_C) and (not order or (set(order) == tasks and len(order) == len(tasks)))
    if not tasks or not fits or not all(0 <= error <= 1 for error in errors.values()):
        raise ValueError("the parts do not fit together")
    if values["method"] not in NAMES or not {source for source in sources.values() if source is not None} <= tasks:
        raise ValueError("an unknown method or source")
    return Outcome(
        _count(values["repeat"]),
        values["method"],
        _number(values["seconds"]),
        order,
        sources,
        chosen_C,
        errors,
        None if bound is None else {part: _number(value) for part, value in bound.items()},
    )


def _orders(values: dict[str, Any]) -> OrdersOutcome:
    names = tuple(_text(name) for name in values["names"])
    orders = tuple(tuple(_count(k) for k in order) for order in values["orders"])
    errors = tuple(_number(error) for error in values["test_errors"])
    bounds = tuple(_number(bound) for bound in values["bounds"])
    places = list(range(len(names)))
    if not orders or not len(orders) == len(errors) == len(bounds) or any(sorted(order) != places for order in orders):
        raise ValueError("the parts do not fit together")
    return OrdersOutcome(
        _count(values["repeat"]), _number(values["seconds"]), names, orders, errors, bounds, values["complete"] is True
    )


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError("not a number")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError("not a count")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not text")
    return value
