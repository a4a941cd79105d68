"""Sources made of scikit-learn's bundled 8 x 8 digits: levels, attributes and rotations."""

from __future__ import annotations

from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from core.errors import CurriculabError
from core.tasks import FloatArray, Task, TaskSet
from data.sets.attributes import DIGIT_ATTRIBUTES, attribute_tasks
from data.sets.drawing import Pools, labels
from data.sets.levels import (
    LEVELS,
    LEVELS_NOTE,
    IntArray,
    difficulty_levels,
    easiest_first,
    groups_by_class,
    level_tasks,
)
from data.sets.source import Knob, Sizes, Source

LICENCE = "CC BY 4.0"
ORIGIN = (
    "Optical Recognition of Handwritten Digits (Alpaydin & Kaynak, UCI, doi:10.24432/C50P49), "
    "the 1,797 images bundled with scikit-learn"
)
IMAGE_SHAPE = (8, 8)
LEVEL_DIGITS = (1, 3, 8)
LEVEL_SIZES = Sizes(18, 10)
ATTRIBUTE_SIZES = Sizes(25, 40)
ROTATED_SIZES = Sizes(24, 10)
ROTATED_PAIR = (1, 7)
LEVELS_FILE = Path(__file__).parent / "digits-levels.txt"


@cache
def images() -> tuple[FloatArray, IntArray]:
    """All images as rows of 64 grey values in 0 ... 16, and the digit that each shows.

    They are read from scikit-learn's file: importing its `load_digits` takes longer than all the rest of a start.
    """
    scikit_learn = find_spec("sklearn")
    assert scikit_learn is not None
    assert scikit_learn.submodule_search_locations is not None
    table = np.loadtxt(Path(scikit_learn.submodule_search_locations[0], "datasets/data/digits.csv.gz"), delimiter=",")
    X = np.ascontiguousarray(table[:, :-1])
    X.setflags(write=False)
    return X, table[:, -1].astype(np.int64)


@cache
def image_levels() -> IntArray:
    """The difficulty level of every image, as `computed_levels` found them."""
    return np.array([int(level) for level in LEVELS_FILE.read_text(encoding="ascii").replace("\n", "")])


def computed_levels() -> IntArray:
    """The levels from the images; `python -m data.sets.digits` writes them into the file, which spares a start this."""
    X, digit = images()
    return difficulty_levels(X / 16.0, digit)


def draw_levels(seed: int, sizes: Sizes, chosen: tuple[int, ...]) -> TaskSet:
    """Five tasks for each chosen digit, easiest to hardest."""
    X, digit = images()
    tasks = level_tasks(np.random.default_rng(seed), X, digit, image_levels(), chosen, sizes)
    groups = groups_by_class(chosen) if len(chosen) > 1 else None
    return TaskSet("digits-levels", tasks, easiest_first(chosen), groups, IMAGE_SHAPE)


def draw_attributes(seed: int, sizes: Sizes) -> TaskSet:
    """Ten tasks, one for each attribute of digits."""
    X, digit = images()
    tasks = attribute_tasks(np.random.default_rng(seed), X, digit, sizes)
    return TaskSet("digits-attributes", tasks, image_shape=IMAGE_SHAPE)


def draw_rotated(seed: int, sizes: Sizes, pair: tuple[int, int], angle: float, tasks: int) -> TaskSet:
    """The first digit of the pair against the second, turned by `angle` degrees more in every task."""
    from scipy.ndimage import rotate

    X, digit = images()
    pools = Pools(np.random.default_rng(seed), digit.tolist())
    made = []
    for k in range(int(tasks)):
        name = f"{k * angle:g} degrees"
        parts = [np.concatenate([pools.take([d], count, name) for d in pair]) for count in sizes]
        turned = [
            rotate(X[part].reshape(-1, *IMAGE_SHAPE), k * angle, axes=(2, 1), reshape=False, order=1).reshape(-1, 64)
            for part in parts
        ]
        made.append(Task(name, turned[0], labels(sizes.train), turned[1], labels(sizes.test)))
    order = tuple(task.name for task in made)
    return TaskSet("digits-rotated", tuple(made), order, image_shape=IMAGE_SHAPE)


def levels_source(digit: int | None = None) -> Source:
    """`digits-levels`, or `digits-levels:D` with one digit's five levels."""
    chosen = LEVEL_DIGITS if digit is None else (digit,)
    story = (
        "The digits 1, 3 and 8 at five levels of difficulty each: one sequence mixes the digits up, "
        "subsequences find a chain per digit."
        if digit is None
        else f"The digit {digit} at five levels of difficulty: few enough tasks to try all 120 orders."
    )
    return Source(
        name="digits-levels" if digit is None else f"digits-levels:{digit}",
        story=story,
        kind="real",
        licence=LICENCE,
        origin=ORIGIN,
        draw=partial(draw_levels, chosen=chosen),
        sizes=LEVEL_SIZES,
        tasks=len(chosen) * len(LEVELS),
        note=LEVELS_NOTE,
        semantic_order="easiest to hardest, by a machine",
        groups="the digit" if digit is None else "",
        image_shape=IMAGE_SHAPE,
    )


def attributes_source() -> Source:
    """`digits-attributes`."""
    return Source(
        name="digits-attributes",
        story="Ten attributes of digits, from 'even' to 'round below': "
        "one sequence through all of them hurts, subsequences do not.",
        kind="real",
        licence=LICENCE,
        origin=ORIGIN,
        draw=draw_attributes,
        sizes=ATTRIBUTE_SIZES,
        tasks=len(DIGIT_ATTRIBUTES),
        image_shape=IMAGE_SHAPE,
    )


def rotated_source(pair: tuple[int, int] = ROTATED_PAIR) -> Source:
    """`digits-rotated`, or `digits-rotated:A-B` for another pair of digits."""
    if len(set(pair)) < 2 or not all(0 <= digit <= 9 for digit in pair):
        raise CurriculabError(f"digits-rotated needs two different digits from 0 to 9, not {pair[0]} and {pair[1]}")
    return Source(
        name="digits-rotated" if pair == ROTATED_PAIR else f"digits-rotated:{pair[0]}-{pair[1]}",
        story=f"{pair[0]} against {pair[1]}, turned further in every task: "
        "a chain that everybody can see and that SeqMT mostly follows.",
        kind="real",
        licence=LICENCE,
        origin=ORIGIN,
        draw=partial(draw_rotated, pair=pair),
        sizes=ROTATED_SIZES,
        tasks=5,
        semantic_order="by angle",
        image_shape=IMAGE_SHAPE,
        own_knobs=(
            Knob("angle", "angle", 20.0, 0.0, 45.0, 5.0, "degrees from one task to the next"),
            Knob("tasks", "tasks", 5, 2, 8, 1, "how many angles"),
        ),
    )


if __name__ == "__main__":
    levels = "".join(str(level) for level in computed_levels())
    lines = [levels[k : k + 100] for k in range(0, len(levels), 100)]
    LEVELS_FILE.write_text("\n".join(lines) + "\n", encoding="ascii")
