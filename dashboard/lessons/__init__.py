"""The lessons: short sequences of screens with a live figure, a question, and an answer computed there and then.

Doors: `LESSONS`, all of them in the order in which they build on each other; one module per lesson.
"""

from __future__ import annotations

from dashboard.lessons import cost_of_greed, forest, misleads, next_task, one_sequence, two_terms, why_order
from dashboard.lessons.lesson import Lesson

LESSONS: tuple[Lesson, ...] = (
    next_task.LESSON,
    why_order.LESSON,
    two_terms.LESSON,
    one_sequence.LESSON,
    forest.LESSON,
    misleads.LESSON,
    cost_of_greed.LESSON,
)
