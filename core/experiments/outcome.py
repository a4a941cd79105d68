"""What the pieces of an experiment leave behind: one method, or all fixed orders, in one repeat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ORDERS = "orders"
"""The piece of a repeat that walks all fixed orders; Best and Worst are picked from it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one method did in one repeat; `order` is empty for a joint method."""

    repeat: int
    method: str
    seconds: float
    order: tuple[str, ...]
    sources: dict[str, str | None]
    chosen_C: dict[str, float]
    test_error: dict[str, float]
    bound: dict[str, float] | None

    @property
    def mean_error(self) -> float:
        """Mean test error over tasks."""
        return float(np.mean(list(self.test_error.values())))


@dataclass(frozen=True, slots=True)
class OrdersOutcome:
    """Mean test error and bound of every fixed order in one repeat; the same orders in every repeat."""

    repeat: int
    seconds: float
    names: tuple[str, ...]
    orders: tuple[tuple[int, ...], ...]
    test_errors: tuple[float, ...]
    bounds: tuple[float, ...]
    complete: bool

    @property
    def method(self) -> str:
        """The piece's name."""
        return ORDERS
