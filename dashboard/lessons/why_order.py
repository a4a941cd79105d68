"""Lesson 2, why order matters: arrange the five tasks of one digit, predict, and see all orders over many draws."""

from __future__ import annotations

import numpy as np

from core.orders.all_orders import Orders
from core.orders.ranking import Place, extremes, place, place_row
from dashboard.figures import orders as orders_figure
from dashboard.figures import pictures
from dashboard.figures.orders import Spread, standing
from dashboard.figures.plot import Picture
from dashboard.lessons.lesson import (
    DRAWS,
    ONE,
    Lesson,
    Question,
    Screen,
    Seen,
    Trial,
    Tried,
    bold,
    chain,
    of_draws,
    percent,
)
from data.sources.catalogue import STORY_C, STORY_SET

DIGIT = STORY_SET.partition(":")[2]
QUARTERS = ("Among the best quarter", "In the second quarter", "In the third quarter", "Among the worst quarter")
RATIOS = (1.1, 1.5)
"""The worst order's mistakes, as multiples of the best's, at which the answer to the first question changes."""


def _how_much(seen: Seen, found: Tried) -> Screen:
    best, worst, _ = extremes(found.over.means)
    means = found.over.errors.mean(axis=0)
    ratio = means.max() / means.min()
    return Screen(
        "The same five tasks, in another order",
        f"Five tasks about one digit: is this image a **{DIGIT}**, or another digit? They differ in how clearly it is "
        "written, from easiest to hardest: measured by a machine, not judged by a person. The learner solves them one "
        "after the other, and each task starts from the **weights** of the one before: the classifier's numbers, one "
        "per pixel. Same data, same learner; only the order is up to us.",
        lambda: _images(found, seen.dark),
        Question(
            "How much can the order alone change the share of mistakes?",
            ("Hardly: a tenth at most", "By a tenth up to a half", "By more than a half"),
            int(np.searchsorted(RATIOS, ratio)),
            f"Over {DRAWS} draws the best order gets {percent(best.test_error)} of the test images wrong, the worst "
            f"{percent(worst.test_error)}: {ratio:.2f} times as many.",
        ),
        reveal=lambda: _violin(found, (best, worst), "lesson-all-orders", seen.dark),
    )


def _yours(seen: Seen, found: Tried) -> Screen:
    means = found.over.means
    mine = _marked(means, "Yours", seen.order or means.names)
    best, worst, _ = extremes(means)
    quarter = min(int(mine.percentile // 25), 3)
    return Screen(
        "Arrange them yourself",
        "Choose a task in the list and move it. Then say where your order will stand among all "
        f"{len(means.orders)}, by its mean test error over {DRAWS} draws: the share of images it gets wrong "
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


def _which_end(seen: Seen, found: Tried) -> Screen:
    means, by_draw = found.over.means, found.over.errors
    easy, hard = means.names, means.names[::-1]
    easier = int(np.sum(by_draw[:, means.row(easy)] < by_draw[:, means.row(hard)]))
    marks = _marked(means, "Easiest first", easy), _marked(means, "Hardest first", hard)
    errors = found.errors().values[ONE] / 100.0
    greedy = place(means, "SeqMT", None, float("nan"), float(errors.mean()))
    better = int(np.sum(errors < by_draw.mean(axis=1)))
    return Screen(
        "Which end to start from?",
        "A teacher would begin with the easy ones. A learner that is only told the data does not know which those are, "
        f"but it has the rule of lesson 1: take the task with the lowest criterion. That learner is {bold('SeqMT')}.",
        lambda: _images(found, seen.dark),
        Question(
            "Which order makes fewer mistakes?",
            ("Easiest first", "Hardest first", "It makes no clear difference"),
            0 if easier >= 15 else 1 if easier <= 5 else 2,
            f"Easiest first makes fewer mistakes {of_draws(easier)}: {percent(marks[0].test_error)} on average against "
            f"{percent(marks[1].test_error)}. SeqMT, which nobody told what is easy, gets {percent(greedy.test_error)} "
            f"wrong: fewer than the average of all orders {of_draws(better)}. It may take another order on every draw, "
            "as it looks at the data; so it can even be better than each of the 120, which keep theirs.",
        ),
        reveal=lambda: _violin(found, (*marks, greedy), "lesson-ends", seen.dark),
        then="**Why it matters:** what a task starts from decides where its weights end, as the data alone leave "
        "room. A good start is close to a good end. If every task had plenty of data, the start would not matter, "
        "and no order would beat another.",
    )


def _marked(means: Orders, label: str, order: tuple[str, ...]) -> Place:
    row = means.row(order)
    assert row is not None
    return place_row(means, label, row)


def _images(found: Tried, dark: bool) -> Picture:
    title = f"Five tasks: a {DIGIT} from easiest to hardest"
    return pictures.tiles(found.task_set, found.task_set.names, "lesson-tiles", title, dark, height=330, each=4)


def _violin(found: Tried, places: tuple[Place, ...], key: str, dark: bool) -> Picture:
    means = found.over.means
    spread = Spread(means, (*places, extremes(means)[2]))
    marks = ("Yours", "SeqMT", "Easiest first", "Hardest first")
    return Picture(
        orders_figure.figure(spread, dark, marks),
        key,
        f"All {len(means.orders)} orders, each the mean of {DRAWS} draws",
        "Every dot is one order; further left is better. The violin is wide where many orders are. *Random* is the "
        "mean of all orders: what one can expect without choosing.",
        "Violin of the mean test errors of all orders. "
        + "; ".join(f"{mark.label} {percent(mark.test_error)}" for mark in places),
        orders_figure.table(spread),
    )


LESSON = Lesson(
    "Why order matters",
    "Five tasks about one digit. Arrange them, and predict how well your order will do among all 120.",
    (Trial(STORY_SET, STORY_C, {ONE: "seqmt"}, orders=True),),
    (_how_much, _yours, _which_end),
    "orders",
    STORY_C,
)
