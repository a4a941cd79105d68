"""The box QP: the promised duality gap, from the definition, for every C, shape and solver."""

from __future__ import annotations

import numpy as np
import pytest

from core import AdaptiveSVC, learn
from core.errors import SettingsError, SolverError
from core.solver import osqp_problem
from core.solver.activeset import settle
from core.solver.backends import ask_qpsolvers, check_solver, onto_limits
from core.solver.box_qp import GAP, MAX_POINTS, BoxQP
from core.solver.cholesky import factorise, solve_factored
from data.sources.catalogue import load

GRID = 10.0 ** np.arange(-2, 6)
SHAPES = [(2, 1), (30, 2), (200, 3), (60, 60), (40, 500), (600, 5)]


def signed_points(m: int, d: int, seed: int = 0, noise: float = 1.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    y = np.where(X @ rng.normal(size=d) + noise * rng.normal(size=m) > 0, 1.0, -1.0)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return np.hstack([X, np.ones((m, 1))]) * y[:, None]


def gap_from_definition(Z: np.ndarray, w_source: np.ndarray, C: float, alpha: np.ndarray) -> float:
    """Eq. (2)'s primal at w = w_src + Zᵀα/2 minus the dual at α, relative to the primal."""
    limit = C / len(Z)
    assert np.all(alpha >= 0)
    assert np.all(alpha <= limit * (1 + 1e-12))
    step = Z.T @ alpha / 2
    primal = step @ step + limit * np.sum(np.maximum(0.0, 1.0 - Z @ (w_source + step)))
    dual = np.sum(alpha * (1.0 - Z @ w_source)) - step @ step
    return (primal - dual) / primal


@pytest.mark.parametrize("C", GRID)
@pytest.mark.parametrize(("m", "d"), SHAPES)
def test_gap_is_below_1e_6_for_every_C(m: int, d: int, C: float) -> None:
    Z = signed_points(m, d)
    factor = Z / np.sqrt(2) if 2 * Z.shape[1] <= m else None
    qp = BoxQP(Z @ Z.T / 2, factor)
    for scale in (0.0, 1.0, 30.0):
        w_source = scale * np.random.default_rng(1).normal(size=Z.shape[1])
        solution = qp.solve(1.0 - Z @ w_source, C / m)
        assert solution.gap <= GAP
        assert gap_from_definition(Z, w_source, C, solution.alpha) <= 1e-9


@pytest.mark.parametrize("solver", ["osqp", "piqp", "daqp", "cvxopt"])
def test_any_solver_gives_the_same_weights(solver: str) -> None:
    Z = signed_points(50, 4)
    alpha = BoxQP(Z @ Z.T / 2, solver=solver).solve(np.ones(50), 20 / 50).alpha
    reference = BoxQP(Z @ Z.T / 2).solve(np.ones(50), 20 / 50).alpha
    np.testing.assert_allclose(Z.T @ alpha, Z.T @ reference, atol=1e-8)


@pytest.mark.parametrize("d", [300, 4])
def test_osqp_hears_of_other_limits(d: int) -> None:
    Z = signed_points(40, d)
    qp = BoxQP(Z @ Z.T / 2, Z / np.sqrt(2) if d < 20 else None)
    for limit in (2.0, 0.1, 1.0):
        answer, _ = qp.osqp.ask(np.ones(40), np.full(40, limit), np.zeros(40))
        assert answer is not None
        assert 0.5 * limit < answer.max() < 1.1 * limit


@pytest.mark.parametrize("d", [60, 3])  # in α alone, and in (α, z)
def test_a_set_up_that_another_fit_left_gives_the_same_bits_as_a_new_one(d: int) -> None:
    points = {seed: signed_points(24, d, seed) for seed in range(6)}
    y = np.tile([-1.0, 1.0], 12)
    used = 0
    for C in (50.0, 2000.0):
        for seed, Z in points.items():
            osqp_problem._idle.clear()
            new = AdaptiveSVC(C).fit(Z * y[:, None], y)
            osqp_problem._idle.clear()
            other = 2.0 * points[(seed + 1) % 6] * y[:, None]  # of the same step size, as C is four times as large
            AdaptiveSVC(4.0 * C).fit(other, y, source=np.full(d + 1, 0.1))
            left = dict(osqp_problem._idle)
            again = AdaptiveSVC(C).fit(Z * y[:, None], y)
            assert new.solved_.by == "osqp"
            assert np.array_equal(again.coef_, new.coef_)
            assert again.solved_ == new.solved_  # the iterations and both gaps
            used += any(osqp_problem._idle.get(shape) is problem for shape, problem in left.items())
    assert used >= 4  # of 12: where OSQP adapts its step size, the set-up is not left to others


def test_what_osqp_gives_up_in_the_middle_is_not_answered_by_the_fit_before() -> None:
    differing = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        before, huge = 1e5 * np.sign(rng.normal(size=(20, 30))), np.tile(1e6 * np.sign(rng.normal(size=30)), (20, 1))
        y = np.concatenate([[1.0, -1.0], np.where(rng.random(18) < 0.5, 1.0, -1.0)])
        told = []
        for first in (None, before):
            osqp_problem._idle.clear()
            if first is not None:
                AdaptiveSVC(10.0).fit(first, y)
            try:
                told.append(str(AdaptiveSVC(1.0).fit(huge, y).solved_))
            except SolverError as error:
                told.append(str(error))
        differing += told[0] != told[1]
    assert differing == 0


def test_few_set_ups_are_left_and_none_whose_step_size_osqp_has_adapted() -> None:
    osqp_problem._idle.clear()
    for m in range(10, 30):
        Z = signed_points(m, 40)
        AdaptiveSVC(50.0).fit(Z, np.where(np.arange(m) % 2, 1.0, -1.0))
    assert len(osqp_problem._idle) == osqp_problem._MOST_IDLE
    assert max(shape[0] for shape in osqp_problem._idle) == 29
    osqp_problem._idle.clear()
    qp = BoxQP(signed_points(30, 60) @ signed_points(30, 60).T / 2)
    qp.osqp.ask(np.ones(30), np.full(30, 2.0), np.zeros(30))
    assert qp.osqp._osqp is not None
    qp.osqp._osqp._solver.update_rho(7.0)
    qp.osqp.leave()
    assert not osqp_problem._idle


@pytest.mark.parametrize(("m", "d"), [(40, 300), (300, 4)])
@pytest.mark.parametrize("C", [1.0, 1e2, 1e4])
def test_osqp_is_set_up_once_updated_and_leads_to_the_answer(m: int, d: int, C: float) -> None:
    Z = signed_points(m, d)
    factor = Z / np.sqrt(2) if 2 * Z.shape[1] <= m else None
    qp = BoxQP(Z @ Z.T / 2, factor)
    first = None
    for r in (np.ones(m), 1.0 - Z @ np.full(Z.shape[1], 0.3)):
        limits = np.full(m, C / m)
        answer, iterations = qp.osqp.ask(r, limits, np.zeros(m))
        assert iterations > 0
        alpha = onto_limits(answer, limits)
        first = first or qp.osqp._osqp
        assert qp.osqp._osqp is first
        assert qp.gap(r, limits, alpha) < 0.5 * qp.gap(r, limits, np.zeros(m))  # loose, but OSQP's own
        assert settle(qp.Q, r, limits, alpha, np.empty(m), 300, m) <= GAP


@pytest.mark.parametrize("m", [120, 400])
def test_the_interior_point_alone_comes_near_dense_and_sparse(m: int) -> None:
    Z = signed_points(m, 3)
    Q, r, limits = Z @ Z.T / 2, np.ones(m), np.full(m, 1e3 / m)
    for thin in (False, True):
        alpha, iterations = ask_qpsolvers("piqp", Q, Z / np.sqrt(2), r, limits, thin)
        assert BoxQP(Q).gap(r, limits, onto_limits(alpha, limits)) < 1e-4
        assert 0 < iterations < 100


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7, 8, 31, 150])
def test_the_factor_solves_whatever_the_number_of_rows(n: int) -> None:
    rng = np.random.default_rng(n)
    B = rng.normal(size=(n, n + 5))
    A, b = B @ B.T + np.eye(n), rng.normal(size=n)
    factor, x = np.tril(A), b.copy()
    factorise(factor, n, 0.25)
    solve_factored(factor, x, n)
    np.testing.assert_allclose((A + 0.25 * np.eye(n)) @ x, b, atol=1e-10)


def test_a_matrix_that_rounding_made_indefinite_is_still_factorised() -> None:
    rng = np.random.default_rng(0)
    B = rng.normal(size=(150, 3)) * [1e8, 1.0, 1e-8]
    A = B @ B.T
    ridge = 1e-12 * A.diagonal().max()
    factor = np.tril(A)
    factorise(factor, 150, ridge)
    L = np.tril(factor, -1) + np.diag(1.0 / factor.diagonal())
    assert np.isfinite(L).all()
    np.testing.assert_allclose(L @ L.T, A, atol=1e-6 * np.abs(A).max())


def test_many_points_in_the_plane_at_every_C() -> None:
    learned = learn(load("plane-rotation?train=500"), "seqmt", C="each")
    assert learned.mean_test_error < 0.05


def test_points_that_are_all_zero_are_put_at_the_limit() -> None:
    solution = BoxQP(np.zeros((3, 3))).solve(np.ones(3), 0.5)
    np.testing.assert_array_equal(solution.alpha, [0.5, 0.5, 0.5])


def test_a_gap_that_cannot_be_had_is_an_error() -> None:
    bad = np.array([[1.0, 0.0], [0.0, np.nan]])
    with pytest.raises(SolverError, match="relative duality gap"):
        BoxQP(bad).solve(np.ones(2), 1.0)


def test_too_many_points_are_refused_before_memory_is_spent() -> None:
    with pytest.raises(SolverError, match=f"most that is practical is {MAX_POINTS}"):
        BoxQP(np.broadcast_to(0.0, (MAX_POINTS + 1, MAX_POINTS + 1)))


def test_unknown_solver_names_the_installed_ones() -> None:
    with pytest.raises(SettingsError, match=r"'gurobi9' is not installed here.*osqp"):
        check_solver("gurobi9")
