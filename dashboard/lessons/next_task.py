"""Lesson 1, guess the next task: which of five tasks in the plane comes first, second and third, and why."""

from __future__ import annotations

from functools import partial

from core.curriculum.steps import Step
from dashboard import text
from dashboard.figures import pictures
from dashboard.lessons.lesson import CHAIN, ONE, Lesson, Question, Screen, Seen, Trial, Tried, bold, chain

C = 100.0
NAMES = ("D", "A", "E", "B", "C")
"""The tasks of the chain, from wide gap to narrow: names that give nothing away."""


def _guess(seen: Seen, found: Tried, number: int) -> Screen:
    learned = found.first(ONE)
    step, order = learned.steps[number - 1], learned.order
    line = dict.fromkeys(order, learned.weights[order[number - 2]]) if number > 1 else {}
    left = tuple(sorted(candidate.task for candidate in step.candidates))
    if number == 1:
        words = (
            "Each panel is a **task**: tell the circles from the crosses with a straight line. The five tasks are "
            "different, but not unrelated. Our learner solves them one after the other, and each time it starts from "
            "the line it already has instead of from nothing. It has no line yet."
        )
    else:
        words = (
            f"Learned so far: {chain(order[: number - 1])}. The line in every panel is the one the learner now has, "
            f"from {bold(order[number - 2])}. It will turn and shift it until it fits the next task."
        )
    ask = "Which task should the learner take first?" if number == 1 else "Which task should come next?"
    return Screen(
        ("First", "Second", "Third")[number - 1] + " choice",
        words,
        lambda: pictures.panels(
            found.task_set,
            "lesson-panels",
            f"The candidates: {text.listed(left, 5)}",
            seen.dark,
            left,
            line,
            "the line so far",
        ),
        Question(ask, tuple(f"Task {name}" for name in left), left.index(step.chosen.task), _why(step)),
        reveal=lambda: pictures.bars(
            step,
            {name: f"Task {name}" for name in left},
            f"lesson-bars-{number}",
            "The shortest bar is taken",
            seen.dark,
        ),
    )


def _why(step: Step) -> str:
    chosen, other = step.chosen, step.runner_up
    assert other is not None
    start = "" if chosen.source is None else f", started from {bold(chosen.source)}"
    return (
        f"The learner takes {bold(chosen.task)}{start}. Its bar is the shortest: the orange part says how badly the "
        "points fit after learning, the blue part how far the line had to be changed. Together "
        f"{chosen.criterion:.3f}; the next best, {bold(other.task)}, would cost {other.criterion:.3f}."
    )


def _decides(seen: Seen, found: Tried) -> Screen:
    order, lines, title = found.first(ONE).order, found.first(ONE).weights, "Every task with its line"
    return Screen(
        "What decides",
        f"The whole order was {chain(order)}. You have now seen three choices, and three pictures of bars. Every bar "
        "has two parts, and the learner always took the shortest bar.",
        lambda: pictures.panels(found.task_set, "lesson-panels", title, seen.dark, order, lines, "learned"),
        Question(
            "What makes a task come next?",
            (
                "It has the most points",
                "It can be fitted well, and the line has to change little",
                "It is the hardest one that is left",
            ),
            1,
            "Both parts count. The **error term** is small when the points are well separated after learning; the "
            "**complexity term** is small when the weights, which are the line, moved little from where they started. "
            "Their sum is the **criterion**, and the learner that always takes the least is called **SeqMT**.",
        ),
        then="On other draws of these tasks it is the same story: SeqMT follows the turning line from the widest gap "
        "to the narrowest in 20 of 20 draws.",
    )


LESSON = Lesson(
    "Guess the next task",
    "Five tasks in the plane. Which would you learn first, and which after that?",
    (Trial(CHAIN, C, {ONE: "seqmt"}, draws=1, names=NAMES),),
    (*(partial(_guess, number=number) for number in (1, 2, 3)), _decides),
    "step",
    C,
)
