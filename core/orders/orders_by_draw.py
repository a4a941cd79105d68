"""The same orders on several samples of a task set, with the methods beside them: the paper's Figure 3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.curriculum.learn import CSetting, Learned, Problem
from core.curriculum.methods import METHODS
from core.errors import SettingsError
from core.features import IntArray
from core.fitting.cross_validation import C_GRID, Progress
from core.orders.all_orders import LIMIT, Orders, choose_orders, every_order
from core.orders.ranking import OrderNoise, Place, agreement, place
from core.solver.threads import one_blas_thread, spread
from core.statistics.majority import AgainstMajority, against_majority
from core.statistics.noise import Interval, friedman, held_out_gap
from core.statistics.t_test import standard_error, t_interval
from core.task_set import FloatArray

BESIDE = ("seqmt", "semantic", "diversity")
"""Methods that learn in one sequence; Semantic where there is such an order."""
LOWEST = "Lowest bound"
RANDOM = "Random"


@dataclass(frozen=True, eq=False)
class OrdersByDraw:
    """The same orders `walked` on every draw, with the methods beside them.

    `methods[name]` is an array of two rows, one column per draw: mean test errors, by the orders' measure, and bounds.
    A method's order may differ from draw to draw. `overlap` as in `t_test.estimate`: None for fresh draws. `against`
    has SeqMT beside always answering the larger class on every draw, where that is known.
    """

    walked: tuple[Orders, ...]
    methods: dict[str, FloatArray]
    overlap: float | None = None
    against: tuple[AgainstMajority, ...] = ()

    @property
    def draws(self) -> int:
        """How many draws there are."""
        return len(self.walked)

    @cached_property
    def errors(self) -> FloatArray:
        """Mean test errors, one row per draw and one column per order."""
        return np.array([one.test_errors for one in self.walked])

    @cached_property
    def bounds(self) -> FloatArray:
        """Bounds, one row per draw and one column per order."""
        return np.array([one.bounds for one in self.walked])

    @cached_property
    def means(self) -> Orders:
        """Every order by its means over the draws."""
        first, errors = self.walked[0], self.errors.mean(axis=0)
        C = np.full(len(errors), np.nan)
        return replace(first, bounds=self.bounds.mean(axis=0), test_errors=errors, C=C, points=None)

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

    @cached_property
    def marked(self) -> dict[str, FloatArray]:
        """Errors and bounds on every draw, a row each, of all that is marked among the orders.

        The methods, a random order, the order of the lowest bound on each draw, and the best and worst order by mean.
        """
        means, lowest = self.errors.mean(axis=0), {LOWEST: self.lowest} if self.means.complete else {}
        extremes = {"Best": self.of_row(int(means.argmin())), "Worst": self.of_row(int(means.argmax()))}
        return self.methods | {RANDOM: self.random} | lowest | extremes

    @property
    def places(self) -> tuple[Place, ...]:
        """All that is marked."""
        means = self.errors.mean(axis=0)
        orders = {"Best": self.means.named(int(means.argmin())), "Worst": self.means.named(int(means.argmax()))}
        return tuple(self.place(label, values, orders.get(label)) for label, values in self.marked.items())

    def place(self, label: str, values: FloatArray, order: tuple[str, ...] | None = None) -> Place:
        """The mean over draws of errors and bounds, a row each, among the orders' means, with one standard error."""
        error, bound = (float(mean) for mean in values.mean(axis=1))
        half = standard_error(values[0], self.overlap)
        whisker = None if half is None else Interval(error - half, error + half)
        return place(self.means, label, order, bound, error, whisker)


def orders_over_draws(
    problem: Callable[[int], Problem],
    seeds: Sequence[int],
    *,
    C: CSetting = "shared",
    delta: float = 0.05,
    orders: int | IntArray = LIMIT,
    own_C: bool = False,
    progress: Progress | None = None,
    keep: Callable[[OrdersByDraw], None] | None = None,
) -> OrdersByDraw:
    """Every order, or the same random ones of that number, or the given `orders`, on the problem of every seed.

    C as in `every_order`: with `shared` and not `own_C`, the orders of a seed have the C that SeqMT picks on it. Seeds
    are worked on by several threads; `keep` gets all that are done after each, in the order of their seeds.
    """
    first = problem(seeds[0])
    if not first.task_set.has_test:
        raise SettingsError(
            f"task set {first.task_set.name!r} has tasks without test data, so draws cannot be compared"
        )
    some = choose_orders(len(first.task_set), orders, seeds[0]) if isinstance(orders, int) else orders
    total = len(seeds) * len(some)
    walked = np.zeros(len(seeds))

    def one(k: int) -> OrdersByDraw:
        def advance(reached: float, of: float) -> None:
            walked[k] = len(some) * reached / max(of, 1)
            if progress is not None:
                progress(int(walked.sum()), total)

        advance(0, 1)
        return _one_draw(first if k == 0 else problem(seeds[k]), C, delta, some, own_C, advance)

    with one_blas_thread():
        together = None if keep is None else lambda draws: keep(_together(draws))
        return _together(spread(one, range(len(seeds)), together))


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


def _one_draw(
    problem: Problem, C: CSetting, delta: float, orders: IntArray, own_C: bool, progress: Progress
) -> OrdersByDraw:
    """A single draw."""
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
    against = against_majority(learned["SeqMT"])
    methods = {
        name: np.array([[one.mean_error], [one.bound and one.bound.value]], float) for name, one in learned.items()
    }
    return OrdersByDraw((walked,), methods, against=() if against is None else (against,))


def _together(draws: Sequence[OrdersByDraw]) -> OrdersByDraw:
    return OrdersByDraw(
        sum((one.walked for one in draws), ()),
        {name: np.hstack([one.methods[name] for one in draws]) for name in draws[0].methods},
        against=sum((one.against for one in draws), ()),
    )


def noise_over(found: OrdersByDraw) -> OrderNoise | None:
    """How much of what orders differ by is chance, judged over draws; None for fewer than two."""
    if found.draws < 2:
        return None
    best, worst = held_out_gap(found.errors)
    rhos = correlations(found)
    likely = t_interval(rhos, found.overlap)
    return OrderNoise(
        found.draws,
        worst - best,
        friedman(found.errors, found.overlap),
        None,
        float(rhos.mean()) if len(rhos) else None,
        None if likely is None else Interval(max(likely.low, -1.0), min(likely.high, 1.0)),
        int(np.sum(rhos > 0)),
        overlap=found.overlap,
    )


def correlations(found: OrdersByDraw) -> FloatArray:
    """The rank correlation of bound and test error on every draw that has one."""
    return np.array([rho for one in found.walked if (rho := agreement(one)) is not None])
