"""Every order of the tasks, or a stated sample: bound, test error and missed test points of each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from core.curriculum.bound import Bound, check_delta
from core.curriculum.learn import CSetting, Problem, check_C, fit_at
from core.curriculum.search import walk
from core.curriculum.steps import TIE
from core.errors import SettingsError
from core.features import BoolArray, IntArray
from core.fitting.cross_validation import C_GRID, FOLDS, REPEATS, Folds, Progress, on_grid, part_of, smallest_best
from core.fitting.pool import Pool
from core.fitting.stage import Stage, complexity_term
from core.measure import Measure, point_groups
from core.solver.backends import scan_solver
from core.solver.threads import one_blas_thread
from core.task_set import FloatArray, Normalize, TaskSet

LIMIT = 5040
"""Orders walked unless told otherwise: all of up to 7 tasks."""
PIECES = 12
"""Parts in which the orders are walked where partial results are wanted; fewer parts share more prefixes."""


@dataclass(frozen=True, eq=False)
class Missed:
    """Which test points each order gets wrong: one row per order, eight points in a byte.

    `groups` has the group of every point: its task, or for balanced errors its class in its task. The mean error of an
    order is the mean over the groups, by their `weights`. Points of several tasks that are one row of a table have one
    number in `rows`: chance moves them together.
    """

    packed: npt.NDArray[np.uint8]
    groups: IntArray
    weights: FloatArray
    rows: IntArray

    @property
    def wrong(self) -> BoolArray:
        """One row per order, one column per test point."""
        return np.unpackbits(self.packed, axis=1, count=len(self.groups)).astype(bool)

    @property
    def sizes(self) -> IntArray:
        """Test points of every group."""
        return np.bincount(self.groups)

    @property
    def shares(self) -> FloatArray:
        """What each point adds to the mean error where it is wrong."""
        return np.asarray((self.weights / (self.sizes * self.weights.sum()))[self.groups])

    def counts(self, row: int) -> IntArray:
        """How many of each group's test points an order gets wrong."""
        wrong = np.unpackbits(self.packed[row], count=len(self.groups))
        return np.bincount(self.groups, wrong).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Orders:
    """Each row of `orders` is another order, as positions in `names`; the other arrays have one value per row.

    `test_errors` are means over tasks, by the `measure`.
    """

    names: tuple[str, ...]
    orders: IntArray
    bounds: FloatArray
    test_errors: FloatArray | None
    C: FloatArray
    points: Missed | None = None
    measure: Measure = "error"

    @property
    def complete(self) -> bool:
        """Whether they are all orders of the tasks, or some of them."""
        return len(self.orders) == math.factorial(len(self.names))

    @property
    def best_by_bound(self) -> int:
        """The row with the lowest bound."""
        return int(np.argmin(self.bounds))

    def row(self, order: tuple[str, ...]) -> int | None:
        """The row of an order, if it was walked."""
        wanted = [self.names.index(name) for name in order]
        found = np.flatnonzero((self.orders == wanted).all(axis=1))
        return int(found[0]) if len(found) else None

    def named(self, row: int) -> tuple[str, ...]:
        """An order in task names."""
        return tuple(self.names[k] for k in self.orders[row])

    def rank_by_bound(self, bound: float) -> int:
        """1 + how many of the walked orders have a clearly lower bound."""
        return 1 + int(np.sum(self.bounds < bound - TIE * max(1.0, abs(bound))))


def choose_orders(n: int, limit: int, seed: int) -> IntArray:
    """All orders of n tasks if there are at most `limit`, else that many distinct random ones; sorted."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise SettingsError(f"the limit is {limit!r} orders; use a whole number from 1 up")
    if math.factorial(n) <= limit:
        return np.array(list(permutations(range(n))), dtype=np.int64)
    rng = np.random.default_rng([seed, n])
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < limit:
        drawn.add(tuple(int(k) for k in rng.permutation(n)))
    return np.array(sorted(drawn), dtype=np.int64)


def every_order(
    task_set: TaskSet,
    *,
    C: CSetting = "shared",
    normalize: Normalize | None = None,
    bias: bool | None = None,
    seed: int = 0,
    delta: float = 0.05,
    solver: str = "osqp",
    limit: int = LIMIT,
    only: IntArray | None = None,
    points: bool = False,
    own_C: bool = False,
    C_choices: int = 1,
    measure: Measure = "error",
    progress: Progress | None = None,
    keep: Callable[[Orders], None] | None = None,
) -> Orders:
    """Bound and mean test error of every order, or of `limit` random ones.

    With C `shared` all orders use the one C that SeqMT picks: Theorem 1 compares orders of one and the same algorithm,
    so only then is the lowest bound never above SeqMT's. With `own_C` every order picks, by cross-validation, the C
    that is best for it, as a method of its own: the paper's protocol for test errors.
    `C_choices` is for a number C that was itself picked among so many on these data, as in `Problem.learn`.
    C is chosen by the `measure`, and test errors are measured by it.
    `only` names the orders, as positions in the set; with `points` the result says which test points each gets wrong.
    With `keep` the orders are walked in `PIECES` random pieces, and it gets all those walked so far after each.
    """
    problem = Problem(task_set, normalize=normalize, bias=bias, seed=seed, solver=solver, measure=measure)
    setting, delta = check_C(C), check_delta(delta)
    prepared = problem.task_set
    orders = choose_orders(len(prepared), limit, problem.seed) if only is None else only
    n, m_bar = len(prepared), prepared.m_bar
    constant = Bound(0.0, 0.0, delta, n, m_bar, "sequence", len(C_GRID) if setting == "shared" else C_choices).constant
    Cs, bounds, test_errors = np.full((3, len(orders)), np.nan)
    groups, weights = point_groups([task.y_test for task in prepared.tasks if task.y_test is not None], problem.measure)
    packed = np.zeros((len(orders), (len(groups) + 7) // 8), dtype=np.uint8) if points and prepared.has_test else None

    def walked(rows: IntArray) -> Orders:
        errors = test_errors[rows] if prepared.has_test else None
        missed = None
        if packed is not None:
            missed = Missed(packed[rows], groups, weights, np.concatenate(list(prepared.test_rows.values())))
        return Orders(prepared.names, orders[rows], bounds[rows], errors, Cs[rows], missed, problem.measure)

    progress = progress or (lambda done, total: None)
    if setting == "shared" and not own_C:
        setting, progress = _seqmt_C(problem, len(orders), progress)
    with one_blas_thread():
        pool = Pool(prepared, test=prepared.has_test, measure=problem.measure)
        pieces = _pieces(len(orders), 1 if keep is None else PIECES, problem.seed)
        for k, rows in enumerate(pieces):
            part = part_of(progress, k, len(pieces))
            Cs[rows], sums, wrong = _walk_piece(pool, orders[rows], setting, problem, part)
            bounds[rows] = (sums[0] + complexity_term(sums[1], m_bar)) / n + constant
            test_errors[rows] = np.round(sums[2] / n, 12)  # so that orders with as many mistakes tie, in any sum
            if packed is not None:
                packed[rows] = np.packbits(wrong, axis=1)
            if keep is not None:
                keep(walked(np.sort(np.concatenate(pieces[: k + 1]))))
    return walked(np.arange(len(orders)))


def _seqmt_C(problem: Problem, n_orders: int, progress: Progress) -> tuple[float, Progress]:
    """The C that SeqMT shares, and what is then left of the progress."""
    n_folds = FOLDS * REPEATS
    total = n_folds + n_orders
    learned = problem.learn("seqmt", progress=lambda done, _: progress(done, total))
    return next(iter(learned.chosen_C.values())), lambda done, of: progress(n_folds + n_orders * done // of, total)


def _pieces(count: int, most: int, seed: int) -> list[IntArray]:
    """The rows 0 ... count - 1 dealt at random into at most that many pieces, each sorted."""
    shuffled = np.random.default_rng([seed, count]).permutation(count)
    return [np.sort(piece) for piece in np.array_split(shuffled, min(most, count))]


def _walk_piece(
    pool: Pool, orders: IntArray, setting: CSetting, problem: Problem, progress: Progress
) -> tuple[FloatArray, FloatArray, BoolArray]:
    """The C of each of the sorted `orders` (NaN for 'each'), its sums and the test points that it gets wrong.

    The sums are those of error terms, squared steps and test errors.
    """
    tested = [np.arange(own.start, own.stop) for own in map(pool.own_test_points, range(len(pool.sizes)))]
    folds = Folds.draw(pool, problem.seed) if isinstance(setting, str) else None
    Cs, sums = np.full(len(orders), np.nan), np.empty((3, len(orders)))
    wrong = np.zeros((len(orders), sum(map(len, tested))), dtype=bool)
    if setting == "shared" and folds is not None:
        Cs = _shared_C(folds, orders, progress)
    elif not isinstance(setting, str):
        Cs[:] = setting
    for C in np.unique(Cs):
        picked = np.flatnonzero((Cs == C) | np.isnan(Cs))
        stage = Stage(pool, solver=scan_solver(problem.solver))
        fit = fit_at(stage, folds if folds is not None and setting == "each" else float(C))
        walked = walk(stage, orders[picked], fit, tested, None if setting == "shared" else progress)
        errors = (walked.mistakes / np.maximum(pool.all_test_costs, 1)).sum(axis=1)
        sums[:, picked], wrong[picked] = (walked.error_terms, walked.squared_steps, errors), walked.missed
    return Cs, sums, wrong


def _shared_C(folds: Folds, orders: IntArray, progress: Progress) -> FloatArray:
    """For every order the smallest C of the best validation error."""

    def count_wrong(inside: list[IntArray], outside: list[IntArray]) -> FloatArray:
        stage = Stage(folds.pool, inside)

        def at(C: float) -> tuple[FloatArray, bool]:
            walked = walk(stage, orders, fit_at(stage, C), outside)
            return walked.mistakes, walked.any_at_limit

        return on_grid(at)

    errors = folds.shared_errors(count_wrong, progress)
    return np.array([C_GRID[smallest_best(column)] for column in errors.T])
