"""How the sequential methods choose: the greedy search of Algorithms 1 and 2 and of the forest, and fixed plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.curriculum.steps import Candidate, Curriculum, Rule, Step, first_best
from core.errors import SettingsError
from core.features import FloatArray, IntArray
from core.fitting.stage import Fits, Stage
from core.solver.box_qp import SolveRecord

Plan = Sequence[tuple[int, int]]
"""Task and source of every step, as positions in the task set; -1 is no source."""
NO_SOURCE = -1
FitTasks = Callable[[FloatArray, IntArray], tuple[Fits, list[SolveRecord]]]
"""From margins (those of one source, or a row for each task) and tasks to their fits."""


@dataclass(eq=False, slots=True)
class Search:
    """The outcome of a search on one stage.

    In the tables, row 0 is no source and row k + 1 is task k as a source; NaN where nothing was fitted. `choices` has
    the source and task of every step, `offered` the sources and tasks it could choose from.
    """

    error: FloatArray
    complexity: FloatArray
    C: FloatArray
    margins: dict[int, FloatArray]
    alpha: dict[tuple[int, int], FloatArray] = field(default_factory=dict)
    solved: dict[tuple[int, int], SolveRecord] = field(default_factory=dict)
    choices: list[tuple[int, int]] = field(default_factory=list)
    offered: list[tuple[list[int], list[int]]] = field(default_factory=list)
    any_at_limit: bool = False

    def evaluate(self, stage: Stage, fit: FitTasks, source: int, tasks: list[int]) -> None:
        """Fit those of the tasks that were not fitted from this source."""
        todo = np.array([k for k in tasks if (source, k) not in self.alpha], dtype=np.int64)
        if not len(todo):
            return
        fits, solved = fit(self.margins[source], todo)
        self.any_at_limit |= bool(fits.at_limit.any())
        self.error[source + 1, todo] = fits.error_terms
        self.complexity[source + 1, todo] = fits.squared_steps / (2.0 * np.sqrt(stage.m_bar))
        self.C[source + 1, todo] = fits.C
        for row, k in enumerate(todo.tolist()):
            self.alpha[source, k] = fits.alpha[row, : stage.sizes[k]]
            self.solved[source, k] = solved[row]


def search(stage: Stage, rule: Rule, fit: FitTasks, forced: Plan = (), only_forced: bool = False) -> Search:
    """Run a rule on a stage: the forced choices first, then greedily.

    Each (task, source) pair is fitted once, when its source opens, so all rules cost O(n²) fits. With `only_forced`
    the plan covers all steps and nothing but its own pairs is fitted.
    """
    n = len(stage.sizes)
    error, complexity, C = np.full((3, n + 1, n), np.nan)
    found = Search(error, complexity, C, {NO_SOURCE: np.zeros(stage.pool.n_points)})
    unsolved, sources = list(range(n)), [NO_SOURCE]
    for step in range(n):
        task, source = forced[step] if step < len(forced) else (-1, NO_SOURCE)
        offered = ([source], [task]) if only_forced else (list(sources), list(unsolved))
        for other in offered[0]:
            found.evaluate(stage, fit, other, offered[1])
        if step >= len(forced):
            rows = np.array(sources) + 1
            # Ties go to the task that comes first, then to no source, then to the source solved first.
            values = rule.value(found.error[rows][:, unsolved], found.complexity[rows][:, unsolved])
            pick = first_best(values.T.ravel())
            source, task = sources[pick % len(sources)], unsolved[pick // len(sources)]
        elif source not in offered[0] or task not in offered[1]:
            raise _no_candidate(stage.pool.task_set.names, step, task, source)
        found.choices.append((source, task))
        found.offered.append(offered)
        found.margins[task] = stage.moved(found.margins[source], task, found.alpha[source, task])
        unsolved.remove(task)
        sources = rule.next_sources(sources, source, task)
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
        key = (source, task)
        if key not in made:
            made[key] = Candidate(
                task=names[task],
                source=None if source == NO_SOURCE else names[source],
                error_term=float(found.error[source + 1, task]),
                complexity_term=float(found.complexity[source + 1, task]),
                C=float(found.C[source + 1, task]),
                solved=found.solved[key],
                alpha=found.alpha[key],
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
