"""The same orders on several draws of a task set, with the methods beside them: the paper's Figure 3."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

import numpy as np

from core.curriculum.learn import CSetting, Learned, Problem
from core.curriculum.methods import METHODS
from core.errors import SettingsError
from core.features import IntArray
from core.fitting.cross_validation import C_GRID, Progress
from core.measure import Measure
from core.orders.all_orders import LIMIT, every_order
from core.orders.ranking import Place, place
from core.orders.result import Orders, choose_orders
from core.solver import threads
from core.statistics.majority import AgainstMajority, against_majority
from core.statistics.noise import Interval
from core.statistics.t_test import standard_error
from core.task_set import FloatArray, Normalize, TaskSet

BESIDE = ("seqmt", "semantic", "diversity")
"""Methods that learn in one sequence; Semantic where there is such an order."""
LOWEST = "Lowest bound"
RANDOM = "Random"


@dataclass(frozen=True, eq=False)
class OverDraws:
    """Row r of `errors` and `bounds` is draw r, a column an order; `methods` has each method's on every draw.

    `methods[name]` is an array of two rows: mean test errors, by the `measure`, and bounds. A method's order may
    differ from draw to draw. `overlap` as in `t_test.estimate`: None for fresh draws. `against` has SeqMT beside always
    answering the larger class on every draw, where that is known.
    """

    names: tuple[str, ...]
    orders: IntArray
    complete: bool
    errors: FloatArray
    bounds: FloatArray
    methods: dict[str, FloatArray]
    overlap: float | None = None
    measure: Measure = "error"
    against: tuple[AgainstMajority, ...] = ()

    @property
    def draws(self) -> int:
        """How many draws there are."""
        return len(self.errors)

    @property
    def means(self) -> Orders:
        """Every order by its means over the draws."""
        C = np.full(len(self.orders), np.nan)
        bounds, errors = self.bounds.mean(axis=0), self.errors.mean(axis=0)
        return Orders(self.names, self.orders, bounds, errors, C, self.complete, measure=self.measure)

    def of_row(self, row: int) -> FloatArray:
        """Errors and bounds of one order on every draw."""
        return np.array([self.errors[:, row], self.bounds[:, row]])

    @property
    def lowest(self) -> FloatArray:
        """Errors and bounds of the order that has the lowest bound on each draw."""
        rows, picked = np.arange(self.draws), self.bounds.argmin(axis=1)
        return np.array([self.errors[rows, picked], self.bounds[rows, picked]])

    @property
    def greedy_lowest(self) -> int:
        """On how many draws no order has a lower bound than SeqMT."""
        return int(np.sum(self.methods["SeqMT"][1] <= self.lowest[1] + 1e-9))

    @property
    def random(self) -> FloatArray:
        """What a random order can expect on each draw: the means over all orders."""
        return np.array([self.errors.mean(axis=1), self.bounds.mean(axis=1)])

    @property
    def places(self) -> tuple[Place, ...]:
        """The methods, a random order, the order of the lowest bound on each draw, and the best and worst order."""
        means = self.means
        by_draw = self.methods | {RANDOM: self.random} | ({LOWEST: self.lowest} if self.complete else {})
        errors = self.errors.mean(axis=0)
        rows = {"Best": int(errors.argmin()), "Worst": int(errors.argmax())}
        return (
            *(self.place(means, label, values) for label, values in by_draw.items()),
            *(self.place(means, label, self.of_row(row), means.named(row)) for label, row in rows.items()),
        )

    def place(self, means: Orders, label: str, values: FloatArray, order: tuple[str, ...] | None = None) -> Place:
        """The mean over draws of errors and bounds, a row each, among the orders' means, with one standard error."""
        error, bound = (float(mean) for mean in values.mean(axis=1))
        half = standard_error(values[0], self.overlap)
        return place(means, label, order, bound, error, None if half is None else Interval(error - half, error + half))


@dataclass(frozen=True, eq=False)
class _Draw:
    names: tuple[str, ...]
    errors: FloatArray
    bounds: FloatArray
    methods: dict[str, tuple[float, float]]
    against: AgainstMajority | None


def orders_over_draws(
    sample: Callable[[int], TaskSet],
    draws: int,
    *,
    C: CSetting = "shared",
    normalize: Normalize | None = None,
    bias: bool | None = None,
    seed: int = 0,
    delta: float = 0.05,
    limit: int = LIMIT,
    own_C: bool = False,
    only: IntArray | None = None,
    measure: Measure = "error",
    progress: Progress | None = None,
    keep: Callable[[OverDraws], None] | None = None,
) -> OverDraws:
    """Every order, or the same sample of `limit`, or `only` those, on the draws of the seeds `seed`, `seed + 1`, ...

    C as in `every_order`: with `shared` and not `own_C`, each draw's orders have the C that SeqMT picks on it. Draws
    are worked on by several threads; `keep` gets all that are done after each, in the order of their seeds.
    """
    first = sample(seed)
    if not first.has_test:
        raise SettingsError(f"task set {first.name!r} has tasks without test data, so draws cannot be compared")
    orders, complete = choose_orders(len(first), limit, seed) if only is None else (only, False)
    total = draws * len(orders)
    walked = np.zeros(draws)
    done: dict[int, _Draw] = {}

    def one(k: int) -> _Draw:
        def advance(reached: float, of: float) -> None:
            walked[k] = len(orders) * reached / max(of, 1)
            if progress is not None:
                progress(int(walked.sum()), total)

        advance(0, 1)
        task_set = first if k == 0 else sample(seed + k)
        problem = Problem(task_set, normalize=normalize, bias=bias, seed=seed + k, measure=measure)
        return _one_draw(problem, C, delta, orders, own_C, advance)

    def so_far() -> OverDraws:
        return _together(orders, complete, [done[k] for k in sorted(done)], measure)

    with threads.one_blas_thread(), ThreadPoolExecutor(min(threads.count(), draws)) as pool:
        futures = {pool.submit(contextvars.copy_context().run, one, k): k for k in range(draws)}
        try:
            for future in as_completed(futures):
                done[futures[future]] = future.result()
                if keep is not None:
                    keep(so_far())
        except BaseException:
            for future in futures:
                future.cancel()
            raise
    return so_far()


def learn_methods(
    problem: Problem, C: CSetting, delta: float, own_C: bool, progress: Progress | None = None
) -> tuple[dict[str, Learned], CSetting, int]:
    """The methods of `BESIDE` by name, the C that orders beside them have, and among how many it was chosen.

    With C `shared` and not `own_C` it is the one that SeqMT picks, and every bound pays for that choice: only then do
    bounds compare.
    """
    learned = {"SeqMT": problem.learn("seqmt", C, delta=delta, progress=progress)}
    C_choices = 1
    if C == "shared" and not own_C:
        C, C_choices = next(iter(learned["SeqMT"].chosen_C.values())), len(C_GRID)
    for method in BESIDE[1:]:
        if method != "semantic" or problem.task_set.semantic_order:
            learned[METHODS[method]] = problem.learn(method, C, delta=delta, C_choices=C_choices, progress=progress)
    return learned, C, C_choices


def _one_draw(problem: Problem, C: CSetting, delta: float, orders: IntArray, own_C: bool, progress: Progress) -> _Draw:
    learned, C, C_choices = learn_methods(problem, C, delta, own_C)
    walked = every_order(
        problem.task_set,
        C=C,
        seed=problem.seed,
        delta=delta,
        only=orders,
        own_C=own_C,
        C_choices=C_choices,
        measure=problem.measure,
        progress=progress,
    )
    errors = walked.test_errors if walked.test_errors is not None else np.full(len(orders), np.nan)
    methods = {
        name: (one.mean_error or 0.0, one.bound.value if one.bound is not None else float("nan"))
        for name, one in learned.items()
    }
    return _Draw(walked.names, errors, walked.bounds, methods, against_majority(learned["SeqMT"]))


def _together(orders: IntArray, complete: bool, done: list[_Draw], measure: Measure) -> OverDraws:
    methods = {name: np.array([draw.methods[name] for draw in done]).T for name in done[0].methods}
    errors, bounds = (np.array([getattr(draw, name) for draw in done]) for name in ("errors", "bounds"))
    against = tuple(draw.against for draw in done if draw.against is not None)
    return OverDraws(done[0].names, orders, complete, errors, bounds, methods, None, measure, against)
