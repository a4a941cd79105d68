"""The result of walking orders: each with its bound, test error, and the test points that it gets wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from core.curriculum.steps import TIE
from core.errors import SettingsError
from core.features import IntArray
from core.measure import Measure
from core.task_set import FloatArray


@dataclass(frozen=True, eq=False)
class Missed:
    """Which test points each order gets wrong: one row per order, eight points in a byte.

    `groups` has the group of every point: its task, or for balanced errors its class in its task. The mean error of an
    order is the mean over the groups, by their `weights`. Points of several tasks that are one row of a table have one
    number in `rows`: chance moves them together.
    """

    packed: npt.NDArray[np.uint8]
    groups: IntArray
    weights: FloatArray
    rows: IntArray

    @property
    def wrong(self) -> npt.NDArray[np.bool_]:
        """One row per order, one column per test point."""
        return np.unpackbits(self.packed, axis=1, count=len(self.groups)).astype(bool)

    @property
    def sizes(self) -> IntArray:
        """Test points of every group."""
        return np.bincount(self.groups)

    @property
    def shares(self) -> FloatArray:
        """What each point adds to the mean error where it is wrong."""
        return np.asarray((self.weights / (self.sizes * self.weights.sum()))[self.groups])

    def counts(self, row: int) -> IntArray:
        """How many of each group's test points an order gets wrong."""
        wrong = np.unpackbits(self.packed[row], count=len(self.groups))
        return np.bincount(self.groups, wrong).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Orders:
    """Each row of `orders` is an order, as positions in `names`; the other arrays have one value per row.

    `test_errors` are means over tasks, by the `measure`.
    """

    names: tuple[str, ...]
    orders: IntArray
    bounds: FloatArray
    test_errors: FloatArray | None
    C: FloatArray
    complete: bool
    points: Missed | None = None
    measure: Measure = "error"

    @property
    def best_by_bound(self) -> int:
        """The row with the lowest bound."""
        return int(np.argmin(self.bounds))

    def row(self, order: tuple[str, ...]) -> int | None:
        """The row of an order, if it was walked."""
        wanted = [self.names.index(name) for name in order]
        found = np.flatnonzero((self.orders == wanted).all(axis=1))
        return int(found[0]) if len(found) else None

    def named(self, row: int) -> tuple[str, ...]:
        """An order in task names."""
        return tuple(self.names[k] for k in self.orders[row])

    def rank_by_bound(self, bound: float) -> int:
        """1 + how many of the walked orders have a clearly lower bound."""
        return 1 + int(np.sum(self.bounds < bound - TIE * max(1.0, abs(bound))))


def choose_orders(n: int, limit: int, seed: int) -> tuple[IntArray, bool]:
    """All orders of n tasks if there are at most `limit`, else that many distinct random ones; sorted."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise SettingsError(f"the limit is {limit!r} orders; use a whole number from 1 up")
    if math.factorial(n) <= limit:
        return np.array(list(permutations(range(n))), dtype=np.int64), True
    rng = np.random.default_rng([seed, n])
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < limit:
        drawn.add(tuple(int(k) for k in rng.permutation(n)))
    return np.array(sorted(drawn), dtype=np.int64), False
