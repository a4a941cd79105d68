"""Twin of `search.search`, compiled, for cross-validation: the same choices, of which only mistakes are counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from core.curriculum.search import Plan
from core.curriculum.steps import Rule, first_best
from core.features import FloatArray, IntArray
from core.fitting.stage import MOST_SECONDS, Fits, Stage, TaskQPs, complexity_term, fit_many
from core.solver import cancellation
from core.solver.backends import KERNEL
from core.solver.box_qp import SETTLED
from core.solver.jit import kernel
from core.solver.linalg import add_rows

_LAST, _OPEN, _ALL = range(3)
_SOURCES = {"last": _LAST, "open": _OPEN, "all": _ALL}
_MOST_NUMBERS = 20_000_000
"""Margins and α that are kept at once; beyond, the search itself is asked, which keeps no more than it needs."""


class Points(NamedTuple):
    """The pooled training points: inner products, where each task's begin, costs of mistakes; which are held out."""

    Q: FloatArray
    start: IntArray
    costs: FloatArray
    held_out: IntArray
    held_out_start: IntArray


class Policy(NamedTuple):
    """Weights of error term and ‖w - w_src‖², the rule's sources, the planned tasks and the rows of their sources."""

    weights: tuple[float, float]
    sources: int
    plan_tasks: IntArray
    plan_rows: IntArray
    fixed: bool


@kernel
def _search(qps: TaskQPs, points: Points, policy: Policy, C: float, width: int, wrong: FloatArray) -> int:
    """Fill `wrong` with what each task's held-out points cost that it gets wrong.

    Returns whether any α ended at its limit, or -1 where a fit did not settle or the plan is no candidate. In the
    tables, row 0 is no source and row k + 1 is task k as a source.
    """
    n = wrong.size
    margins, values, alphas = np.empty((n + 1, points.start[n])), np.empty((n + 1, n)), np.empty((n + 1, n, width))
    Cs, at_limit = np.empty(n), np.empty(n, np.int64)
    fits = Fits(Cs, np.empty((n, width)), np.empty(n), np.empty(n), np.empty(n), at_limit)
    tasks, rows, sources = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n + 1, np.int64)
    pairs = np.empty(((n + 1) * n, 2), np.int64)
    offered = np.empty((n + 1) * n)
    for k in range(n):
        tasks[k], Cs[k] = k, C
    for point in range(points.start[n]):
        margins[0, point] = 0.0
    newest, touched = 0, 0
    sources[0], n_sources = 0, 1
    for step in range(n):
        left, row = n - step, newest
        asked = tasks[:left]
        if policy.fixed:
            asked, row = policy.plan_tasks[step : step + 1], policy.plan_rows[step]
        for t in range(asked.size):
            rows[t] = row
        fit_many(qps, margins, rows, asked, fits)
        for t in range(asked.size):
            if not fits.gaps[t] <= SETTLED:
                return -1
            touched = max(touched, min(fits.at_limit[t], 1))
            values[row, asked[t]] = policy.weights[0] * fits.error_terms[t] + policy.weights[1] * fits.squared_steps[t]
            for i in range(width):
                alphas[row, asked[t], i] = fits.alpha[t, i]
        count, pick = 0, -1
        for k in tasks[:left]:
            for source in sources[:n_sources]:
                pairs[count, 0], pairs[count, 1] = k, source
                offered[count] = values[source, k]
                if step < policy.plan_rows.size and k == policy.plan_tasks[step] and source == policy.plan_rows[step]:
                    pick = count
                count += 1
        if step >= policy.plan_rows.size:
            pick = first_best(offered[:count])
        if pick < 0:
            return -1
        task, source = pairs[pick, 0], pairs[pick, 1]
        newest = task + 1
        own = qps.points[qps.start[task] : qps.start[task + 1]]
        for k in tasks[:left]:
            first, stop = points.start[k], points.start[k + 1]
            for point in range(first, stop):
                margins[newest, point] = margins[source, point]
            add_rows(points.Q, own, alphas[source, task, : own.size], first, margins[newest, first:stop])
        wrong[task] = 0.0
        for point in points.held_out[points.held_out_start[task] : points.held_out_start[task + 1]]:
            if margins[newest, point] <= 0.0:
                wrong[task] += points.costs[point]
        _drop(tasks, left, task)
        if policy.sources == _LAST:
            n_sources = 0
        elif policy.sources == _OPEN and source != 0:
            n_sources = _drop(sources, n_sources, source)
        sources[n_sources] = newest
        n_sources += 1
    return touched


@kernel
def _drop(values: IntArray, count: int, value: int) -> int:
    """Take a value out of the first `count`, the others keep their order; returns how many are left."""
    left = 0
    for i in range(count):
        if values[i] != value:
            values[left] = values[i]
            left += 1
    return left


def mistakes(
    stage: Stage, rule: Rule, held_out: list[IntArray], plan: Plan = (), fixed: bool = False
) -> Callable[[float], tuple[FloatArray, bool] | None]:
    """A function from C to what the held-out points cost that each task gets wrong, and whether any α is at its limit.

    It returns None where the search itself has to be asked: inner products that are not kept or lose digits, a fit
    that asks for a solver, fits so large that they could not be cancelled, or a plan that is no candidate.
    """
    pool, n = stage.pool, len(stage.sizes)
    too_much = (n + 1) * (pool.n_points + n * stage.width) > _MOST_NUMBERS or stage.seconds * (n + 1) / 2 > MOST_SECONDS
    if pool.Q is None or stage.solver != KERNEL or too_much:
        return lambda C: None
    starts = np.concatenate([[0], np.cumsum([len(rows) for rows in held_out])])
    points = Points(pool.Q, pool.start, pool.costs, np.concatenate(held_out), starts)
    error, complexity = rule.weights
    weights = error, complexity_term(complexity, stage.m_bar)
    plan_tasks, plan_sources = np.array(plan, dtype=np.int64).reshape(-1, 2).T.copy()
    policy = Policy(weights, _SOURCES[rule.sources], plan_tasks, plan_sources + 1, fixed)

    def at(C: float) -> tuple[FloatArray, bool] | None:
        cancellation.checkpoint()
        wrong = np.empty(n)
        touched = _search(stage.qps, points, policy, C, stage.width, wrong) if pool.exact_by_products(C) else -1
        return None if touched < 0 else (wrong, touched > 0)

    return at
