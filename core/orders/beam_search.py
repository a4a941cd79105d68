"""Beam search for a low sum of criteria, where there are too many curricula to be sure of the lowest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from core.curriculum.search import NO_SOURCE, FitTasks, Plan, Rule
from core.fitting.cross_validation import Progress
from core.fitting.stage import Stage
from core.orders.chains import Chain, empty_chain


@dataclass(frozen=True, eq=False, slots=True)
class Partial:
    """A curriculum on the way: what was chosen, what it cost, the chains that may be continued."""

    choices: tuple[tuple[int, int], ...]
    cost: float
    open: tuple[Chain, ...]
    unsolved: frozenset[int]

    def extensions(self, rule: Rule) -> Iterator[Extension]:
        """Every candidate, with what it would cost in all and leave to choose from."""
        for source in self.open:
            closes = rule.sources == "last" or (rule.sources == "open" and source.task != NO_SOURCE)
            kept = tuple(chain for chain in self.open if not (closes and chain is source))
            ends = frozenset(chain.task for chain in kept)
            for task in self.unsolved:
                left = (ends | {task}, self.unsolved - {task})
                yield Extension(self.cost + float(source.criteria[task]), left, self, kept, source, task)


class Extension(NamedTuple):
    """One more choice of a curriculum: a task from a source, which leaves the chains `kept` open."""

    cost: float
    left: tuple[frozenset[int], frozenset[int]]
    partial: Partial
    kept: tuple[Chain, ...]
    source: Chain
    task: int

    def made(self, stage: Stage) -> Partial:
        """The curriculum with that choice."""
        choices = (*self.partial.choices, (self.task, self.source.task))
        return Partial(choices, self.cost, (*self.kept, self.source.then(self.task, stage)), self.left[1])


def beam_search(
    stage: Stage, fit: FitTasks, rule: Rule, width: int, progress: Progress | None
) -> tuple[Plan, float, int]:
    """The best curriculum found by keeping the `width` cheapest at every step; its cost; how many fits it took.

    Of curricula that have solved the same tasks and end in the same ones, only the cheapest is kept: they are much
    alike, and would push all others out.
    """
    n = len(stage.sizes)
    kept = [Partial((), 0.0, (empty_chain(stage),), frozenset(range(n)))]
    fits = 0
    for step in range(n):
        found: dict[tuple[frozenset[int], frozenset[int]], Extension] = {}
        for partial in kept:
            fits += sum(source.price(sorted(partial.unsolved), stage, fit) for source in partial.open)
            for extension in partial.extensions(rule):
                if extension.left not in found or extension.cost < found[extension.left].cost:
                    found[extension.left] = extension
        kept = [extension.made(stage) for extension in sorted(found.values(), key=lambda e: e.cost)[:width]]
        if progress is not None:
            progress(step + 1, n)
    return list(kept[0].choices), kept[0].cost, fits
