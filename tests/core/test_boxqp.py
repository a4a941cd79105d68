"""The box QP: the promised duality gap, from the definition, for every C, shape and solver."""

from __future__ import annotations

import numpy as np
import pytest

from core import learn
from core.errors import SettingsError, SolverError
from core.solver.activeset import finish, fit
from core.solver.backends import ask_qpsolvers, check_solver, onto_limits
from core.solver.box_qp import GAP, MAX_POINTS, SETTLED, BoxQP
from core.solver.linalg import factorise, relative_gap, solve_factored
from data.sources.catalogue import load
from tests.core import cases

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


def gap_of(Q: np.ndarray, r: np.ndarray, limits: np.ndarray, alpha: np.ndarray) -> float:
    """The relative duality gap of any α in the box."""
    return relative_gap(r, limits, alpha, Q @ alpha - r)


@pytest.mark.parametrize("C", GRID)
@pytest.mark.parametrize(("m", "d"), SHAPES)
def test_gap_is_below_1e_6_for_every_C(m: int, d: int, C: float) -> None:
    Z = signed_points(m, d)
    factor = Z / np.sqrt(2) if 2 * Z.shape[1] <= m else None
    qp = cases.box_qp(Z @ Z.T / 2, factor)
    for scale in (0.0, 1.0, 30.0):
        w_source = scale * np.random.default_rng(1).normal(size=Z.shape[1])
        solution = qp.solve(1.0 - Z @ w_source, C / m)
        assert solution.gap <= GAP
        assert gap_from_definition(Z, w_source, C, solution.alpha) <= 1e-9


@pytest.mark.parametrize(("m", "d"), SHAPES)
def test_the_compiled_fit_is_what_the_kernel_solves(m: int, d: int) -> None:
    Z = signed_points(m, d)
    known = Z @ Z.T / 2, np.full(m, 1 / m), Z / np.sqrt(2) if Z.shape[1] <= m else None
    solver, compiled, settled = BoxQP.of(*known, "kernel", "QP"), BoxQP.of(*known, "kernel", "QP").qp, 0
    for C in GRID:
        r, g = 1.0 - Z @ np.random.default_rng(1).normal(size=Z.shape[1]), np.empty(m)
        gap, at_limit = fit(compiled, r, C, g)
        if not gap <= SETTLED:
            break  # there the solver goes on with another
        found = solver.solve(r, C)
        assert np.array_equal(compiled.alpha, found.alpha)
        assert np.array_equal(g, found.g)
        assert (at_limit, max(gap, 0.0)) == (found.at_limit, found.gap)
        settled += 1
    assert settled > 3


@pytest.mark.parametrize("solver", ["osqp", "piqp", "daqp", "cvxopt"])
def test_any_solver_gives_the_same_weights(solver: str) -> None:
    Z = signed_points(50, 4)
    alpha = cases.box_qp(Z @ Z.T / 2, solver=solver).solve(np.ones(50), 20 / 50).alpha
    reference = cases.box_qp(Z @ Z.T / 2).solve(np.ones(50), 20 / 50).alpha
    np.testing.assert_allclose(Z.T @ alpha, Z.T @ reference, atol=1e-8)


@pytest.mark.parametrize("d", [300, 4])
def test_osqp_hears_of_other_limits(d: int) -> None:
    Z = signed_points(40, d)
    qp = cases.box_qp(Z @ Z.T / 2, Z / np.sqrt(2) if d < 20 else None)
    for limit in (2.0, 0.1, 1.0):
        answer, _ = qp.osqp.ask(np.ones(40), np.full(40, limit), np.zeros(40))
        assert answer is not None
        assert 0.5 * limit < answer.max() < 1.1 * limit


@pytest.mark.parametrize(("m", "d"), [(40, 300), (300, 4)])
@pytest.mark.parametrize("C", [1.0, 1e2, 1e4])
def test_osqp_is_set_up_once_updated_and_leads_to_the_answer(m: int, d: int, C: float) -> None:
    Z = signed_points(m, d)
    factor = Z / np.sqrt(2) if 2 * Z.shape[1] <= m else None
    qp = cases.box_qp(Z @ Z.T / 2, factor)
    for r in (np.ones(m), 1.0 - Z @ np.full(Z.shape[1], 0.3)):
        limits = np.full(m, C / m)
        answer, iterations = qp.osqp.ask(r, limits, np.zeros(m))
        assert iterations > 0
        alpha = onto_limits(answer, limits)
        assert gap_of(qp.qp.Q, r, limits, alpha) < 0.5 * gap_of(
            qp.qp.Q, r, limits, np.zeros(m)
        )  # loose, but OSQP's own
        qp.qp.alpha[:] = alpha
        assert finish(qp.qp, r, C / m, np.empty(m), 300, m)[1] <= GAP


@pytest.mark.parametrize("m", [120, 400])
def test_the_interior_point_alone_comes_near_dense_and_sparse(m: int) -> None:
    Z = signed_points(m, 3)
    Q, r, limits = Z @ Z.T / 2, np.ones(m), np.full(m, 1e3 / m)
    for thin in (False, True):
        alpha, iterations = ask_qpsolvers("piqp", Q, Z / np.sqrt(2), r, limits, thin)
        assert gap_of(Q, r, limits, onto_limits(alpha, limits)) < 1e-4
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
    solution = cases.box_qp(np.zeros((3, 3))).solve(np.ones(3), 0.5)
    np.testing.assert_array_equal(solution.alpha, [0.5, 0.5, 0.5])


def test_a_gap_that_cannot_be_had_is_an_error() -> None:
    bad = np.array([[1.0, 0.0], [0.0, np.nan]])
    with pytest.raises(SolverError, match="relative duality gap"):
        cases.box_qp(bad).solve(np.ones(2), 1.0)


def test_too_many_points_are_refused_before_memory_is_spent() -> None:
    with pytest.raises(SolverError, match=f"most that is practical is {MAX_POINTS}"):
        cases.box_qp(np.broadcast_to(0.0, (MAX_POINTS + 1, MAX_POINTS + 1)))


def test_unknown_solver_names_the_installed_ones() -> None:
    with pytest.raises(SettingsError, match=r"'gurobi9' is not installed here.*osqp"):
        check_solver("gurobi9")
