"""The pieces of work, each measured on both sides and checked to be the same work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from core import AdaptiveSVC, learn
from core.orders.all_orders import every_order
from core.solver.box_qp import GAP
from core.task_set import Task, TaskSet
from tests.benchmarks import problems
from tests.benchmarks.checks import DifferentError, exact, same_curriculum, same_values
from tests.benchmarks.literal import Literal, all_orders
from tests.benchmarks.peers import (
    Fit,
    Solve,
    adaptive_svm,
    cvxopt_qp,
    cvxopt_to_the_end,
    linear_svc,
    linear_svc_tolerance,
    osqp_settings,
    through_qpsolvers,
)
from tests.benchmarks.rows import Row
from tests.benchmarks.timing import best_of, peer_time

FIT_CS = (1.0, 100.0, 10_000.0)
"""For single fits: everything at the limit, the middle of the grid, nearly nothing at the limit."""
ORDERS_C = 100.0
CVXOPT = "CVXOPT, cold"


def fitting_osqp(task: Task, Cs: tuple[float, ...]) -> Solve:
    """Cold OSQP with the cheapest settings that reach the gap on this task."""
    zero = np.zeros(task.n_features)
    found = []
    for settings in osqp_settings():
        solve = through_qpsolvers("osqp", **settings)
        if len(found) < 3 and all(adaptive_svm(solve, task, zero, C).gap <= 1e-6 for C in Cs):
            seconds = peer_time(lambda: [adaptive_svm(solve, task, zero, C) for C in Cs], 2, 1.0).seconds  # noqa: B023
            found.append((seconds, solve))
    if not found:
        return through_qpsolvers("osqp", **osqp_settings()[-1])  # the row then says what gap it reached
    return min(found, key=lambda pair: pair[0])[1]


def solvers(task: Task, Cs: tuple[float, ...]) -> dict[str, Solve]:
    """The peers that solve a QP."""
    return {
        CVXOPT: cvxopt_qp,
        "OSQP through qpsolvers, cold": fitting_osqp(task, Cs),
        "DAQP through qpsolvers, cold": through_qpsolvers("daqp"),
        "PIQP through qpsolvers, cold": through_qpsolvers("piqp", eps_rel=1e-9, eps_abs=1e-12),
    }


def one_fit(task_set: TaskSet) -> Iterator[Row]:
    """One source-free fit from features, at three C."""
    task = task_set.prepared().tasks[1]
    zero = np.zeros(task.n_features)
    for C in FIT_CS:
        ours = best_of(lambda: AdaptiveSVC(C).fit(task.X, task.y), 2000, 0.5)  # noqa: B023
        w = ours.result.coef_.ravel()
        exact([Fit(task, zero, C, ours.result.dual_coef_, w)], "ours")
        for name, solve in solvers(task, (C,)).items():
            theirs = peer_time(partial(adaptive_svm, solve, task, zero, C), 2000, 0.5)
            note = "" if theirs.result.gap <= 1e-6 else f"its gap is {theirs.result.gap:.0e}"
            yield Row(f"one fit, C = {C:g}", task_set.name, name, ours, theirs, note=note)
        best = float(w @ w + C * np.maximum(1.0 - task.y * (task.X @ w), 0.0).mean())
        tol = linear_svc_tolerance(task, C, best)
        note = "does not reach 1e-6" if tol is None else f"tol={tol:g}"
        theirs_svc = peer_time(partial(linear_svc, task.X, task.y, C, tol or 1e-10), 2000, 1.0)
        yield Row(f"one fit, C = {C:g}", task_set.name, "LinearSVC", ours, theirs_svc, note=note)


def one_grid(task_set: TaskSet) -> Iterator[Row]:
    """One source-free fit whose C is chosen by 5×5-fold cross-validation."""
    alone = TaskSet(task_set.name, (task_set.prepared().tasks[1],), normalize="none", bias=False)
    ours = best_of(lambda: learn(alone, "indsvm", C="each"), 20, 2.0)
    for name, solve in solvers(alone.tasks[0], (1.0, 1e5)).items():
        theirs = peer_time(lambda: Literal(solve, "each").run(alone), 3, 2.0)  # noqa: B023
        note = check(lambda: same_curriculum(ours.result, theirs.result, alone), name)  # noqa: B023
        yield Row("one fit + 5×5 grid", task_set.name, name, ours, theirs, note=note)


def check(compare: Callable[[], None], peer: str) -> str:
    """Raise where CVXOPT, the reference, disagrees; of other solvers, which may be less exact, say so."""
    try:
        compare()
    except DifferentError as difference:
        if peer == CVXOPT:
            raise
        return str(difference)[:80]
    return ""


def search(task_set: TaskSet, method: str, C: str | float, target: float | None, note: str) -> Row:
    """A greedy method against the algorithm as it reads."""
    prepared = task_set.prepared()
    ours = best_of(lambda: learn(prepared, method, C=C), 10, 6.0)
    literal = Literal(cvxopt_qp, C, subsequences=method == "multiseqmt")
    theirs = peer_time(lambda: literal.run(prepared), 2, 1.0)
    same_curriculum(ours.result, theirs.result, prepared)
    number = 2 if literal.subsequences else 1
    name = {"seqmt": "SeqMT", "multiseqmt": "MultiSeqMT"}[method]
    peer = f"CVXOPT, literal Algorithm {number}"
    return Row(f"{name}, C {C}", task_set.name, peer, ours, theirs, target, note)


def orders_fixed_C(task_set: TaskSet, target: float | None) -> Row:
    """Every order at one C, bound and test error, against a cold OSQP fit for each task of each order."""
    prepared = task_set.prepared()
    ours = best_of(lambda: every_order(prepared, C=ORDERS_C), 10, 3.0)
    for settings in osqp_settings():  # from loose to tight: the first with which every fit reaches the gap is timed
        solve = through_qpsolvers("osqp", **settings)
        _, _, tried = all_orders(prepared, Literal(solve, ORDERS_C))
        if max(fit.gap for outcome in tried for fit in outcome.fits) <= GAP:
            break
    theirs = peer_time(lambda: all_orders(prepared, Literal(solve, ORDERS_C)), 2, 1.0)
    sums, errors, outcomes = theirs.result
    exact((fit for outcome in outcomes for fit in outcome.fits), "OSQP")
    _same_orders(ours.result, sums, errors)
    fits = sum(len(outcome.fits) for outcome in outcomes)
    peer = f"{fits} cold OSQP fits"
    tested = ", with test errors" if task_set.has_test else ""
    return Row(f"all {len(sums)} orders, C {ORDERS_C:g}{tested}", task_set.name, peer, ours, theirs, target)


def orders_shared_C(task_set: TaskSet, note: str) -> Row:
    """Every order with its own cross-validated C."""
    prepared = task_set.prepared()
    ours = best_of(lambda: every_order(prepared, C="shared", own_C=True), 5, 6.0)
    theirs = peer_time(lambda: all_orders(prepared, Literal(cvxopt_qp, "shared")), 1, 1.0)
    sums, errors, outcomes = theirs.result
    exact([fit for outcome in outcomes for fit in outcome.fits], "CVXOPT")
    _same_orders(ours.result, sums, errors)
    Cs = [outcome.fits[0].C for outcome in outcomes]
    if list(ours.result.C) != Cs:
        raise DifferentError("an order picked another C than the peer")
    work = f"all {len(sums)} orders, C shared"
    return Row(work, task_set.name, "CVXOPT, literal", ours, theirs, 30.0, note)


def _same_orders(ours: object, sums: np.ndarray, errors: np.ndarray) -> None:
    n = len(ours.names)
    constant = float(np.mean(ours.bounds - sums / n))
    same_values(ours.bounds - constant, sums / n, "bounds of the orders", 1e-5)
    if ours.test_errors is not None and np.abs(ours.test_errors - errors).max() > 0.02:
        raise DifferentError("test errors of an order differ by more than a few points")


def comparison(repeats: int, note: str) -> Row:
    """IndSVM, Semantic and SeqMT with a shared C on new draws of the AwA-size set."""
    sets = [problems.awa_size(seed=100 + k).prepared() for k in range(repeats)]
    names = sets[0].names
    alone = [(name, None) for name in names]
    chain = list(zip(names, (None, *names[:-1]), strict=True))
    plans = (alone, chain, None)

    def ours() -> list[list[object]]:
        return [
            [
                learn(task_set, "indsvm", seed=k),
                learn(task_set, "order", order=names, seed=k),
                learn(task_set, "seqmt", seed=k),
            ]
            for k, task_set in enumerate(sets)
        ]

    def theirs() -> list[list[object]]:
        return [
            [Literal(cvxopt_qp, "shared", k, plan=plan).run(task_set) for plan in plans]
            for k, task_set in enumerate(sets)
        ]

    mine, peer = best_of(ours, 3, 5.0), peer_time(theirs, 1, 1.0)
    loose = 0
    for k, (task_set, learned, outcomes) in enumerate(zip(sets, mine.result, peer.result, strict=True)):
        for one, other, plan in zip(learned, outcomes, plans, strict=True):
            try:
                same_curriculum(one, other, task_set)
            except DifferentError:
                exactly = Literal(cvxopt_to_the_end, "shared", k, plan=plan).run(task_set)
                same_curriculum(one, exactly, task_set)
                loose += 1
    if loose:
        note += f" {loose} of {3 * repeats} results: another C than theirs, but that of CVXOPT at reltol 1e-12"
    work = f"{repeats}-repeat comparison of 3 methods, C shared"
    return Row(work, "AwA size", "CVXOPT, literal", mine, peer, 80.0, note.strip())
