"""Every story that is told of a built-in set, as a claim that a draw either bears out or not; and how often it does.

    python -m tests.claims.stories -o docs/stories.md

measures all claims, of `tests/claims/claims.py` and of the lessons, and writes the table.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from core import Learned, Orders, Problem, every_order
from core.curriculum.result import CSetting
from core.orders.best_order import BestOrder, best_order
from core.task_set import TaskSet
from data.sources import catalogue

NEARLY_ALWAYS = 0.95
"""The share of draws in which a story holds that is told without a word like 'mostly'."""


class Draw:
    """One draw of a set, and what was learned on it: claims that ask the same share the answer."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed = name, seed
        self._learned: dict[tuple[str, CSetting], Learned] = {}
        self._orders: dict[float, Orders] = {}
        self._best: dict[float, BestOrder] = {}

    @cached_property
    def task_set(self) -> TaskSet:
        """The tasks."""
        return catalogue.load(self.name, seed=self.seed)

    @cached_property
    def problem(self) -> Problem:
        """The tasks, prepared; the folds have the seed of the draw."""
        return Problem(self.task_set, seed=self.seed)

    def learned(self, method: str, C: CSetting = "shared") -> Learned:
        """One method."""
        if (method, C) not in self._learned:
            self._learned[method, C] = self.problem.learn(method, C)
        return self._learned[method, C]

    def error(self, method: str, C: CSetting = "shared") -> float:
        """Its mean test error."""
        error = self.learned(method, C).mean_test_error
        assert error is not None
        return error

    def bound(self, method: str, C: CSetting = "shared") -> float:
        """Its bound."""
        bound = self.learned(method, C).bound
        assert bound is not None
        return bound.value

    def criterion(self, method: str, C: CSetting = "shared") -> float:
        """The mean of its chosen criteria, by which methods of different structures compare."""
        bound = self.learned(method, C).bound
        assert bound is not None
        return bound.error + bound.complexity

    def orders(self, C: float) -> Orders:
        """All orders at one C."""
        if C not in self._orders:
            self._orders[C] = every_order(self.task_set, C=C, seed=self.seed)
        return self._orders[C]

    def best(self, C: float) -> BestOrder:
        """The order with the lowest bound."""
        if C not in self._best:
            self._best[C] = best_order(self.problem, C)
        return self._best[C]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence about a set, where it is told, and whether a draw bears it out.

    `share`: in how many draws it must, at least; a story that is told as 'mostly' promises less.
    """

    set: str
    told: str
    text: str
    holds: Callable[[Draw], bool]
    share: float = NEARLY_ALWAYS

    def enough(self, draws: int) -> int:
        """The number of draws that must bear it out."""
        return math.ceil(self.share * draws - 1e-9)


def measured(claims: Iterable[Claim], seeds: Sequence[int]) -> Iterator[tuple[Claim, int]]:
    """Each claim with the number of these draws that bear it out; set by set, as drawing and learning take the time."""
    by_set: dict[str, list[Claim]] = {}
    for claim in claims:
        by_set.setdefault(claim.set, []).append(claim)
    for name, told in by_set.items():
        counts = [0] * len(told)
        for seed in seeds:
            draw = Draw(name, seed)
            counts = [count + bool(claim.holds(draw)) for count, claim in zip(counts, told, strict=True)]
        yield from zip(told, counts, strict=True)


def document(claims: Sequence[Claim], seeds: range, more: range) -> Iterator[str]:
    """The lines of docs/stories.md: all claims on some draws, and those of the set of all orders on `more`."""
    yield "# Stories, counted"
    yield ""
    yield "What is told of the built-in sets in [task-sets.md](task-sets.md) and in the lessons, and in how many draws"
    yield "it is so. A story is told without reserve if at least 95 % of draws bear it out, with a 'mostly' if 75 %"
    yield "do."
    yield ""
    yield "    python -m tests.claims.stories -o docs/stories.md"
    yield ""
    yield f"## All stories, {_named(seeds)}"
    yield from _table(claims, seeds)
    if more:
        yield ""
        yield f"## The set on which all orders are tried, {_named(more)}"
        yield from _table([claim for claim in claims if claim.set == catalogue.STORY_SET], more)


def _named(seeds: range) -> str:
    return f"{len(seeds)} draws (seeds {seeds.start} to {seeds.stop - 1})"


def _table(claims: Sequence[Claim], seeds: range) -> Iterator[str]:
    yield ""
    yield "| set | told in | story | holds in | promised |"
    yield "|---|---|---|---:|---:|"
    for claim, count in measured(claims, seeds):
        yield f"| `{claim.set}` | {claim.told} | {claim.text} | {count} | {claim.enough(len(seeds))} |"


def main() -> None:
    """Measure and print, and write."""
    from tests.claims.claims import CLAIMS

    parser = argparse.ArgumentParser(description="count in how many draws every story holds")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--more", type=int, default=100, help="draws of the set of all orders (default: 100)")
    parser.add_argument("-o", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    lines = []
    for line in document(CLAIMS, range(arguments.draws), range(arguments.more)):
        print(line, flush=True)
        lines.append(line)
    if arguments.o is not None:
        arguments.o.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
