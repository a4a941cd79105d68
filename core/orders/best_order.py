"""What greed costs: the curriculum with the lowest bound, exact for few tasks, else the best that was found."""

from __future__ import annotations

from dataclasses import dataclass

from core.curriculum.bound import Bound
from core.curriculum.learn import CSetting, Problem, check_C, fit_at, fit_each
from core.curriculum.methods import METHODS, RULES, method_key
from core.curriculum.result import Learned
from core.curriculum.search import NO_SOURCE
from core.curriculum.steps import TIE, Pair
from core.errors import SettingsError
from core.fitting.cross_validation import Progress
from core.fitting.stage import Stage
from core.orders.search import Found, beam_search, best_forest, best_sequence
from core.solver.backends import scan_solver
from core.solver.threads import one_blas_thread

WIDTH = 1000
"""Curricula that the beam search keeps at every step unless told otherwise."""
EXACT_UP_TO = {"seqmt": 10, "multiseqmt": 7, "treemt": 7}
"""Tasks up to which all curricula that a method could choose are searched."""

BEAM_FIRST = 7
"""Beyond so many tasks an exact search begins with a beam: the better its first order, the more it leaves out."""


@dataclass(frozen=True, eq=False, slots=True)
class BestOrder:
    """The curriculum with the lowest bound, beside the one that the greedy method chose at the same C.

    If `exact`, no curriculum that the method could choose has a clearly lower bound; else it is the best that a beam
    search of this `width` found. Where nothing is clearly better, it is the greedy one itself.
    """

    learned: Learned
    greedy: Learned
    exact: bool
    width: int | None
    fits: int

    @property
    def order(self) -> tuple[str, ...]:
        """Task names in the order of learning."""
        return self.learned.order

    @property
    def choices(self) -> tuple[Pair, ...]:
        """Every task with its source: forced upon the greedy method, they give this curriculum."""
        return tuple(self.learned.sources.items())

    @property
    def bound(self) -> float:
        """Theorem 1."""
        return _bound(self.learned).value

    @property
    def test_error(self) -> float | None:
        """Mean over tasks, by the learner's measure; None without test data."""
        return self.learned.mean_error

    @property
    def gap(self) -> float:
        """By how much the greedy bound is above this one."""
        return _bound(self.greedy).value - self.bound

    @property
    def greedy_is_best(self) -> bool:
        """Whether greed cost nothing."""
        return self.learned is self.greedy


def best_order(
    problem: Problem,
    C: CSetting = "shared",
    *,
    method: str = "seqmt",
    delta: float = 0.05,
    beam: int | None = None,
    C_choices: int = 1,
    progress: Progress | None = None,
) -> BestOrder:
    """The lowest bound among all that `method` (SeqMT, MultiSeqMT or TreeMT) could choose; `beam` is a width.

    C `shared` is the one that the greedy method shares: only at one C do bounds compare. `C_choices`: as in `learn`.
    """
    key = method_key(method)
    if key not in EXACT_UP_TO:
        known = ", ".join(METHODS[name] for name in EXACT_UP_TO)
        raise SettingsError(f"the lowest bound is searched for {known}; {METHODS[key]} does not choose by its bound")
    if beam is not None and (isinstance(beam, bool) or not isinstance(beam, int) or beam < 1):
        raise SettingsError(f"the beam is {beam!r} wide; use a whole number from 1 up")
    setting, n, index = check_C(C), len(problem.task_set), problem.task_set.index
    greedy = problem.learn(key, setting, delta=delta, C_choices=C_choices)
    C_choices = _bound(greedy).C_choices
    if setting == "shared":
        setting = next(iter(greedy.chosen_C.values()))
    exact = beam is None and n <= EXACT_UP_TO[key]
    width = None if exact else beam or WIDTH
    with one_blas_thread():
        stage = Stage(problem.pool, solver=scan_solver(problem.solver))
        fit = fit_each(stage, problem.folds, None, False) if setting == "each" else fit_at(stage, float(setting))
        terms = _bound(greedy)
        least = n * (terms.error + terms.complexity)
        found = Found(
            [(index(task), NO_SOURCE if s is None else index(s)) for task, s in greedy.sources.items()], least, 0
        )
        if width is not None or (key == "seqmt" and n > BEAM_FIRST):
            beam_found = beam_search(stage, fit, RULES[key], width or WIDTH, None if exact else progress)
            found = min(beam_found, found._replace(fits=beam_found.fits), key=lambda one: one.cost)
        if exact and key == "seqmt":
            found = best_sequence(stage, fit, setting != "each", found, progress)
        elif exact:
            found = best_forest(stage, fit, key == "treemt", progress)
    if found.cost >= least - TIE * max(1.0, least):
        return BestOrder(greedy, greedy, exact, width, found.fits)
    names = problem.task_set.names
    choices = [(names[task], None if source == NO_SOURCE else names[source]) for task, source in found.plan]
    learned = problem.learn(key, setting, delta=delta, choices=choices, C_choices=C_choices)
    return BestOrder(learned, greedy, exact, width, found.fits)


def _bound(learned: Learned) -> Bound:
    bound = learned.bound
    assert bound is not None
    return bound
