"""A run that is shipped, to be looked at before one has computed any: the set of the first lesson, with all orders."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.experiments.summary import Results
from data.runs.bundle import read_bundle
from data.runs.run import Run

FILE = Path(__file__).with_name("example.zip")
ID = 0
"""Ids of a store begin at 1."""
COMMAND = "curriculab compare mnist-levels:2 --C 1000 --repeats 20"
"""Computes it again."""


@cache
def example() -> tuple[Run, Results]:
    """The run and its outcomes; it is in no store, so it cannot be changed or deleted."""
    return read_bundle(FILE, ID)
