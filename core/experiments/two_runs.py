"""Two runs side by side: what differs in their settings, and how far each method differs between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.analysis.noise import Interval
from core.experiments.experiment import NAMES, Settings
from core.experiments.statistics import Average, Results, paired_difference
from core.tasks import FloatArray


@dataclass(frozen=True, slots=True)
class Between:
    """A method's mean test error in the second run minus that in the first, with its 95 % interval.

    `pairs` is the number of repeats that both drew alike; 0 where they drew apart and means alone are compared.
    """

    method: str
    first: Average
    second: Average
    difference: float
    interval: Interval | None
    pairs: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval is not None and 0.0 not in self.interval


def differing(first: Settings, second: Settings) -> dict[str, tuple[str, str]]:
    """What is set otherwise, by name; methods that one of them alone has."""
    ours, theirs = first.as_dict(), second.as_dict()
    found = {}
    for name, value in ours.items():
        if name == "methods":
            alone = [[m for m in a if m not in b] for a, b in ((value, theirs[name]), (theirs[name], value))]
            if any(alone):
                a, b = (", ".join(NAMES[method] for method in methods) or "none" for methods in alone)
                found[name] = (a, b)
        elif value != theirs[name]:
            a, b = ("as the set asks" if one is None else str(one) for one in (value, theirs[name]))
            found[name] = (a, b)
    return found


def between(first: Results, second: Results, same_draws: bool) -> tuple[Between, ...]:
    """Every method that both runs have; paired by repeat where the runs drew the same, else Welch's interval."""
    found = []
    for method in first.methods:
        if method not in second.methods:
            continue
        ours, theirs = ({one.repeat: one.mean_error for one in results.of(method)} for results in (first, second))
        averages = [Average.of(np.array(list(errors.values()))) for errors in (ours, theirs)]
        both = sorted(set(ours) & set(theirs)) if same_draws else []
        if both:
            paired = paired_difference(method, method, np.array([theirs[r] - ours[r] for r in both]))
            interval = None if paired.low is None or paired.high is None else Interval(paired.low, paired.high)
            found.append(Between(method, averages[0], averages[1], paired.difference, interval, len(both)))
        else:
            samples = [np.array(list(errors.values())) for errors in (ours, theirs)]
            difference = averages[1].mean - averages[0].mean
            found.append(Between(method, averages[0], averages[1], difference, _welch(*samples), 0))
    return tuple(found)


def _welch(first: FloatArray, second: FloatArray) -> Interval | None:
    """95 % of the difference of two means of unlike spread (Welch); None where either has fewer than two values."""
    if min(len(first), len(second)) < 2:
        return None
    from scipy.special import stdtrit

    parts = [float(np.var(values, ddof=1)) / len(values) for values in (first, second)]
    difference = float(np.mean(second) - np.mean(first))
    if sum(parts) == 0:
        return Interval(difference, difference)
    freedom = sum(parts) ** 2 / sum(part**2 / (len(v) - 1) for part, v in zip(parts, (first, second), strict=True))
    half = float(stdtrit(freedom, 0.975)) * math.sqrt(sum(parts))
    return Interval(difference - half, difference + half)
