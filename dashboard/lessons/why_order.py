"""Lesson 2, why order matters: arrange the five tasks of one digit, predict, and see all orders over many draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.curriculum.learn import Problem
from core.fitting.cross_validation import Progress
from core.orders.all_orders import Orders, every_order
from core.orders.ranking import Place, extremes, place, place_row
from core.task_set import TaskSet
from dashboard.figures import orders as orders_figure
from dashboard.figures import tiles
from dashboard.figures.orders import Spread, standing
from dashboard.lessons.lesson import Lesson, Picture, Question, Screen, Seen
from dashboard.lessons.words import DRAWS, bold, chain, of_draws, percent
from data.sources import catalogue
from data.sources.catalogue import STORY_C, STORY_SET

SET, C = STORY_SET, STORY_C
DIGIT = SET.partition(":")[2]
QUARTERS = ("Among the best quarter", "In the second quarter", "In the third quarter", "Among the worst quarter")
RATIOS = (1.1, 1.5)
"""The worst order's mistakes, as multiples of the best's, that part the answers of the first question."""


@dataclass(frozen=True, eq=False, slots=True)
class Study:
    """The tasks of the first draw; every order's means over the draws; each draw's own spread and SeqMT's errors."""

    task_set: TaskSet
    orders: Orders
    by_draw: np.ndarray
    greedy: np.ndarray

    @property
    def ratio(self) -> float:
        """Mistakes of the worst order for each of the best's."""
        means = self.by_draw.mean(axis=0)
        return float(means.max() / means.min())

    def won(self, first: tuple[str, ...], second: tuple[str, ...]) -> int:
        """In how many draws the first order makes fewer mistakes."""
        rows = [self.orders.row(order) for order in (first, second)]
        return int(np.sum(self.by_draw[:, rows[0]] < self.by_draw[:, rows[1]]))


def study(task_set: TaskSet, progress: Progress) -> Study:
    """All orders of every draw at one C."""
    walked, errors, greedy = [], [], []
    for seed in range(DRAWS):
        drawn = task_set if seed == 0 else catalogue.load(SET, seed)
        walked.append(every_order(drawn, C=C, seed=seed))
        errors.append(walked[-1].test_errors)
        greedy.append(Problem(drawn, seed=seed).learn("seqmt", C).mean_test_error)
        progress(seed + 1, DRAWS)
    by_draw = np.array(errors)
    first = walked[0]
    bounds = np.mean([one.bounds for one in walked], axis=0)
    mean = Orders(first.names, first.orders, bounds, by_draw.mean(axis=0), first.C, True)
    return Study(task_set, mean, by_draw, np.array(greedy, dtype=float))


def screens(found: Study, seen: Seen) -> tuple[Screen, ...]:
    """How much, where yours lands, which end to start from."""
    return (_how_much(found, seen), _yours(found, seen), _which_end(found, seen))


def _how_much(found: Study, seen: Seen) -> Screen:
    best, worst, _ = extremes(found.orders)
    right = int(np.searchsorted(RATIOS, found.ratio))
    return Screen(
        "The same five tasks, in another order",
        f"Five tasks about one digit: is this image a **{DIGIT}**, or another digit? They differ in how clearly it is "
        "written, from easiest to hardest. The learner solves them one after the other, and each task starts from "
        "the **weights** of the one before: the classifier's numbers, one a pixel. Same data, same learner; only the "
        "order is up to us.",
        lambda: _images(found, seen.dark),
        Question(
            "How much can the order alone change the share of mistakes?",
            ("Hardly: a tenth at most", "By a tenth up to a half", "By more than a half"),
            right,
            f"Over {DRAWS} draws the best order gets {percent(best.test_error)} of the test images wrong, the worst "
            f"{percent(worst.test_error)}: {found.ratio:.2f} times as many.",
        ),
        reveal=lambda: _violin(found, (best, worst), "lesson-all-orders", seen.dark),
    )


def _yours(found: Study, seen: Seen) -> Screen:
    row = found.orders.row(seen.order or found.orders.names)
    assert row is not None
    mine = place_row(found.orders, "Yours", row)
    best, worst, _ = extremes(found.orders)
    quarter = min(int(mine.percentile // 25), 3)
    return Screen(
        "Arrange them yourself",
        "Choose a task in the list and move it. Then say where your order will stand among all "
        f"{len(found.orders.orders)}, by its mean test error over {DRAWS} draws: the share of images it gets wrong "
        "that the learner has never seen.",
        lambda: _images(found, seen.dark),
        Question(
            "Where will your order land?",
            QUARTERS,
            quarter,
            f"{chain(mine.order or ())} gets {percent(mine.test_error)} wrong. It is {standing(mine)}; the best "
            f"possible order reaches {percent(best.test_error)}.",
        ),
        "arrange",
        lambda: _violin(found, (mine, best, worst), "lesson-your-order", seen.dark),
    )


def _which_end(found: Study, seen: Seen) -> Screen:
    easy = found.orders.names
    hard = easy[::-1]
    won = found.won(easy, hard)
    marks = []
    for label, order in (("Easiest first", easy), ("Hardest first", hard)):
        row = found.orders.row(order)
        assert row is not None
        marks.append(place_row(found.orders, label, row))
    greedy = place(found.orders, "SeqMT", None, float("nan"), float(found.greedy.mean()))
    better = int(np.sum(found.greedy < found.by_draw.mean(axis=1)))
    return Screen(
        "Which end to start from?",
        "A teacher would begin with the easy ones. A learner that is only told the data does not know which those are, "
        f"but it has the rule of lesson 1: take the task with the lowest criterion. That learner is {bold('SeqMT')}.",
        lambda: _images(found, seen.dark),
        Question(
            "Which order makes fewer mistakes?",
            ("Easiest first", "Hardest first", "It makes no clear difference"),
            0 if won >= 15 else 1 if won <= 5 else 2,
            f"Easiest first makes fewer mistakes {of_draws(won)}: {percent(marks[0].test_error)} on average against "
            f"{percent(marks[1].test_error)}. SeqMT, which nobody told what is easy, gets {percent(greedy.test_error)} "
            f"wrong: fewer than the average of all orders {of_draws(better)}. It may take another order on every draw, "
            "as it looks at the data; so it can even be better than each of the 120, which keep theirs.",
        ),
        reveal=lambda: _violin(found, (*marks, greedy), "lesson-ends", seen.dark),
        then="**Why it matters:** what a task starts from decides where its weights end, as the data alone leave "
        "room. A good start is close to a good end. If every task had plenty of data, the start would not matter, "
        "and no order would beat another.",
    )


def _images(found: Study, dark: bool) -> Picture:
    shown = tiles.info(found.task_set, found.task_set.names, 4)
    return Picture(
        tiles.figure(shown, dark, 330),
        "lesson-tiles",
        f"Five tasks: a {DIGIT} from easiest to hardest",
        "A row a task: on the left images of the task's own class, on the right others. How hard an image is was "
        "measured by a machine, not judged by a person.",
        "Example images of the five tasks.",
        tiles.table(shown, found.task_set),
    )


def _violin(found: Study, places: tuple[Place, ...], key: str, dark: bool) -> Picture:
    _, _, mean = extremes(found.orders)
    spread = Spread(found.orders, (*places, mean))
    marks = ("Yours", "SeqMT", "Easiest first", "Hardest first")
    return Picture(
        orders_figure.figure(spread, dark, marks),
        key,
        f"All {len(found.orders.orders)} orders, each the mean of {DRAWS} draws",
        "Every dot is one order; further left is better. The violin is wide where many orders are. *Random* is the "
        "mean of all orders: what one can expect without choosing.",
        "Violin of the mean test errors of all orders. "
        + "; ".join(f"{mark.label} {percent(mark.test_error)}" for mark in places),
        orders_figure.table(spread),
    )


LESSON = Lesson(
    "Why order matters",
    "Five tasks about one digit. Arrange them, and predict how well your order will do among all 120.",
    SET,
    study,
    screens,
    "orders",
    {"set": SET, "C": f"{C:g}"},
)
