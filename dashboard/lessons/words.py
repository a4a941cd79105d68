"""Small helps for the lessons' sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dashboard import text
from dashboard.figures.methods_by_draw import Draws

DRAWS = 20
"""Draws over which the lessons' claims are counted."""


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "–" if share is None else text.percent(share)


def mean(found: Draws, name: str) -> float:
    """Of one way over the draws."""
    return float(np.mean(found.values[name]))


def bold(name: str) -> str:
    """A name from data inside a sentence."""
    return f"**{text.md(text.short(name))}**"


def chain(names: Sequence[str]) -> str:
    """An order inside a sentence."""
    return " → ".join(text.md(text.short(name)) for name in names)


def of_draws(count: int, total: int = DRAWS) -> str:
    """'in 18 of 20 draws'."""
    return f"in {count} of {total} draws"
