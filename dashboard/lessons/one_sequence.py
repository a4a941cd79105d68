"""Lesson 4, when one sequence hurts: ten attributes, of which some have nothing to do with each other."""

from __future__ import annotations

from dashboard import theme
from dashboard.figures import by_draw, pictures, tasks
from dashboard.figures.plot import Picture
from dashboard.lessons.lesson import (
    ALONE,
    CHAIN,
    ONE,
    SEVERAL,
    Lesson,
    Question,
    Screen,
    Seen,
    Trial,
    Tried,
    bold,
    of_draws,
    percent,
)

SET, C = "shoes-like?test=60", 100.0
METHODS = {ALONE: "indsvm", ONE: "seqmt", SEVERAL: "multiseqmt"}


def _hurts(seen: Seen, found: Tried, _: Tried) -> Screen:
    errors = found.errors(ALONE, ONE)
    worse = errors.lower(ALONE, ONE)
    return Screen(
        "Ten tasks, one sequence",
        "Ten tasks about shoes, of a made-up set with the relations of a real one: is this one shiny? formal? "
        "sporty? Some are related, as formal shoes are often shiny; some are not. In **one sequence** every task "
        "starts from the weights of the task before it, whether that helps or not. The other way is to learn **each "
        "alone**, from nothing.",
        lambda: _alone(found, seen.dark),
        Question(
            "Which makes fewer mistakes on these ten?",
            ("One sequence", "Each alone", "They are about equal"),
            1 if worse >= 15 else 0 if worse <= 5 else 2,
            f"Each alone: {errors.means[ALONE]:.1f}\u00a0% of the test points are wrong, in one sequence "
            f"{errors.means[ONE]:.1f}\u00a0%. The sequence is worse {of_draws(worse)}. A start that points the wrong "
            "way has to be unlearned, and with few points it is not.",
        ),
        reveal=lambda: by_draw.picture(errors, "lesson-hurts", "One sequence against each alone", seen.dark),
    )


def _repairs(seen: Seen, found: Tried, _: Tried) -> Screen:
    errors, several = found.errors(), found.first(SEVERAL)
    count = list(several.sources.values()).count(None)
    repaired, over_alone = errors.lower(SEVERAL, ONE), errors.lower(ALONE, SEVERAL)
    return Screen(
        "Let it begin again",
        "Now the learner may also **begin anew**: each step either continues one of the open sequences or starts "
        f"another from nothing, whichever has the lower criterion. This learner is {bold('MultiSeqMT')}, its pieces "
        "are called **subsequences**.",
        lambda: by_draw.picture(found.errors(ALONE, ONE), "lesson-hurts", "One sequence against each alone", seen.dark),
        Question(
            "How many subsequences will it make of the ten tasks?",
            ("One", "Two or three", "Four or more"),
            0 if count == 1 else 1 if count <= 3 else 2,
            f"{count} on this draw. Its test error falls to {errors.means[SEVERAL]:.1f}\u00a0% on average, "
            f"below that of one sequence {of_draws(repaired)}. It still is a little above learning each alone "
            f"({of_draws(over_alone)}): these tasks have little to give to each other.",
        ),
        reveal=lambda: pictures.lanes(found.task_set, several, "lesson-lanes", seen.dark),
    )


def _opposite(seen: Seen, found: Tried, turning: Tried) -> Screen:
    same = turning.same_sources(SEVERAL, ONE)
    return Screen(
        "What would have to be true for the opposite?",
        "Suppose every task were a near neighbour of the one before, as the turning line of lesson 1. The learner "
        "may still begin anew whenever that is cheaper.",
        lambda: by_draw.picture(found.errors(), "lesson-three", "Three ways to learn the ten tasks", seen.dark),
        Question(
            "What does MultiSeqMT do with the turning line?",
            (
                "It still makes several subsequences",
                "It makes one sequence, exactly that of SeqMT",
                "It learns each task alone",
            ),
            1 if same >= 15 else 0,
            f"It makes the very same sequence as SeqMT {of_draws(same)}. Nobody has to say beforehand whether the "
            "tasks belong together.",
        ),
        reveal=lambda: pictures.lanes(turning.task_set, turning.first(SEVERAL), "lesson-chain", seen.dark),
        then="**One sequence is right** if each task has a neighbour that is still ahead; **it hurts** where a task "
        "must follow one that it has nothing to do with, and its own points are too few to forget it.",
    )


def _alone(found: Tried, dark: bool) -> Picture:
    rows = tasks.difficulty(found.task_set, found.first(ALONE))
    return Picture(
        tasks.difficulty_figure(rows, theme.task_colours(found.task_set.names, found.task_set.groups), dark),
        "lesson-alone",
        "How hard each of the ten is alone",
        "Test error of each task learned from nothing, on the draw that is shown.",
        "Test errors: " + ", ".join(f"{n} {percent(v)}" for n, v in zip(rows.names, rows.values, strict=True)),
        tasks.difficulty_table(rows),
    )


LESSON = Lesson(
    "When one sequence hurts",
    "Ten tasks, some of which have nothing to do with each other. Must they all stand in one line?",
    (Trial(SET, C, METHODS, share=90), Trial(CHAIN, C, METHODS, share=10)),
    (_hurts, _repairs, _opposite),
    "subsequences",
    C,
    "multiseqmt",
)
