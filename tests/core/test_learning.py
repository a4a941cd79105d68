"""Facts about the learners that hold whatever the data."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from core import AdaptiveSVC, Problem, Task, TaskSet, learn, warmup
from core.curriculum.learn import fit_at
from core.curriculum.methods import GREEDY, METHODS
from core.curriculum.search import search
from core.curriculum.steps import Rule
from core.errors import Cancelled, SettingsError
from core.fitting.pool import Pool
from core.fitting.stage import Stage
from tests.core import cases

SEMANTIC = ("t2", "t0", "t3", "t1")


def set_with_everything() -> TaskSet:
    drawn = cases.draw(0, m=16, d=5, test=30)
    return TaskSet("full", drawn.tasks, semantic_order=SEMANTIC)


@pytest.mark.parametrize("method", [key for key in METHODS if key != "order"])
@pytest.mark.parametrize("C", ["shared", "each", 3.0])
def test_every_method_reports_the_whole_contract(method: str, C) -> None:
    task_set = set_with_everything()
    report = json.loads(json.dumps(learn(task_set, method, C=C, seed=4).as_dict()))
    names = set(task_set.names)
    assert (report["task_set"], report["method"], report["C"], report["seed"]) == ("full", method, C, 4)
    assert (
        set(report["order"]) == set(report["sources"]) == set(report["chosen_C"]) == set(report["test_error"]) == names
    )
    assert report["mean_test_error"] == pytest.approx(np.mean(list(report["test_error"].values())))
    if method in ("mergedsvm", "mt"):
        assert report["steps"] == []
        assert report["bound"] is None
        return
    assert [step["task"] for step in report["steps"]] == report["order"]
    chosen = []
    for step in report["steps"]:
        match = [c for c in step["candidates"] if (c["task"], c["source"]) == (step["task"], step["source"])]
        assert len(match) == 1
        assert report["sources"][step["task"]] == step["source"]
        assert report["chosen_C"][step["task"]] == match[0]["C"]
        assert match[0]["criterion"] == pytest.approx(match[0]["error"] + match[0]["complexity"])
        chosen += match
    bound = report["bound"]
    assert bound["error"] == pytest.approx(np.mean([c["error"] for c in chosen]))
    assert bound["complexity"] == pytest.approx(np.mean([c["complexity"] for c in chosen]))
    assert bound["value"] == pytest.approx(bound["error"] + bound["complexity"] + bound["constant"])


@pytest.mark.parametrize("method", [key for key in METHODS if key != "order"])
def test_weights_are_the_chain_of_adaptive_svms(method: str) -> None:
    learned = learn(set_with_everything(), method, C=5.0)
    prepared = set_with_everything().prepared()
    if method in ("mergedsvm", "mt"):
        return
    for task, source in learned.sources.items():
        start = None if source is None else learned.weights[source]
        model = AdaptiveSVC(C=5.0).fit(prepared[task].X, prepared[task].y, start)
        np.testing.assert_allclose(learned.weights[task], model.coef_.ravel(), atol=1e-8)
        assert learned.test_error[task] == prepared[task].test_error(learned.weights[task])


@pytest.mark.parametrize("method", GREEDY)
def test_each_step_takes_the_best_candidate_by_its_own_term(method: str) -> None:
    term = {"error": "error_term", "compl": "complexity_term"}.get(method, "criterion")
    best = max if method == "diversity" else min
    for step in learn(cases.draw(1, n=5), method, C=10.0).steps:
        assert getattr(step.chosen, term) == pytest.approx(best(getattr(c, term) for c in step.candidates))


def test_candidates_of_the_three_greedy_methods() -> None:
    """SeqMT continues the last task; MultiSeqMT any open end or none; TreeMT any solved task or none."""
    n = 5
    for method in ("seqmt", "multiseqmt", "treemt"):
        learned = learn(cases.draw(2, n=n), method, C=10.0)
        ends: set[str | None] = {None}
        solved: list[str] = []
        for i, step in enumerate(learned.steps):
            expected = {"seqmt": {solved[-1]} if solved else {None}, "multiseqmt": ends, "treemt": {None, *solved}}
            assert {c.source for c in step.candidates} == expected[method]
            assert len(step.candidates) == len(expected[method]) * (n - i)
            ends = (ends - ({step.chosen.source} - {None})) | {step.chosen.task}
            solved.append(step.chosen.task)


@pytest.mark.parametrize(("method", "n", "fits"), [("seqmt", 6, 21), ("multiseqmt", 6, 21), ("treemt", 6, 21)])
def test_no_pair_is_fitted_twice(method: str, n: int, fits: int) -> None:
    """n + n(n-1)/2 fits at most: a new source meets only the tasks not yet solved."""
    pool = Pool(cases.draw(3, n=n).prepared())
    stage = Stage(pool)
    rule = {
        "seqmt": Rule("last", "sequence"),
        "multiseqmt": Rule("open", "subsequences"),
        "treemt": Rule("all", "forest"),
    }
    counted = []

    def counting(margins, tasks):
        counted.append(len(tasks))
        return fit_at(stage, 10.0)(margins, tasks)

    search(stage, rule[method], counting)
    assert sum(counted) == fits


def test_multiseqmt_forced_into_one_chain_is_seqmt() -> None:
    task_set = cases.draw(5, n=5)
    chain = learn(task_set, "seqmt", C=10.0)
    choices = [(step.chosen.task, step.chosen.source) for step in chain.steps]
    forced = learn(task_set, "multiseqmt", C=10.0, choices=choices)
    assert forced.order == chain.order
    assert forced.sources == chain.sources
    for task in task_set.names:
        np.testing.assert_allclose(forced.weights[task], chain.weights[task], atol=1e-10)
    for one, many in zip(chain.steps, forced.steps, strict=True):
        own = {c.task: c.criterion for c in many.candidates if c.source == one.chosen.source}
        assert own == pytest.approx({c.task: c.criterion for c in one.candidates})


def test_what_if_goes_on_greedily_after_the_forced_choices() -> None:
    task_set = cases.draw(6, n=5)
    greedy = learn(task_set, "multiseqmt", C=10.0)
    other = next(c for c in greedy.steps[1].candidates if c is not greedy.steps[1].chosen)
    first = greedy.steps[0].chosen
    forced = learn(task_set, "multiseqmt", C=10.0, choices=[(first.task, first.source), (other.task, other.source)])
    assert forced.steps[1].chosen.task == other.task
    assert forced.steps[1].chosen.source == other.source
    told = forced.as_dict()["steps"]
    assert isinstance(told, list)
    assert ["forced" in step for step in told] == [False, True] + [False] * (len(told) - 2)
    assert forced.steps[1].margin < 0
    for step in forced.steps[2:]:
        assert step.chosen.criterion == pytest.approx(min(c.criterion for c in step.candidates))


def test_unrelated_choices_are_refused() -> None:
    task_set = cases.draw(6)
    with pytest.raises(SettingsError, match="choice 1 forces task 't1' from source 't0', which is no candidate"):
        learn(task_set, "seqmt", C=1.0, choices=[("t1", "t0")])
    with pytest.raises(SettingsError, match="makes no choices"):
        learn(task_set, "indsvm", C=1.0, choices=[("t1", None)])


def test_the_greedy_first_step_is_brute_force() -> None:
    task_set = cases.draw(7, n=6)
    alone = {name: learn(task_set.subset([name]), C=10.0).steps[0].chosen.criterion for name in task_set.names}
    assert learn(task_set, "seqmt", C=10.0).order[0] == min(alone, key=lambda name: alone[name])


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_mt_with_one_task_and_indsvm_are_scikit_learns_svm(C: float) -> None:
    """With n = 1, eq. (5) has the dual matrix ½ZZᵀ·2, so w = w_0 + (w_1 - w_0) solves an SVM with half the penalty."""
    task_set = cases.draw(8, n=1, m=40)
    task = task_set.prepared().tasks[0]
    options = {"loss": "hinge", "fit_intercept": False, "tol": 1e-10, "max_iter": 2_000_000}
    alone = LinearSVC(C=C / 80, **options).fit(task.X, task.y).coef_.ravel()
    np.testing.assert_allclose(learn(task_set, "indsvm", C=C).weights["t0"], alone, atol=2e-4)
    # min over w_0 of ‖w_0‖² + ‖w - w_0‖² is ‖w‖²/2
    joint = LinearSVC(C=C / 40, **options).fit(task.X, task.y).coef_.ravel()
    np.testing.assert_allclose(learn(task_set, "mt", C=C).weights["t0"], joint, atol=2e-4)


def test_merged_svm_is_one_svm_on_all_points() -> None:
    task_set = cases.draw(9)
    merged = Task("all", np.vstack([t.X for t in task_set.tasks]), np.concatenate([t.y for t in task_set.tasks]))
    alone = learn(TaskSet("all", (merged,)), "indsvm", C=7.0).weights["all"]
    for weights in learn(task_set, "mergedsvm", C=7.0).weights.values():
        np.testing.assert_allclose(weights, alone, atol=1e-8)


def test_mt_is_optimal_for_equation_5() -> None:
    """No small change of the prototype or of a task's weights lowers the objective."""
    task_set = cases.draw(10, n=3)
    tasks = task_set.prepared().tasks
    C, n = 20.0, 3
    learned = learn(task_set, "mt", C=C)
    own = np.array([learned.weights[t.name] for t in tasks])

    def objective(w: np.ndarray) -> float:
        prototype = w.sum(axis=0) / (2 * n)  # the best w_0 for given w_i: w_0 = Σ w_i/(2n)
        hinge = sum(np.mean(np.maximum(0, 1 - t.y * (t.X @ w_i))) for t, w_i in zip(tasks, w, strict=True))
        return prototype @ prototype + np.sum((w - prototype) ** 2) / n + C / n * hinge

    rng = np.random.default_rng(0)
    least = objective(own)
    for scale in (1e-1, 1e-2, 1e-3):
        for _ in range(50):
            assert objective(own + scale * rng.normal(size=own.shape)) >= least - 1e-9


@pytest.mark.parametrize("method", [*GREEDY, "indsvm", "random", "semantic", "mt"])
@pytest.mark.parametrize("C", ["shared", 10.0])
def test_permuting_the_input_permutes_the_output(method: str, C) -> None:
    task_set = set_with_everything()
    other = TaskSet("full", task_set.tasks[::-1], semantic_order=SEMANTIC)
    one, two = learn(task_set, method, C=C), learn(other, method, C=C)
    if method not in ("indsvm", "mt"):
        assert one.order == two.order
    assert one.sources == two.sources
    assert one.chosen_C == two.chosen_C
    for name in task_set.names:
        np.testing.assert_allclose(one.weights[name], two.weights[name], atol=1e-7)


def test_equal_tasks_are_taken_in_their_order() -> None:
    for method in ("seqmt", "multiseqmt", "treemt", "diversity"):
        assert learn(cases.equal_tasks(), method, C=10.0).order[0] == "t0"


def test_the_same_seed_gives_the_same_bits_whatever_the_number_of_threads() -> None:
    script = (
        "import hashlib; from core import learn; from tests.core import cases\n"
        "for C in ('shared', 'each'):\n"
        "    weights = learn(cases.draw(0, m=30, d=60), 'multiseqmt', C=C, seed=3).weights\n"
        "    print(hashlib.sha256(b''.join(w.tobytes() for w in weights.values())).hexdigest())"
    )
    digests = set()
    for threads in ("1", "3"):
        environment = {**os.environ, "CURRICULAB_THREADS": threads, "OMP_NUM_THREADS": threads}
        ran = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(ran.stdout)
    assert len(digests) == 1


def test_random_methods_depend_on_the_seed_alone() -> None:
    task_set = cases.draw(11, n=8)
    orders = {learn(task_set, "random", C=1.0, seed=seed).order for seed in range(6)}
    assert len(orders) > 3
    forests = [learn(task_set, "randommultiseq", C=1.0, seed=seed).sources for seed in range(20)]
    starts = [sum(source is None for source in forest.values()) for forest in forests]
    assert 1 <= min(starts) < max(starts) < 8
    for forest in forests:
        used = [source for source in forest.values() if source is not None]
        assert len(used) == len(set(used))


@pytest.mark.parametrize("C", ["shared", "each"])
def test_progress_counts_up_to_its_total_and_can_cancel(C: str) -> None:
    seen: list[tuple[int, int]] = []
    learn(cases.draw(12), "multiseqmt", C=C, progress=lambda done, total: seen.append((done, total)))
    assert max(seen)[0] == seen[0][1]
    assert len({total for _, total in seen}) == 1

    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        learn(cases.draw(12), "multiseqmt", C=C, progress=stop)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_fixed_order_is_followed(order) -> None:
    task_set = cases.draw(13, n=3)
    names = [f"t{k}" for k in order]
    learned = learn(task_set, "order", order=names, C=2.0)
    assert list(learned.order) == names
    assert [learned.sources[name] for name in names] == [None, *names[:-1]]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method": "best"}, r"there is no method 'best'; choose one of SeqMT, MultiSeqMT"),
        ({"C": 0}, "C is 0; use 'shared', 'each' or a number above 0"),
        ({"C": -1.0}, "a number above 0"),
        ({"C": float("nan")}, "a number above 0"),
        ({"C": "auto"}, "a number above 0"),
        ({"delta": 0.0}, "delta is 0.0"),
        ({"delta": 2}, "delta is 2"),
        ({"seed": -1}, "the seed is -1"),
        ({"solver": "nosuch"}, "solver 'nosuch' is not installed here"),
        ({"normalize": "l1"}, "normalize is 'l1'; use 'l2' or 'none'"),
        ({"method": "order"}, "Order needs an order of the tasks"),
        ({"method": "seqmt", "order": ["t0"]}, "takes no order"),
        ({"method": "order", "order": ["t0", "t1", "t2"]}, "leaves out 't3'"),
        ({"method": "order", "order": ["t0", "t1", "t1", "t2"]}, "names 't1' 2 times"),
        ({"method": "order", "order": ["t0", "t1", "t2", "x"]}, "names 'x', which is no task"),
        ({"method": "semantic"}, "has no semantic order"),
    ],
)
def test_bad_settings_are_one_sentence(wrong, message) -> None:
    with pytest.raises(SettingsError, match=message) as caught:
        learn(cases.draw(14), **wrong)
    assert "\n" not in str(caught.value)


def test_without_test_data_the_error_is_null_and_the_rest_is_there() -> None:
    report = learn(cases.draw(15), C=1.0).as_dict()
    assert report["test_error"] is None
    assert report["mean_test_error"] is None
    assert report["bound"] is not None


@pytest.mark.parametrize("solver", ["piqp", "daqp", "cvxopt"])
def test_a_solver_asked_for_by_name_gives_the_same_curriculum(solver: str) -> None:
    task_set = cases.draw(16)
    ours, theirs = learn(task_set, C=10.0), learn(task_set, C=10.0, solver=solver)
    assert ours.order == theirs.order
    for name in task_set.names:
        np.testing.assert_allclose(ours.weights[name], theirs.weights[name], atol=1e-7)


def test_numpy_numbers_and_arrays_are_settings_too() -> None:
    task_set = cases.draw(16)
    plain = learn(task_set, "order", C=10, order=task_set.names[::-1])
    for C in (np.int64(10), np.float32(10)):
        array = learn(task_set, "order", C=C, order=np.array(task_set.names[::-1]))
        assert array.as_dict() == plain.as_dict()
    AdaptiveSVC(C=np.int64(10)).fit(task_set.tasks[0].X, task_set.tasks[0].y)


@pytest.mark.parametrize("method", ["random", "randommultiseq"])
def test_random_methods_differ_from_set_to_set(method: str) -> None:
    orders = {learn(cases.draw(17, n=6, name=name), method, C=1.0).order for name in ("deer", "seal", "wolf", "zebra")}
    assert len(orders) == 4
    again = [learn(cases.draw(17, n=6, name="deer"), method, C=1.0).order for _ in range(2)]
    assert again[0] == again[1]


def test_the_shared_term_stays_with_a_C_that_was_picked_before() -> None:
    problem = Problem(cases.draw(18))
    shared = problem.learn("seqmt", "shared")
    C = shared.chosen_C[shared.order[0]]
    first = shared.steps[0].chosen
    again = problem.learn("seqmt", C, choices=[(first.task, None)], C_choices=8)
    assert again.bound == shared.bound
    assert again.forced == ((first.task, None),)
    assert problem.learn("seqmt", C).bound.value < shared.bound.value


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"C": 10**400}, "use 'shared', 'each' or a number above 0"),
        ({"method": "order", "order": np.array([["a", "b"]])}, "which is no task"),
        ({"method": "order", "order": {"a", "b"}}, "which is no task"),
        ({"choices": [("a",)]}, "no pair of a task and its source"),
        ({"choices": [("a", 3)]}, "no pair of a task and its source"),
        ({"bias": "no"}, "use True or False"),
    ],
)
def test_settings_of_another_kind_are_refused_in_a_sentence(settings: dict[str, Any], words: str) -> None:
    X, y = np.array([[1.0, 0.0], [-1.0, 0.5]]), np.array([1.0, -1.0])
    with pytest.raises(SettingsError, match=re.escape(words)):
        learn(TaskSet("two", (Task("a", X, y), Task("b", X, y))), **settings)


def test_the_warm_up_learns_without_complaint():
    warmup.warm()


@pytest.mark.parametrize("method", GREEDY)
def test_a_methods_own_choice_is_not_reported_as_forced_and_another_is(method: str) -> None:
    """Each method by its own rule: Diversity takes what the criterion would never choose."""
    task_set = cases.draw(19, n=5)
    own = learn(task_set, method, C=10.0)
    pairs = [(step.chosen.task, step.chosen.source) for step in own.steps]
    again = learn(task_set, method, C=10.0, choices=pairs)
    assert again.forced_steps == ()
    assert not any("forced" in step for step in again.as_dict()["steps"])  # type: ignore[attr-defined]
    other = next(c for c in own.steps[1].candidates if c is not own.steps[1].chosen)
    changed = learn(task_set, method, C=10.0, choices=[pairs[0], (other.task, other.source)])
    assert changed.forced_steps == (2,)
