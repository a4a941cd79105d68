"""Every table under a figure, column by column, counted again from the result that it tells of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from core import Learned, Orders, Problem, Task, TaskSet, every_order, learn
from core.experiments.experiment import OrdersOutcome, Outcome, Settings
from core.experiments.summary import Results, between, results_of
from core.orders.orders_by_draw import orders_over_draws
from core.orders.ranking import extremes, noise_of, place_learned
from core.orders.transfer import pairwise
from core.statistics.noise import wilson
from core.statistics.patterns import patterns
from core.statistics.projection import projection
from dashboard import text, theme
from dashboard.figures import (
    by_draw,
    candidates,
    compare,
    curricula,
    forest,
    images,
    orders,
    relations,
    scatter,
    tasks,
)
from dashboard.figures import patterns as pattern_figures
from data.published import Published
from tests.dashboard.screens import drawn, uneven

NAMES = ("easy", "<b>odd</b>", "a name that is much too long for a label", "hard")


SET = replace(
    uneven(list(NAMES)),
    groups=dict(zip(NAMES, ("one", "two", "two", "one"), strict=True)),
    semantic_order=(NAMES[2], NAMES[0], NAMES[3], NAMES[1]),
)
"""Of 12, 11, 10 and 9 training points."""
BARE = replace(SET, tasks=tuple(Task(task.name, task.X, task.y) for task in SET.tasks))


def holds(frame: pd.DataFrame, **expected: Iterable[Any]) -> None:
    """It has these columns in this order, and in each of them these values."""
    wanted = {name.replace("_", " "): list(values) for name, values in expected.items()}
    holds_columns(frame, wanted)


def holds_columns(frame: pd.DataFrame, wanted: Mapping[str, Iterable[Any]]) -> None:
    assert list(frame.columns) == list(wanted)
    for name, values in wanted.items():
        found, values = frame[name].tolist(), list(values)
        assert len(found) == len(values), name
        for one, other in zip(found, values, strict=True):
            if other is None:
                assert one is None or np.isnan(one), name
            elif isinstance(other, (float, np.floating)):
                assert one == pytest.approx(float(other), rel=1e-6, abs=1e-9, nan_ok=True), name
            else:
                assert one == other, name


@pytest.fixture(scope="module")
def tree() -> Learned:
    return learn(SET, "treemt", C=10.0)


@pytest.fixture(scope="module")
def forced() -> Learned:
    """The last task of SeqMT first."""
    return learn(SET, "seqmt", C=10.0, choices=[(learn(SET, "seqmt", C=10.0).order[-1], None)])


def test_candidates_best_first_with_the_chosen_one_marked(tree: Learned, forced: Learned) -> None:
    for step in (*tree.steps, *forced.steps):
        best = sorted(step.candidates, key=lambda one: one.error_term + one.complexity_term)
        holds(
            candidates.table(step),
            rank=range(1, len(best) + 1),
            task=[one.task for one in best],
            source=[one.source or "" for one in best],
            error_term=[one.error_term for one in best],
            complexity_term=[one.complexity_term for one in best],
            criterion=[one.error_term + one.complexity_term for one in best],
            C=[10.0] * len(best),
            chosen=[(one.task, one.source) == (step.chosen.task, step.chosen.source) for one in best],
        )
    assert not candidates.table(forced.steps[0])["chosen"][0]


def test_of_equal_candidates_the_chosen_one_comes_first() -> None:
    first = SET.tasks[0]
    same = TaskSet("same", tuple(Task(name, first.X, first.y) for name in "abc"))
    step = learn(same, "seqmt", C=10.0, choices=[("c", None)]).steps[0]
    assert candidates.table(step)["task"].tolist() == ["c", "a", "b"]
    assert candidates.table(step)["chosen"].tolist() == [True, False, False]


def test_the_grid_has_a_row_per_source_and_a_column_per_task(tree: Learned) -> None:
    step = tree.steps[2]
    criterion = {(one.source, one.task): one.criterion for one in step.candidates}
    sources = [None, *tree.order[:2]]
    left = [name for name in NAMES if name not in tree.order[:2]]
    holds_columns(
        candidates.source_matrix(step, step.chosen).frame("source \\ task"),
        {"source \\ task": ["no source", *tree.order[:2]]}
        | {task: [criterion[source, task] for source in sources] for task in left},
    )


def test_every_part_of_the_bound_after_every_step() -> None:
    """Theorem 1 with m̄ the harmonic mean of the sizes, n = 4 and, for one sequence, L = log n."""
    learned = learn(SET, "seqmt", delta=0.2)
    assert learned.curriculum is not None
    assert learned.bound is not None
    root = np.sqrt(4 / np.sum(1 / np.array([12, 11, 10, 9])))
    chosen = learned.curriculum.chosen
    errors, complexities = (
        np.cumsum([0.0, *values]) / 4
        for values in ([one.error_term for one in chosen], [one.complexity_term for one in chosen])
    )
    constants = {
        "Hoeffding 1/(8√m̄)": 1 / (8 * root),
        "certainty −log δ/(n√m̄)": -np.log(0.2) / (4 * root),
        "choice L/√m̄": np.log(4) / root,
        "choice of C": learned.bound.selection,
    }
    assert learned.bound.selection > 0
    total = sum(constants.values()) + errors + complexities
    holds_columns(
        curricula.bound_table(learned.curriculum),
        {"step": range(5), "task": ["", *learned.order]}
        | {name: [value] * 5 for name, value in constants.items()}
        | {"error terms": errors, "complexity terms": complexities, "bound": total},
    )


def test_weights_before_between_and_after(tree: Learned) -> None:
    chosen = tree.steps[1].chosen
    source, new = tree.weights[chosen.source or ""], tree.weights[chosen.task]
    for bias, names, count in ((True, None, 3), (True, ("u", "v", "w"), 3), (False, ("u", "v", "w", "bias"), 4)):
        holds(
            images.weight_table(chosen, bias, names),
            feature=names or range(1, 4),
            source_weight=source[:count],
            change=(new - source)[:count],
            new_weight=new[:count],
        )


def test_how_hard_each_task_is_alone_with_its_rank_and_group() -> None:
    alone = learn(SET, "indsvm", C=10.0)
    assert alone.test_error is not None
    errors = [alone.test_error[name] for name in NAMES]
    intervals = [wilson(round(12 * error), 12) for error in errors]
    known = {"semantic rank": [2, 4, 1, 3], "group": ["one", "two", "two", "one"]}
    holds_columns(
        tasks.difficulty_table(tasks.difficulty(SET, alone)),
        {
            "task": NAMES,
            "test error alone": errors,
            "95 % from": [one.low for one in intervals],
            "95 % to": [one.high for one in intervals],
        }
        | known,
    )
    bare = learn(BARE, "indsvm", C=10.0)
    criteria = {step.chosen.task: step.chosen.criterion for step in bare.steps}
    holds_columns(
        tasks.difficulty_table(tasks.difficulty(BARE, bare)),
        {"task": NAMES, "criterion alone": [criteria[name] for name in NAMES]} | known,
    )


def test_relations_of_each_pair() -> None:
    values = np.array([[1.0, 0.2, -0.3], [0.2, 1.0, 0.7], [-0.3, 0.7, 1.0]])
    holds(
        relations.similarity(values, ("a", "b", "c"), False).table,
        task=["a", "a", "b"], other_task=["b", "c", "c"], cosine=[0.2, -0.3, 0.7],
    )  # fmt: skip
    for task_set, what in ((SET, "test error"), (BARE, "criterion")):
        moved = pairwise(Problem(task_set), 10.0)
        expected = []
        for source in NAMES:
            for task in NAMES:
                if task != source:
                    both = learn(task_set, "order", C=10.0, order=(source, task, *(set(NAMES) - {source, task})))
                    alone = learn(task_set, "indsvm", C=10.0)
                    pair = [
                        one.test_error[task]
                        if one.test_error
                        else next(step.chosen.criterion for step in one.steps or () if step.chosen.task == task)
                        for one in (both, alone)
                    ]
                    expected.append((source, task, *pair))
        frame = relations.transfer(moved, False).table
        sources, names, started, alone_values = zip(*expected, strict=True)
        holds_columns(
            frame.drop(columns=["p-value (McNemar, Holm)", "beyond noise"]),
            {
                "source": sources,
                "task": names,
                f"{what} started": list(started),
                f"{what} alone": list(alone_values),
                "difference": np.subtract(started, alone_values),
                "C": [10.0] * 12,
            },
        )
        sure = frame["p-value (McNemar, Holm)"] < 0.05 if task_set is SET else np.ones(12, dtype=bool)
        assert frame["beyond noise"].tolist() == list(sure)


def test_a_row_per_task_of_the_forest(tree: Learned, forced: Learned) -> None:
    for learned in (tree, forced):
        assert learned.curriculum is not None
        assert learned.test_error is not None
        chosen = learned.curriculum.chosen
        begins = np.cumsum([one.source is None for one in chosen])
        tree_of: dict[str | None, int] = {}
        for one, number in zip(chosen, begins, strict=True):
            tree_of[one.task] = int(number) if one.source is None else tree_of[one.source]
        moved = [
            np.linalg.norm(learned.weights[one.task] - (learned.weights[one.source] if one.source else 0))
            for one in chosen
        ]
        expected: dict[str, Iterable[Any]] = {
            "step": range(1, 5),
            "task": learned.order,
            "source": [one.source or "" for one in chosen],
            "subsequence": [tree_of[one.task] for one in chosen],
            "distance moved": moved,
            "error term": [one.error_term for one in chosen],
            "complexity term": [one.complexity_term for one in chosen],
            "criterion": [one.error_term + one.complexity_term for one in chosen],
            "test error": [learned.test_error[task] for task in learned.order],
            "C": [10.0] * 4,
        }
        frame = forest.table(forest.info(learned))
        holds_columns(frame, expected | ({"your choice": [True, False, False, False]} if learned is forced else {}))


def test_two_curricula_step_by_step(forced: Learned) -> None:
    own = learn(SET, "seqmt", C=10.0)
    assert own.test_error is not None
    assert forced.test_error is not None
    expected: dict[str, Iterable[Any]] = {"step": range(1, 5)}
    for name, one in (("method", own), ("what if", forced)):
        assert one.test_error is not None
        expected |= {
            f"{name}: task": one.order,
            f"{name}: source": ["", *one.order[:-1]],
            f"{name}: criterion": [step.chosen.criterion for step in one.steps or ()],
            f"{name}: test error": [one.test_error[task] for task in one.order],
        }
    same = [a == b and own.sources[a] == forced.sources[b] for a, b in zip(own.order, forced.order, strict=True)]
    last = {"what if: your choice": [True, False, False, False], "same choice": same}
    labels, colours = text.shorts(own.order), theme.task_colours(own.order)
    beside = curricula.diff(own, forced, colours, labels, False, forced.forced_steps)
    holds_columns(beside.table, expected | last)
    sums: dict[str, Iterable[Any]] = {"step": range(1, 5)}
    for name, one in (("own", own), ("yours", forced)):
        sums |= {
            f"{name}: task": one.order,
            f"{name}: sum": np.cumsum([step.chosen.error_term + step.chosen.complexity_term for step in one.steps]),
        }
    holds_columns(curricula.sums({"own": own, "yours": forced}, labels, "sums", "Sums", False).table, sums)


def test_points_and_sizes() -> None:
    holds_columns(
        tasks.sizes(SET),
        {
            "task": NAMES,
            "training +1": [6, 6, 6, 6],
            "training −1": [6, 5, 4, 3],
            "test +1": [6] * 4,
            "test −1": [6] * 4,
            "semantic rank": [2, 4, 1, 3],
            "group": ["one", "two", "two", "one"],
        },
    )
    plane = replace(drawn(2, features=2, points=4), feature_names=("width", "<height>"))
    X, y = (np.concatenate([getattr(task, part) for task in plane.tasks]) for part in "Xy")
    task = [name for name in plane.names for _ in range(4)]
    holds_columns(
        scatter.points_table(plane), {"task": task, "label": y.astype(int), "width": X[:, 0], "<height>": X[:, 1]}
    )
    flat = projection(SET.prepared())
    frame = scatter.projection_table(flat, NAMES)
    label = np.concatenate([task.y for task in SET.tasks]).astype(int)
    holds(
        frame,
        task=[task.name for task in SET.tasks for _ in task.y],
        label=label,
        first_component=flat.points[:, 0],
        second_component=flat.points[:, 1],
    )
    assert frame["first component"].var() > frame["second component"].var() > 0


def test_how_many_images_each_row_of_tiles_shows_from() -> None:
    pictures = replace(SET, image_shape=(1, 3))
    frame = images.tiles_table(images.tiles(pictures, NAMES[:3], each=2), pictures)
    holds(frame, task=NAMES[:3], positive_images=[6, 6, 6], negative_images=[6, 5, 4])


@pytest.fixture(scope="module")
def run() -> Results:
    """Three methods over four repeats, of which the last did not finish with MT, and every order of both tasks."""
    rng = np.random.default_rng(2)
    found: list[Outcome | OrdersOutcome] = [
        Outcome(
            repeat, method, 0.5 + repeat, ("a", "b"), {"a": None, "b": "a"}, {"a": 1.0, "b": 1.0},
            {"a": base + 0.01 * rng.integers(5), "b": base + 0.02 * rng.integers(5)},
            {"value": 0.9 + 0.01 * repeat},
        )
        for repeat in range(4)
        for method, base in (("indsvm", 0.3), ("seqmt", 0.2), ("mt", 0.21))
        if (repeat, method) != (3, "mt")
    ]  # fmt: skip
    found += [
        OrdersOutcome(repeat, 1.0, ("a", "b"), ((0, 1), (1, 0)), (0.25 + 0.01 * repeat, 0.2), (1.0, 1.1), True)
        for repeat in range(4)
    ]
    return results_of(Settings("somewhere", ("IndSVM", "SeqMT", "MT"), 4, 10.0), found)


def errors_of(results: Results, method: str) -> np.ndarray:
    """One row per repeat, one column per task."""
    found = sorted((one for one in results.outcomes if one.method == method), key=lambda one: one.repeat)
    return 100 * np.array([[one.test_error[task] for task in ("a", "b")] for one in found])


def test_methods_their_tasks_and_their_orders(run: Results) -> None:
    errors = {name: errors_of(run, name) for name in ("indsvm", "seqmt", "mt")}
    means = [one.mean(axis=1) for one in errors.values()]
    published = {"SeqMT": Published(21.5, 0.4)}
    holds_columns(
        compare.table(compare.info(run, published)),
        {
            "method": ["IndSVM", "SeqMT", "MT"],
            "test error %": [one.mean() for one in means],
            "standard error": [one.std(ddof=1) / np.sqrt(len(one)) for one in means],
            "repeats": [4, 4, 3],
            "published %": [None, 21.5, None],
            "published standard error": [None, 0.4, None],
        },
    )
    holds_columns(
        compare.tasks(run).frame("method"),
        {"method": ["IndSVM", "SeqMT", "MT"]}
        | {task: [one.mean(axis=0)[k] for one in errors.values()] for k, task in enumerate("ab")},
    )
    shown = by_draw.run_orders(run, False)
    assert shown is not None
    holds_columns(shown.table, {"order": ["b > a", "a > b"], "test error %": [20.0, 26.5]})


def test_paired_differences_and_two_runs(run: Results) -> None:
    pairs = run.against("seqmt")
    gaps = [
        errors_of(run, method).mean(axis=1) - errors_of(run, "seqmt").mean(axis=1)[: 4 - (method == "mt")]
        for method in ("indsvm", "mt")
    ]
    holds_columns(
        compare.baseline_table(pairs),
        {
            "method": ["IndSVM", "MT"],
            "baseline": ["SeqMT"] * 2,
            "difference, points": [one.mean() for one in gaps],
            "corrected interval from": [100 * pair.interval.low for pair in pairs if pair.interval],
            "to": [100 * pair.interval.high for pair in pairs if pair.interval],
            "corrected p": [pair.p_value for pair in pairs],
            "verdict": ["clearly worse", "no clear difference"],
            "repeats": [4, 3],
        },
    )
    for pair, gap in zip(pairs, gaps, strict=True):
        assert pair.interval is not None
        assert 100 * pair.interval.low < gap.mean() < 100 * pair.interval.high
    other = results_of(
        run.settings,
        [
            replace(one, test_error={"a": 0.2, "b": one.test_error["b"]})
            for one in run.outcomes
            if one.method != "mt" and one.repeat < 3
        ],
    )
    found = between(run, other, True)
    first = [errors_of(run, name).mean() for name in ("indsvm", "seqmt")]
    second = [errors_of(other, name).mean() for name in ("indsvm", "seqmt")]
    change = [
        (errors_of(other, name).mean(axis=1) - errors_of(run, name).mean(axis=1)[:3]).mean()
        for name in ("indsvm", "seqmt")
    ]
    holds_columns(
        compare.runs_table(found),
        {
            "method": ["IndSVM", "SeqMT"],
            "first %": first,
            "second %": second,
            "difference, points": change,
            "corrected interval from": [100 * one.interval.low for one in found if one.interval],
            "to": [100 * one.interval.high for one in found if one.interval],
            "corrected p": [one.p_value for one in found],
            "identical": [False, False],
            "paired repeats": [3, 3],
        },
    )
    assert change[0] < -4 < change[1]


def test_what_repeats_have_in_common() -> None:
    names = ("a", "b", "c", "d")
    forests: list[dict[str, str | None]] = [
        {"a": None, "b": "a", "c": "b", "d": None},
        {"c": None, "a": None, "b": "a", "d": "c"},
        {"a": None, "c": "a", "b": "a", "d": "c"},
        {"a": None, "c": "a", "b": "a", "d": "c"},
    ]
    found = patterns(forests, names)
    holds(
        pattern_figures.transfers(found, False).table,
        source=["a", "c", "a", "b"],
        task=["b", "d", "c", "c"],
        share_of_repeats=[1.0, 0.75, 0.5, 0.25],
    )
    holds(
        pattern_figures.ends(found, {name: name for name in names}, False).table,
        task=names,
        starts=[1.0, 0.0, 0.25, 0.25],
        ends=[0.0, 0.75, 0.25, 1.0],
        mean_step=[1.25, 2.75, 2.0, 4.0],
        earliest_step=[1.0, 2.0, 1.0, 4.0],
        latest_step=[2.0, 3.0, 3.0, 4.0],
    )
    frame = pattern_figures.companions(found, False).table
    assert frame is not None
    together = {"ab": 1.0, "ac": 0.75, "ad": 0.5, "bc": 0.75, "bd": 0.5, "cd": 0.75}
    assert sorted(frame.columns[1:]) == [*names]
    assert frame["task"].tolist() == list(frame.columns[1:])
    for row, one in enumerate(frame["task"]):
        for other in names:
            assert frame[other][row] == (1.0 if one == other else together["".join(sorted(one + other))])


@pytest.fixture(scope="module")
def walked() -> Orders:
    return every_order(SET, C=10.0, points=True)


def test_marks_and_orders(walked: Orders) -> None:
    greedy = learn(SET, C=10.0)
    assert greedy.bound is not None
    assert walked.test_errors is not None
    places = (place_learned(walked, "SeqMT", greedy), *extremes(walked))
    frame = orders.table(orders.Spread(walked, places, noise_of(walked)))
    errors, limits = walked.test_errors, walked.bounds
    best, worst = int(errors.argmin()), int(errors.argmax())
    shown = {
        "SeqMT": (greedy.mean_test_error, greedy.bound.value, " > ".join(greedy.order)),
        "Random": (errors.mean(), limits.mean(), "mean over the orders"),
        "Best": (errors[best], limits[best], " > ".join(walked.named(best))),
        "Worst": (errors[worst], limits[worst], " > ".join(walked.named(worst))),
    }
    assert {"SeqMT", "Best", "Worst"} <= {*frame["mark"]} <= {*shown}
    for row in frame.to_dict("records"):
        error, bound, order = shown[row["mark"]]
        assert (row["mean test error"], row["bound"]) == pytest.approx((error, bound))
        assert row["order"] == order
        assert row["better than % of orders"] == pytest.approx(100 * np.mean(errors > error + 1e-9))
        if row["mark"] != "Random":
            assert 0 <= row["95 % from"] < error < row["to"] <= 1
    named = [" > ".join(NAMES[k] for k in order) for order in walked.orders]
    holds(
        orders.orders_table(walked), bound=limits, mean_test_error=errors, C=[10.0] * 24, order=named,
    )  # fmt: skip
    for row in (0, 7, 23):
        one = learn(SET, "order", C=10.0, order=tuple(named[row].split(" > ")))
        assert one.bound is not None
        assert (one.bound.value, one.mean_test_error) == pytest.approx((limits[row], errors[row]))


def test_orders_and_methods_on_each_draw() -> None:
    def sample(seed: int) -> TaskSet:
        rng = np.random.default_rng(seed)
        parts = [(rng.normal(size=(9, 2)), rng.permutation([-1.0] * 4 + [1.0] * 5)) for _ in range(6)]
        return TaskSet("s", tuple(Task(f"t{k}", *parts[2 * k], *parts[2 * k + 1]) for k in range(3)))

    over = orders_over_draws(lambda seed: Problem(sample(seed), seed=seed), range(5), C=10.0)
    means = over.errors.mean(axis=0)
    frame = by_draw.table(by_draw.info(over, {"Yours": over.errors[:, 1]}))
    expected = {
        "SeqMT": [learn(sample(seed), C=10.0).mean_test_error for seed in range(5)],
        "Diversity": [learn(sample(seed), "diversity", C=10.0).mean_test_error for seed in range(5)],
        "Random": over.errors.mean(axis=1),
        "Lowest bound": over.errors[np.arange(5), over.bounds.argmin(axis=1)],
        "Best": over.errors[:, means.argmin()],
        "Worst": over.errors[:, means.argmax()],
        "Yours": over.errors[:, 1],
    }
    holds_columns(frame, {"draw": range(1, 6)} | {name: 100 * np.array(one) for name, one in expected.items()})
    table = by_draw.figure3({"a run": over}, False).table
    assert table is not None
    (row,) = table.to_dict("records")
    assert (row["run"], row["draws"], row["orders"]) == ("a run", 5, 6)
    assert [row[name] for name in ("best order", "mean order", "worst order")] == pytest.approx(
        [100 * means.min(), 100 * means.mean(), 100 * means.max()]
    )
    for name in ("SeqMT", "Diversity", "Random", "Lowest bound"):
        assert row[name] == pytest.approx(100 * np.mean(expected[name]))
    ways = by_draw.Draws({"one": np.array([1.0, 2.0]), "two": np.array([1.5, 0.5])}, "mean (%)")
    holds(by_draw.table(ways), draw=[0, 1], one=[1.0, 2.0], two=[1.5, 0.5])
    assert (ways.lower("one", "two"), ways.lower("two", "one")) == (1, 1)
