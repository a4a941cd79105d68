"""What a lesson is made of: its trials, and screens with one idea, a figure or two, a question and a computed answer.

One module per lesson: its trials compute what it speaks of, one function per screen tells it.
Words are Markdown of our own; whatever comes from data is escaped where it is put in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from core.fitting.cross_validation import Progress
from dashboard.figures.plot import Picture
from dashboard.lessons.trial import Trial, Tried

NONE = "-"
"""Stands in the link for a question that is not answered yet."""
LETTERS = "abcdefgh"
C_GRID = (0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)
"""The places of the slider for C."""
Tool = Literal["", "C", "arrange"]


@dataclass(frozen=True, slots=True)
class Question:
    """Something to predict: the choices, which of them holds, and what is said once somebody has guessed."""

    asked: str
    choices: tuple[str, ...]
    right: int
    told: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What the reader has set: the C of the slider, their own order, the theme."""

    C: float = 1000.0
    order: tuple[str, ...] = ()
    dark: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Screen:
    """One idea: a title, a few sentences, a figure, a question, and perhaps a tool to play with.

    `reveal` is the figure and `then` the words that come with the answer.
    """

    title: str
    words: str
    picture: Callable[[], Picture]
    question: Question
    tool: Tool = ""
    reveal: Callable[[], Picture] | None = None
    then: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Lesson:
    """A short sequence of screens: `parts` make them of what the reader has set and of what the trials found.

    `page` is where to go on with the same set, at this `C` and with the `method` if one is named.
    """

    title: str
    about: str
    trials: tuple[Trial, ...]
    parts: tuple[Callable[..., Screen], ...]
    page: str
    C: float
    method: str = ""

    def study(self, progress: Progress) -> tuple[Tried, ...]:
        """What the screens speak of."""
        begins = accumulate((trial.share for trial in self.trials), initial=0)
        return tuple(trial.run(progress, begun) for trial, begun in zip(self.trials, begins, strict=False))

    def screens(self, found: Sequence[Tried], seen: Seen) -> tuple[Screen, ...]:
        """All screens, for a reader who has set this."""
        return tuple(part(seen, *found) for part in self.parts)

    @property
    def task_set(self) -> str:
        """The set that the lesson speaks of."""
        return self.trials[0].task_set

    @property
    def link(self) -> dict[str, str]:
        """What the page to go on to is asked for."""
        return {"set": self.task_set, "C": f"{self.C:g}"} | ({"method": self.method} if self.method else {})


def with_guess(guesses: str, screen: int, choice: int | None) -> str:
    """The guesses of a link with one more, or with one taken back."""
    padded = list(guesses.ljust(screen, NONE))
    padded[screen - 1] = NONE if choice is None else LETTERS[choice]
    return "".join(padded).rstrip(NONE)


def answers(guesses: str, screens: Sequence[Screen]) -> list[int | None]:
    """The choice at every screen in a link; None where there is none, or none that fits the question."""
    known = [LETTERS[: len(screen.question.choices)] for screen in screens]
    letters = guesses.ljust(len(screens), NONE)
    return [fit.index(letter) if letter in fit else None for letter, fit in zip(letters, known, strict=False)]


def score(made: Sequence[int | None], screens: Sequence[Screen]) -> tuple[int, int]:
    """How many guesses were right, and how many were made."""
    right = sum(choice == screen.question.right for choice, screen in zip(made, screens, strict=True))
    return right, sum(choice is not None for choice in made)


def open_choices(made: Sequence[int | None], screens: Sequence[Screen]) -> list[int]:
    """How many choices each screen's question has; 0 where it is answered."""
    asked = zip(made, screens, strict=True)
    return [len(screen.question.choices) if choice is None else 0 for choice, screen in asked]
