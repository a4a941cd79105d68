"""Every figure, its title and its table, down to the last mark: what is drawn stays what it is (tests/golden)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import Learned, Problem, Task, TaskSet, best_order, every_order, learn
from core.experiments.experiment import Outcome, Settings
from core.experiments.run_difference import Between
from core.experiments.summary import Average, Results, results_of
from core.orders.over_samples import orders_over_draws
from core.orders.ranking import Place, extremes, place_learned
from core.orders.significance import OrderNoise, noise_of, noise_over
from core.orders.transfer import pairwise
from core.statistics.noise import Interval, Significance
from core.statistics.patterns import patterns, stability
from core.statistics.projection import cosines, projection
from dashboard import text, theme
from dashboard.figures import (
    agreement,
    boundary,
    bounds,
    candidates,
    compare,
    curriculum_diff,
    difficulty,
    figure3,
    forest,
    lanes,
    marks,
    matrix,
    methods_by_draw,
    orders,
    orders_by_draw,
    paired,
    relations,
    run_difference,
    scatter,
    sizes,
    source_grid,
    stairs,
    tiles,
    weights,
)
from dashboard.figures import patterns as pattern_figures
from data.published import Published
from data.runs.example import example
from tests.dashboard.screens import drawn
from tests.golden import same

NAMES = ["easy", "<b>odd</b>", "a name that is much too long for a label", "hard"]
SET = replace(drawn(4, names=NAMES), semantic_order=(NAMES[0], NAMES[2], NAMES[1], NAMES[3]))
LABELS, COLOURS = text.shorts(SET.names), theme.task_colours(SET.names)


@pytest.fixture(scope="module")
def tree() -> Learned:
    return learn(SET, "treemt", C=10.0)


@pytest.fixture(scope="module")
def forced() -> Learned:
    """The last task of SeqMT first."""
    return learn(SET, "seqmt", C=10.0, choices=[(learn(SET, "seqmt", C=10.0).order[-1], None)])


def test_candidates_and_the_matrix_of_sources(tree: Learned, forced: Learned) -> None:
    step, first = tree.steps[2], forced.steps[0]
    found, chosen = candidates.info(step), candidates.info(first, forced=True)
    room = candidates.frame([candidates.info(one) for one in tree.steps], LABELS)
    same(
        "candidates",
        {
            "room": [room.rows, room.letters, room.error, room.complexity, room.criterion],
            "bars": candidates.figure(found, LABELS, True, room=room, picked=step.runner_up),
            "own scales": candidates.figure(found, LABELS, False, picked=step.chosen, own_scales=True),
            "forced": candidates.figure(chosen, LABELS, True),
            "table": candidates.table(step),
            "grid": source_grid.figure(step, LABELS, step.runner_up or step.chosen, True),
            "yours": source_grid.figure(step, LABELS, step.chosen, False, "✎"),
            "grid's table": source_grid.table(step),
        },
    )


def test_the_bound_step_by_step(tree: Learned) -> None:
    shared = learn(SET, "seqmt", delta=0.2)
    assert tree.curriculum is not None
    assert shared.curriculum is not None
    same(
        "bounds",
        {
            "fixed C": bounds.figure(tree.curriculum, 2, LABELS, False),
            "shared C": bounds.figure(shared.curriculum, 4, LABELS, True),
            "table": bounds.table(shared.curriculum),
        },
    )


def test_weights_as_images_and_as_features(tree: Learned) -> None:
    chosen, start = tree.steps[1].chosen, tree.steps[0].chosen
    wide = learn(drawn(2, features=20), "seqmt", C=10.0).steps[1].chosen
    same(
        "weights",
        {
            "images": weights.images(chosen, True, (1, 3), True),
            "from nothing": weights.images(start, False, (2, 2), True),
            "features": weights.features(chosen, True, True, ("a", "b<", "c")),
            "many": weights.features(wide, True, True),
            "table": weights.table(chosen, True),
            "named": weights.table(chosen, False, ("a", "b", "c", "d")),
        },
    )


def test_how_hard_tasks_are_alone() -> None:
    alone = learn(SET, "indsvm", C=10.0)
    grouped = replace(SET, groups=dict(zip(SET.names, ("one", "one", "two", "two"), strict=True)))
    plain = replace(SET, semantic_order=None)
    told = {
        "ranked": (SET, alone),
        "grouped": (grouped, alone),
        "plain": (plain, alone),
        "without test data": (drawn(3, test=False), learn(drawn(3, test=False), "indsvm", C=10.0)),
    }
    same(
        "difficulty",
        {
            name: {
                "title": difficulty.info(*case).title,
                "light": difficulty.figure(difficulty.info(*case), theme.task_colours(case[0].names), False),
                "dark": difficulty.figure(difficulty.info(*case), theme.task_colours(case[0].names), True, 300),
                "table": difficulty.table(difficulty.info(*case)),
            }
            for name, case in told.items()
        },
    )


def test_relations_between_tasks() -> None:
    alone, problem = learn(SET, "indsvm", C=10.0), Problem(SET)
    bare = replace(SET, tasks=tuple(Task(task.name, task.X, task.y) for task in SET.tasks))
    moved, untested = pairwise(problem, 10.0), pairwise(Problem(bare), 10.0)
    values = cosines(alone.weights, True)
    same(
        "relations",
        {
            "similarity": relations.similarity(values, SET.names, True),
            "similarity's title": relations.similarity_title(values, SET.names),
            "similarity's table": relations.similarity_table(values, SET.names),
            "transfer": relations.transfer(moved, True),
            "transfer's title": relations.transfer_title(moved),
            "transfer's table": relations.transfer_table(moved),
            "untested": relations.transfer(untested, False),
            "untested's title": relations.transfer_title(untested),
            "untested's table": relations.transfer_table(untested),
        },
    )


def test_matrices_of_every_kind() -> None:
    values = np.array([[0.0, 1.0, np.nan], [0.25, -0.001, 0.5]])
    words = {"hover": [["a", "b", "c"]] * 2, "row_title": "rows", "column_title": "columns", "colour_title": "colour"}
    large = np.arange(32.0 * 31).reshape(32, 31)
    many = {"hover": [[""] * 31] * 32, "row_title": "", "column_title": "", "colour_title": ""}
    names = ["one", "two", "three"]
    same(
        "matrix",
        {
            "plain": matrix.figure(values, names[:2], names, dark=False, **words),
            "marked": matrix.figure(
                values, names[:2], names, dark=True, **words, ends=(-1, 2), reverse=True, number="{:.2f}", scale=100.0,
                mark=(0, 1), sign="!", picked=(1, 2), zeros=False,
            ),
            "pale": matrix.figure(
                values, names[:2], names, dark=False, **words, diverging=2.0, pale=np.array([[0, 1, 0], [1, 0, 0]]) > 0,
            ),
            "large": matrix.figure(large, ["r"] * 32, ["c"] * 31, dark=False, **many),
        },
    )  # fmt: skip


@pytest.mark.parametrize("method", ["multiseqmt", "treemt"])
def test_the_forest_of_sources(method: str) -> None:
    learned = learn(SET, method, C=10.0)
    long = learn(drawn(6, test=False, names=[f"task with a long name {k}" for k in range(6)]), method, C=10.0)
    found, bare = forest.info(learned), forest.info(long)
    labels = text.shorts(bare_names := [node.task for node in bare.nodes])
    same(
        f"forest-{method}",
        {
            "right": lanes.figure(found, LABELS, COLOURS, True, picked=1),
            "down": lanes.figure(found, LABELS, COLOURS, True, "down", picked=2),
            "untested": lanes.figure(bare, labels, theme.task_colours(bare_names), False),
            "directions": [lanes.default_direction(found, LABELS), lanes.default_direction(bare, labels)],
            "table": forest.table(found),
            "lanes": [found.n_lanes, bare.n_lanes, found.n_subsequences, bare.n_subsequences],
        },
    )


def test_two_curricula_side_by_side(forced: Learned) -> None:
    own, bare = learn(SET, "seqmt", C=10.0), learn(drawn(3, test=False), "seqmt", C=10.0)
    same(
        "versus",
        {
            "figure": curriculum_diff.figure(own, forced, COLOURS, LABELS, True, forced.forced_steps),
            "named": curriculum_diff.figure(own, forced, COLOURS, LABELS, True, label="lowest bound"),
            "table": curriculum_diff.table(own, forced, forced.forced_steps),
            "untested": curriculum_diff.table(bare, bare),
            "stairs": stairs.figure(stairs.info({"own": own, "forced": forced}), LABELS, True),
            "stairs' table": stairs.table(stairs.info({"own": own, "forced": forced})),
        },
    )


def test_points_of_tasks() -> None:
    plane = replace(drawn(3, features=2, points=4), feature_names=("width", "<height>"))
    learned = learn(plane, "seqmt", C=10.0)
    prepared, straight = scatter.Preparation(True, True), scatter.Preparation(False, True)
    picked, first = learned.steps[1].chosen, {learned.order[0]: learned.weights[learned.order[0]]}
    flat = projection(SET.prepared())
    same(
        "scatter",
        {
            "planes": scatter.planes(plane, plane.names, learned.weights, prepared, True),
            "without lines": scatter.planes(plane, plane.names[:1], {}, prepared, True, "drawn"),
            "heights": [scatter.planes_height(count) for count in (1, 3, 4, 5, 6, 8, 9, 12, 13)],
            "step": scatter.step_plane(plane, picked, first, straight, True),
            "start": scatter.step_plane(plane, learned.steps[0].chosen, {}, prepared, True),
            "bent": [scatter.bent(prepared), scatter.bent(straight), scatter.bent(scatter.Preparation(True, False))],
            "projected": scatter.projected(flat, SET.names, COLOURS, True, 400),
            "projection": scatter.projection_table(flat, SET.names),
            "table": scatter.points_table(plane),
            "lines": [boundary.in_square(np.array(w), 2.0) for w in ([1, 0, -1], [1, 1, 0], [0, 1, 3], [1, -2, 0.5])],
        },
    )


def test_sizes_and_tiles() -> None:
    rng = np.random.default_rng(0)
    uneven = TaskSet(
        "uneven",
        tuple(
            Task(name, rng.normal(size=(m, 4)), np.r_[-np.ones(m - 2), np.ones(2)])
            for name, m in (("small", 4), ("large", 9))
        ),
        groups={"small": "g", "large": "h"},
        image_shape=(2, 2),
    )
    found = tiles.info(uneven, uneven.names, each=3)
    big = TaskSet(
        "big", (Task("b", np.arange(4 * 3600.0).reshape(4, 3600), np.array([1, -1, 1, -1])),), image_shape=(60, 60)
    )
    same(
        "sizes",
        {
            "table": sizes.table(SET),
            "titles": [sizes.title(sizes.table(one)) for one in (SET, uneven, drawn(2, test=False), drawn(1))],
            "figure": sizes.figure(sizes.table(SET), True),
            "uneven": sizes.figure(sizes.table(uneven), True),
            "uneven's table": sizes.table(uneven),
            "tiles": tiles.figure(found, False, 300),
            "dark tiles": tiles.figure(found, True, 200),
            "tiles' table": tiles.table(found, uneven),
            "thinned": list(tiles.info(big, big.names).images[0][0].shape),
        },
    )


def pieces(repeats: int = 4) -> Results:
    """Three methods over repeats, of which the last did not finish with MT."""
    rng = np.random.default_rng(2)
    found = [
        Outcome(
            repeat, method, 0.5 + repeat, ("a", "b"), {"a": None, "b": "a"}, {"a": 1.0, "b": 1.0},
            {"a": base + 0.01 * rng.integers(5), "b": base + 0.02 * rng.integers(5)}, None,
        )
        for repeat in range(repeats)
        for method, base in (("indsvm", 0.3), ("seqmt", 0.2), ("mt", 0.21))
        if (repeat, method) != (3, "mt")
    ]  # fmt: skip
    return results_of(Settings("somewhere", ("IndSVM", "SeqMT", "MT"), repeats, 10.0), found)


def test_methods_compared() -> None:
    shipped, results, one = example()[1], pieces(), pieces(1)
    published = {"SeqMT": Published(21.5, 0.4), "MT": Published(23.0, 0.5)}
    bars, few = compare.info(results, published), compare.info(one, {})
    spread = compare.orders_info(shipped)
    assert spread is not None
    over = shipped.over_draws
    assert over is not None
    columns = figure3.info({"the example": over, "again <b>": over})
    same(
        "compare",
        {
            "titles": [compare.title(bars), compare.title(few), compare.title(compare.info(shipped, {}))],
            "bars": compare.figure(bars, True),
            "one repeat": compare.figure(few, True),
            "example": compare.figure(compare.info(shipped, {}), True),
            "table": compare.table(bars),
            "unpublished": compare.table(few),
            "tasks": compare.tasks_figure(results, {"a": "A", "b": "B"}, True),
            "tasks of one": compare.tasks_figure(one, {"a": "A", "b": "B"}, True),
            "tasks' title": compare.tasks_title(results),
            "tasks' table": compare.tasks_table(shipped),
            "orders": spread.title,
            "orders' table": compare.orders_table(shipped).head(5),
            "paired": paired.figure(paired.info(shipped, "indsvm"), True),
            "paired few": paired.figure(paired.info(results, "seqmt"), True),
            "paired one": paired.figure(paired.info(one, "seqmt"), True),
            "paired's titles": [paired.title(paired.info(r, "seqmt")) for r in (shipped, results, one)],
            "paired's table": paired.table(paired.info(shipped, "seqmt")),
            "paired's table of one": paired.table(paired.info(one, "seqmt")),
            "figure 3": figure3.figure(columns, True),
            "figure 3's title": figure3.title(columns),
            "figure 3's table": figure3.table(columns),
        },
    )


def test_two_runs_compared() -> None:
    found = (
        Between("seqmt", Average(0.2, 0.01, 4), Average(0.25, 0.02, 4), 0.05, Interval(0.01, 0.09), 4),
        Between("indsvm", Average(0.3, 0.01, 4), Average(0.29, 0.02, 3), -0.01, Interval(-0.03, 0.01), 0),
        Between("mt", Average(0.4, None, 1), Average(0.2, None, 1), -0.2, None, 1),
        Between("treemt", Average(0.4, 0.01, 9), Average(0.2, 0.01, 9), -0.2, Interval(-0.3, -0.1), 9),
    )
    same(
        "between",
        {
            "titles": [
                run_difference.title(part, "run 1", "run <2>") for part in (found, found[:1], found[1:3], found[2:3])
            ],
            "figure": run_difference.figure(found, "run <2>", True),
            "table": run_difference.table(found),
        },
    )


def test_patterns_over_repeats() -> None:
    names = ("a", "b", "c", "d")
    forests = [
        {"a": None, "b": "a", "c": "b", "d": None},
        {"c": None, "a": None, "b": "a", "d": "c"},
        {"a": None, "c": "a", "b": "a", "d": "c"},
    ]
    found, alone = patterns(forests, names), patterns(forests[:1], names)
    stable = stability(forests, names)
    assert stable is not None
    labels, colours = text.shorts(names), theme.task_colours(names)
    same(
        "patterns",
        {
            "titles": [
                title(each)
                for each in (found, alone)
                for title in (
                    pattern_figures.transfers_title,
                    pattern_figures.ends_title,
                    pattern_figures.companions_title,
                    pattern_figures.positions_title,
                )
            ],
            "transfers": pattern_figures.transfers(found, True),
            "transfers' table": pattern_figures.transfers_table(found),
            "ends": pattern_figures.ends(found, labels, True),
            "ends' table": pattern_figures.ends_table(found),
            "companions": pattern_figures.companions(found, True),
            "companions' table": pattern_figures.companions_table(found),
            "positions": pattern_figures.positions(found, labels, colours, True),
            "stability": [stable.transfers, stable.companions, stable.order],
            "words": pattern_figures.stable_words(stable, 3, True),
        },
    )


def turning(seed: int = 0, n: int = 3, test: bool = True) -> TaskSet:
    rng = np.random.default_rng(seed)
    tasks = []
    for k in range(n):
        X = rng.normal(size=(50, 2))
        y = np.where(X @ [np.cos(0.9 * k), np.sin(0.9 * k)] + 0.5 * rng.normal(size=50) > 0, 1.0, -1.0)
        tasks.append(Task(f"t{k}", X[:20], y[:20], *((X[20:], y[20:]) if test else ())))
    return TaskSet("turning", tuple(tasks), tuple(f"t{k}" for k in range(n)))


def test_all_orders_on_one_draw() -> None:
    found, bare = every_order(turning(), C=10.0, points=True), every_order(turning(test=False), C=10.0)
    sample = every_order(turning(), C=10.0, limit=4)
    greedy, untested = learn(turning(), C=10.0), learn(turning(test=False), C=10.0)
    places = (place_learned(found, "SeqMT", greedy), *extremes(found), place_learned(found, "Yours", greedy))
    noise = noise_of(found)
    spread, by_bound = orders.Spread(found, places, noise), orders.Spread(bare, extremes(bare))
    flat = replace(found, test_errors=np.full(6, 0.25), points=None)
    assert greedy.bound is not None
    relation = agreement.Agreement(found, places, noise, found.rank_by_bound(greedy.bound.value), "C = 10")
    lowest = place_learned(sample, "Lowest bound", best_order(Problem(turning()), 10.0).learned)
    others = {
        "none": agreement.Agreement(found, (), None, None),
        "first": agreement.Agreement(found, (places[0], lowest), noise, 1),
        "found": agreement.Agreement(sample, (places[0], replace(lowest, label=marks.FOUND)), noise, 2),
        "third": agreement.Agreement(sample, (), noise, 3),
    }
    same(
        "orders",
        {
            "titles": [spread.title, by_bound.title, orders.Spread(flat, ()).title, orders.Spread(sample, ()).title],
            "quantities": [spread.quantity, by_bound.quantity],
            "heights": [orders.height(spread), orders.height(by_bound)],
            "figure": orders.figure(spread, True),
            "by bound": orders.figure(by_bound, True, highlight=("Best",)),
            "flat": orders.figure(orders.Spread(flat, ()), False),
            "table": orders.table(spread),
            "by bound's table": orders.table(by_bound),
            "orders' table": orders.orders_table(found),
            "untested's table": orders.orders_table(bare),
            "untested": [place_learned(bare, "SeqMT", untested).percentile],
            "standing": [orders.standing(place) for place in places],
            "whiskers": [orders.whisker_words(place, noise) for place in places],
            "steps": orders.steps(greedy.order, {name: name.upper() for name in greedy.order}),
            "noise": "" if noise is None else orders.noise_words(noise) + orders.noise_details(noise),
            "relation": agreement.figure(relation, True),
            "relation's words": [relation.title, relation.greedy_words],
            "other words": [word for one in others.values() for word in (one.title, one.greedy_words)],
            "flat relation": agreement.figure(agreement.Agreement(flat, places, None, None), True, 300),
        },
    )


def test_all_orders_over_draws() -> None:
    over = orders_over_draws(turning, 5, C=10.0)
    noise = noise_over(over)
    spread = orders.Spread(over.means, over.places, noise)
    found = orders_by_draw.info(over, {"Yours": over.errors[:, 1]})
    few = orders_by_draw.info(orders_over_draws(turning, 1, C=10.0), {})
    ways = methods_by_draw.Draws({"one": np.array([1.0, 2.0, 2.0]), "<two>": np.array([1.0, 1.0, 2.5])}, "mean (%)")
    same(
        "over-draws",
        {
            "title": spread.title,
            "quantity": spread.quantity,
            "figure": orders.figure(spread, True),
            "table": orders.table(spread),
            "noise": orders.noise_words(noise) + orders.noise_details(noise),
            "interest": orders_by_draw.figure(found, True, 500),
            "interest of one": orders_by_draw.figure(few, True, 400),
            "interest's titles": [found.title, few.title],
            "interest's table": orders_by_draw.table(found),
            "ways": methods_by_draw.figure(ways, True),
            "ways' table": methods_by_draw.table(ways),
            "ways' words": [ways.count, ways.lower("one", "<two>"), ways.lower("<two>", "one"), ways.lowest],
        },
    )


def test_what_is_noise_in_words() -> None:
    words = []
    place = Place("SeqMT", None, 1.0, 0.2, 10.0, 80.0, Interval(0.15, 0.25))
    for count, test in ((1, "Cochran"), (20, "Friedman")):
        for p in (0.00001, 0.03, 0.3):
            noise = OrderNoise(
                count, 0.012, Significance(300.0, 8.0, p), test, 1 / 120, 0.5, Interval(-0.2, 0.7), count
            )  # type: ignore[arg-type]
            words += [orders.noise_words(noise), orders.noise_details(noise), orders.whisker_words(place, noise)]
    whiskers = [marks.whisker(place, "red"), marks.marker("SeqMT", False, True), marks.marker("Worst", True, False)]
    same("noise", {"words": words, "marks": whiskers})
