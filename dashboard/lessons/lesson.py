"""What a lesson is made of: screens, each with one idea, perhaps one figure and one question with a computed answer.

One module per lesson: its `study` computes what the lesson speaks of, one function per screen tells it.
Words are Markdown of our own; whatever comes from data is escaped where it is put in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from core.fitting.cross_validation import Progress
from core.task_set import TaskSet

NONE = "-"
"""Stands in the link for a question that is not answered yet."""
LETTERS = "abcdefgh"
C_GRID = (0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)
"""The places of the slider for C."""
Tool = Literal["", "C", "arrange"]


@dataclass(frozen=True, slots=True)
class Question:
    """Something to predict: the choices, which of them hold, and what is said once somebody has guessed."""

    asked: str
    choices: tuple[str, ...]
    right: int
    told: str


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """One figure with the words that belong to it."""

    chart: go.Figure
    key: str
    title: str
    read: str
    alt: str
    table: pd.DataFrame | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What the reader has done: the guesses of this lesson by screen, the C of the slider, their own order."""

    guesses: str = ""
    C: float = 1000.0
    order: tuple[str, ...] = ()
    dark: bool = False

    def guess(self, screen: int) -> int | None:
        """The choice at a screen, counted from 1; None while there is none."""
        letter = self.guesses[screen - 1 : screen]
        return LETTERS.index(letter) if letter and letter in LETTERS else None


@dataclass(frozen=True, eq=False, slots=True)
class Screen:
    """One idea: a title, a few sentences, a figure, perhaps a tool to play with and a question.

    `reveal` is the figure and `then` the words that come with the answer, or at once where nothing is asked.
    """

    title: str
    words: str
    picture: Callable[[], Picture]
    question: Question | None = None
    tool: Tool = ""
    reveal: Callable[[], Picture] | None = None
    then: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Lesson:
    """A short sequence of screens on one built-in set at one C.

    `study` computes what the screens speak of, `parts` make them of it; `page` is where to go on, `method` with what.
    """

    title: str
    about: str
    task_set: str
    C: float
    study: Callable[[TaskSet, Progress], Any]
    parts: tuple[Callable[[Any, Seen], Screen], ...]
    page: str
    method: str = ""

    def screens(self, study: Any, seen: Seen) -> tuple[Screen, ...]:
        """All screens, for a reader who has done this."""
        return tuple(part(study, seen) for part in self.parts)

    @property
    def link(self) -> dict[str, str]:
        """What the page to go on to is asked for."""
        return {"set": self.task_set, "C": f"{self.C:g}"} | ({"method": self.method} if self.method else {})


def with_guess(guesses: str, screen: int, choice: int | None) -> str:
    """The guesses with one more, or with one taken back."""
    padded = list(guesses.ljust(screen, NONE))
    padded[screen - 1] = NONE if choice is None else LETTERS[choice]
    return "".join(padded).rstrip(NONE)


def checked(guesses: str, screens: tuple[Screen, ...]) -> str:
    """The guesses of a link, without those that fit no question."""
    kept = []
    for letter, screen in zip(guesses, screens, strict=False):
        fits = screen.question is not None and letter in LETTERS[: len(screen.question.choices)]
        kept.append(letter if fits else NONE)
    return "".join(kept).rstrip(NONE)


def score(guesses: str, screens: tuple[Screen, ...]) -> tuple[int, int]:
    """How many guesses were right, and how many were made."""
    asked = [(Seen(guesses).guess(k), screen.question) for k, screen in enumerate(screens, start=1)]
    made = [(guess, question) for guess, question in asked if guess is not None and question is not None]
    return sum(guess == question.right for guess, question in made), len(made)


def open_choices(guesses: str, screens: tuple[Screen, ...]) -> list[int]:
    """How many choices each screen's question has; 0 where it is answered, or nothing is asked."""
    asked = [(Seen(guesses).guess(k), screen.question) for k, screen in enumerate(screens, start=1)]
    return [0 if question is None or guess is not None else len(question.choices) for guess, question in asked]
