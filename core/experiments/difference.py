"""Means over repeats and their differences: between two methods of a run, and of one method between two runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from core.experiments.experiment import PICKED
from core.statistics.noise import Interval, rounded
from core.statistics.t_test import Estimate, estimate, holm_corrected, standard_error
from core.task_set import FloatArray


@dataclass(frozen=True, slots=True)
class Average:
    """Mean over repeats and its standard error; the error is None for fewer than two repeats."""

    mean: float
    standard_error: float | None
    count: int

    @classmethod
    def of(cls, values: FloatArray, overlap: float | None = None) -> Average:
        """Of a non-empty array; `overlap` of repeats that split the same rows anew as in `t_test.estimate`."""
        return cls(float(np.mean(values)), standard_error(values, overlap), len(values))


Verdict = Literal["clearly better", "clearly worse", "identical", "no clear difference", "picked by test error"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean test error of `method` minus another mean test error.

    `differences` are those of the repeats that both have on the same draws. `interval` and `p_value` are those of
    Student's t: one leaves 0 out where the other is below 5 %. Both are None for fewer than two repeats. `learned`:
    whether either is clearly better than always answering the larger class; where neither is, nothing is claimed.
    """

    method: str
    differences: tuple[float, ...]
    interval: Interval | None
    p_value: float | None
    learned: bool

    @property
    def count(self) -> int:
        """How many repeats both have on the same draws."""
        return len(self.differences)

    @property
    def difference(self) -> float:
        """Their mean."""
        return float(rounded(np.mean(self.differences)))

    @property
    def identical(self) -> bool:
        """Whether both have the same draws and no repeat has another test error."""
        return bool(self.differences) and not any(self.differences)

    @property
    def clear(self) -> bool:
        """Whether one is clearly better: the interval leaves 0 out, and anything was learned."""
        return self.learned and self.interval is not None and 0.0 not in self.interval


@dataclass(frozen=True, slots=True)
class Paired(Difference):
    """Of two methods of a run, on the repeats that both have; without interval and p-value for Best and Worst."""

    baseline: str
    overlap: float | None

    @property
    def verdict(self) -> Verdict:
        """Clearly better or worse where the corrected interval leaves 0 out and either method has learned anything."""
        if self.identical:
            return "identical"
        if {self.method, self.baseline} & {*PICKED}:
            return "picked by test error"
        if not self.clear:
            return "no clear difference"
        return "clearly better" if self.difference < 0 else "clearly worse"


@dataclass(frozen=True, slots=True)
class Between(Difference):
    """Of a method in the second run minus the first; of their means alone where the runs drew apart."""

    first: Average
    second: Average

    @property
    def difference(self) -> float:
        """By repeat on the same draws, else of the means."""
        return float(rounded(np.mean(self.differences) if self.differences else self.second.mean - self.first.mean))


Compared = TypeVar("Compared", bound=Difference)


def paired_difference(
    method: str, baseline: str, differences: npt.ArrayLike, overlap: float | None = None, learned: bool = True
) -> Paired:
    """The differences of the single repeats, looked at alone."""
    gaps = rounded(differences)
    found = None if {method, baseline} & {*PICKED} else estimate(gaps, overlap)
    return corrected([Paired(method, tuple(gaps.tolist()), None, None, learned, baseline, overlap)], [found])[0]


def corrected(found: Sequence[Compared], tests: Sequence[Estimate | None]) -> tuple[Compared, ...]:
    """The same differences, with p-values and intervals corrected by Holm for looking at all of them."""
    return tuple(
        pair if one is None else replace(pair, interval=one.interval, p_value=one.p_value)
        for pair, one in zip(found, holm_corrected(tests), strict=True)
    )
