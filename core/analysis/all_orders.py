"""Every order of the tasks, or a stated sample: bound and test error of each, by walking the tree of prefixes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from core.curriculum.bound import Bound, check_delta
from core.curriculum.learn import CSetting, Problem, check_C, fit_at, fit_each
from core.curriculum.search import FitTasks
from core.curriculum.steps import TIE
from core.errors import SettingsError
from core.fitting.cross_validation import C_GRID, FOLDS, REPEATS, Folds, Progress, smallest_best
from core.fitting.fits import Stage
from core.fitting.gram import IntArray, Pool
from core.solver.threads import one_blas_thread
from core.tasks import FloatArray, Normalize, TaskSet

LIMIT = 5040
"""Orders walked unless told otherwise: all of up to 7 tasks."""
PIECES = 12
"""Parts in which the orders are walked where partial results are wanted; fewer parts share more prefixes."""


@dataclass(frozen=True, eq=False)
class Orders:
    """Each row of `orders` is an order, as positions in `names`; the other arrays have a value a row."""

    names: tuple[str, ...]
    orders: IntArray
    bounds: FloatArray
    test_errors: FloatArray | None
    C: FloatArray
    complete: bool

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


def choose_orders(n: int, limit: int, seed: int) -> tuple[IntArray, bool]:
    """All orders of n tasks if there are at most `limit`, else that many distinct random ones; sorted."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise SettingsError(f"the limit is {limit!r} orders; use a whole number from 1 up")
    if math.factorial(n) <= limit:
        return np.array(list(permutations(range(n))), dtype=np.int64), True
    rng = np.random.default_rng([seed, n])
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < limit:
        drawn.add(tuple(int(k) for k in rng.permutation(n)))
    return np.array(sorted(drawn), dtype=np.int64), False


Visit = Callable[[slice, int, float, float, float, FloatArray, FloatArray], None]


def walk(stage: Stage, orders: IntArray, fit: FitTasks, visit: Visit) -> bool:
    """Fit every prefix of the sorted `orders` once.

    For each, `visit(rows, task, error_term, squared_step, C, source_margins, α)` with the rows it begins. Returns
    whether any α stood at its limit.
    """
    n = orders.shape[1]
    touched = False

    def below(first: int, last: int, depth: int, margins: FloatArray) -> None:
        nonlocal touched
        column = orders[first:last, depth]
        starts = np.concatenate([[0], np.flatnonzero(np.diff(column)) + 1])
        tasks = column[starts]
        ends = np.append(starts[1:], len(column))
        fits, Cs = fit(margins, tasks)
        touched |= fits.any_at_limit
        for i, task in enumerate(tasks):
            rows = slice(first + int(starts[i]), first + int(ends[i]))
            alpha = fits.alpha[i]
            visit(rows, int(task), fits.error_terms[i], fits.squared_steps[i], float(Cs[i]), margins, alpha)
            if depth + 1 < n:
                below(rows.start, rows.stop, depth + 1, stage.moved(margins, int(task), alpha))

    below(0, len(orders), 0, np.zeros(stage.pool.n_points))
    return touched


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
    also: tuple[tuple[str, ...], ...] = (),
    own_C: bool = False,
    progress: Progress | None = None,
    keep: Callable[[Orders], None] | None = None,
) -> Orders:
    """Bound and mean test error of every order, or of `limit` random ones (and those in `also`).

    With C `shared` all orders use the one C that SeqMT picks: Theorem 1 compares orders of one and the same algorithm,
    so only then is the lowest bound never above SeqMT's. With `own_C` every order picks, by cross-validation, the C
    that is best for it, as a method of its own: the paper's protocol for test errors.
    With `keep` the orders are walked in `PIECES` random pieces, and it gets all those walked so far after each.
    """
    problem = Problem(task_set, normalize=normalize, bias=bias, seed=seed, solver=solver)
    setting, delta = check_C(C), check_delta(delta)
    prepared = problem.task_set
    orders, complete = choose_orders(len(prepared), limit, problem.seed)
    if also and not complete:
        extra = [[prepared.index(name) for name in prepared.check_order(order)] for order in also]
        orders = np.unique(np.vstack([orders, np.array(extra, dtype=np.int64)]), axis=0)
    n, m_bar = len(prepared), prepared.m_bar
    constant = Bound(0.0, 0.0, delta, n, m_bar, "sequence").constant
    Cs, bounds, test_errors = np.full((3, len(orders)), np.nan)

    def walked(rows: IntArray) -> Orders:
        errors = test_errors[rows] if prepared.has_test else None
        return Orders(
            prepared.names, orders[rows], bounds[rows], errors, Cs[rows], complete and len(rows) == len(orders)
        )

    if setting == "shared" and not own_C:
        setting, progress = _seqmt_C(problem, len(orders), progress)
    with one_blas_thread():
        pool = Pool(prepared, test=prepared.has_test)
        pieces = _pieces(len(orders), 1 if keep is None else PIECES, problem.seed)
        for k, rows in enumerate(pieces):
            report = progress if len(pieces) == 1 else _within(progress, k, len(pieces))
            Cs[rows], sums = _walk_piece(pool, orders[rows], setting, problem, report)
            bounds[rows] = sums[0] / n + sums[1] / (n * 2.0 * np.sqrt(m_bar)) + constant
            test_errors[rows] = sums[2] / n
            if keep is not None:
                keep(walked(np.sort(np.concatenate(pieces[: k + 1]))))
    return walked(np.arange(len(orders)))


def _seqmt_C(problem: Problem, n_orders: int, progress: Progress | None) -> tuple[float, Progress | None]:
    """The C that SeqMT shares, and what is then left of the progress."""
    n_folds = FOLDS * REPEATS
    total = n_folds + n_orders
    if progress is None:
        return next(iter(problem.learn("seqmt").chosen_C.values())), None
    learned = problem.learn("seqmt", progress=lambda done, _: progress(done, total))
    return next(iter(learned.chosen_C.values())), lambda done, of: progress(n_folds + n_orders * done // of, total)


def _pieces(count: int, most: int, seed: int) -> list[IntArray]:
    """The rows 0 ... count - 1 dealt at random into at most that many pieces, each sorted."""
    if most == 1:
        return [np.arange(count)]
    shuffled = np.random.default_rng([seed, count]).permutation(count)
    return [np.sort(piece) for piece in np.array_split(shuffled, min(most, count))]


def _within(progress: Progress | None, piece: int, pieces: int) -> Progress | None:
    """Progress of one piece as progress of the whole."""
    return None if progress is None else lambda done, total: progress(piece * total + done, pieces * total)


def _walk_piece(
    pool: Pool, orders: IntArray, setting: CSetting, problem: Problem, progress: Progress | None
) -> tuple[FloatArray, FloatArray]:
    """The C of each of the sorted `orders` (NaN for 'each'), and the sums of `_sums`."""
    if setting == "each":
        stage = Stage(pool, solver=problem.solver)
        fit = fit_each(stage, Folds.draw(pool, problem.seed), None, one_a_step=False)
        return np.full(len(orders), np.nan), _sums(stage, orders, fit, progress)
    if setting == "shared":
        Cs = _shared_C(pool, orders, problem.seed, progress)
    else:
        Cs = np.full(len(orders), setting)
    sums = np.empty((3, len(orders)))
    for C in np.unique(Cs):
        picked = np.flatnonzero(Cs == C)
        stage = Stage(pool, solver=problem.solver)
        sums[:, picked] = _sums(
            stage, orders[picked], fit_at(stage, float(C)), None if setting == "shared" else progress
        )
    return Cs, sums


def _sums(stage: Stage, orders: IntArray, fit: FitTasks, progress: Progress | None) -> FloatArray:
    """Sums over the steps of each order: error term, squared step, test error."""
    sums = np.zeros((3, len(orders)))
    pool = stage.pool
    reached = 0

    def visit(
        rows: slice, task: int, error: float, squared: float, C: float, margins: FloatArray, alpha: FloatArray
    ) -> None:
        nonlocal reached
        sums[0, rows] += error
        sums[1, rows] += squared
        own = pool.own_test_points(task)
        if own.stop > own.start:
            sums[2, rows] += float(np.mean(stage.moved(margins, task, alpha, own) <= 0))
        if rows.stop - rows.start == 1:
            reached = max(reached, rows.stop)
            if progress is not None:
                progress(reached, len(orders))

    walk(stage, orders, fit, visit)
    return sums


def _shared_C(pool: Pool, orders: IntArray, seed: int, progress: Progress | None) -> FloatArray:
    """For every order the smallest C of the best validation error."""
    folds = Folds.draw(pool, seed)

    def count_wrong(inside: list[IntArray], outside: list[IntArray]) -> FloatArray:
        stage = Stage(pool, inside)
        wrong = np.zeros((len(C_GRID), len(orders), len(outside)))
        for c, C in enumerate(C_GRID):

            def visit(
                rows: slice, task: int, error: float, squared: float, C: float, margins: FloatArray, alpha: FloatArray
            ) -> None:
                own = pool.own_points(task)
                moved = stage.moved(margins, task, alpha, own)
                wrong[c, rows, task] = np.sum(moved[outside[task] - own.start] <= 0)  # noqa: B023 - used at once

            if not walk(stage, orders, fit_at(stage, float(C)), visit):
                wrong[c + 1 :] = wrong[c]
                break
        return wrong

    errors = folds.shared_errors(count_wrong, progress)
    return np.array([C_GRID[smallest_best(column)] for column in errors.T])
