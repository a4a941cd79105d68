"""The tree of prefixes, each fitted once: of given orders, with sums along each, and grown where a search looks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.curriculum.search import NO_SOURCE, FitTasks
from core.features import FloatArray, IntArray
from core.fitting.cross_validation import Progress
from core.fitting.stage import Fits, Stage
from core.solver import cancellation

BoolArray = npt.NDArray[np.bool_]
_MOST_NUMBERS = 12_000_000
"""Margins and α that are kept at once."""
_FEW = 256
"""Orders that are not parted for the sake of progress; more are walked in twenty parts."""


@dataclass(frozen=True, eq=False, slots=True)
class Walked:
    """Sums over the steps of each order, a row each: error terms, squared steps ‖w - w_src‖².

    Of the points that are watched, `mistakes` has what the wrong ones cost, a column for each task; `missed` says which
    these are, task after task.
    """

    error_terms: FloatArray
    squared_steps: FloatArray
    mistakes: FloatArray
    missed: BoolArray
    any_at_limit: bool


def prefixes(stage: Stage, orders: IntArray, fit: FitTasks) -> Iterator[tuple[IntArray, IntArray, Fits, FloatArray]]:
    """Fit every prefix of the sorted `orders` once, one length after the other.

    Yields for each length the prefix of every order, and of every prefix the last task, its fit and the margins then.
    """
    prefix_of, margins = np.zeros(len(orders), dtype=np.int64), np.zeros((1, stage.pool.n_points))
    for step in range(orders.shape[1]):
        differs = (orders[1:, : step + 1] != orders[:-1, : step + 1]).any(axis=1)
        first = np.concatenate([[0], np.flatnonzero(differs) + 1])
        tasks, before = orders[first, step], margins[prefix_of[first]]
        fits, _ = fit(before, tasks)
        margins = np.empty_like(before)
        for task in np.unique(tasks):
            own = np.flatnonzero(tasks == task)
            margins[own] = stage.moved(before[own], int(task), fits.alpha[own])
        prefix_of = np.concatenate([[0], np.cumsum(differs)])
        yield prefix_of, tasks, fits, margins


def walk(
    stage: Stage, orders: IntArray, fit: FitTasks, watched: list[IntArray], progress: Progress | None = None
) -> Walked:
    """Fit all prefixes of the sorted `orders` and look at the `watched` pooled points of each task."""
    n = len(orders)
    ends = np.concatenate([[0], np.cumsum([len(points) for points in watched])])
    error, squared, mistakes = np.zeros(n), np.zeros(n), np.zeros(orders.shape)
    missed, touched = np.zeros((n, ends[-1]), dtype=bool), False
    numbers = stage.pool.n_points + stage.width + (stage.pool.Z.shape[1] if stage.pool.Q is None else 0)
    some = max(1, min(_MOST_NUMBERS // numbers, max(_FEW, -(-n // 20))))
    for begin in range(0, n, some):
        cancellation.checkpoint()
        part = slice(begin, min(begin + some, n))
        for prefix_of, tasks, fits, margins in prefixes(stage, orders[part], fit):
            touched |= bool(fits.at_limit.any())
            error[part] += fits.error_terms[prefix_of]
            squared[part] += fits.squared_steps[prefix_of]
            for task in np.unique(tasks):
                wrong = margins[:, watched[task]] <= 0
                rows = np.flatnonzero(tasks[prefix_of] == task)
                mistakes[begin + rows, task] = (wrong @ stage.pool.costs[watched[task]])[prefix_of[rows]]
                missed[begin + rows, ends[task] : ends[task + 1]] = wrong[prefix_of[rows]]
        if progress is not None:
            progress(part.stop, n)
    return Walked(error, squared, mistakes, missed, touched)


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
