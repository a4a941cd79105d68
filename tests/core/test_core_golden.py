"""Numbers and sentences of the core on one small problem, to the fourth digit (tests/golden), and promises it keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace

import numpy as np
import pytest
import scipy.sparse as sp

from core import METHODS, AdaptiveSVC, Problem, Task, TaskSet, best_order, every_order, learn
from core.curriculum.learn import check_C, check_seed
from core.errors import CurriculabError, SolverError
from core.experiments.experiment import NAMES, Settings, check_draw, compute, differing, method_keys, usual_methods
from core.experiments.parallel import check_jobs
from core.experiments.summary import between, results_of
from core.fitting.cross_validation import stratified_folds
from core.orders.all_orders import choose_orders
from core.orders.orders_by_draw import noise_over, orders_over_draws
from core.orders.ranking import agreement, extremes, noise_of, place_learned
from core.orders.transfer import pairwise
from core.solver import box_qp
from core.solver.backends import check_solver, installed_solvers, iterations_of, scan_solver, worth_thin
from core.solver.box_qp import BoxQP
from core.statistics import noise
from core.statistics.data_checks import check_data
from core.statistics.patterns import patterns, stability
from core.statistics.projection import cosines, projection, scores_on_grid
from core.statistics.t_test import t_interval
from tests.core import cases
from tests.core.test_boxqp import gap_from_definition, signed_points
from tests.golden import lines, same, word

SIZES = (12, 9, 15, 10)
EVEN = cases.draw(1, n=4, m=15, d=3, noise=0.8, test=15, more=0)
SET = replace(
    EVEN,
    tasks=tuple(replace(task, X=task.X[:m], y=task.y[:m]) for task, m in zip(EVEN.tasks, SIZES, strict=True)),
    semantic_order=("t2", "t0", "t1", "t3"),
    groups={"t0": "a", "t1": "a", "t2": "b", "t3": "b"},
)


def told(found: object, *names: str) -> dict[str, object]:
    return {name: getattr(found, name) for name in names}


def pair(candidate: dict[str, float]) -> str:
    """Its two terms."""
    assert candidate["criterion"] == candidate["error"] + candidate["complexity"]
    return f"{word(candidate['error'])} + {word(candidate['complexity'])}"


@pytest.mark.parametrize("C", [10.0, "shared", "each"])
def test_every_method_learns_the_same_numbers_as_ever(C: float | str) -> None:
    said: list[str] = []
    for key in METHODS:
        order = ("t3", "t1", "t0", "t2") if key == "order" else None
        learned = learn(SET, key, C=C, seed=3, delta=0.1, order=order)
        whole = learned.as_dict()
        for step in whole["steps"] or ():
            seen = [f"{one['task']} from {one['source']} {pair(one)}" for one in step["candidates"]]
            said.append(f"{key} {step['task']} from {step['source']} of " + ", ".join(seen))
        kept = {k: v for k, v in whole.items() if k not in ("steps", "solver", "task_set", "method", "seed")}
        said += lines(key, kept) + lines(f"{key} weights", [w.round(3) for w in learned.weights.values()])
        said.append(f"{key} {learned.solver.fits} {sorted(learned.solver.by)}")
    same(f"methods-{C}", "\n".join(said))


def test_orders_transfer_and_pictures() -> None:
    walked = every_order(SET, C=10.0, points=True)
    greedy = learn(SET, C=10.0)
    shared, own = every_order(SET, seed=1), every_order(SET, seed=1, own_C=True, limit=5)
    some = [*choose_orders(4, 3, 0).tolist(), [3, 2, 1, 0]]
    each = every_order(SET, C="each", only=np.array(sorted(some)))
    kept: list[int] = []
    pieces = every_order(SET, C=10.0, keep=lambda part: kept.append(len(part.orders)))
    np.testing.assert_allclose(pieces.bounds, walked.bounds, rtol=1e-12)
    moved, bare = pairwise(Problem(SET), 10.0), pairwise(Problem(cases.draw(1, n=3)), "each")
    flat, few = projection(SET.prepared()), projection(SET, most=20, seed=2)
    grid = scores_on_grid(np.array([1.0, -2.0, 0.5]), (-1, 2, 0, 3), True, True, 5)
    plain = scores_on_grid(np.array([1.0, -2.0]), (-1, 2, 0, 3), False, False, 4)
    chance = noise_of(walked)
    assert chance is not None
    assert walked.points is not None
    same(
        "analysis",
        {
            "orders": walked.orders,
            "bounds": walked.bounds,
            "errors": walked.test_errors,
            "C": walked.C,
            "best": [walked.best_by_bound, walked.rank_by_bound(0.0), walked.rank_by_bound(greedy.bound.value)],
            "wrong": walked.points.wrong.sum(axis=1),
            "counts": walked.points.counts(3),
            "sizes": walked.points.sizes,
            "kept": kept,
            "shared": [shared.bounds, shared.C],
            "own": [own.orders, own.bounds, own.C, own.test_errors],
            "each": [each.orders, each.bounds, each.test_errors],
            "complete": [walked.complete, own.complete],
            "agreement": agreement(walked),
            "places": [
                told(p, "label", "bound", "test_error", "percentile", "beaten", "ahead") for p in extremes(walked)
            ],
            "greedy": told(place_learned(walked, "SeqMT", greedy), "bound", "test_error", "percentile", "beaten"),
            "whiskers": [[p.whisker.low, p.whisker.high] for p in extremes(walked)[:2]],
            "noise": [chance.gap, chance.point, chance.correlation, chance.tested.p_value, chance.tested.statistic],
            "interval": [chance.interval.low, chance.interval.high],
            "moved": [moved.alone, moved.started, moved.difference, moved.p_values, moved.helped, moved.hurt],
            "bare": [bare.alone, bare.started, bare.C, bare.helped, bare.hurt, list(bare.best_pair())],
            "flat": [flat.points, flat.explained, flat.task, flat.y, flat.complete],
            "few": [few.points, few.task, few.complete],
            "grid": [*grid, *plain],
            "cosines": cosines(greedy.weights, True),
        },
    )


def test_over_draws_and_best_orders() -> None:
    def problem(seed: int) -> Problem:
        drawn = cases.draw(seed, n=3, noise=0.8, test=9)
        return Problem(replace(drawn, semantic_order=("t1", "t0", "t2")), seed=seed)

    over = orders_over_draws(problem, range(4), C=10.0)
    chance = noise_over(over)
    best = {key: best_order(Problem(SET), 10.0, method=key) for key in ("seqmt", "multiseqmt", "treemt")}
    beam = best_order(Problem(SET), 10.0, beam=2)
    same(
        "best",
        {
            "errors": over.errors,
            "bounds": over.bounds,
            "methods": over.methods,
            "random": over.random,
            "lowest": over.lowest,
            "places": [told(p, "label", "bound", "test_error", "beaten") for p in over.places],
            "noise": [chance.gap, chance.point, chance.correlation, chance.positive, chance.tested.p_value],
            "best": {
                key: [one.bound, one.gap, one.exact, one.fits, one.test_error, dict(one.learned.sources)]
                for key, one in best.items()
            },
            "beam": [beam.bound, beam.exact, beam.width, beam.fits],
        },
    )


def test_what_is_noise_by_its_numbers() -> None:
    rng = np.random.default_rng(0)
    wrong = rng.random((6, 40)) < np.linspace(0.1, 0.5, 6)[:, None]
    tasks = np.repeat([0, 1, 2], [20, 15, 5])
    errors = rng.random((5, 4)) + np.arange(4) / 4
    same(
        "noise-numbers",
        {
            "wilson": [[one.low, one.high] for one in (noise.wilson(0, 20), noise.wilson(3, 20), noise.wilson(20, 20))],
            "mean": [
                [one.low, one.high]
                for one in (noise.mean_interval([3, 1], [10, 20]), noise.mean_interval([0, 0], [10, 20], 1))
            ],
            "mcnemar": [noise.mcnemar(wrong[k], wrong[5]) for k in range(6)],
            "holm": noise.holm([0.01, 0.04, 0.03, 0.005, 0.9]),
            "cochran": told(noise.cochran_q(wrong), *noise.Significance.__dataclass_fields__),
            "none": told(noise.cochran_q(wrong[:1]), *noise.Significance.__dataclass_fields__),
            "friedman": told(noise.friedman(errors), *noise.Significance.__dataclass_fields__),
            "split": [noise.split_half(wrong, tasks), noise.split_half(wrong, tasks, seed=1)],
            "held out": noise.held_out_gap(errors),
            "spearman": told(noise.spearman_interval(np.arange(6.0), wrong, tasks), "low", "high"),
            "rank": [
                [one and one.low, one and one.high]
                for one in (noise.rank_interval(r, n) for r, n in ((0.5, 4), (0.5, 5), (1.0, 9), (-0.3, 30)))
            ],
            "t": told(t_interval(np.array([1.0, 2.0, 4.0])), "low", "high"),
        },
    )


def test_oddities_and_patterns_by_their_numbers() -> None:
    X = np.array([[1.0, 1e4], [2.0, -2e4], [3.0, 1e4], [-0.0, 5.0]])
    y = np.array([1.0, -1.0, -1.0, -1.0])
    odd = TaskSet(
        "odd",
        (
            Task("a", X, y, X[:2], y[:2]),
            Task("b", sp.csr_array(X[:2] + 1), y[:2]),
            Task("c", np.tile(X, (3, 1)), np.tile(y, 3)),
        ),
    )
    forests = [{"a": None, "b": "a", "c": "b"}, {"c": None, "a": None, "b": "a"}, {"a": None, "b": "a", "c": "a"}]
    found, stable = patterns(forests, ("a", "b", "c")), stability(forests, ("a", "b", "c"), seed=4)
    assert stable is not None
    same(
        "data-checks",
        {
            "odd": [repr(one) for one in check_data(odd)],
            "even": [repr(one) for one in check_data(SET)],
            "patterns": told(
                found, "names", "transfers", "starts", "ends", "together", "positions", "trees", "by_companions"
            ),
            "stability": {name: getattr(stable, name) for name in stable.__slots__},
            "one": stability(forests[:1], ("a", "b", "c")),
        },
    )


class Fresh:
    """Draws of an experiment."""

    key = "fresh"

    def sample(self, seed: int) -> TaskSet:
        return replace(SET, name=f"draw {seed}", tasks=cases.draw(seed, n=4, noise=0.8, test=15).tasks)


def test_experiments_by_their_numbers() -> None:
    first = Settings("s", ("IndSVM", "seqmt", "mt", "random", "best"), 3, 10.0, seed=2, limit=6)
    second = Settings("s", ("seqmt", "TreeMT", "indsvm"), 4, "shared", "none", False, 3, 0.1, "kernel", 7)
    outcomes = [compute(first, Fresh(), *piece) for piece in first.first_pieces]
    results = results_of(first, [replace(one, seconds=1.0) for one in outcomes])
    later = results_of(
        second,
        [
            replace(compute(second, Fresh(), repeat, method), seconds=2.0)
            for repeat in (0, 1)
            for method in ("seqmt", "indsvm")
        ],
    )
    same(
        "experiments",
        {
            "pieces": [list(piece) for piece in first.pieces],
            "outcomes": [asdict(one) for one in results.outcomes[:3]],
            "means": {m: told(results.average(m), "mean", "standard_error", "count") for m in results.methods},
            "tasks": {m: {t: a.mean for t, a in results.per_task(m).items()} for m in results.methods},
            "orders": results.order_means,
            "best": [results.picked_order(m) for m in ("best", "worst")],
            "paired": [
                told(pair, "method", "difference", "p_value", "verdict", "count")
                | {"interval": [pair.interval.low, pair.interval.high]}
                for pair in results.against("seqmt")
            ],
            "differ": differing(first, second),
            "none differ": differing(first, first),
            "between": [
                told(one, "method", "difference", "p_value", "count", "clear", "identical")
                | {"interval": [one.interval.low, one.interval.high]}
                for same_draws in (True, False)
                for one in between(results, later, same_draws)
            ],
            "usual": [usual_methods(SET), usual_methods(cases.draw(0, n=6, test=2))],
        },
    )


def sentence(work: Callable[[], object]) -> str:
    try:
        return f"fine: {work()!r}"
    except (CurriculabError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def test_every_refusal_in_full() -> None:
    X, y = np.eye(2), np.array([1.0, -1.0])
    one, other = Task("a", X, y), Task("b", X, y)
    few = TaskSet("few", (Task("a", np.ones((3, 2)), np.array([1.0, 1, -1])),))
    cases_: list[Callable[[], object]] = [
        *(
            lambda case=case: Task(*case)
            for case in (
                ("", X, y),
                (3, X, y),
                ("t", X, [1, 1]),
                ("t", X, [-1, -1]),
                ("t", X, y, X),
                ("t", X, y, None, y),
                ("t", X, y, np.eye(3)[:2], y),
                ("t", X, ["yes", "no"]),
                ("t", X * 1j, y),
                ("t", [[1], [1, 2]], y),
                ("t", [1, 2], y),
                ("t", X, X),
                ("t", np.eye(3), y),
                ("t", np.empty((0, 2)), []),
                ("t", np.empty((2, 0)), y),
                ("t", [[1, 2], [3, np.nan]], y),
                ("t", sp.csr_array([[0, np.inf], [1, 0]]), y),
                ("t", X, [1, 2]),
                ("t", X, 5),
            )
        ),
        *(
            lambda more=more: TaskSet("s", **({"tasks": (one, other)} | more))
            for more in (
                {"tasks": ()},
                {"tasks": (one, one)},
                {"tasks": (one, Task("c", np.eye(3)[:2], y))},
                {"feature_names": ("u",)},
                {"normalize": "l1"},
                {"semantic_order": ("a",)},
                {"groups": {"a": "g"}},
                {"semantic_order": ("a", "a")},
                {"semantic_order": ("a", "z")},
                {"semantic_order": 5},
                {"image_shape": (3, 1)},
            )
        ),
        lambda: SET.index("nowhere"),
        lambda: SET.prepared("l1"),  # type: ignore[arg-type]
        lambda: TaskSet("s", tuple(Task(f"t{k}", X, y) for k in range(10)))["x"],
        *(
            lambda C=C: check_C(C)
            for C in (1, np.int64(3), "Shared", "each", 0, -1.0, np.nan, np.inf, True, "some", None, 1e9)
        ),
        *(lambda seed=seed: check_seed(seed) for seed in (0, np.int64(4), -1, 1.0, True, "1")),
        *(lambda jobs=jobs: check_jobs(jobs) if jobs else None for jobs in (1, 1024, 1025, -1, True, 1.5)),
        *(lambda name=name: check_solver(name) for name in ("OSQP", "Kernel", "PIQP")),
        *(
            lambda key=key: learn(SET, **key)
            for key in (
                {"method": "magic"},
                {"method": "order"},
                {"order": ("t0",)},
                {"method": "order", "order": ("t0", "t0", "t1", "t2")},
                {"method": "mt", "choices": [("t0", None)]},
                {"choices": [("t0", None)] * 5},
                {"delta": 0.0},
                {"delta": 1.1},
                {"delta": True},
                {"C": 1.0, "choices": [("t0", "t1")]},
                {"C": 1.0, "choices": [("t0", None), ("t1", None)]},
            )
        ),
        lambda: learn(cases.draw(0), "semantic"),
        lambda: learn(few),
        lambda: stratified_folds(few.tasks[0], 0),
        lambda: choose_orders(3, 0, 0),
        lambda: len(choose_orders(3, 6, 0)) == 6,
        lambda: len(choose_orders(3, 5, 0)) == 6,
        lambda: best_order(Problem(SET), 1.0, method="mt"),
        lambda: best_order(Problem(SET), 1.0, beam=0),
        lambda: orders_over_draws(lambda seed: Problem(cases.draw(seed)), range(2)),
        lambda: patterns([], ("a",)),
        lambda: patterns([{"a": None}, {"b": None}], ("a",)),
        *(
            lambda more=more: Settings(**({"source": "s", "methods": ("seqmt",)} | more))
            for more in (
                {"repeats": 0},
                {"repeats": 10_001},
                {"repeats": True},
                {"methods": ()},
                {"methods": ("magic",)},
                {"C": 0},
                {"seed": 2**32 - 21},
                {"seed": 2**32 - 20},
                {"normalize": "l1"},
                {"solver": "kernel"},
                {"delta": 2},
            )
        ),
        lambda: method_keys(("SeqMT", "seqmt", "BEST")),
        lambda: check_draw(Settings("s", ("seqmt",)), cases.draw(0)),
        lambda: check_draw(Settings("s", ("semantic",)), cases.draw(0, test=3)),
        lambda: check_draw(Settings("s", ("best",), limit=0), cases.draw(0, test=3)),
        lambda: results_of(Settings("s", ("best",)), []).picked_order("best"),
        lambda: results_of(Settings("s", ("seqmt",)), []).paired("seqmt", "mt"),
        lambda: list(NAMES.values()),
        lambda: AdaptiveSVC(C=0).fit(X, y),
        lambda: AdaptiveSVC().fit(X, y, source=[1.0]),
        lambda: AdaptiveSVC().fit(X, [1, 1]),
        lambda: cases.box_qp(np.broadcast_to(0.0, (12_001, 12_001)), name="big"),
        lambda: cases.box_qp(np.array([[1.0, 0.0], [0.0, np.nan]]), name="odd").solve(np.ones(2), 1.0),
        lambda: cases.box_qp(np.array([[1.0, 0.0], [0.0, np.nan]]), name="odd", solver="kernel").solve(np.ones(2), 1.0),
        lambda: (scan_solver("osqp"), scan_solver("piqp"), installed_solvers()[:2]),
        lambda: [worth_thin(*shape) for shape in ((120, 15), (120, 16), (119, 1), (120, 0), (400, 50), (400, 51))],
        lambda: [
            iterations_of(extras)
            for extras in ({"info": {"iter": 3}}, {"iterations": 4}, {"info": 5}, None, {"iter": "x"})
        ],
    ]
    same("refusals", "\n".join(sentence(case)[:400] for case in cases_))


@pytest.mark.parametrize(
    ("reached", "asked", "refused"), [(1e-5, 2, True), (5e-7, 2, False), (1e-9, 2, False), (1e-11, 1, False)]
)
def test_a_gap_above_1e_6_is_refused_and_one_above_1e_10_has_a_second_solver_asked(
    reached: float, asked: int, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if neither answer could be finished any better than `reached`."""
    monkeypatch.setattr(box_qp, "finish", lambda *_: (1.0, reached, 0))
    solvers: list[str] = []
    real = BoxQP._ask
    monkeypatch.setattr(
        BoxQP, "_ask", lambda self, solver, *rest: (solvers.append(solver), real(self, solver, *rest))[1]
    )
    Z = signed_points(20, 3)
    qp = cases.box_qp(Z @ Z.T / 2, name="a fit")
    if refused:
        with pytest.raises(SolverError) as error:
            qp.solve(np.ones(20), 50.0)
        assert str(error.value) == (
            "a fit: relative duality gap 1.0e-05 after osqp and piqp, more than 1e-06; scale or normalise the "
            "features, or use a smaller C"
        )
    else:
        assert qp.solve(np.ones(20), 50.0).solved.gap == reached
    assert solvers == ["osqp", "piqp"][:asked]


def test_the_gap_before_and_after_finishing_is_that_of_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    Z = signed_points(60, 3)
    qp = cases.box_qp(Z @ Z.T / 2)
    limits = np.full(60, 1e3 / 60)
    loose, iterations = qp.osqp.ask(np.ones(60), limits, np.zeros(60))
    assert loose is not None
    solution = cases.box_qp(Z @ Z.T / 2).solve(np.ones(60), 1e3 / 60)
    alpha = np.clip(loose, 0, limits)
    assert solution.solved.gap_before == pytest.approx(gap_from_definition(Z, np.zeros(4), 1e3, alpha), rel=1e-3)
    assert solution.solved.gap_before > 1e-6
    assert solution.solved.iterations == iterations > 0
    monkeypatch.setattr(box_qp, "to_finish", lambda m, rank: (0, m))
    monkeypatch.setattr(box_qp, "GAP", 1.0)
    monkeypatch.setattr(box_qp, "FALLBACK", "osqp")
    rough = cases.box_qp(Z @ Z.T / 2).solve(np.ones(60), 1e3 / 60)
    assert rough.gap == pytest.approx(gap_from_definition(Z, np.zeros(4), 1e3, rough.alpha), rel=1e-6)
    assert rough.gap > 1e-6


@pytest.mark.parametrize("solver", ["piqp", "daqp", "cvxopt"])
def test_a_solver_that_is_named_is_the_one_that_is_asked(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import qpsolvers

    asked = []
    real = qpsolvers.solve_problem
    monkeypatch.setattr(
        qpsolvers,
        "solve_problem",
        lambda problem, solver, **more: (asked.append(solver), real(problem, solver, **more))[1],
    )
    learned = learn(SET, C=10.0, solver=solver)
    assert asked == [solver] * learned.solver.fits
    assert learned.solver.by == {solver: learned.solver.fits}
