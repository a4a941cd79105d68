"""Student's t over repeats, corrected for repeats that split the same rows anew and for looking at several means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.statistics.noise import CHANCE, Interval, holm, rounded
from core.task_set import FloatArray


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, or a difference of means, with its standard error and degrees of freedom."""

    mean: float
    error: float
    freedom: float

    @property
    def p_value(self) -> float:
        """Two-sided, that the mean is 0; 1 where nothing differs at all."""
        from scipy.special import stdtr

        return 1.0 if self.error == 0 else float(2 * stdtr(self.freedom, -abs(self.mean) / self.error))

    def interval(self, chance: float = CHANCE) -> Interval:
        """The interval that misses the mean with this chance; it leaves 0 out where the p-value is below that."""
        from scipy.special import stdtrit

        half = float(stdtrit(self.freedom, 1 - chance / 2)) * self.error
        return Interval(self.mean - half, self.mean + half)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A p-value corrected for all that were looked at, and the interval that leaves 0 out where it is below 5 %."""

    p_value: float
    interval: Interval


def estimate(values: FloatArray, overlap: float | None = None) -> Estimate | None:
    """Of a mean over repeats; None for fewer than two.

    `overlap` is the number of test points over that of training points where every repeat splits the same rows anew.
    Such repeats share most of their rows, so that their mean varies more than s²/J: by (1/J + overlap) s² (Nadeau and
    Bengio 2003). Fresh draws have none.
    """
    values = rounded(values)
    if len(values) < 2:
        return None
    mean = float(rounded(values.mean()))
    return Estimate(mean, _error(values, overlap, mean), len(values) - 1.0)


def unpaired(first: FloatArray, second: FloatArray, overlaps: tuple[float | None, float | None]) -> Estimate | None:
    """Of the second mean minus the first, of unlike spread (Welch); None where either has fewer than two values."""
    samples = rounded(first), rounded(second)
    if min(map(len, samples)) < 2:
        return None
    difference = float(rounded(samples[1].mean() - samples[0].mean()))
    parts = [_error(values, overlap, difference) ** 2 for values, overlap in zip(samples, overlaps, strict=True)]
    weights = [part**2 / (len(values) - 1) for part, values in zip(parts, samples, strict=True)]
    freedom = sum(parts) ** 2 / sum(weights) if sum(weights) > 0 else sum(map(len, samples)) - 2.0
    return Estimate(difference, math.sqrt(sum(parts)), freedom)


def standard_error(values: FloatArray, overlap: float | None = None) -> float | None:
    """Of a mean over repeats, as `estimate` has it; None for fewer than two."""
    if len(values) < 2:
        return None
    return float(np.std(rounded(values), ddof=1)) * math.sqrt(1 / len(values) + (overlap or 0.0))


def t_interval(values: FloatArray, overlap: float | None = None) -> Interval | None:
    """Student's 95 % interval of one mean over repeats; None for fewer than two."""
    found = estimate(values, overlap)
    return None if found is None else found.interval()


def holm_corrected(estimates: Sequence[Estimate | None]) -> tuple[Corrected | None, ...]:
    """Holm's correction for looking at all estimates that there are, with intervals that agree with it.

    Holm tests the k-th smallest of n p-values at 5 % / (n - k + 1) and stops at the first that is not below. Each
    interval is as wide as the level at which its estimate was tested, those behind the stop as the one that stopped.
    """
    plain = [one.p_value for one in estimates if one is not None]
    corrected = iter(holm(plain))
    clear = int(np.sum(holm(plain) < CHANCE))
    found: list[Corrected | None] = []
    for one in estimates:
        if one is None:
            found.append(None)
            continue
        p = float(next(corrected))
        before = sum(other < one.p_value for other in plain) if p < CHANCE else clear
        found.append(Corrected(p, one.interval(CHANCE / (len(plain) - before))))
    return tuple(found)


def _error(values: FloatArray, overlap: float | None, size: float) -> float:
    """The standard error. Where all repeats agree to the last test point, their spread is below what test points can
    tell, not 0: it is taken as if one more repeat had shown no difference (`size` / √(J + 1)).
    """
    if np.ptp(values) == 0:
        return abs(size) / math.sqrt(len(values) + 1) * math.sqrt(1 / len(values) + (overlap or 0.0))
    return standard_error(values, overlap) or 0.0
