"""How curricula are made: greedy search (Algorithms 1 and 2, and the forest), fixed plans, and all of many orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.curriculum.steps import Candidate, Curriculum, Rule, Step, first_best
from core.errors import SettingsError
from core.features import BoolArray, FloatArray, IntArray
from core.fitting.cross_validation import Progress
from core.fitting.stage import Fits, Stage, complexity_term
from core.solver import cancellation
from core.solver.box_qp import SolveRecord

Plan = Sequence[tuple[int, int]]
"""Task and source of every step, as positions in the task set; -1 is no source."""
NO_SOURCE = -1
_MOST_NUMBERS = 12_000_000
"""Margins and α that are kept at once."""
_FEW = 256
"""Orders that are not parted for the sake of progress; more are walked in twenty parts."""
FitTasks = Callable[[FloatArray, IntArray], tuple[Fits, list[SolveRecord]]]
"""From margins (those of one source, or a row for each task) and tasks to their fits."""


class SourceFits:
    """A source and the fits of tasks learned next from it, each made once; curricula that begin alike share them.

    `margins` are those of all pooled points under the source's weights. `error` and `complexity`, the terms of eq. (4),
    and `C` have one value per task: NaN where that task was not fitted from here.
    """

    def __init__(self, task: int, margins: FloatArray, n: int) -> None:
        self.task, self.margins = task, margins
        self.error, self.complexity, self.C = np.full((3, n), np.nan)
        self.alpha: dict[int, FloatArray] = {}
        self.solved: dict[int, SolveRecord] = {}
        self.any_at_limit = False
        self._next: dict[int, SourceFits] = {}

    def add(self, tasks: Iterable[int], stage: Stage, fit: FitTasks) -> int:
        """Fit those of the tasks that were not fitted from here; returns how many these were."""
        todo = np.array([k for k in tasks if k not in self.alpha], dtype=np.int64)
        if len(todo):
            fits, solved = fit(self.margins, todo)
            self.any_at_limit |= bool(fits.at_limit.any())
            self.error[todo] = fits.error_terms
            self.complexity[todo] = complexity_term(fits.squared_steps, stage.m_bar)
            self.C[todo] = fits.C
            for row, k in enumerate(todo.tolist()):
                self.alpha[k], self.solved[k] = fits.alpha[row, : stage.sizes[k]], solved[row]
        return len(todo)

    def then(self, task: int, stage: Stage) -> SourceFits:
        """A task that was fitted from here, as a source."""
        if task not in self._next:
            margins = stage.moved(self.margins, task, self.alpha[task])
            self._next[task] = SourceFits(task, margins, len(self.error))
        return self._next[task]

    def forget(self) -> None:
        """Let go of all sources that follow: a search that went through them does not come back."""
        self._next.clear()


def no_source(stage: Stage) -> SourceFits:
    """The zero vector, where every curriculum begins."""
    return SourceFits(NO_SOURCE, np.zeros(stage.pool.n_points), len(stage.sizes))


@dataclass(frozen=True, eq=False, slots=True)
class Search:
    """The outcome of a search: all sources, the source and task of every step, and those it could choose from."""

    sources: dict[int, SourceFits]
    choices: list[tuple[int, int]] = field(default_factory=list)
    offered: list[tuple[list[int], list[int]]] = field(default_factory=list)

    @property
    def any_at_limit(self) -> bool:
        """Whether any α of any fit is at its limit."""
        return any(source.any_at_limit for source in self.sources.values())


def search(stage: Stage, rule: Rule, fit: FitTasks, forced: Plan = (), only_forced: bool = False) -> Search:
    """Run a rule on a stage: the forced choices first, then greedily.

    Each (task, source) pair is fitted once, when its source opens, so all rules cost O(n²) fits. With `only_forced`
    the plan covers all steps and nothing but its own pairs is fitted.
    """
    n = len(stage.sizes)
    found = Search({NO_SOURCE: no_source(stage)})
    unsolved, sources = list(range(n)), [NO_SOURCE]
    for step in range(n):
        task, source = forced[step] if step < len(forced) else (-1, NO_SOURCE)
        offered = ([source], [task]) if only_forced else (list(sources), list(unsolved))
        for other in offered[0]:
            found.sources[other].add(offered[1], stage, fit)
        if step >= len(forced):
            fitted = [found.sources[other] for other in sources]
            # Ties go to the task that comes first, then to no source, then to the source solved first.
            values = np.array([rule.value(one.error[unsolved], one.complexity[unsolved]) for one in fitted])
            pick = first_best(values.T.ravel())
            source, task = sources[pick % len(sources)], unsolved[pick // len(sources)]
        elif source not in offered[0] or task not in offered[1]:
            raise _no_candidate(stage.pool.task_set.names, step, task, source)
        found.choices.append((source, task))
        found.offered.append(offered)
        found.sources[task] = found.sources[source].then(task, stage)
        unsolved.remove(task)
        sources = [*rule.still_open(sources, source), task]
    return found


def _no_candidate(names: Sequence[str], step: int, task: int, source: int) -> SettingsError:
    start = "no source" if source == NO_SOURCE else f"source {names[source]!r}"
    return SettingsError(
        f"choice {step + 1} forces task {names[task]!r} from {start}, which is no candidate of that step; "
        "choose a task that is not yet solved and a source that is open there"
    )


def as_curriculum(stage: Stage, found: Search, rule: Rule, delta: float, C_choices: int = 1) -> Curriculum:
    """The search in the words of the task set, with weights in its feature space."""
    pool, names = stage.pool, stage.pool.task_set.names
    weights: dict[int, FloatArray] = {NO_SOURCE: np.zeros(pool.Z.shape[1])}
    made: dict[tuple[int, int], Candidate] = {}
    steps = []

    def candidate(source: int, task: int) -> Candidate:
        key, fits = (source, task), found.sources[source]
        if key not in made:
            made[key] = Candidate(
                task=names[task],
                source=None if source == NO_SOURCE else names[source],
                error_term=float(fits.error[task]),
                complexity_term=float(fits.complexity[task]),
                C=float(fits.C[task]),
                solved=fits.solved[task],
                alpha=fits.alpha[task],
                source_weights=weights[source],
                _pool=pool,
            )
        return made[key]

    for (source, task), (sources, tasks) in zip(found.choices, found.offered, strict=True):
        candidates = tuple(candidate(other, k) for other in sources for k in tasks)
        chosen = candidate(source, task)
        weights[task] = chosen.weights
        steps.append(Step(candidates, chosen))
    return Curriculum(pool.task_set, tuple(steps), rule, delta, C_choices)


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
                own, rows = np.flatnonzero(tasks == task), np.flatnonzero(tasks[prefix_of] == task)
                wrong, of_row = margins[np.ix_(own, watched[task])] <= 0, np.searchsorted(own, prefix_of[rows])
                mistakes[begin + rows, task] = (wrong @ stage.pool.costs[watched[task]])[of_row]
                missed[begin + rows, ends[task] : ends[task + 1]] = wrong[of_row]
        if progress is not None:
            progress(part.stop, n)
    return Walked(error, squared, mistakes, missed, touched)
