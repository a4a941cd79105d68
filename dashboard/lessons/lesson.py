"""What a lesson is made of: trials on fresh draws, and screens with one idea, a question and a computed answer.

One module per lesson: its trials compute what it speaks of, one function per screen tells it.
Words are Markdown of our own; whatever comes from data is escaped where it is put in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

import numpy as np

from core.curriculum.learn import Learned, Problem
from core.fitting.cross_validation import Progress
from core.orders.all_orders import Orders, every_order
from core.orders.orders_by_draw import OrdersByDraw
from core.task_set import TaskSet
from dashboard import text
from dashboard.figures.by_draw import Draws
from dashboard.figures.plot import Picture
from data.sources import catalogue

DRAWS = 20
"""Draws over which the lessons' claims are counted."""
CHAIN = "plane-rotation?tasks=5"
"""The turning line of lesson 1: five tasks in a row, each a neighbour of the next."""
LOWEST = "lowest"
"""Stands among the methods for the order of the lowest bound on each draw."""
ALONE, ONE, SEVERAL, FOREST = "Each alone", "One sequence (SeqMT)", "Subsequences (MultiSeqMT)", "Forest (TreeMT)"
"""Ways of learning, by their names in figures."""
NONE = "-"
"""Stands in the link for a question that is not answered yet."""
LETTERS = "abcdefgh"
C_GRID = (0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)
"""The places of the slider for C."""
Tool = Literal["", "C", "arrange"]


@dataclass(frozen=True, slots=True)
class Trial:
    """What to compute on every draw of a set at one C: methods by their names in figures, and perhaps all orders.

    `share` is the percentage of the lesson's time that it takes. With `names`, the tasks are called by these instead,
    and stand in their order.
    """

    task_set: str
    C: float
    methods: Mapping[str, str]
    orders: bool = False
    draws: int = DRAWS
    share: int = 100
    names: tuple[str, ...] = ()

    def run(self, progress: Progress, begun: int = 0) -> Tried:
        """Compute it; `begun` is the percentage of the lesson's time that is over before."""
        drawn = [self._draw(seed) for seed in range(self.draws)]
        learned: dict[str, list[Learned]] = {name: [] for name in self.methods}
        walked: list[Orders] = []
        for seed, task_set in enumerate(drawn):
            problem = Problem(task_set, seed=seed)
            if self.orders:  # the test points of the draw that is shown tell how sure its cloud of orders is
                walked.append(every_order(task_set, C=self.C, seed=seed, points=seed == 0))
            for name, method in self.methods.items():
                order = walked[-1].named(walked[-1].best_by_bound) if method == LOWEST else None
                learned[name].append(problem.learn("order" if order else method, self.C, order=order))
            progress(begun + self.share * (seed + 1) // self.draws, 100)
        return Tried(drawn[0], learned, OrdersByDraw(tuple(walked), {}))

    def _draw(self, seed: int) -> TaskSet:
        drawn = catalogue.load(self.task_set, seed)
        if not self.names:
            return drawn
        tasks = [replace(task, name=name) for task, name in zip(drawn.tasks, self.names, strict=True)]
        order = tuple(sorted(tasks, key=lambda task: task.name))
        return replace(drawn, tasks=order, semantic_order=None, groups=None)


@dataclass(frozen=True, eq=False, slots=True)
class Tried:
    """The draw that is shown, what was learned on each draw from seed 0 up, and all orders, where asked for."""

    task_set: TaskSet
    learned: Mapping[str, Sequence[Learned]]
    over: OrdersByDraw

    def first(self, name: str) -> Learned:
        """On the draw that is shown."""
        return self.learned[name][0]

    def errors(self, *names: str) -> Draws:
        """Mean test errors in per cent, of all ways of learning if none is named."""
        return self._values(lambda one: 100.0 * (one.mean_test_error or 0.0), "mean test error (%)", names)

    def bounds(self) -> Draws:
        """Bounds of Theorem 1."""
        return self._values(lambda one: one.bound.value if one.bound else np.nan, "bound (Theorem 1)")

    def criteria(self) -> Draws:
        """Means of the chosen criteria: two structures compare by them, as their bounds pay different prices."""
        quantity = "mean criterion of the chosen steps"
        return self._values(lambda one: one.bound.error + one.bound.complexity if one.bound else np.nan, quantity)

    def _values(self, value: Callable[[Learned], float], quantity: str, names: Sequence[str] = ()) -> Draws:
        return Draws({name: np.array([*map(value, self.learned[name])]) for name in names or self.learned}, quantity)

    def same_sources(self, first: str, second: str) -> int:
        """On how many draws two ways learn every task from the same source."""
        return sum(a.sources == b.sources for a, b in zip(self.learned[first], self.learned[second], strict=True))


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


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "–" if share is None else text.percent(share)


def bold(name: str) -> str:
    """A name from data inside a sentence."""
    return f"**{text.md(text.short(name))}**"


def chain(names: Sequence[str]) -> str:
    """An order inside a sentence."""
    return " → ".join(text.md(text.short(name)) for name in names)


def of_draws(count: int) -> str:
    """'in 18 of 20 draws'."""
    return f"in {count} of {DRAWS} draws"


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
