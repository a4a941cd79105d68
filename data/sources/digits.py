"""The 8 x 8 digits that scikit-learn brings along, and a source that turns them."""

from __future__ import annotations

from functools import cache, partial

import numpy as np

from core.errors import CurriculabError
from core.task_set import Task, TaskSet
from data.sources.collection import Collection, Images, bundled
from data.sources.sampling import Pools, labels
from data.sources.source import BuiltIn, Knob, Sizes

ROTATED_SIZES = Sizes(24, 10)
ROTATED_PAIR = (1, 7)


@cache
def images() -> Images:
    """All images as rows of 64 grey values in 0 ... 16, and the digit that each shows.

    They are read from scikit-learn's file: importing its `load_digits` takes longer than all the rest of a start.
    """
    table = np.loadtxt(bundled("sklearn", "datasets/data/digits.csv.gz"), delimiter=",")
    X = np.ascontiguousarray(table[:, :-1])
    X.setflags(write=False)
    return X, table[:, -1].astype(np.int64)


DIGITS = Collection(
    name="digits",
    images=images,
    brightest=16.0,
    image_shape=(8, 8),
    kind_of_images="8 x 8 images",
    licence="CC BY 4.0",
    origin="Optical Recognition of Handwritten Digits (Alpaydin & Kaynak, UCI, doi:10.24432/C50P49), "
    "the 1,797 images bundled with scikit-learn",
    level_C=1.0,
    level_sizes=Sizes(18, 10),
    digit_sizes=Sizes(18, 10),
    attribute_sizes=Sizes(25, 40),
)


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
            rotate(X[part].reshape(-1, *DIGITS.image_shape), k * angle, axes=(2, 1), reshape=False, order=1).reshape(
                -1, 64
            )
            for part in parts
        ]
        made.append(Task(name, turned[0], labels(sizes.train), turned[1], labels(sizes.test)))
    order = tuple(task.name for task in made)
    return TaskSet("digits-rotated", tuple(made), order, image_shape=DIGITS.image_shape)


def rotated_source(pair: tuple[int, int] = ROTATED_PAIR) -> BuiltIn:
    """`digits-rotated`, or `digits-rotated:A-B` for another pair of digits."""
    if len(set(pair)) < 2 or not all(0 <= digit <= 9 for digit in pair):
        raise CurriculabError(f"digits-rotated needs two different digits from 0 to 9, not {pair[0]} and {pair[1]}")
    return BuiltIn(
        name="digits-rotated" if pair == ROTATED_PAIR else f"digits-rotated:{pair[0]}-{pair[1]}",
        story=f"{pair[0]} against {pair[1]}, turned further in every task: "
        "a chain that everybody can see and that SeqMT mostly follows.",
        kind="real",
        licence=DIGITS.licence,
        origin=DIGITS.origin,
        draw=partial(draw_rotated, pair=pair),
        sizes=ROTATED_SIZES,
        tasks=5,
        semantic_order="by angle",
        image_shape=DIGITS.image_shape,
        own_knobs=(
            Knob("angle", "angle", 20.0, 0.0, 45.0, 5.0, "degrees from one task to the next"),
            Knob("tasks", "tasks", 5, 2, 8, 1, "how many angles"),
        ),
    )


if __name__ == "__main__":
    DIGITS.write_levels()
