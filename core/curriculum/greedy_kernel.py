"""The search in one compiled call, where only the outcome counts: in cross-validation."""

from __future__ import annotations

import numpy as np

from core.curriculum.search import Plan, Rule
from core.curriculum.steps import TIE
from core.features import FloatArray, IntArray
from core.fitting.fit_kernel import QPs, fit_many
from core.fitting.pool import move_tasks
from core.fitting.stage import LIKELY, MOST_SECONDS, Stage
from core.solver import cancellation
from core.solver.backends import KERNEL
from core.solver.box_qp import SETTLED
from core.solver.compiled import ZERO, compiled, part

_LAST, _OPEN, _ALL = range(3)
_SOURCES = {"last": _LAST, "open": _OPEN, "all": _ALL}
_MOST_NUMBERS = 20_000_000
"""Margins and α that are kept at once; beyond, the search itself is asked, which keeps no more than it needs."""


@compiled
def _first_best(values: FloatArray, sources: IntArray, tasks: IntArray) -> tuple[int, int]:
    """The best pair; ties go to the task that comes first, then to the source that opened first."""
    least = np.inf
    for task in tasks:
        for source in sources:
            least = min(least, values[source, task])
    for task in tasks:
        for source in sources:
            if values[source, task] <= least + TIE * max(1.0, abs(least)):
                return source, task
    return -1, -1


@part
def _without(values: IntArray, count: int, value: int) -> int:
    """Take a value out of the first `count`, the others keep their order; how many are left."""
    left = ZERO
    for i in range(count):
        if values[i] != value:
            values[left] = values[i]
            left += 1
    return left


@part
def _has(values: IntArray, value: int) -> bool:
    """Whether the value is among them."""
    for i in range(values.size):
        if values[i] == value:
            return True
    return False


@compiled
def _scan(
    qps: QPs,
    last: FloatArray,
    last_limit: FloatArray,
    Q: FloatArray,
    start: IntArray,
    norms: FloatArray,
    costs: FloatArray,
    weights: tuple[float, float],
    rule_sources: int,
    plan_tasks: IntArray,
    plan_sources: IntArray,
    fixed: bool,
    outside: IntArray,
    outside_start: IntArray,
    Cs: FloatArray,
    most: int,
    counts: FloatArray,
) -> int:
    """Fill the rows of `counts` for `most` of the ascending Cs, or for all where one leaves no α at its limit.

    Returns how many were filled before one had to be left: a fit did not settle, or the plan is no candidate.
    Row 0 of what is kept is no source and row k + 1 the task k; a chain, which looks back one step, has one row. Plain
    loops throughout: every array function of numpy would be compiled for this alone, and so would be a part of its own.
    """
    n = start.size - 1
    width = last.shape[1]
    n_rows = 1 if rule_sources == _LAST and not fixed else n + 1
    margins = np.empty((n_rows, Q.shape[1]))
    values = np.empty((n_rows, n))
    alphas = np.empty((n_rows, n, width))
    found = np.empty((n, width))
    before, gaps, errors, squared = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    tasks, sources, one = np.empty(n, np.int64), np.empty(n + 1, np.int64), np.empty(1, np.int64)
    for c in range(min(most, Cs.size)):
        for k in range(n):
            tasks[k] = k
        for point in range(Q.shape[1]):
            margins[0, point] = 0.0
        sources[0] = 0
        left, n_sources = n, ZERO + 1
        newest, touched = ZERO, False
        for step in range(n):
            row, asked = newest, tasks[:left]
            if fixed:
                one[0] = plan_tasks[step]
                row, asked = plan_sources[step] + 1, one[:1]
            for t in range(asked.size):
                for i in range(width):
                    found[t, i] = 0.0
            if fit_many(
                *qps, margins[row], norms, Cs[c], asked, last, last_limit, False, found, before, gaps, errors, squared
            ):
                touched = True
            for t in range(asked.size):
                if not gaps[t] <= SETTLED:
                    return c
                values[row, asked[t]] = weights[0] * errors[t] + weights[1] * squared[t]
                for i in range(width):
                    alphas[row, asked[t], i] = found[t, i]
            if step < plan_tasks.size:
                task = plan_tasks[step]
                source = plan_sources[step] + 1 if n_rows > 1 else ZERO
                if not fixed and not (_has(tasks[:left], task) and _has(sources[:n_sources], source)):
                    return c
            else:
                source, task = _first_best(values, sources[:n_sources], tasks[:left])
            seen = tasks[:left]
            if fixed and not _has(plan_sources[step + 1 :], task):
                one[0] = task  # nothing starts from it: its own points are all that is looked at
                seen = one[:1]
            newest = task + 1 if n_rows > 1 else ZERO
            points = qps[3][qps[4][task] : qps[4][task + 1]]
            move_tasks(Q, points, alphas[source, task], start, seen, margins[source], margins[newest])
            wrong = 0.0
            for point in outside[outside_start[task] : outside_start[task + 1]]:
                if margins[newest, point] <= 0.0:
                    wrong += costs[point]
            counts[c, task] = wrong
            left = _without(tasks, left, task)
            if rule_sources == _OPEN and source != 0:
                n_sources = _without(sources, n_sources, source)
            if rule_sources != _LAST:
                sources[n_sources] = newest
                n_sources += 1
        if not touched:  # then every larger C gives the same weights
            for later in range(c + 1, Cs.size):
                for k in range(n):
                    counts[later, k] = counts[c, k]
            return Cs.size
    return min(most, Cs.size)


def scan(
    stage: Stage,
    rule: Rule,
    outside: list[IntArray],
    Cs: FloatArray,
    counts: FloatArray,
    plan: Plan = (),
    fixed: bool = False,
) -> int:
    """Fill `counts` with what the points `outside` cost that each task gets wrong in what `search` finds, a row a C.

    C ascends. Returns how many rows it could fill. The next is left to the search itself: inner products that are not
    kept, a fit that asks for a solver, fits so large that nobody could stop it, or a plan that is no candidate.
    """
    pool, n = stage.pool, len(stage.sizes)
    many_rows = fixed or rule.sources != "last"
    numbers = (n + 1) * (pool.n_points + n * stage.last[0].shape[1]) if many_rows else 0
    Cs = Cs[[pool.exact_by_products(float(C)) for C in Cs]]
    if pool.Q is None or stage.solver != KERNEL or numbers > _MOST_NUMBERS or (plan and not many_rows):
        return 0
    longest = stage.seconds((n + 1) / 2)
    if longest > MOST_SECONDS * LIKELY:
        return 0
    some = len(Cs) if longest * len(Cs) <= MOST_SECONDS * LIKELY else 1
    sign = -1.0 if rule.maximise else 1.0
    weights = (
        0.0 if rule.term == "complexity" else sign,
        0.0 if rule.term == "error" else sign / (2.0 * np.sqrt(stage.m_bar)),
    )
    plan_tasks = np.array([task for task, _ in plan], dtype=np.int64)
    plan_sources = np.array([source for _, source in plan], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum([len(rows) for rows in outside])])
    known = stage.qps, *stage.last, pool.Q, pool.start, pool.norms, pool.costs, weights, _SOURCES[rule.sources]
    filled = 0
    while filled < len(Cs):
        cancellation.checkpoint()
        todo = Cs[filled:], some, counts[filled:]
        more = _scan(*known, plan_tasks, plan_sources, fixed, np.concatenate(outside), starts, *todo)
        if more == 0:
            break
        filled += more
    return filled
