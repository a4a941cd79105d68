"""Chains of tasks as a tree that is grown where a search looks: what the next task costs depends on the chain alone."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.curriculum.search import NO_SOURCE, FitTasks
from core.features import FloatArray
from core.fitting.stage import Stage


class Chain:
    """The end of a chain: its weights as margins, and the criterion, eq. (4), of every task learned next from there.

    Two curricula that share a chain share its fits. `steps` are the lengths ‖w - w_src‖; all three arrays are NaN where
    nobody asked yet.
    """

    def __init__(self, task: int, margins: FloatArray, n: int) -> None:
        self.task = task
        self.margins = margins
        self.criteria, self.errors, self.steps = np.full((3, n), np.nan)
        self._alpha: dict[int, FloatArray] = {}
        self._next: dict[int, Chain] = {}

    def price(self, tasks: Iterable[int], stage: Stage, fit: FitTasks) -> int:
        """Find the criteria of these tasks; returns how many fits that took."""
        todo = np.array([task for task in tasks if task not in self._alpha], dtype=np.int64)
        if len(todo):
            fits, _ = fit(self.margins, todo)
            self.errors[todo] = fits.error_terms
            self.steps[todo] = np.sqrt(fits.squared_steps)
            self.criteria[todo] = fits.error_terms + fits.squared_steps / (2.0 * np.sqrt(stage.m_bar))
            self._alpha |= {int(task): fits.alpha[row] for row, task in enumerate(todo)}
        return len(todo)

    def then(self, task: int, stage: Stage) -> Chain:
        """The chain with one more task, which has been priced."""
        if task not in self._next:
            margins = stage.moved(self.margins, task, self._alpha[task])
            self._next[task] = Chain(task, margins, len(self.criteria))
        return self._next[task]

    def forget(self) -> None:
        """Let go of the longer chains: a search that went through them does not come back."""
        self._next.clear()


def empty_chain(stage: Stage) -> Chain:
    """Where every chain begins: the zero vector."""
    return Chain(NO_SOURCE, np.zeros(stage.pool.n_points), len(stage.sizes))
