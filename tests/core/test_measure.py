"""Balanced error, from cross-validation to orders, against its definition written out with plain numpy."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from core import Problem, SettingsError, Task, TaskSet, every_order, learn
from core.curriculum.learn import fit_at, searched_mistakes
from core.curriculum.methods import RULES, chain
from core.curriculum.result import Answers
from core.curriculum.search import walk
from core.fitting.cross_validation import C_GRID, FOLDS, REPEATS, Folds, smallest_best, stratified_folds
from core.fitting.pool import Pool
from core.fitting.stage import Stage
from core.measure import MEASURES, mistake_costs, point_groups
from core.orders.all_orders import choose_orders
from core.orders.orders_by_draw import orders_over_draws
from core.orders.ranking import extremes, noise_of, place_learned, place_row
from core.statistics.majority import against_majority, over_repeats, unrelated
from core.statistics.noise import cochran_q, mean_interval, split_half, wilson
from tests.core import cases


def unequal(seed: int = 0, n: int = 3) -> TaskSet:
    """Related tasks of unequal sizes and unequal classes, the larger class positive in one of them."""
    rng = np.random.default_rng(seed)
    tasks = []
    for k, (m, positive) in enumerate(((30, 6), (40, 7), (18, 13), (20, 5))[:n]):
        parts = []
        for size, some in ((m, positive), (m + 7, positive + 1)):
            y = rng.permutation(np.where(np.arange(size) < some, 1.0, -1.0))
            parts += [rng.normal(size=(size, 5)) + 0.6 * y[:, None] * (np.arange(5) < 2), y]
        tasks.append(Task(f"t{k}", *parts))
    return TaskSet("unequal", tuple(tasks), normalize="none", bias=True)


def answers_of(
    labels: dict[str, np.ndarray], wrong: dict[str, np.ndarray], rows: dict[str, np.ndarray] | None = None
) -> Answers:
    """With negative points in the majority; without `rows`, no two tasks share a row."""
    starts = np.cumsum([0, *map(len, labels.values())])
    own = {name: start + np.arange(len(y)) for start, (name, y) in zip(starts, labels.items(), strict=False)}
    ids = own if rows is None else rows
    points = np.ones((3, 1)), np.array([1.0, -1.0, -1.0])
    tasks = (Task(name, *points, np.ones((len(y), 1)), y, ids_test=ids[name]) for name, y in labels.items())
    return Answers(TaskSet("answers", tuple(tasks)), wrong)


def balanced(y: np.ndarray, wrong: np.ndarray) -> float:
    """The definition."""
    return float(np.mean([np.mean(wrong[y == label]) for label in (-1.0, 1.0) if np.any(y == label)]))


def validation_errors(task_set: TaskSet, method: str, **settings: object) -> np.ndarray:
    """Mean balanced validation error for each C: every fold learned anew at that C, counted class by class."""
    prepared = task_set.prepared()
    folds = {task.name: stratified_folds(task, 0) for task in prepared.tasks}
    errors = []
    for C in C_GRID:
        seen: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {task.name: [] for task in prepared.tasks}
        for repeat in range(REPEATS):
            for fold in range(FOLDS):
                out = {task.name: folds[task.name][repeat] == fold for task in prepared.tasks}
                inside = tuple(Task(t.name, t.X[~out[t.name]], t.y[~out[t.name]]) for t in prepared.tasks)
                part = TaskSet("fold", inside, normalize="none", bias=False)
                weights = learn(part, method, C=float(C), solver="kernel", **settings).weights  # type: ignore[arg-type]
                for t in prepared.tasks:
                    y = t.y[out[t.name]]
                    seen[t.name].append((y, y * (t.X[out[t.name]] @ weights[t.name]) <= 0))
        errors.append(np.mean([balanced(*map(np.concatenate, zip(*pairs, strict=True))) for pairs in seen.values()]))
    return np.array(errors)


def test_a_mistake_costs_as_much_as_its_class_is_rare() -> None:
    y = np.array([1.0, -1.0, -1.0, -1.0, -1.0])
    assert mistake_costs(y, "error").tolist() == [1.0] * 5
    costs = mistake_costs(y, "balanced")
    assert costs[y > 0].sum() == costs[y < 0].sum()
    assert mistake_costs(np.ones(3), "balanced").tolist() == [1.0] * 3
    with pytest.raises(SettingsError, match="the measure is 'both'; use 'error' or 'balanced'"):
        Problem(unequal(), measure="both")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "seed"),
    [("seqmt", 1), ("multiseqmt", 1), ("treemt", 1), ("indsvm", 2), ("mergedsvm", 2), ("mt", 1)],
)
def test_a_shared_C_is_the_smallest_of_the_best_balanced_validation_error(method: str, seed: int) -> None:
    task_set = unequal(seed)
    wanted = C_GRID[smallest_best(validation_errors(task_set, method))]
    assert set(learn(task_set, method, measure="balanced").chosen_C.values()) == {wanted}
    assert set(learn(task_set, method).chosen_C.values()) != {wanted}


def test_each_fit_picks_its_C_by_balanced_validation_error() -> None:
    task_set = unequal(2)
    plain, learned = (learn(task_set, "indsvm", C="each", measure=measure) for measure in ("error", "balanced"))
    for task in task_set.tasks:
        wanted = validation_errors(TaskSet("one", (task,), normalize="none", bias=True), "indsvm")
        assert learned.chosen_C[task.name] == C_GRID[smallest_best(wanted)]
        assert learned.chosen_C[task.name] != plain.chosen_C[task.name]


def test_the_walk_over_all_orders_counts_balanced_mistakes_as_the_search_does() -> None:
    for wide in (False, True):
        task_set = unequal(3)
        if wide:
            rng = np.random.default_rng(0)
            tasks = [Task(t.name, np.hstack([t.X, rng.normal(size=(t.n_points, 60))]), t.y) for t in task_set.tasks]
            task_set = TaskSet("wide", tuple(tasks), normalize="none")
        pool = Pool(task_set.prepared(), measure="balanced")
        folds = Folds.draw(pool, 0)
        held = [fold_of[0] == 0 for fold_of in folds.fold_of]
        inside = [rows[~out] for rows, out in zip(pool.rows, held, strict=True)]
        outside = [rows[out] for rows, out in zip(pool.rows, held, strict=True)]
        orders = choose_orders(3, 10, 0)
        for C in (0.1, 10.0):
            stage = Stage(pool, inside)
            walked = walk(stage, orders, fit_at(stage, C), outside)
            for order, mistakes in zip(orders, walked.mistakes, strict=True):
                plan = chain(order.tolist())
                found = searched_mistakes(Stage(pool, inside), RULES["order"], C, outside, plan, True)
                np.testing.assert_allclose(mistakes, found[0], rtol=1e-12)


@pytest.mark.parametrize("C", ["shared", "each", 10.0])
def test_every_order_has_the_balanced_error_of_learning_it(C: str | float) -> None:
    task_set = unequal(4)
    problem = Problem(task_set, measure="balanced")
    found = every_order(task_set, C=C, own_C=True, points=True, measure="balanced")  # type: ignore[arg-type]
    assert found.test_errors is not None
    assert found.points is not None
    assert found.measure == "balanced"
    prepared = problem.task_set
    for row in range(len(found.orders)):
        learned = problem.learn("order", C, order=found.named(row))  # type: ignore[arg-type]
        wanted = np.mean([
            balanced(t.y_test, t.y_test * (t.X_test @ learned.weights[t.name]) <= 0)  # type: ignore[arg-type,operator]
            for t in prepared.tasks
        ])  # fmt: skip
        assert found.test_errors[row] == pytest.approx(wanted, abs=1e-12)
        assert learned.mean_error == pytest.approx(wanted, abs=1e-12)
        assert found.points.shares @ found.points.wrong[row] == pytest.approx(wanted, abs=1e-12)
        if C == "shared":
            assert found.C[row] == next(iter(learned.chosen_C.values()))
        placed = place_learned(found, "it", learned)
        assert placed.test_error == pytest.approx(wanted, abs=1e-12)
        assert placed.whisker == place_row(found, "it", row).whisker
        assert placed.whisker is not None
        assert wanted in placed.whisker
    assert extremes(found)[0].test_error == found.test_errors.min()


def test_what_is_noise_of_balanced_errors_is_told_class_by_class() -> None:
    found = every_order(unequal(5, n=4), C=10.0, points=True, measure="balanced")
    points = found.points
    assert points is not None
    chance = noise_of(found)
    assert chance is not None
    assert chance.point == pytest.approx(1 / (2 * 4 * min(np.sum(points.groups == g) for g in range(8))))
    assert chance.tested == cochran_q(points.wrong, costs=points.shares)
    assert chance.gap == split_half(points.wrong, points.groups)  # all groups weigh the same: each task has both
    assert chance.correlation is not None
    assert chance.interval is not None


def test_cochran_at_costs_is_mcnemar_at_costs_for_two() -> None:
    rng = np.random.default_rng(0)
    wrong, costs = rng.random((2, 60)) < 0.4, rng.integers(1, 9, 60).astype(float)
    difference = costs * (wrong[0].astype(float) - wrong[1])
    assert cochran_q(wrong, costs=costs).statistic == pytest.approx(difference.sum() ** 2 / np.sum(difference**2))
    assert cochran_q(wrong, costs=np.full(60, 3.0)).statistic == pytest.approx(cochran_q(wrong).statistic)


def test_cochran_at_costs_claims_5_in_100_where_nothing_differs() -> None:
    rng = np.random.default_rng(1)
    costs = np.where(np.arange(200) < 20, 9.0, 1.0)
    rates = rng.random(200)
    claimed = np.mean([cochran_q(rng.random((6, 200)) < rates, costs=costs).p_value < 0.05 for _ in range(400)])
    assert 0.02 <= claimed <= 0.09


def test_an_interval_of_balanced_errors_holds_the_true_one_nearly_always() -> None:
    rng = np.random.default_rng(2)
    sizes, rates, weights = np.array([6, 90, 8, 100]), np.array([0.5, 0.1, 0.3, 0.2]), np.full(4, 0.5)
    held = [rates.mean() in mean_interval(rng.binomial(sizes, rates), sizes, k, weights) for k in range(200)]
    assert np.mean(held) >= 0.9
    assert mean_interval([0, 0], [10, 20], weights=np.array([0.5, 1.0])) == wilson(0, 30)


def test_orders_over_draws_go_by_the_measure() -> None:
    over = orders_over_draws(lambda seed: Problem(unequal(seed), seed=seed, measure="balanced"), range(2), C=10.0)
    assert over.means.measure == "balanced"
    for k in range(2):
        alone = every_order(unequal(k), C=10.0, seed=k, measure="balanced")
        assert over.errors[k] == pytest.approx(alone.test_errors)
        seqmt = learn(unequal(k), C=10.0, seed=k, measure="balanced")
        assert over.methods["SeqMT"][0, k] == pytest.approx(seqmt.mean_error)


def test_what_is_learned_says_both_errors_and_that_of_the_larger_class() -> None:
    task_set = unequal(6)
    learned = learn(task_set, C=1.0)
    assert learned.balanced_error is not None
    assert learned.majority_error is not None
    for task in task_set.prepared().tasks:
        assert task.y_test is not None
        wrong = task.y_test * (task.X_test @ learned.weights[task.name]) <= 0
        assert learned.balanced_error[task.name] == pytest.approx(balanced(task.y_test, wrong))
        larger = 1.0 if np.mean(task.y > 0) > 0.5 else -1.0
        assert learned.majority_error[task.name] == np.mean(task.y_test != larger)
    assert learned.mean_error == learned.mean_test_error
    assert "measure" not in learned.as_dict()
    said = learn(task_set, C=1.0, measure="balanced").as_dict()
    assert said["measure"] == "balanced"
    assert said["balanced_error"] == learned.balanced_error
    untested = TaskSet("untested", tuple(Task(t.name, t.X, t.y) for t in task_set.tasks))
    assert learn(untested, C=1.0).balanced_error is None


def test_a_learner_that_answers_one_class_alone_is_no_better_than_that() -> None:
    found = against_majority(learn(cases.landmine()))
    assert found is not None
    assert found.answered_positive == 0
    assert found.points == 850
    assert found.one_answer
    assert found.errors == found.majority == {"error": pytest.approx(0.06, abs=0.003), "balanced": 0.5}
    assert found.better == {"error": False, "balanced": False}


def test_by_balanced_errors_another_C_finds_what_there_is_to_find() -> None:
    task_set = cases.landmine(1, signal=1.5)
    plain, counted = (learn(task_set, measure=measure) for measure in ("error", "balanced"))
    assert set(plain.chosen_C.values()) == {0.01}
    assert set(counted.chosen_C.values()) != {0.01}
    first, second = against_majority(plain), against_majority(counted)
    assert first is not None
    assert second is not None
    assert first.one_answer
    assert not first.better["balanced"]
    assert second.answered_positive is not None
    assert second.answered_positive > 20
    assert second.better == {"error": False, "balanced": True}


def test_answers_that_have_nothing_to_do_with_labels_are_called_better_5_times_in_100() -> None:
    rng = np.random.default_rng(3)
    labels = {f"t{k}": np.where(np.arange(80) < 6, 1.0, -1.0) for k in range(4)}
    p_values = []
    for trial in range(300):
        answered = {name: rng.random(80) < 0.3 for name in labels}
        wrong = {name: (y > 0) != answered[name] for name, y in labels.items()}
        p_values.append(unrelated(answers_of(labels, wrong), trial))
    assert np.mean(np.array(p_values) < 0.05) <= 0.09
    right = {name: np.zeros(80, dtype=bool) for name in labels}
    assert unrelated(answers_of(labels, right)) < 0.002


def test_rows_that_several_tasks_share_count_once() -> None:
    """The same task under four names says no more than it does alone; four tasks with points of their own would."""
    y = np.repeat([1.0, -1.0], [30, 34])
    wrong = np.isin(np.arange(64), [*range(10), *range(30, 42)])  # 20 of 30 positive points and 22 of 34 negative right
    names, rows = [f"t{k}" for k in range(4)], np.arange(64)
    labels, wrongs = dict.fromkeys(names, y), dict.fromkeys(names, wrong)
    alone, apart = answers_of({"t": y}, {"t": wrong}), answers_of(labels, wrongs)
    shared = answers_of(labels, wrongs, dict.fromkeys(names, rows))
    found = [against_majority(SimpleNamespace(answers=one)) for one in (alone, shared, apart)]  # type: ignore[arg-type]
    assert [one.better["error"] for one in found if one is not None] == [False, False, True]
    assert unrelated(shared) == pytest.approx(unrelated(alone), abs=0.02)
    assert unrelated(apart) < 0.01 < unrelated(alone)
    rng = np.random.default_rng(0)
    for least in (64, 58):  # in another order in each task, and where each task misses some
        own = {name: rng.permutation(64)[:least] for name in names}
        part = answers_of({n: y[own[n]] for n in names}, {n: wrong[own[n]] for n in names}, own)
        assert unrelated(part) > 0.01


def test_better_than_the_larger_class_needs_the_points_and_the_tasks_to_agree() -> None:
    """One task of 1,000 points where the learner errs more, and four of ten where it errs less: worse by points."""
    labels = {"large": np.repeat([1.0, -1.0], [100, 900])} | {f"t{k}": np.repeat([1.0, -1.0], [5, 5]) for k in range(4)}
    wrong = {"large": np.arange(1000) % 7 == 0} | {f"t{k}": np.arange(10) == 0 for k in range(4)}
    answers = answers_of(labels, wrong)
    errors, larger = (float(np.mean(list(of().values()))) for of in (answers.errors, answers.majority_errors))
    assert errors < larger
    assert sum(map(np.sum, wrong.values())) > sum(map(np.sum, answers.majority_wrong.values()))
    found = against_majority(SimpleNamespace(answers=answers))  # type: ignore[arg-type]
    assert found is not None
    assert not found.better["error"]


def test_against_the_larger_class_one_repeat_says_nothing_and_shared_rows_count_for_less() -> None:
    """Ten repeats that are better by 1 ± 1 points: clear on fresh draws, not where they share their rows."""
    rng = np.random.default_rng(0)
    majority = {by: np.full(10, 0.4) for by in MEASURES}
    errors = {by: 0.39 + 0.01 * rng.standard_normal(10) for by in MEASURES}
    assert over_repeats(errors, majority, None).better == {"error": True, "balanced": True}
    assert over_repeats(errors, majority, 3 / 7).better == {"error": False, "balanced": False}
    one = over_repeats({by: np.array([0.1]) for by in MEASURES}, {by: np.array([0.4]) for by in MEASURES}, None)
    assert one.better == {"error": False, "balanced": False}


def test_a_task_of_one_class_weighs_as_much_as_one_of_two() -> None:
    groups, weights = point_groups([np.array([1.0, -1.0, -1.0]), np.array([-1.0, -1.0])], "balanced")
    assert groups.tolist() == [1, 0, 0, 2, 2]
    assert weights.tolist() == [0.5, 0.5, 1.0]
