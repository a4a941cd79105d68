"""Two runs side by side: what differs in their settings, and how far each method differs between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.experiments.experiment import NAMES, Settings
from core.experiments.summary import Average, Results, corrected
from core.measure import Measure
from core.statistics.noise import Interval, rounded
from core.statistics.t_test import estimate, unpaired


@dataclass(frozen=True, slots=True)
class Between:
    """A method's mean test error in the second run minus that in the first.

    `interval` and `p_value` are corrected by Holm for looking at all methods; None for fewer than two repeats. `pairs`
    is the number of repeats that both drew alike; 0 where they drew apart and means alone are compared. `learned` as in
    `Paired`, of either run.
    """

    method: str
    first: Average
    second: Average
    difference: float
    interval: Interval | None
    pairs: int
    p_value: float | None = None
    identical: bool = False
    learned: bool = True

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out, and anything was learned."""
        return self.learned and self.interval is not None and 0.0 not in self.interval


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


def between(first: Results, second: Results, same_draws: bool, measure: Measure | None = None) -> tuple[Between, ...]:
    """Every method that both runs have; paired by repeat where the runs drew the same, else by Welch's test.

    By the first run's measure if none is given.
    """
    by = measure or first.settings.measure
    found, tests = [], []
    for method in first.methods:
        if method not in second.methods:
            continue
        ours, theirs = first.means(method, by), second.means(method, by)
        both = sorted(set(ours) & set(theirs)) if same_draws else []
        gaps = rounded([theirs[r] - ours[r] for r in both])
        averages = first.average(method, by), second.average(method, by)
        difference = float(rounded(gaps.mean() if both else averages[1].mean - averages[0].mean))
        identical = bool(both) and not gaps.any()
        learned = first.has_learned(method, by) or second.has_learned(method, by)
        found.append(Between(method, *averages, difference, None, len(both), None, identical, learned))
        samples = [np.array(list(means.values())) for means in (ours, theirs)]
        apart = unpaired(samples[0], samples[1], (first.overlap, second.overlap))
        tests.append(estimate(gaps, first.overlap) if both else apart)
    return corrected(found, tests)
