"""How the sequential methods choose: the greedy search of Algorithms 1 and 2 and of the forest, and fixed plans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.curriculum.bound import Structure
from core.curriculum.steps import Candidate, Curriculum, Step, first_best
from core.errors import SettingsError
from core.features import FloatArray, IntArray
from core.fitting.pool import Pool
from core.fitting.stage import Fits, Stage
from core.solver.solve_record import SolveRecord

Plan = Sequence[tuple[int, int]]
"""Task and source of every step, as positions in the task set; -1 is no source."""
NO_SOURCE = -1
FitTasks = Callable[[FloatArray, IntArray], tuple[Fits, FloatArray]]
"""From a source's margins and some tasks to their fits and the C of each."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Which sources a step may use, and what it optimises.

    `last`: the task before, `open`: the ends of all subsequences or none, `all`: every solved task or none.
    """

    sources: Literal["last", "open", "all"]
    structure: Structure
    term: Literal["criterion", "error", "complexity"] = "criterion"
    maximise: bool = False


@dataclass(eq=False, slots=True)
class Source:
    """A place to start from: no source or a solved task, and what each task costs from there."""

    task: int
    margins: FloatArray
    error: FloatArray
    complexity: FloatArray
    C: FloatArray
    alpha: dict[int, FloatArray] = field(default_factory=dict)
    solved: dict[int, SolveRecord] = field(default_factory=dict)
    came_from: Source | None = None

    def term(self, name: str) -> FloatArray:
        """The quantity a rule optimises, for every task; NaN where it was not computed."""
        return self.error + self.complexity if name == "criterion" else np.asarray(getattr(self, name))


@dataclass(frozen=True, eq=False, slots=True)
class Search:
    """The outcome of a search on one stage: a (source, task) choice a step, and what was open then."""

    choices: list[tuple[Source, int]]
    offered: list[tuple[list[Source], list[int]]]
    solved: dict[int, Source]
    any_at_limit: bool


def search(stage: Stage, rule: Rule, fit: FitTasks, forced: Plan = (), only_forced: bool = False) -> Search:
    """Run a rule on a stage: the forced choices first, then greedily.

    Each (task, source) pair is fitted once, when its source opens, so all rules cost O(n²) fits. With `only_forced`
    the plan covers all steps and nothing but its own pairs is fitted.
    """
    n = len(stage.sizes)
    unsolved = list(range(n))
    nothing = _new_source(n, NO_SOURCE, np.zeros(stage.pool.n_points), None)
    solved: dict[int, Source] = {}
    open_sources = [nothing]
    choices: list[tuple[Source, int]] = []
    offered: list[tuple[list[Source], list[int]]] = []
    touched = False

    def evaluate(source: Source, tasks: list[int]) -> None:
        nonlocal touched
        todo = np.array([k for k in tasks if k not in source.alpha], dtype=np.int64)
        if not len(todo):
            return
        fits, Cs = fit(source.margins, todo)
        touched |= fits.any_at_limit
        source.error[todo] = fits.error_terms
        source.complexity[todo] = fits.squared_steps / (2.0 * np.sqrt(stage.m_bar))
        source.C[todo] = Cs
        for row, k in enumerate(todo):
            source.alpha[int(k)] = fits.alpha[row, : stage.sizes[k]]
            source.solved[int(k)] = fits.solved[row]

    for step in range(n):
        if only_forced:
            task, origin = forced[step]
            source = nothing if origin == NO_SOURCE else solved[origin]
            evaluate(source, [task])
            offered.append(([source], [task]))
        else:
            for candidate_source in open_sources:
                evaluate(candidate_source, unsolved)
            offered.append((list(open_sources), list(unsolved)))
            if step < len(forced):
                task, origin = forced[step]
                source = _find(open_sources, task, origin, unsolved, stage.pool, step)
            else:
                source, task = _best(rule, open_sources, unsolved)
        choices.append((source, task))
        # Of the solved tasks only the new one's own points are looked at again, to count its mistakes.
        margins = stage.pool.moved_tasks(source.margins, stage.rows[task], source.alpha[task], unsolved)
        end = _new_source(n, task, margins, source)
        solved[task] = end
        unsolved.remove(task)
        if rule.sources == "last":
            open_sources = [end]
        else:
            if rule.sources == "open" and source is not nothing:
                open_sources.remove(source)
            open_sources.append(end)
    return Search(choices, offered, solved, touched)


def _new_source(n: int, task: int, margins: FloatArray, came_from: Source | None) -> Source:
    error, complexity, C = np.full((3, n), np.nan)
    return Source(task, margins, error, complexity, C, came_from=came_from)


def _best(rule: Rule, sources: list[Source], unsolved: list[int]) -> tuple[Source, int]:
    """The best pair; ties go to the task that comes first, then to no source, then to the source solved first."""
    table = np.array([source.term(rule.term)[unsolved] for source in sources])
    pick = first_best((-table if rule.maximise else table).T.ravel())
    return sources[pick % len(sources)], unsolved[pick // len(sources)]


def _find(sources: list[Source], task: int, origin: int, unsolved: list[int], pool: Pool, step: int) -> Source:
    """The open source that a forced choice names."""
    names = pool.task_set.names
    for source in sources:
        if source.task == origin and task in unsolved:
            return source
    start = "no source" if origin == NO_SOURCE else f"source {names[origin]!r}"
    raise SettingsError(
        f"choice {step + 1} forces task {names[task]!r} from {start}, which is no candidate of that step; "
        "choose a task that is not yet solved and a source that is open there"
    )


def own_margins(stage: Stage, found: Search) -> FloatArray:
    """The margin of every training point of the pool under its own task's weights."""
    margins = np.empty(int(stage.pool.start[-1]))
    for task, source in found.solved.items():
        own = stage.pool.own_points(task)
        margins[own] = source.margins[own]
    return margins


def as_curriculum(stage: Stage, found: Search, rule: Rule, delta: float, C_choices: int = 1) -> Curriculum:
    """The search in the words of the task set, with weights in its feature space."""
    pool, names = stage.pool, stage.pool.task_set.names
    weights: dict[int, FloatArray] = {NO_SOURCE: np.zeros(pool.Z.shape[1])}
    made: dict[tuple[int, int], Candidate] = {}
    steps = []

    def candidate(source: Source, task: int) -> Candidate:
        key = (source.task, task)
        if key not in made:
            made[key] = Candidate(
                task=names[task],
                source=None if source.task == NO_SOURCE else names[source.task],
                error_term=float(source.error[task]),
                complexity_term=float(source.complexity[task]),
                C=float(source.C[task]),
                solved=source.solved[task],
                alpha=source.alpha[task],
                source_weights=weights[source.task],
                _pool=pool,
            )
        return made[key]

    for (source, task), (sources, tasks) in zip(found.choices, found.offered, strict=True):
        candidates = tuple(candidate(other, k) for other in sources for k in tasks)
        chosen = candidate(source, task)
        weights[task] = chosen.weights
        steps.append(Step(candidates, chosen))
    return Curriculum(pool.task_set, tuple(steps), rule.structure, delta, C_choices)
