"""Whether two results are the same and exact enough: a comparison of unlike things is no measurement."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from core.curriculum.learn import Learned
from core.solver.box_qp import GAP
from core.task_set import FloatArray, TaskSet
from tests.benchmarks.literal import Outcome
from tests.benchmarks.peers import Fit


class DifferentError(AssertionError):
    """Ours and a peer's result differ, or one is not exact enough."""


def our_fits(learned: Learned, prepared: TaskSet) -> list[Fit]:
    """Every candidate of our run in the form that can be judged from the features."""
    candidates = [candidate for step in learned.steps for candidate in step.candidates]
    return [Fit(prepared[c.task], c.source_weights, c.C, c.alpha, c.weights) for c in candidates]


def exact(fits: Iterable[Fit], whose: str) -> float:
    """The worst relative duality gap, if it is at most 1e-6."""
    worst = max(fit.gap for fit in fits)
    if not worst <= GAP:
        raise DifferentError(f"{whose}: relative duality gap {worst:.1e}, more than {GAP:g}")
    return worst


def same_curriculum(learned: Learned, outcome: Outcome, prepared: TaskSet) -> None:
    """Same order, sources and C, every candidate of both exact to 1e-6, and the same weights."""
    for name in ("order", "sources", "chosen_C"):
        ours, theirs = getattr(learned, name), getattr(outcome, name)
        if ours != theirs:
            raise DifferentError(f"{learned.method}: our {name} is {ours}, the peer's is {theirs}")
    exact(our_fits(learned, prepared), "ours")
    exact(outcome.candidates, "the peer")
    for fit in outcome.fits:
        same_values(learned.weights[fit.task.name], fit.weights, f"weights of {fit.task.name}", 1e-3)


def same_values(ours: FloatArray, theirs: FloatArray, what: str, tolerance: float) -> None:
    """Equal within a relative tolerance: gaps of 1e-6 leave weights that differ by about their square root."""
    difference = float(np.linalg.norm(ours - theirs) / max(np.linalg.norm(theirs), 1e-12))
    if not difference <= tolerance:
        raise DifferentError(f"{what} differ by {difference:.1e}, more than {tolerance:g}")
