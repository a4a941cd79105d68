"""Lesson 6, when the bound misleads: a teacher with many points looks expensive, so it comes too late."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.fitting.cross_validation import Progress
from core.orders.all_orders import Orders, every_order
from core.orders.ranking import agreement, place_learned
from core.orders.significance import noise_of
from core.task_set import FloatArray, TaskSet
from dashboard.figures import agreement as agreement_figure
from dashboard.figures.agreement import Agreement
from dashboard.figures.methods_by_draw import Draws
from dashboard.lessons import over_draws, pictures
from dashboard.lessons.lesson import Lesson, Picture, Question, Screen, Seen
from dashboard.lessons.over_draws import WORDS, Tried
from dashboard.lessons.words import DRAWS, mean, of_draws
from data.sources import catalogue
from data.sources.catalogue import STORY_C, STORY_SET

SET, TEACHER, C = "plane-misleading", "teacher", 1000.0
FIRST, RANDOM = "Teacher first", "Random order (mean)"


@dataclass(frozen=True, eq=False, slots=True)
class Study:
    """SeqMT and the teacher first over draws; all orders of the first draw, and of each their mean and correlation."""

    task_set: TaskSet
    tried: Tried
    orders: Orders
    random: FloatArray
    correlations: FloatArray
    digits: Orders
    digits_correlations: FloatArray

    @property
    def errors(self) -> Draws:
        """Test errors of SeqMT, of a random order and of the order that puts the teacher first."""
        found = self.tried.errors()
        return replace(
            found,
            values={
                WORDS["seqmt"]: found.values[WORDS["seqmt"]],
                RANDOM: self.random,
                FIRST: found.values["semantic"],
            },
        )


def study(task_set: TaskSet, progress: Progress) -> Study:
    """Over all draws, and the digits of lesson 2 for comparison."""
    tried = over_draws.run(SET, ("seqmt", "semantic"), C, progress, (0, 30))
    orders = _all_orders(SET, C, progress, 30)
    digits = _all_orders(STORY_SET, STORY_C, progress, 65)
    random = np.array([100.0 * float(np.mean(one.test_errors)) for one in orders if one.test_errors is not None])
    return Study(task_set, tried, orders[0], random, _correlations(orders), digits[0], _correlations(digits))


def _all_orders(name: str, C: float, progress: Progress, begun: int) -> list[Orders]:
    found = []
    for seed in range(DRAWS):
        found.append(every_order(catalogue.load(name, seed), C=C, seed=seed, points=True))
        progress(begun + 35 * (seed + 1) // DRAWS, 100)
    return found


def _correlations(orders: list[Orders]) -> FloatArray:
    return np.array([agreement(one) or 0.0 for one in orders])


def screens(found: Study, seen: Seen) -> tuple[Screen, ...]:
    """Who goes first, what the bound says of it, and when it would be right."""
    return (_who_first(found, seen), _cloud(found, seen), _opposite(found, seen))


def _points(found: Study, dark: bool) -> Picture:
    title = "A teacher with many points, pupils with few"
    return pictures.panels(found.task_set, found.task_set.names, {}, "", title, dark)


def _who_first(found: Study, seen: Seen) -> Screen:
    errors = found.errors
    worse = errors.lower(FIRST, WORDS["seqmt"])
    worse_than_random = errors.lower(RANDOM, WORDS["seqmt"])
    place = found.tried.first("seqmt").order.index(TEACHER) + 1
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
            f"many points need large weights. With the teacher first, {mean(errors, FIRST):.1f}\u00a0% of the test "
            f"points are wrong on average, SeqMT gets {mean(errors, WORDS['seqmt']):.1f}\u00a0% wrong. It is worse "
            f"{of_draws(worse)}, and worse even than the mean over all orders {of_draws(worse_than_random)}.",
        ),
        reveal=lambda: pictures.of_draws_picture(
            errors, "lesson-teacher", "SeqMT, chance, and the teacher first", seen.dark
        ),
    )


def _cloud(found: Study, seen: Seen) -> Screen:
    bounds = found.tried.bounds("seqmt", "semantic")
    lower = bounds.lower(WORDS["seqmt"], "semantic")
    falling = int(np.sum(found.correlations < 0))
    rho = f"{found.correlations[0]:.2f}".replace("-", "−")
    return Screen(
        "Is the bound wrong?",
        "The paper proves a guarantee, its Theorem 1. The **bound** in it says: with high probability, half the "
        "expected error is below this value. It is the mean of the criteria plus constants, so SeqMT makes it small, "
        "step by step. For a good guide, orders with a low bound should be orders with few mistakes: a cloud "
        "that rises.",
        lambda: _points(found, seen.dark),
        Question(
            "Draw a dot an order: bound to the right, mistakes upwards. Which way does the cloud go?",
            ("It rises: low bound, few mistakes", "It falls: low bound, many mistakes", "No direction"),
            1 if found.correlations[0] < -0.1 else 0 if found.correlations[0] > 0.1 else 2,
            "The **rank correlation** says how well two rankings agree: 1 if they are the same, 0 if they have nothing "
            f"to do with each other, −1 if one is the other backwards. It is {rho} on this draw, and below 0 "
            f"{of_draws(falling)}. SeqMT has a lower bound "
            f"than the order with the teacher first {of_draws(lower)}, and still more mistakes. The bound is not "
            "wrong, as it is far above what really happens; it just does not say which order is better.",
        ),
        reveal=lambda: _agreement(found, seen.dark),
    )


def _opposite(found: Study, seen: Seen) -> Screen:
    rising = int(np.sum(found.digits_correlations > 0))
    rho = float(found.digits_correlations[0])
    return Screen(
        "What would have to be true for the opposite?",
        "Think of the digits of lesson 2: five tasks of one size, from easiest to hardest, with far more weights "
        "than points. There SeqMT did well.",
        lambda: _agreement(found, seen.dark),
        Question(
            "Which way does the cloud of all orders of those digits go?",
            ("It rises: low bound, few mistakes", "It falls: low bound, many mistakes", "No direction"),
            0 if rho > 0.1 else 1 if rho < -0.1 else 2,
            f"The rank correlation is {rho:.2f} on this draw, and above 0 {of_draws(rising)}. There a task that looks "
            "cheap is really easy, and what it learned is a good start for the harder ones.",
        ),
        reveal=lambda: _digits(found, seen.dark),
        then="**The bound chooses well** where cheap tasks are easy ones and lead to the others; **it misleads** "
        "where a task is cheap only because it has few points. Look at the cloud on the page *Orders* before you "
        "trust an order on your own data.",
    )


def _agreement(found: Study, dark: bool) -> Picture:
    places = (
        place_learned(found.orders, "SeqMT", found.tried.first("seqmt")),
        place_learned(found.orders, FIRST, found.tried.first("semantic")),
    )
    return _cloud_picture(Agreement(found.orders, places, noise_of(found.orders), None), "lesson-cloud", dark)


def _digits(found: Study, dark: bool) -> Picture:
    relation = Agreement(found.digits, (), noise_of(found.digits), None)
    return _cloud_picture(relation, "lesson-digits", dark)


def _cloud_picture(relation: Agreement, key: str, dark: bool) -> Picture:
    return Picture(
        agreement_figure.figure(relation, dark),
        key,
        relation.title,
        "Every dot is an order of the five tasks on this draw. If the bound is a good guide, the cloud rises from left "
        "to right. The 95\u00a0% interval says where the rank correlation could be with other test points of the same "
        "kind.",
        relation.title,
    )


LESSON = Lesson(
    "When the bound misleads",
    "A teacher who knows it all, and a learner who asks the pupils first.",
    SET,
    study,
    screens,
    "orders",
    {"set": SET, "C": f"{C:g}"},
)
