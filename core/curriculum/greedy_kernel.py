"""The greedy search of one sequence in one compiled call, where only the outcome counts: in cross-validation."""

from __future__ import annotations

import numpy as np

from core.curriculum.search import Rule
from core.curriculum.steps import TIE
from core.features import FloatArray
from core.fitting.fits import QPs, Stage, fit_many
from core.fitting.gram import IntArray, move_tasks
from core.solver.box_qp import SETTLED
from core.solver.compiled import compiled


@compiled
def _chain(
    qps: QPs,
    last: FloatArray,
    last_limit: FloatArray,
    Q: FloatArray,
    start: IntArray,
    norms: FloatArray,
    C: float,
    error_weight: float,
    complexity_weight: float,
    own: FloatArray,
) -> int:
    """Fill `own`; 1 if any α ended at its limit, 0 if none, -1 if a fit did not settle."""
    tasks = np.arange(start.size - 1)
    margins = np.zeros(Q.shape[1])
    touched = 0
    while tasks.size > 0:
        alphas = np.zeros((tasks.size, last.shape[1]))
        gaps, errors, squared = np.zeros(tasks.size), np.zeros(tasks.size), np.zeros(tasks.size)
        if fit_many(*qps, margins, norms, C, tasks, last, last_limit, alphas, gaps, errors, squared):
            touched = 1
        if not gaps.max() <= SETTLED:
            return -1
        values = error_weight * errors + complexity_weight * squared
        least = values.min()
        pick = 0
        while values[pick] > least + TIE * max(1.0, abs(least)):
            pick += 1
        task = tasks[pick]
        rows = qps[5][qps[6][task] : qps[6][task + 1]]
        moved = np.empty(margins.size)
        move_tasks(Q, rows, alphas[pick], start, tasks, margins, moved)
        own[start[task] : start[task + 1]] = moved[start[task] : start[task + 1]]
        margins = moved
        tasks = tasks[tasks != task]
    return touched


def greedy_chain(stage: Stage, rule: Rule, C: float) -> tuple[FloatArray, bool] | None:
    """What `search` finds at one C: each training point's margin under its own task's weights, and `any_at_limit`.

    None where this is not for: several sources, inner products that are not kept, or a fit that asks for a solver.
    """
    pool = stage.pool
    if rule.sources != "last" or pool.Q is None or stage.solver != "osqp":
        return None
    sign = -1.0 if rule.maximise else 1.0
    error_weight = 0.0 if rule.term == "complexity" else sign
    complexity_weight = 0.0 if rule.term == "error" else sign / (2.0 * np.sqrt(stage.m_bar))
    own = np.empty(int(pool.start[-1]))
    outcome = _chain(stage.qps, *stage.last, pool.Q, pool.start, pool.norms, C, error_weight, complexity_weight, own)
    return None if outcome < 0 else (own, outcome == 1)
