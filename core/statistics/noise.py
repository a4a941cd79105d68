"""How much of a difference is noise: intervals of test errors, tests on shared test points and over draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from core.features import BoolArray, IntArray
from core.task_set import FloatArray

CONFIDENCE = 0.95
CHANCE = 0.05
"""A difference counts where chance alone would make one as large less often."""
DECIMALS = 9
"""Of a test error: a mean over tasks of counts over test points. What differs by less is the same, summed otherwise."""
NORMAL_QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
RESAMPLES = 1000
RANKINGS = 250
SPLITS = 100


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Significance:
    """A statistic, its degrees of freedom and the chance of one at least as large where nothing differs.

    Orders that begin alike err alike, so that so many learners are worth fewer: `freedom` is that of Box's correction,
    `tr(S)² / tr(S²)` with S the covariance of the learners, at most their number less 1.
    """

    statistic: float
    freedom: float
    p_value: float


def rounded(values: npt.ArrayLike) -> FloatArray:
    """Test errors, or their differences, without the last bits of their sums."""
    exact: FloatArray = np.asarray(values, dtype=np.float64)
    return exact.round(DECIMALS)


def wilson(wrong: int, n: int, chance: float = CHANCE) -> Interval:
    """Wilson's interval of an error rate of which `wrong` of `n` test points were seen; it misses with this chance."""
    from scipy.stats import binomtest

    found = binomtest(wrong, n).proportion_ci(1 - chance, method="wilson")
    return Interval(float(found.low), float(found.high))


def mean_interval(wrong: npt.ArrayLike, n: npt.ArrayLike, seed: int = 0, weights: FloatArray | None = None) -> Interval:
    """Bootstrap over test points of the mean, by `weights`, over tasks or classes of `wrong[k] / n[k]`.

    Drawing n points again, with replacement, of which a share is wrong gives a binomial count. A task with no wrong
    point may have some among other points, so half a point more is wrong and half a point more is right in each. Where
    no point or every point of all tasks is wrong: Wilson's interval of all points together.
    """
    counts, sizes = np.asarray(wrong), np.asarray(n)
    if counts.sum() in (0, sizes.sum()):
        return wilson(int(counts.sum()), int(sizes.sum()))
    shares = (counts + 0.5) / (sizes + 1)
    drawn = np.random.default_rng(seed).binomial(sizes, shares, size=(RESAMPLES, len(sizes)))
    share = np.ones(len(sizes)) if weights is None else weights
    middle = _middle((drawn / sizes * share).sum(axis=1) / share.sum())
    seen = float((counts / sizes * share).sum() / share.sum())
    return Interval(min(middle.low, seen), max(middle.high, seen))


def mcnemar(first_wrong: npt.ArrayLike, second_wrong: npt.ArrayLike) -> float:
    """Exact two-sided p-value that two learners err equally often on the same test points.

    Only the points on which one alone is wrong count: of those, either is as likely, so the lesser count is binomial.
    """
    from scipy.stats import binomtest

    first, second = np.asarray(first_wrong, dtype=bool), np.asarray(second_wrong, dtype=bool)
    alone = int(np.sum(first & ~second)), int(np.sum(second & ~first))
    return float(binomtest(alone[0], sum(alone)).pvalue) if any(alone) else 1.0


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """p-values corrected for looking at many: the k-th smallest of n times n - k + 1, never below a smaller one's."""
    p = np.asarray(p_values, dtype=np.float64)
    rising = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[rising] = np.minimum(np.maximum.accumulate(p[rising] * np.arange(len(p), 0, -1)), 1.0)
    return corrected


def cochran_q(wrong: BoolArray, rows: IntArray | None = None, costs: FloatArray | None = None) -> Significance:
    """Cochran's Q: do the learners, a row each, err equally often on the same test points, a column each?

    With `costs`, one of each point: do they err at the same cost? Columns with the same number in `rows` are one row of
    a table, which counts once, with the cost of all its mistakes: where nothing differs, its costs are as likely to
    fall to the learners in any order. With z a row's costs less their mean, Q = (k - 1) Σ (Σ z)² / Σ Σ z².
    """
    values = by_row(np.asarray(wrong, dtype=np.float64) * (1.0 if costs is None else costs), rows).T
    k = values.shape[1]
    rest = values - values.mean(axis=1, keepdims=True)
    spread = float(np.sum(rest**2))
    if k < 2 or spread < 1e-12 * float(np.sum(values**2)) or spread == 0:
        return Significance(0.0, 0.0, 1.0)
    return _tested((k - 1) * float(np.sum(rest.sum(axis=0) ** 2)) / spread, values)


def by_row(values: FloatArray, rows: IntArray | None) -> FloatArray:
    """The sums of columns that are one row of a table."""
    if rows is None:
        return values
    numbers, place = np.unique(rows, return_inverse=True)
    if len(numbers) == len(rows):
        return values
    return np.array([np.bincount(place, row) for row in values])


def friedman(errors: FloatArray, overlap: float | None = None) -> Significance:
    """Friedman's test, ties corrected: do the columns rank alike in every row? Rows are draws, columns learners.

    Draws that split the same rows anew are worth fewer: 1 / (1/n + overlap), as in `t_test.estimate`.
    """
    from scipy.stats import rankdata

    n, k = errors.shape
    ranks = rankdata(rounded(errors), axis=1)
    spread = float(np.sum((ranks - (k + 1) / 2) ** 2)) / (n * (k - 1)) if k > 1 else 0.0
    if n < 2 or spread == 0:
        return Significance(0.0, 0.0, 1.0)
    worth = 1 / (1 / n + (overlap or 0.0))
    return _tested(worth * float(np.sum((ranks.mean(axis=0) - (k + 1) / 2) ** 2)) / spread, ranks)


def _tested(statistic: float, values: FloatArray) -> Significance:
    """By the chi-square distribution, with the degrees of freedom that learners (columns) which err alike leave."""
    from scipy.special import chdtrc

    rest = values - values.mean(axis=1, keepdims=True)
    rest = rest - rest.mean(axis=0)
    products = rest @ rest.T if len(rest) <= rest.shape[1] else rest.T @ rest
    k, squared = values.shape[1], float(np.sum(products**2))
    freedom = min(float(np.trace(products)) ** 2 / squared, k - 1.0) if squared > 0 else 1.0
    return Significance(statistic, freedom, float(chdtrc(freedom, statistic * freedom / (k - 1))))


def split_half(
    wrong: BoolArray,
    tasks: npt.ArrayLike,
    rows: IntArray | None = None,
    weights: FloatArray | None = None,
    seed: int = 0,
) -> float:
    """The gap between best and worst learner on test points that did not choose them.

    `wrong` has one row per learner and one column per test point, `tasks` the task of every column (or its class in
    its task, with the `weights` that these have in the mean error). Each task's points are halved at random; the
    learners of least and greatest mean error over tasks on one half are compared on the other. The mean over `SPLITS`
    splits and both halves. Points with one number in `rows` are in the same half.
    """
    own, rng = np.asarray(tasks), np.random.default_rng(seed)
    strata, place = _units(own, rows)
    halves = np.array([_half(strata, rng)[place] for _ in range(SPLITS)])
    first, second = (_mean_errors(wrong, _shares(own, chosen, weights)) for chosen in (halves, ~halves))
    return float(np.mean([_gap(first, second), _gap(second, first)]))


def _gap(choosing: FloatArray, measured: FloatArray) -> FloatArray:
    """Measured errors of the worst by the other measure minus those of the best by it, one column per split."""
    columns = np.arange(choosing.shape[1])
    worst, best = choosing.argmax(axis=0), choosing.argmin(axis=0)
    return np.asarray(measured[worst, columns] - measured[best, columns])


def held_out_gap(errors: FloatArray) -> tuple[float, float]:
    """Best and worst column of all other rows, measured on each row in turn: their mean errors.

    Rows are draws, columns learners: what the best and the worst learner are worth on draws that did not choose
    them. Needs two rows.
    """
    others = errors.sum(axis=0) - errors
    rows = np.arange(len(errors))
    return float(errors[rows, others.argmin(axis=1)].mean()), float(errors[rows, others.argmax(axis=1)].mean())


def spearman_interval(
    values: FloatArray,
    wrong: BoolArray,
    tasks: npt.ArrayLike,
    rows: IntArray | None = None,
    weights: FloatArray | None = None,
    seed: int = 0,
) -> Interval | None:
    """Of the rank correlation between `values`, one a learner, and the mean test errors: a bootstrap over test points.

    The rest as in `split_half`; points that are one row are drawn together. Points drawn again weaken a correlation as
    few points do, so the interval leans towards 0: it claims too little rather than too much. None where either side is
    constant.
    """
    from scipy.stats import rankdata

    own = np.asarray(tasks)
    ranked = rankdata(rounded(values))
    whole = _mean_errors(wrong, _shares(own, np.ones((1, len(own))), weights))
    if len(ranked) < 3 or np.ptp(ranked) == 0 or np.ptp(whole) == 0:
        return None
    strata, place = _units(own, rows)
    again = _drawn_again(strata, np.random.default_rng(seed))[:, place]
    ranks = rankdata(_mean_errors(wrong, _shares(own, again, weights)), axis=0)
    ranks = ranks - ranks.mean(axis=0)
    lengths = np.linalg.norm(ranks, axis=0)
    centred = ranked - ranked.mean()
    vary = lengths > 0
    return _middle((centred @ ranks)[vary] / (lengths[vary] * np.linalg.norm(centred)))


def rank_correlation(first: npt.ArrayLike, second: npt.ArrayLike) -> float | None:
    """Spearman's rank correlation; None where one side is constant or there are fewer than 3 values."""
    from scipy.stats import spearmanr

    a, b = np.asarray(first), np.asarray(second)
    return None if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0 else float(spearmanr(a, b).statistic)


def rank_interval(correlation: float, n: int) -> Interval | None:
    """Of Spearman's rank correlation over n items, by Fisher's z with Fieller's variance 1.06 / (n - 3).

    Rank correlations come in steps of 12 / (n³ - n); the ends lie half a step further out, so that 0 is left out where
    the exact test leaves it out, and a perfect order has an interval, too. None for fewer than five items: even a
    perfect order of four comes about by chance in 1 of 12 cases.
    """
    if n < 5:
        return None
    step, half = 6 / (n**3 - n), NORMAL_QUANTILE * math.sqrt(1.06 / (n - 3))
    low = math.tanh(math.atanh(correlation - step) - half) if correlation - step > -1 else -1.0
    high = math.tanh(math.atanh(correlation + step) + half) if correlation + step < 1 else 1.0
    return Interval(low, high)


def _middle(values: FloatArray) -> Interval:
    low, high = np.quantile(values, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(float(low), float(high))


def _shares(tasks: IntArray, counts: npt.NDArray[np.generic], weights: FloatArray | None) -> FloatArray:
    """What each test point weighs in the mean over tasks if it counts so often; one row per way of counting."""
    members = tasks[:, None] == np.unique(tasks)
    task_weights = np.ones(members.shape[1]) if weights is None else weights
    points = counts.astype(np.float64)
    per_task = points @ members
    whole = (per_task @ (members / task_weights).T) * ((per_task > 0) @ task_weights)[:, None]
    # A task of one test point has none in the other half: there it weighs nothing.
    return np.asarray(np.divide(points, whole, out=np.zeros_like(whole), where=whole > 0))


def _mean_errors(wrong: BoolArray, shares: FloatArray) -> FloatArray:
    """Mean test errors, one row per learner and one column per way of weighing; rounded, so that equal sums tie."""
    parts = [wrong[k : k + 512].astype(np.float32) @ shares.T.astype(np.float32) for k in range(0, len(wrong), 512)]
    errors: FloatArray = np.vstack(parts).astype(np.float64)
    return np.round(errors, 6)


def _units(tasks: IntArray, rows: IntArray | None) -> tuple[IntArray, IntArray]:
    """The task of every row of a table, all the same where tasks share rows; and the row of each point."""
    if rows is None or len(np.unique(rows)) == len(rows):
        return tasks, np.arange(len(tasks))
    numbers, place = np.unique(rows, return_inverse=True)
    return np.zeros(len(numbers), dtype=np.int64), place


def _half(tasks: IntArray, rng: np.random.Generator) -> BoolArray:
    """A random half of each task's points; of an odd number, either half has the one more."""
    chosen = np.zeros(len(tasks), dtype=bool)
    for task in np.unique(tasks):
        own = rng.permutation(np.flatnonzero(tasks == task))
        chosen[own[: (len(own) + int(rng.integers(2))) // 2]] = True
    return chosen


def _drawn_again(tasks: IntArray, rng: np.random.Generator) -> IntArray:
    """How often each test point is drawn, one row per resample, task by task."""
    counts = np.zeros((RANKINGS, len(tasks)), dtype=np.int64)
    for task in np.unique(tasks):
        own = np.flatnonzero(tasks == task)
        counts[:, own] = rng.multinomial(len(own), np.full(len(own), 1 / len(own)), size=RANKINGS)
    return counts
