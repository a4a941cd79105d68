"""Lesson 6, when the bound misleads: a teacher with many points looks expensive, so it comes too late."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.orders import orders_by_draw
from core.orders.ranking import Place, noise_of, place_learned
from dashboard.figures import agreement, by_draw, pictures
from dashboard.figures.by_draw import Draws
from dashboard.figures.orders import Spread
from dashboard.figures.plot import Picture
from dashboard.lessons.lesson import ONE, Lesson, Question, Screen, Seen, Trial, Tried, of_draws
from data.sources.catalogue import STORY_C, STORY_SET

SET, TEACHER, C = "plane-misleading", "teacher", 1000.0
GREEDY, FIRST, RANDOM = ONE, "Teacher first", "Random order (mean)"


def errors_of(found: Tried) -> Draws:
    """Test errors of SeqMT, of a random order and of the order that puts the teacher first."""
    errors = found.errors()
    random = 100.0 * found.over.random[0]
    return replace(errors, values={GREEDY: errors.values[GREEDY], RANDOM: random, FIRST: errors.values[FIRST]})


def _points(found: Tried, dark: bool) -> Picture:
    return pictures.panels(found.task_set, "lesson-panels", "A teacher with many points, pupils with few", dark)


def _who_first(seen: Seen, found: Tried, _: Tried) -> Screen:
    errors = errors_of(found)
    worse, worse_than_random = errors.lower(FIRST, GREEDY), errors.lower(RANDOM, GREEDY)
    place = found.first(GREEDY).order.index(TEACHER) + 1
    return Screen(
        "A teacher and four pupils",
        "Five tasks with one and the same true line. The **teacher** has 200 points, each **pupil** has 10. Whoever "
        "starts from the teacher's line starts from a nearly perfect one. SeqMT sees only the criterion.",
        lambda: _points(found, seen.dark),
        Question(
            "When does SeqMT learn the teacher?",
            ("First", "Second or third", "Fourth or last"),
            0 if place == 1 else 1 if place <= 3 else 2,
            f"At step {place} of 5. Few points are separated by small weights, so pupils look cheap; the teacher's "
            f"many points need large weights. With the teacher first, {errors.means[FIRST]:.1f}\u00a0% of the test "
            f"points are wrong on average, SeqMT gets {errors.means[GREEDY]:.1f}\u00a0% wrong. It is worse "
            f"{of_draws(worse)}, and worse even than the mean over all orders {of_draws(worse_than_random)}.",
        ),
        reveal=lambda: by_draw.picture(errors, "lesson-teacher", "SeqMT, chance, and the teacher first", seen.dark),
    )


def _cloud(seen: Seen, found: Tried, _: Tried) -> Screen:
    lower = found.bounds().lower(GREEDY, FIRST)
    correlations = orders_by_draw.correlations(found.over)
    falling = int(np.sum(correlations < 0))
    rho = f"{correlations[0]:.2f}".replace("-", "−")
    return Screen(
        "Is the bound wrong?",
        "The paper proves a guarantee, its Theorem 1. The **bound** in it says: with high probability, half the "
        "expected error is below this value. It is the mean of the criteria plus constants, so SeqMT makes it small, "
        "step by step. For a good guide, orders with a low bound should be orders with few mistakes: a cloud "
        "that rises.",
        lambda: _points(found, seen.dark),
        Question(
            "Draw a dot for each order: bound to the right, mistakes upwards. Which way does the cloud go?",
            ("It rises: low bound, few mistakes", "It falls: low bound, many mistakes", "No direction"),
            1 if correlations[0] < -0.1 else 0 if correlations[0] > 0.1 else 2,
            "The **rank correlation** says how well two rankings agree: 1 if they are the same, 0 if they have nothing "
            f"to do with each other, −1 if one is the other backwards. It is {rho} on this draw, and below 0 "
            f"{of_draws(falling)}. SeqMT has a lower bound "
            f"than the order with the teacher first {of_draws(lower)}, and still more mistakes. The bound is not "
            "wrong, as it is far above what really happens; it just does not say which order is better.",
        ),
        reveal=lambda: _teachers(found, seen.dark),
    )


def _opposite(seen: Seen, found: Tried, digits: Tried) -> Screen:
    correlations = orders_by_draw.correlations(digits.over)
    rising, rho = int(np.sum(correlations > 0)), float(correlations[0])
    return Screen(
        "What would have to be true for the opposite?",
        "Think of the digits of lesson 2: five tasks of one size, from easiest to hardest, with far more weights "
        "than points. There SeqMT did well.",
        lambda: _teachers(found, seen.dark),
        Question(
            "Which way does the cloud of all orders of those digits go?",
            ("It rises: low bound, few mistakes", "It falls: low bound, many mistakes", "No direction"),
            0 if rho > 0.1 else 1 if rho < -0.1 else 2,
            f"The rank correlation is {rho:.2f} on this draw, and above 0 {of_draws(rising)}. There a task that looks "
            "cheap is really easy, and what it learned is a good start for the harder ones.",
        ),
        reveal=lambda: _cloud_picture(digits, (), "lesson-digits", seen.dark),
        then="**The bound chooses well** where cheap tasks are easy ones and lead to the others; **it misleads** "
        "where a task is cheap only because it has few points. Look at the cloud on the page *Orders* before you "
        "trust an order on your own data.",
    )


def _teachers(found: Tried, dark: bool) -> Picture:
    marks = {"SeqMT": found.first(GREEDY), FIRST: found.first(FIRST)}
    places = tuple(place_learned(found.over.walked[0], mark, learned) for mark, learned in marks.items())
    return _cloud_picture(found, places, "lesson-cloud", dark)


def _cloud_picture(tried: Tried, places: tuple[Place, ...], key: str, dark: bool) -> Picture:
    relation = Spread(tried.over.walked[0], places, noise_of(tried.over.walked[0]))
    title = agreement.title(relation)
    return Picture(
        agreement.figure(relation, dark),
        key,
        title,
        "Every dot is an order of the five tasks on this draw. If the bound is a good guide, the cloud rises from left "
        "to right. The 95\u00a0% interval says where the rank correlation could be with other test points of the same "
        "kind.",
        title,
    )


LESSON = Lesson(
    "When the bound misleads",
    "A teacher who knows it all, and a learner who asks the pupils first.",
    (
        Trial(SET, C, {GREEDY: "seqmt", FIRST: "semantic"}, orders=True, share=65),
        Trial(STORY_SET, STORY_C, {}, orders=True, share=35),
    ),
    (_who_first, _cloud, _opposite),
    "orders",
    C,
)
