"""All lessons, in the order in which they build on each other."""

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
