"""An independent reading of the paper: each QP cold, in the primal, by an interior point; the algorithms literally."""

from __future__ import annotations

import math

import numpy as np
import qpsolvers
import scipy.sparse as sp

from core import TaskSet


def adaptive_svm(X, y, w_source, C):
    """Eq. (2) over (w, ξ)."""
    X = X.toarray() if sp.issparse(X) else X
    m, d = X.shape
    P = np.diag(np.concatenate([np.full(d, 2.0), np.zeros(m)]))
    q = np.concatenate([-2.0 * w_source, np.full(m, C / m)])
    G = -np.hstack([y[:, None] * X, np.eye(m)])
    lower = np.concatenate([np.full(d, -np.inf), np.zeros(m)])
    problem = qpsolvers.Problem(P, q, G, -np.ones(m), lb=lower)
    solution = qpsolvers.solve_problem(
        problem, solver="piqp", eps_abs=1e-11, eps_rel=1e-12, eps_duality_gap_abs=1e-11, eps_duality_gap_rel=1e-12
    )
    return solution.x[:d]


def terms(task, w, w_source, m_bar):
    """Eq. (4), term by term, a Python sum over points."""
    X = task.X.toarray() if sp.issparse(task.X) else task.X
    error = 0.0
    for x, y in zip(X, task.y, strict=True):
        length = math.sqrt(float(x @ x))
        z = y * float(w @ x) / length if length else 0.0
        error += 0.5 * (1.0 - math.erf(z / math.sqrt(2.0)))
    return error / len(X), float((w - w_source) @ (w - w_source)) / (2.0 * math.sqrt(m_bar))


def replay(task_set: TaskSet, learned, method: str, C: float):
    """For every step of `learned`: {(task, source): (error, complexity, weights)}, following its choices."""
    tasks = {task.name: task for task in task_set.tasks}
    n = len(tasks)
    m_bar = n / sum(1.0 / len(task.y) for task in tasks.values())
    zero = np.zeros(task_set.n_features)
    weights = {None: zero}
    open_sources = [None]
    unsolved = list(tasks)
    known = {}
    for step in learned.steps:
        for source in open_sources:
            for name in unsolved:
                if (name, source) not in known:
                    w = adaptive_svm(tasks[name].X, tasks[name].y, weights[source], C)
                    known[name, source] = (*terms(tasks[name], w, weights[source], m_bar), w)
        yield step, {(name, source): known[name, source] for source in open_sources for name in unsolved}
        name, source = step.chosen.task, step.chosen.source
        weights[name] = known[name, source][2]
        unsolved.remove(name)
        if method == "seqmt":
            open_sources = [name]
        else:
            if method == "multiseqmt" and source is not None:
                open_sources.remove(source)
            open_sources.append(name)
