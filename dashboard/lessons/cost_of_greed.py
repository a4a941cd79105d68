"""Lesson 7, what greed costs: the cheapest next step against the order with the lowest bound of all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.curriculum.learn import Learned, Problem
from core.fitting.cross_validation import Progress
from core.orders.all_orders import every_order
from core.task_set import TaskSet
from dashboard import text
from dashboard.figures import stairs
from dashboard.figures.methods_by_draw import Draws
from dashboard.lessons import pictures
from dashboard.lessons.lesson import Lesson, Picture, Question, Screen, Seen
from dashboard.lessons.words import DRAWS, chain, mean, of_draws
from data.sources import catalogue

SET, OUTLIER, C = "plane-outlier", "outlier", 10.0
CHAIN, CHAIN_C = "plane-rotation?tasks=5", 1000.0
GREEDY, BEST, CHAIN_BEST = "Greedy (SeqMT)", "Lowest bound of all 720 orders", "Lowest bound of all 120 orders"


@dataclass(frozen=True, eq=False, slots=True)
class Study:
    """SeqMT's curriculum and that of the order with the lowest bound, on every draw; SeqMT's rank by bound.

    `on_chain`: both bounds on the turning line of lesson 1.
    """

    task_set: TaskSet
    greedy: tuple[Learned, ...]
    best: tuple[Learned, ...]
    ranks: tuple[int, ...]
    on_chain: Draws

    @property
    def bounds(self) -> Draws:
        """Of both."""
        return Draws({GREEDY: _bounds(self.greedy), BEST: _bounds(self.best)}, "bound (Theorem 1)")

    @property
    def errors(self) -> Draws:
        """Mean test errors of both, in per cent."""
        return Draws({GREEDY: _errors(self.greedy), BEST: _errors(self.best)}, "mean test error (%)")


def study(task_set: TaskSet, progress: Progress) -> Study:
    """All orders of every draw."""
    greedy, best, ranks = [], [], []
    for seed in range(DRAWS):
        drawn = task_set if seed == 0 else catalogue.load(SET, seed)
        problem = Problem(drawn, seed=seed)
        greedy.append(problem.learn("seqmt", C))
        orders = every_order(drawn, C=C, seed=seed)
        best.append(problem.learn("order", C, order=orders.named(orders.best_by_bound)))
        ranks.append(orders.rank_by_bound(_bounds((greedy[-1],))[0]))
        progress(80 * (seed + 1) // DRAWS, 100)
    return Study(task_set, tuple(greedy), tuple(best), tuple(ranks), _chain(progress))


def _chain(progress: Progress) -> Draws:
    greedy, lowest = [], []
    for seed in range(DRAWS):
        drawn = catalogue.load(CHAIN, seed)
        greedy.append(Problem(drawn, seed=seed).learn("seqmt", CHAIN_C))
        lowest.append(float(every_order(drawn, C=CHAIN_C, seed=seed).bounds.min()))
        progress(80 + 20 * (seed + 1) // DRAWS, 100)
    return Draws({GREEDY: _bounds(tuple(greedy)), CHAIN_BEST: np.array(lowest)}, "bound (Theorem 1)")


def _bounds(learned: tuple[Learned, ...]) -> np.ndarray:
    return np.array([one.bound.value if one.bound else float("nan") for one in learned])


def _errors(learned: tuple[Learned, ...]) -> np.ndarray:
    return np.array([100.0 * (one.mean_test_error or 0.0) for one in learned])


def screens(found: Study, seen: Seen) -> tuple[Screen, ...]:
    """Where greed puts the outlier, what it costs, and when it is for free."""
    return (_where(found, seen), _costs(found, seen), _opposite(found, seen))


def _where(found: Study, seen: Seen) -> Screen:
    order, best = found.greedy[0].order, found.best[0].order
    last = sum(one.order[-1] == OUTLIER for one in found.greedy)
    first = sum(one.order[0] == OUTLIER for one in found.best)
    return Screen(
        "The cheapest next step",
        "Five tasks in which the line turns little by little, and an **outlier** whose classes are swapped. SeqMT is "
        "**greedy**: at every step it takes the cheapest task, and never asks what that means for later. Six tasks "
        "have 720 orders; all of them can be tried.",
        lambda: pictures.panels(found.task_set, found.task_set.names, {}, "", "Five tasks and an outlier", seen.dark),
        Question(
            "Where should the outlier stand so that the whole sequence is cheapest?",
            ("First", "In the middle", "Last"),
            0 if best[0] == OUTLIER else 2 if best[-1] == OUTLIER else 1,
            f"The cheapest sequence of all is {chain(best)}: the outlier comes first {of_draws(first)}. Greedy takes "
            f"{chain(order)}: it puts the outlier off to the end {of_draws(last)}.",
        ),
        reveal=lambda: _stairs(found, seen.dark),
    )


def _costs(found: Study, seen: Seen) -> Screen:
    bounds, errors = found.bounds, found.errors
    dearer, wrong = bounds.lower(BEST, GREEDY), errors.lower(BEST, GREEDY)
    return Screen(
        "The bill comes last",
        "At the first step the outlier is not the cheapest task. But at the end it starts from weights that point "
        "the wrong way, and they are longer than at the beginning: everything must be turned round.",
        lambda: _stairs(found, seen.dark),
        Question(
            "Does the difference show on test points, too?",
            ("Yes, greedy makes more mistakes", "No, only the bound differs", "Greedy makes fewer mistakes"),
            0 if wrong >= 15 else 2 if errors.lower(GREEDY, BEST) >= 15 else 1,
            f"Greedy's bound is higher {of_draws(dearer)}, {mean(bounds, GREEDY):.3f} against "
            f"{mean(bounds, BEST):.3f} on average; by bound it is number {int(np.median(found.ranks))} of 720 in the "
            f"median. It also makes more mistakes {of_draws(wrong)}: {mean(errors, GREEDY):.1f}\u00a0% against "
            f"{mean(errors, BEST):.1f}\u00a0%.",
        ),
        reveal=lambda: pictures.of_draws_picture(errors, "lesson-greed", "Greedy against the best by bound", seen.dark),
    )


def _opposite(found: Study, seen: Seen) -> Screen:
    free = DRAWS - found.on_chain.lower(CHAIN_BEST, GREEDY)
    return Screen(
        "What would have to be true for the opposite?",
        "Looking ahead is dear: ten tasks have 3.6 million orders. Greedy needs to look at 55 candidates.",
        lambda: pictures.of_draws_picture(found.bounds, "lesson-greed-bounds", "Bounds over the draws", seen.dark),
        Question(
            "When does greed cost little or nothing?",
            (
                "When the cheapest next task is also a good start for the rest, as on a turning line",
                "When there are very many tasks",
                "When all tasks are hard",
            ),
            0,
            f"On the turning line of lesson 1, at a C where points are separated ({CHAIN_C:g}), greedy finds the order "
            f"with the lowest bound of all 120 {of_draws(free)}.",
        ),
        reveal=lambda: pictures.of_draws_picture(
            found.on_chain, "lesson-greed-chain", "The turning line: greed costs nothing", seen.dark
        ),
        then="**Greed is cheap** on a chain; **it is dear** where an unpleasant task is put off until it is more "
        "unpleasant. MultiSeqMT has another way out: it starts the outlier from nothing. **A lower bound need not mean "
        "a better learner**: on the animals of the paper's first experiment, the order with the lowest bound makes "
        "more mistakes than SeqMT in all eight classes, 24.2\u00a0% against 23.4\u00a0% on average over 160 draws.",
    )


def _stairs(found: Study, dark: bool) -> Picture:
    shown = stairs.info({GREEDY: found.greedy[0], "Lowest bound": found.best[0]})
    return Picture(
        stairs.figure(shown, text.shorts(found.task_set.names), dark),
        "lesson-stairs",
        "Cheap at first, dear at the end",
        "What each sequence has cost after every step: the sum of the criteria so far. The names are the tasks "
        "learned.",
        "; ".join(f"{name}: {float(values[-1]):.2f} in all" for name, values in shown.sums.items()),
        stairs.table(shown),
    )


LESSON = Lesson(
    "What greed costs",
    "The cheapest next step, six times over. Is that the cheapest way?",
    SET,
    study,
    screens,
    "orders",
    {"set": SET, "C": f"{C:g}"},
)
