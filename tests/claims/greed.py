"""What greed costs, measured: SeqMT's bound beside the lowest, on many draws of a set.

    python -m tests.claims.greed mnist-levels:2 awa:rat --draws 20

prints a row of a table for each set, as in docs/reproduction.md.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core import Problem, best_order, every_order
from data.sources import catalogue

SAMPLE = 5040
HEADER = (
    "| set | tasks | search | greedy is lowest | orders below greedy, median | gap, mean | "
    "test error: greedy | lowest bound | difference | better, equal, worse |"
)


@dataclass(frozen=True, slots=True)
class Cost:
    """One draw: what greed costs in the bound, the share of orders with a lower one, and both test errors."""

    tasks: int
    exact: bool
    gap: float
    share_below: float
    greedy_error: float
    best_error: float


def measure(name: str, seed: int, beam: int | None = None) -> Cost:
    """SeqMT with a shared C against the lowest bound at that C, and against all orders or a sample of them."""
    task_set = catalogue.load(name, seed=seed)
    found = best_order(Problem(task_set, seed=seed), beam=beam)
    greedy = found.greedy
    assert greedy.bound is not None
    orders = every_order(task_set, seed=seed, limit=SAMPLE)  # at SeqMT's C, too
    below = (orders.rank_by_bound(greedy.bound.value) - 1) / len(orders.orders)
    greedy_error, best_error = greedy.mean_test_error, found.test_error
    assert greedy_error is not None
    assert best_error is not None
    return Cost(len(task_set), found.exact, found.gap, below, greedy_error, best_error)


def row(name: str, costs: Sequence[Cost]) -> str:
    """A row under `HEADER`: counts over draws, means with standard errors."""
    draws = len(costs)
    greedy, best = (np.array([getattr(cost, key) for cost in costs]) for key in ("greedy_error", "best_error"))
    differences = 100 * (best - greedy)
    spread = differences.std(ddof=1) / math.sqrt(draws) if draws > 1 else math.nan
    counts = [
        int(np.sum(differences < -1e-9)),
        int(np.sum(np.abs(differences) <= 1e-9)),
        int(np.sum(differences > 1e-9)),
    ]
    cells = [
        f"`{name}`",
        str(costs[0].tasks),
        "exact" if all(cost.exact for cost in costs) else "best found",
        f"{sum(cost.gap == 0.0 for cost in costs)} of {draws}",
        f"{np.median([cost.share_below for cost in costs]):.1%}",
        f"{np.mean([cost.gap for cost in costs]):.4f}",
        f"{100 * greedy.mean():.2f}",
        f"{100 * best.mean():.2f}",
        f"{differences.mean():+.2f} ± {spread:.2f}",
        ", ".join(map(str, counts)),
    ]
    return f"| {' | '.join(cells)} |"


def lines(names: Sequence[str], seeds: range, beam: int | None) -> Iterator[str]:
    """The table, row by row."""
    yield HEADER
    yield "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|"
    for name in names:
        yield row(name, [measure(name, seed, beam) for seed in seeds])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="measure what greed costs")
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--beam", type=int)
    arguments = parser.parse_args()
    for line in lines(arguments.sets, range(arguments.draws), arguments.beam):
        print(line, flush=True)
