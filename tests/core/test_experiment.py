"""Experiments: pieces depend on their seed alone, and the summary is what its formulas say."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.curriculum.learn import learn
from core.errors import CurriculabError, SettingsError
from core.experiments.difference import Average
from core.experiments.experiment import (
    NAMES,
    ORDERS,
    OrdersOutcome,
    Outcome,
    Settings,
    check_draw,
    compute,
    usual_methods,
)
from core.experiments.parallel import check_jobs, on_all_cores, on_cluster, one_at_a_time
from core.experiments.summary import results_of
from core.orders.all_orders import every_order
from core.task_set import Task, TaskSet


@dataclass(frozen=True)
class Turning:
    """Lines in the plane that turn from task to task."""

    tasks: int = 3
    key: str = "turning"

    def sample(self, seed: int) -> TaskSet:
        rng = np.random.default_rng(seed)
        tasks = []
        for k in range(self.tasks):
            normal = np.array([math.cos(0.3 * k), math.sin(0.3 * k)])
            X = rng.normal(size=(24, 2))
            y = np.where(X @ normal + 0.3 * rng.normal(size=24) > 0, 1.0, -1.0)
            y[:4] = y[12:16] = (1.0, -1.0, 1.0, -1.0)
            tasks.append(Task(f"t{k}", X[:12], y[:12], X[12:], y[12:]))
        return TaskSet("turning", tuple(tasks))


SETTINGS = Settings("turning", ("indsvm", "seqmt", "multiseqmt", "mt", "random"), repeats=3, C=10.0)


def untimed(outcome: Outcome | OrdersOutcome) -> Outcome | OrdersOutcome:
    return replace(outcome, seconds=0.0)


def everything(settings: Settings, sampler: Turning) -> list[Outcome | OrdersOutcome]:
    finished = [compute(settings, sampler, repeat, method) for repeat, method in settings.first_pieces]
    results = results_of(settings, finished)
    return finished + [
        compute(settings, sampler, repeat, method, results.picked_order(method))
        for repeat, method in settings.last_pieces
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"repeats": 0}, "0 repeats"),
        ({"repeats": True}, "repeats"),
        ({"repeats": 10**9}, "repeats"),
        ({"methods": ()}, "method"),
        ({"methods": ("seqmt", "alphabetical")}, "alphabetical"),
        ({"methods": ("order",)}, "order"),
        ({"C": 0.0}, "C"),
        ({"delta": 0.0}, "delta"),
        ({"seed": -1}, "seed"),
        ({"solver": "abacus"}, "abacus"),
        ({"normalize": "l1"}, "l1"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(changes: dict[str, object], said: str) -> None:
    with pytest.raises(CurriculabError, match=said) as refused:
        replace(SETTINGS, **changes)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


def test_settings_come_back_from_their_dictionary_with_methods_in_any_case_once() -> None:
    settings = Settings("turning", ("SEQMT", "seqmt", "IndSVM"), C="each", bias=False)
    assert settings.methods == ("seqmt", "indsvm")
    assert Settings.from_dict(settings.as_dict()) == settings


def test_a_draw_that_does_not_fit_is_refused() -> None:
    drawn = Turning().sample(0)
    with pytest.raises(SettingsError, match="Semantic"):
        check_draw(replace(SETTINGS, methods=("semantic",)), drawn)
    bare = TaskSet("bare", tuple(Task(task.name, task.X, task.y) for task in drawn.tasks))
    with pytest.raises(SettingsError, match="test data"):
        check_draw(SETTINGS, bare)
    tiny = TaskSet("tiny", (Task("a", [[1.0], [2.0]], [1, -1], [[1.0]], [1]),))
    with pytest.raises(SettingsError, match="cross-validation"):
        check_draw(replace(SETTINGS, C="shared"), tiny)
    check_draw(SETTINGS, tiny)


def test_usual_methods_follow_the_tasks() -> None:
    drawn = Turning().sample(0)
    assert set(usual_methods(drawn)) == set(NAMES) - {"semantic"}
    assert "semantic" in usual_methods(replace(drawn, semantic_order=("t0", "t1", "t2")))
    assert {"best", "worst"}.isdisjoint(usual_methods(Turning(6).sample(0)))


@pytest.mark.parametrize("C", [10.0, "each"])
def test_a_piece_is_what_learn_says_with_the_seed_of_its_repeat(C: float) -> None:
    settings = replace(SETTINGS, C=C, seed=5)
    for method in ("seqmt", "mt"):
        outcome = compute(settings, Turning(), 2, method)
        learned = learn(Turning().sample(7), method, C=C, seed=7)
        assert isinstance(outcome, Outcome)
        assert outcome.test_error == learned.test_error
        assert outcome.sources == learned.sources
        assert outcome.chosen_C == learned.chosen_C
        assert outcome.order == (learned.order if method == "seqmt" else ())
        assert (outcome.bound is None) == (method == "mt")
        if outcome.bound and learned.bound:
            assert outcome.bound["value"] == learned.bound.value


def test_pieces_do_not_depend_on_their_order_or_process() -> None:
    calls = [(compute, (SETTINGS, Turning(), repeat, method)) for repeat, method in SETTINGS.first_pieces]
    forwards = [untimed(outcome) for outcome in one_at_a_time(calls)]
    backwards = [untimed(outcome) for outcome in one_at_a_time(calls[::-1])]
    elsewhere = {(o.repeat, o.method): untimed(o) for o in on_all_cores(calls, 2)}
    assert forwards == backwards[::-1]
    assert forwards == [elsewhere[o.repeat, o.method] for o in forwards]


def test_best_and_worst_are_the_orders_of_extreme_mean_test_error() -> None:
    settings = Settings("turning", ("best", "worst"), repeats=3, C=10.0)
    results = results_of(settings, everything(settings, Turning()))
    means = {
        order: np.mean(
            [learn(Turning().sample(r), "order", C=10.0, seed=r, order=order).mean_test_error for r in range(3)]
        )
        for order in permutations(("t0", "t1", "t2"))
    }
    assert len(results.walks) == 3
    assert len(results.order_means) == 6
    assert results.average("best").mean == pytest.approx(min(means.values()), abs=1e-12)
    assert results.average("worst").mean == pytest.approx(max(means.values()), abs=1e-12)
    assert means[results.picked_order("best")] == pytest.approx(min(means.values()), abs=1e-12)
    assert {outcome.order for outcome in results.of("best")} == {results.picked_order("best")}


def test_a_sample_of_orders_is_the_same_in_every_repeat() -> None:
    settings = Settings("turning", ("best",), repeats=2, C=10.0, limit=5)
    first, second = (compute(settings, Turning(4), repeat, ORDERS) for repeat in range(2))
    assert isinstance(first, OrdersOutcome)
    assert isinstance(second, OrdersOutcome)
    assert first.orders == second.orders
    assert len(set(first.orders)) == 5
    assert not first.complete
    names = tuple(first.names[k] for k in first.orders[3])
    learned = learn(Turning(4).sample(1), "order", C=10.0, seed=1, order=names)
    assert second.test_errors[3] == pytest.approx(learned.mean_test_error)


def test_summary_is_mean_and_standard_error_over_repeats() -> None:
    results = results_of(SETTINGS, everything(SETTINGS, Turning()))
    errors = results.errors("seqmt")
    assert errors.shape == (3, 3)
    average = results.average("seqmt")
    assert average.mean == pytest.approx(errors.mean())
    assert average.standard_error == pytest.approx(stats.sem(errors.mean(axis=1)))
    assert results.per_task("seqmt")["t1"].mean == pytest.approx(errors[:, 1].mean())
    paired = results.paired("random", "seqmt")
    assert paired.difference == pytest.approx(results.average("random").mean - average.mean)
    assert paired.count == 3


def test_partial_results_count_what_is_there() -> None:
    finished = everything(SETTINGS, Turning())
    results = results_of(
        SETTINGS, [o for o in finished if o.method == "seqmt" or (o.repeat == 0 and o.method != "random")]
    )
    assert results.average("seqmt").count == 3
    assert results.average("indsvm").count == 1
    assert results.average("indsvm").standard_error is None
    assert "random" not in results.methods
    assert results.paired("indsvm", "seqmt").p_value is None


def test_an_average_of_one_has_no_error() -> None:
    assert Average.of(np.array([0.25])) == Average(0.25, None, 1)


@pytest.mark.parametrize("jobs", [0, -1, True, 10**6])
def test_a_number_of_jobs_that_makes_no_sense_is_refused(jobs: int) -> None:
    with pytest.raises(SettingsError, match="jobs"):
        check_jobs(jobs)


def test_a_scheduler_that_does_not_answer_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.experiments.parallel.CONNECT_SECONDS", 1)
    with pytest.raises(SettingsError, match="no Dask scheduler"):
        list(on_cluster([(compute, (SETTINGS, Turning(), 0, "seqmt"))], "tcp://127.0.0.1:9"))


def refuse() -> None:
    raise SettingsError("no, thank you")


def test_a_mistake_in_a_worker_comes_back_as_it_is() -> None:
    with pytest.raises(SettingsError, match="no, thank you"):
        list(on_all_cores([(refuse, ())] * 4, 2))


def test_whoever_stops_while_a_result_is_stored_hears_nothing_of_the_pieces_under_way() -> None:
    results: Any = on_all_cores([(time.sleep, (0.1,)) for k in range(20)], 2)  # warnings are errors
    assert next(results) is None
    results.close()


@pytest.mark.parametrize("changes", [{}, {"C": "each"}, {"measure": "balanced"}, {"delta": 0.2}, {"normalize": "none"}])
def test_the_orders_of_a_repeat_are_those_of_its_own_seed_and_of_every_setting(changes: dict[str, object]) -> None:
    """With C by cross-validation, whose folds depend on the seed; with tasks of unequal classes."""

    class Unequal(Turning):
        def sample(self, seed: int) -> TaskSet:
            whole = super().sample(seed)
            kept = [np.flatnonzero((task.y > 0) | (np.arange(12) < 5)) for task in whole.tasks]
            tasks = [replace(task, X=task.X[own], y=task.y[own]) for task, own in zip(whole.tasks, kept, strict=True)]
            return replace(whole, tasks=tuple(tasks))

    how = {"C": "shared", "delta": 0.05, "measure": "error", "normalize": "l2"} | changes
    settings = Settings("unequal", ("best",), 3, seed=11, **how)  # type: ignore[arg-type]
    sampler, seen = Unequal(key="unequal"), []
    for repeat in range(3):
        outcome = compute(settings, sampler, repeat, ORDERS)
        assert isinstance(outcome, OrdersOutcome)
        walked = every_order(sampler.sample(11 + repeat), seed=11 + repeat, own_C=True, **how)  # type: ignore[arg-type]
        assert walked.test_errors is not None
        assert outcome.test_errors == tuple(walked.test_errors.tolist())
        assert outcome.bounds == tuple(walked.bounds.tolist())
        seen.append((outcome.test_errors, outcome.bounds))
    assert len(set(seen)) == 3


@pytest.mark.parametrize(
    "change", [{"normalize": "none"}, {"bias": False}, {"measure": "balanced"}, {"solver": "kernel"}]
)
def test_runs_that_alternate_in_one_process_never_get_each_other_s_problem(change: dict[str, object]) -> None:
    first = replace(SETTINGS, C=1.0)
    for settings in (first, replace(first, **change), first):  # type: ignore[arg-type]
        outcome = compute(settings, Turning(), 1, "seqmt")
        how = {name: getattr(settings, name) for name in ("normalize", "bias", "measure", "solver")}
        learned = learn(Turning().sample(1), C=1.0, seed=1, **how)
        assert isinstance(outcome, Outcome)
        assert (outcome.test_error, outcome.bound and outcome.bound["value"]) == (
            learned.test_error,
            learned.bound and learned.bound.value,
        )
