"""Whether a learner is any better than always answering the larger class of each task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.curriculum.result import Answers, Learned
from core.features import IntArray
from core.measure import MEASURES, Measure
from core.statistics.noise import CHANCE, by_row, mcnemar
from core.statistics.t_test import estimate
from core.task_set import FloatArray

SHUFFLES = 999


@dataclass(frozen=True, slots=True)
class AgainstMajority:
    """Mean test errors of a learner and of always answering the larger class (`majority`), by every measure.

    `better`: the learner's is lower, and chance does not explain it. Of one draw, `answered_positive` says how many of
    its `points` test points are answered positive; over repeats both are None.
    """

    errors: dict[Measure, float]
    majority: dict[Measure, float]
    better: dict[Measure, bool]
    answered_positive: int | None = None
    points: int | None = None

    @property
    def one_answer(self) -> bool:
        """Whether all test points get the same answer."""
        return self.answered_positive is not None and self.answered_positive in (0, self.points)


def against_majority(learned: Learned) -> AgainstMajority | None:
    """On one draw; None without test data.

    Plain errors are compared by McNemar's exact test on the rows of all test points, of which those count that more
    tasks get right than their larger classes do, or fewer; balanced ones by `unrelated`.
    """
    answers = learned.answers
    if answers is None:
        return None
    errors, majority = (
        {one: float(np.mean(list(of(one).values()))) for one in MEASURES}
        for of in (answers.errors, answers.majority_errors)
    )
    wrong, larger = (np.concatenate(list(w.values())) for w in (answers.wrong, answers.majority_wrong))
    rows = np.concatenate([answers.task_set.test_rows[name] for name in answers.wrong])
    more = by_row((wrong * 1.0 - larger)[None], rows)[0]
    # The test counts points and the errors are means over tasks: both must point the same way.
    plain = mcnemar(more > 0, more < 0) if wrong.sum() < larger.sum() else 1.0
    p_values: dict[Measure, float] = {"error": plain, "balanced": unrelated(answers)}
    better = {one: errors[one] < majority[one] and p_values[one] < CHANCE for one in MEASURES}
    return AgainstMajority(errors, majority, better, answers.answered_positive, answers.points)


def over_draws(found: Sequence[AgainstMajority], overlap: float | None) -> AgainstMajority:
    """The means over several draws, whose `overlap` is as in `t_test.estimate`."""
    errors, majority = (
        {by: np.array([getattr(one, name)[by] for one in found]) for by in MEASURES} for name in ("errors", "majority")
    )
    return over_repeats(errors, majority, overlap)


def over_repeats(
    errors: dict[Measure, FloatArray], majority: dict[Measure, FloatArray], overlap: float | None, methods: int = 1
) -> AgainstMajority:
    """The means of values by repeat; better where the interval of the differences, repeat by repeat, is below 0.

    The interval is that of Bonferroni where so many methods are looked at.
    """
    better: dict[Measure, bool] = {}
    for by in MEASURES:
        difference = errors[by] - majority[by]
        found = estimate(difference, overlap)
        better[by] = found is not None and found.interval(CHANCE / methods).high < 0
    means, larger = ({by: float(values[by].mean()) for by in MEASURES} for values in (errors, majority))
    return AgainstMajority(means, larger, better)


def unrelated(answers: Answers, seed: int = 0) -> float:
    """Two-sided p-value of a mean balanced error this far from one half if answers have nothing to do with labels.

    As often as a task is answered positive, it could have been answered so on any of its test points: the number of
    positive points among them is then hypergeometric. Where tasks share rows, rows of the same tasks trade all their
    answers instead. Tasks whose test points are of one class say nothing.
    """
    rng, rows = np.random.default_rng(seed), answers.task_set.test_rows
    traded = _traded_rows(list(rows.values()), rng)
    seen, drawn = 0.0, np.zeros(SHUFFLES)
    for name, y in answers.labels.items():
        positive = y > 0
        answered = positive != answers.wrong[name]
        m, P, a = len(y), int(positive.sum()), int(answered.sum())
        if 0 < P < m:
            share = 1.0 / P + 1.0 / (m - P)
            seen += (int(np.sum(answered & positive)) - a * P / m) * share
            if traded is None:
                hits = rng.hypergeometric(P, m - P, a, SHUFFLES)
            else:
                by_row = np.zeros(traded.shape[1], dtype=bool)
                by_row[rows[name]] = answered
                hits = by_row[traded[:, rows[name]][:, positive]].sum(axis=1)
            drawn += (hits - a * P / m) * share
    return float((1 + np.sum(np.abs(drawn) >= abs(seen) - 1e-9)) / (SHUFFLES + 1))


def _traded_rows(rows: list[IntArray], rng: np.random.Generator) -> IntArray | None:
    """For each shuffle and row, the row whose answers it gets, one of the same tasks; None where none is shared."""
    numbers = np.concatenate(rows)
    if len(np.unique(numbers)) == len(numbers):
        return None
    member = np.array([np.bincount(own, minlength=int(numbers.max()) + 1) for own in rows]) > 0
    kind = np.unique(member, axis=1, return_inverse=True)[1].ravel()
    traded = np.empty((SHUFFLES, len(kind)), dtype=np.int64)
    traded[:, np.argsort(kind, kind="stable")] = np.argsort(kind + rng.random(traded.shape), axis=1)
    return traded
