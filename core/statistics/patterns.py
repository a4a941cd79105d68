"""What the curricula of several repeats have in common: transfers, starts, ends, companions and stability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.curriculum.steps import Forest, roots
from core.errors import SettingsError
from core.task_set import FloatArray

SHUFFLES = 40
MOST_COMPARED = 100
"""Repeats that are compared with each other: all pairs of them, again for every shuffle."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """Shares of repeats; rows and columns follow `names`.

    `transfers[i, j]`: task j was learned from task i. `starts[i]`: i had no source. `ends[i]`: nothing was learned
    from i. `together[i, j]`: i and j stood in the same tree of sources. `positions[r, i]`: the step, from 1, at which
    repeat r learned i. `trees[r]`: the subsequences of repeat r.
    """

    names: tuple[str, ...]
    transfers: FloatArray
    starts: FloatArray
    ends: FloatArray
    together: FloatArray
    positions: FloatArray
    trees: FloatArray

    @property
    def repeats(self) -> int:
        """How many repeats there are."""
        return len(self.positions)

    @property
    def by_companions(self) -> tuple[int, ...]:
        """The tasks so that companions stand beside each other: the leaves of average-linkage clustering."""
        if len(self.names) < 3:
            return tuple(range(len(self.names)))
        from scipy.cluster.hierarchy import leaves_list, linkage
        from scipy.spatial.distance import squareform

        return tuple(int(k) for k in leaves_list(linkage(squareform(1.0 - self.together, checks=False), "average")))


@dataclass(frozen=True, slots=True)
class Stability:
    """How alike two repeats are on average, from 0 to 1, and the same after shuffling the task names of each.

    `transfers`: the Jaccard index of their transfers, |A ∩ B| / |A ∪ B|. `companions`: that of their pairs of tasks in
    one tree. `order`: the rank correlation of their orders, from -1 to 1; by chance 0.
    """

    transfers: float
    transfers_by_chance: float
    companions: float
    companions_by_chance: float
    order: float


def patterns(forests: Sequence[Forest], names: Sequence[str]) -> Patterns:
    """Count what happened in all repeats of one method on the same tasks."""
    if not forests:
        raise SettingsError("there are no repeats to look at; give the sources of at least one")
    n, repeats = len(names), len(forests)
    place = {name: k for k, name in enumerate(names)}
    transfers, together = np.zeros((2, n, n))
    starts, ends = np.zeros((2, n))
    positions, trees = np.zeros((repeats, n)), np.zeros(repeats)
    for r, forest in enumerate(forests):
        if set(forest) != set(place):
            raise SettingsError(f"repeat {r + 1} has other tasks than the first; compare repeats of one task set")
        for step, (task, source) in enumerate(forest.items(), start=1):
            positions[r, place[task]] = step
            if source is None:
                starts[place[task]] += 1
            else:
                transfers[place[source], place[task]] += 1
        used = set(forest.values())
        ends += [name not in used for name in names]
        root = roots(forest)
        label = np.array([place[root[name]] for name in names])
        together += label[:, None] == label[None, :]
        trees[r] = len(set(root.values()))
    return Patterns(
        tuple(names), transfers / repeats, starts / repeats, ends / repeats, together / repeats, positions, trees
    )


def stability(forests: Sequence[Forest], names: Sequence[str], seed: int = 0) -> Stability | None:
    """Mean likeness over all pairs of the first `MOST_COMPARED` repeats; None for a single one, which has nothing to be
    compared with.
    """
    forests = forests[:MOST_COMPARED]
    if len(forests) < 2:
        return None
    rng = np.random.default_rng(seed)
    positions = patterns(forests, names).positions
    correlations = np.asarray(np.corrcoef(positions)) if len(names) > 1 else np.ones((len(forests), len(forests)))
    above = np.triu_indices(len(forests), 1)
    return Stability(
        _likeness(forests, _transfers),
        _by_chance(forests, _transfers, rng),
        _likeness(forests, _companions),
        _by_chance(forests, _companions, rng),
        float(np.mean(correlations[above])),
    )


Pairs = set[tuple[str, str]]


def _transfers(forest: Forest) -> Pairs:
    return {(source, task) for task, source in forest.items() if source is not None}


def _companions(forest: Forest) -> Pairs:
    root = roots(forest)
    return {(a, b) for a, b in combinations(sorted(forest), 2) if root[a] == root[b]}


def _likeness(forests: Sequence[Forest], pairs_of: Callable[[Forest], Pairs]) -> float:
    """Mean Jaccard index over the pairs of repeats; two repeats without any pair are alike."""
    found = [pairs_of(forest) for forest in forests]
    return float(np.mean([len(a & b) / len(a | b) if a | b else 1.0 for a, b in combinations(found, 2)]))


def _by_chance(forests: Sequence[Forest], pairs_of: Callable[[Forest], Pairs], rng: np.random.Generator) -> float:
    """`_likeness` if each repeat had the same shape with its tasks shuffled."""
    means = []
    for _ in range(SHUFFLES):
        shuffled = []
        for forest in forests:
            tasks = list(forest)
            other = dict(zip(tasks, rng.permutation(np.array(tasks, dtype=object)), strict=True))
            shuffled.append({other[t]: None if s is None else other[s] for t, s in forest.items()})
        means.append(_likeness(shuffled, pairs_of))
    return float(np.mean(means))
