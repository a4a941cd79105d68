"""The layout of a learned forest: every task's step, lane and tree, with what was learned there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.curriculum.learn import Learned
from core.errors import SettingsError
from core.statistics.patterns import Forest


@dataclass(frozen=True, slots=True)
class Node:
    """A task at its step: its lane, counted from 0, how far it moved from its source, and its test error."""

    task: str
    source: str | None
    step: int
    lane: int
    subsequence: int
    distance: float
    error_term: float
    complexity_term: float
    test_error: float | None
    C: float
    forced: bool = False

    @property
    def criterion(self) -> float:
        """Eq. (4)."""
        return self.error_term + self.complexity_term


@dataclass(frozen=True, slots=True)
class Lanes:
    """All nodes, in the order of learning."""

    nodes: tuple[Node, ...]

    @property
    def n_lanes(self) -> int:
        """How many lanes there are."""
        return 1 + max(node.lane for node in self.nodes)

    @property
    def n_subsequences(self) -> int:
        """How many subsequences or trees were begun."""
        return 1 + max(node.subsequence for node in self.nodes)

    @property
    def branching(self) -> bool:
        """Whether two tasks were learned from the same source."""
        return self.n_lanes > self.n_subsequences

    @property
    def has_test(self) -> bool:
        """Whether nodes have a test error."""
        return self.nodes[0].test_error is not None


def info(learned: Learned) -> Lanes:
    """The lanes of a sequential method's result, with what a person wants to know of every task."""
    if learned.curriculum is None:
        raise SettingsError(f"{learned.method} learns all tasks at once and has no subsequences; choose another method")
    lane, tree = arrange(learned.sources)
    # The complexity term is ‖w - w_src‖²/(2√m̄).
    scale = 2.0 * np.sqrt(learned.curriculum.task_set.m_bar)
    errors = learned.test_error
    nodes = tuple(
        Node(
            task=chosen.task,
            source=chosen.source,
            step=step,
            lane=lane[chosen.task],
            subsequence=tree[chosen.task],
            distance=float(np.sqrt(chosen.complexity_term * scale)),
            error_term=chosen.error_term,
            complexity_term=chosen.complexity_term,
            test_error=None if errors is None else errors[chosen.task],
            C=chosen.C,
            forced=step in learned.forced_steps,
        )
        for step, chosen in enumerate(learned.curriculum.chosen, start=1)
    )
    return Lanes(nodes)


def arrange(sources: Forest) -> tuple[dict[str, int], dict[str, int]]:
    """Every task's lane and tree: of its pupils the one with most to follow goes on in its lane, others branch off."""
    pupils: dict[str, list[str]] = {task: [] for task in sources}
    for task, source in sources.items():
        if source is not None:
            pupils[source].append(task)
    size = dict.fromkeys(sources, 1)
    for task, source in reversed(list(sources.items())):
        if source is not None:
            size[source] += size[task]
    for own in pupils.values():
        own.sort(key=lambda pupil: -size[pupil])  # stable: among equals the first learned
    lane: dict[str, int] = {}
    tree: dict[str, int] = {}
    free = 0
    for number, start in enumerate(task for task, source in sources.items() if source is None):
        heads = [start]
        while heads:
            here = [heads.pop()]
            while pupils[here[-1]]:
                here.append(pupils[here[-1]][0])
            for task in here:
                lane[task], tree[task] = free, number
                # The last to branch off is on top of the stack and gets the next lane, so lines do not cross.
                heads += pupils[task][:0:-1]
            free += 1
    return lane, tree


def table(found: Lanes) -> pd.DataFrame:
    """A row a task."""
    return pd.DataFrame(
        {
            "step": [node.step for node in found.nodes],
            "task": [node.task for node in found.nodes],
            "source": [node.source or "" for node in found.nodes],
            "subsequence": [node.subsequence + 1 for node in found.nodes],
            "distance moved": [node.distance for node in found.nodes],
            "error term": [node.error_term for node in found.nodes],
            "complexity term": [node.complexity_term for node in found.nodes],
            "criterion": [node.criterion for node in found.nodes],
            "test error": [node.test_error for node in found.nodes],
            "C": [node.C for node in found.nodes],
        }
        | ({"your choice": [node.forced for node in found.nodes]} if any(node.forced for node in found.nodes) else {})
    )
