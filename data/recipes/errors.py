"""What is wrong with a mapping, and which part of it to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.errors import CurriculabError
from data.limits import FormatError

Part = Literal["recipe", "task", "label", "features", "missing", "test"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why no tasks come of a recipe, in a sentence, and the part of the mapping that would change it."""

    part: Part
    sentence: str


class RecipeError(CurriculabError):
    """A recipe that does not fit its table."""

    def __init__(self, part: Part, sentence: str) -> None:
        super().__init__(sentence)
        self.problem = Problem(part, sentence)


class NoTableError(FormatError):
    """A file that holds no table at all: what is wrong with it as a task set says more."""
