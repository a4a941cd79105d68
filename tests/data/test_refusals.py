"""Odd files: what is refused, in whose name, and what is read all the same."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from data import files, limits
from data.archives import formats
from data.limits import FormatError


def test_what_does_not_fit_into_memory_is_said_of_the_file() -> None:
    def hungry() -> None:
        raise MemoryError

    with pytest.raises(FormatError, match=r"^mine\.csv needs more memory than there is; take fewer rows or features$"):
        files.guarded("mine.csv", "CSV", hungry)


def test_records_and_arrays_of_arrays_are_no_numbers() -> None:
    for odd in (np.zeros(4, dtype=[("a", "f8"), ("b", "f8")]), np.zeros(4, dtype=[("a", "f8", (2,))])):
        buffer = io.BytesIO()
        np.savez(buffer, **{"t/X": odd, "t/y": np.array([0, 1, 0, 1])})
        with pytest.raises(FormatError, match="save plain numbers"):
            formats.read(buffer.getvalue(), "odd.npz")


def test_a_parquet_file_that_is_too_large_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO()
    pd.DataFrame({"task": ["a"] * 4, "label": [0, 1, 0, 1], "x": np.arange(4.0)}).to_parquet(buffer)
    with limits.at_most(3), pytest.raises(FormatError, match=r"large\.parquet"):
        formats.read(buffer.getvalue(), "large.parquet")


def test_a_blank_after_a_comma_changes_no_number() -> None:
    commas = "task,label,x\n" + "".join(f"a, {k % 2}, {k}.5\n" for k in range(4))
    np.testing.assert_array_equal(formats.read(commas.encode(), "c.csv").task_set["a"].X.ravel(), [0.5, 1.5, 2.5, 3.5])


def test_labels_with_decimal_commas_are_numbers_too() -> None:
    rows = "".join(f"a;{label};{k},25\n" for k, label in enumerate(("9,5", "10,5") * 3))
    reading = formats.read(f"task;label;x\n{rows}".encode(), "comma.csv")
    task = reading.task_set["a"]
    np.testing.assert_array_equal(task.y, [-1.0, 1.0] * 3)  # as text, 9,5 would be the greater
    np.testing.assert_array_equal(task.X.ravel(), np.arange(6) + 0.25)
