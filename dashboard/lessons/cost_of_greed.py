"""Lesson 7, what greed costs: the cheapest next step against the order with the lowest bound of all."""

from __future__ import annotations

import numpy as np

from dashboard import text
from dashboard.figures import by_draw, curricula, pictures
from dashboard.figures.plot import Picture
from dashboard.lessons.lesson import CHAIN, DRAWS, LOWEST, Lesson, Question, Screen, Seen, Trial, Tried, chain, of_draws

SET, OUTLIER, C = "plane-outlier", "outlier", 10.0
CHAIN_C = 1000.0
GREEDY, BEST, CHAIN_BEST = "Greedy (SeqMT)", "Lowest bound of all 720 orders", "Lowest bound of all 120 orders"


def _where(seen: Seen, found: Tried, _: Tried) -> Screen:
    order, best = found.first(GREEDY).order, found.first(BEST).order
    last = sum(one.order[-1] == OUTLIER for one in found.learned[GREEDY])
    first = sum(one.order[0] == OUTLIER for one in found.learned[BEST])
    return Screen(
        "The cheapest next step",
        "Five tasks in which the line turns little by little, and an **outlier** whose classes are swapped. SeqMT is "
        "**greedy**: at every step it takes the cheapest task, and never asks what that means for later. Six tasks "
        "have 720 orders; all of them can be tried.",
        lambda: pictures.panels(found.task_set, "lesson-panels", "Five tasks and an outlier", seen.dark),
        Question(
            "Where should the outlier stand so that the whole sequence is cheapest?",
            ("First", "In the middle", "Last"),
            0 if best[0] == OUTLIER else 2 if best[-1] == OUTLIER else 1,
            f"The cheapest sequence of all is {chain(best)}: the outlier comes first {of_draws(first)}. Greedy takes "
            f"{chain(order)}: it puts the outlier off to the end {of_draws(last)}.",
        ),
        reveal=lambda: _stairs(found, seen.dark),
    )


def _costs(seen: Seen, found: Tried, _: Tried) -> Screen:
    bounds, errors = found.bounds(), found.errors()
    ranks = [
        orders.rank_by_bound(bound) for orders, bound in zip(found.over.walked, bounds.values[GREEDY], strict=True)
    ]
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
            f"Greedy's bound is higher {of_draws(dearer)}, {bounds.means[GREEDY]:.3f} against "
            f"{bounds.means[BEST]:.3f} on average; by bound it is number {int(np.median(ranks))} of 720 in the "
            f"median. It also makes more mistakes {of_draws(wrong)}: {errors.means[GREEDY]:.1f}\u00a0% against "
            f"{errors.means[BEST]:.1f}\u00a0%.",
        ),
        reveal=lambda: by_draw.picture(errors, "lesson-greed", "Greedy against the best by bound", seen.dark),
    )


def _opposite(seen: Seen, found: Tried, turning: Tried) -> Screen:
    on_chain = turning.bounds()
    free = DRAWS - on_chain.lower(CHAIN_BEST, GREEDY)
    return Screen(
        "What would have to be true for the opposite?",
        "Looking ahead is dear: ten tasks have 3.6 million orders. Greedy needs to look at 55 candidates.",
        lambda: by_draw.picture(found.bounds(), "lesson-greed-bounds", "Bounds over the draws", seen.dark),
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
        reveal=lambda: by_draw.picture(
            on_chain, "lesson-greed-chain", "The turning line: greed costs nothing", seen.dark
        ),
        then="**Greed is cheap** on a chain; **it is dear** where an unpleasant task is put off until it is more "
        "unpleasant. MultiSeqMT has another way out: it starts the outlier from nothing. **A lower bound need not mean "
        "a better learner**: on the animals of the paper's first experiment, the order with the lowest bound makes "
        "more mistakes than SeqMT in all eight classes, 24.2\u00a0% against 23.4\u00a0% on average over 160 draws.",
    )


def _stairs(found: Tried, dark: bool) -> Picture:
    shown = {GREEDY: found.first(GREEDY), "Lowest bound": found.first(BEST)}
    labels = text.shorts(found.task_set.names)
    return curricula.sums(shown, labels, "lesson-stairs", "Cheap at first, dear at the end", dark)


LESSON = Lesson(
    "What greed costs",
    "The cheapest next step, six times over. Is that the cheapest way?",
    (
        Trial(SET, C, {GREEDY: "seqmt", BEST: LOWEST}, orders=True, share=80),
        Trial(CHAIN, CHAIN_C, {GREEDY: "seqmt", CHAIN_BEST: LOWEST}, orders=True, share=20),
    ),
    (_where, _costs, _opposite),
    "orders",
    C,
)
