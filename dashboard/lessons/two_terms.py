"""Lesson 3, what the two terms trade off: a slider for C, and the C at which the first choice flips."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.curriculum.steps import Step
from dashboard import text
from dashboard.figures import images, pictures
from dashboard.figures.plot import Picture
from dashboard.lessons.lesson import C_GRID, ONE, Lesson, Question, Screen, Seen, Trial, Tried, bold
from data.sources.catalogue import STORY_C, STORY_SET

LOW, HIGH = C_GRID[0], C_GRID[-1]


def first_step(found: Sequence[Tried], C: float) -> Step:
    """What SeqMT takes first at a C of the slider: there is one trial for each."""
    return found[C_GRID.index(C)].first(ONE).steps[0]


def flips(found: Sequence[Tried]) -> list[float]:
    """The Cs whose first choice is another than that of the largest C."""
    return [C for C in C_GRID if first_step(found, C).chosen.task != first_step(found, HIGH).chosen.task]


def _terms(seen: Seen, *found: Tried) -> Screen:
    step = first_step(found, seen.C)
    most = max(step.candidates, key=lambda one: one.complexity_term)
    return Screen(
        "Two terms",
        "The five tasks of lesson 2 again, none of them learned yet. A bar has two parts. The orange **error term** "
        "asks: after learning this task, how badly are its own points separated? The blue **complexity term** asks: "
        "how far did the weights have to move to get there? It is the squared distance, scaled by the number of "
        "points.",
        lambda: _bars(found, seen),
        Question(
            "A task has a long blue part. What does that say?",
            (
                "Its images are drawn in more detail",
                "Its weights had to move far from where they started",
                "It makes many mistakes on its own points",
            ),
            1,
            f"Blue is distance. The longest here is {bold(most.task)}'s, {most.complexity_term:.3f}: to separate its "
            "points, its weights went furthest from zero, where everything starts. Orange is how badly its points "
            "are separated.",
        ),
    )


def _grows(seen: Seen, *found: Tried) -> Screen:
    low, high = (first_step(found, C).chosen for C in (LOW, HIGH))
    return Screen(
        "C, how much a mistake costs",
        "While a task is learned, two wishes compete: few mistakes on its points, and weights that stay near the "
        "start. **C** is the price of a mistake. Make your prediction first, then play with the slider.",
        lambda: _bars(found, seen),
        Question(
            "Make C larger. What happens to the bars?",
            (
                "Both parts grow",
                "The orange part shrinks and the blue part grows",
                "The orange part grows and the blue part shrinks",
                "Nothing: C is not in the criterion",
            ),
            1,
            f"With C = {LOW:g} the weights hardly move: error term {low.error_term:.3f}, complexity term "
            f"{low.complexity_term:.3f} for {bold(low.task)}. With C = {HIGH:g} they go as far as it takes: "
            f"{high.error_term:.3f} and {high.complexity_term:.3f} for {bold(high.task)}.",
        ),
        "C",
        then="C itself is not in the criterion, but the weights that it leads to are. The two terms pay for each "
        "other.",
    )


def _flip(seen: Seen, *found: Tried) -> Screen:
    flipped, usual = flips(found), first_step(found, HIGH).chosen.task
    here = f"At C = {seen.C:g} the first choice is {bold(first_step(found, seen.C).chosen.task)}."
    here += " **You found a C where it flips.**" if seen.C in flipped else ""
    return Screen(
        "Find the flip",
        f"With a large C, {HIGH:g}, the learner begins with {bold(usual)}. Move the slider and watch the "
        f"star: is there a C for which it begins with another task? {here}",
        lambda: _bars(found, seen),
        Question(
            "Can the price of a mistake change which task comes first?",
            ("Yes", "No, easy tasks are always first"),
            0 if flipped else 1,
            _why_flip(first_step(found, flipped[-1]), flipped[-1], usual) if flipped else "On this draw it never does.",
        ),
        "C",
        then="On 20 fresh draws of these tasks the first choice flips somewhere on the slider in 20 of 20. So a "
        "learner that compares tasks should use one C for all of them, or it compares unlike things.",
    )


def _why_flip(step: Step, C: float, usual: str) -> str:
    chosen, other = step.chosen, next(one for one in step.candidates if one.task == usual)
    return (
        f"At C = {C:g} it is {bold(chosen.task)} that comes first: complexity term {chosen.complexity_term:.3f} "
        f"against {other.complexity_term:.3f} for {bold(other.task)}. Its weights moved little because it was hardly "
        f"learned: its error term is still {chosen.error_term:.3f}, close to ½, which is that of no weights at all. "
        "With a large C every task is separated, the orange parts are alike, and the blue part tells which was easy "
        "to separate."
    )


def _weights(seen: Seen, *found: Tried) -> Screen:
    step = first_step(found, STORY_C)
    by_error = min(step.candidates, key=lambda one: one.error_term)
    by_complexity = min(step.candidates, key=lambda one: one.complexity_term)
    return Screen(
        "The weights behind the bars",
        "The weights of the task that comes first, as an image: blue pixels speak for the digit, orange ones against "
        "it. The complexity term is the squared length of the change. Move the slider once more and see it grow.",
        lambda: _images(found, seen),
        Question(
            "Which task does SeqMT take?",
            (
                "The one with the least error term",
                "The one with the least complexity term",
                "The one with the least sum of both",
            ),
            2,
            f"With C = {STORY_C:g}, the error term alone would choose {bold(by_error.task)}, the complexity term alone "
            f"{bold(by_complexity.task)}, and their sum chooses {bold(step.chosen.task)}.",
        ),
        "C",
        then="**Both terms, once more:** the error term is how badly the points fit after learning, the complexity "
        "term how far the weights moved from their start. What is learned far from its start may fit chance details "
        "of a few points; that is why distance counts.",
    )


def _bars(found: Sequence[Tried], seen: Seen) -> Picture:
    step = first_step(found, seen.C)
    labels = text.shorts(found[0].task_set.names)
    title = f"The first choice at C = {seen.C:g}: {labels[step.chosen.task]}"
    return pictures.bars(step, labels, "lesson-terms", title, seen.dark)


def _images(found: Sequence[Tried], seen: Seen) -> Picture:
    chosen, bias, shape = first_step(found, seen.C).chosen, found[0].task_set.bias, found[0].task_set.image_shape
    assert shape is not None
    most = max(images.largest_weight(first_step(found, C).chosen, bias) for C in C_GRID)
    squared = float(np.sum((chosen.weights - chosen.source_weights) ** 2))
    return Picture(
        images.weights_beside(
            {f"squared length {squared:.2f}": images.weight_parts(chosen, bias)[2]}, shape, seen.dark, most
        ),
        "lesson-weights",
        f"Weights of {chosen.task} at C = {seen.C:g}",
        "One pixel per weight. The colours have the same scale for every C, so that pale means small. All start at "
        "zero, so the weights are also the change.",
        f"Image of the weights of {chosen.task}, of squared length {squared:.2f}.",
        images.weight_table(chosen, bias),
    )


LESSON = Lesson(
    "What the two terms trade off",
    "A slider for the price of a mistake. Find the price at which the learner changes its mind.",
    tuple(Trial(STORY_SET, C, {ONE: "seqmt"}, draws=1, share=16) for C in C_GRID),
    (_terms, _grows, _flip, _weights),
    "step",
    STORY_C,
)
