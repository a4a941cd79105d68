"""What is drawn is what was computed: the values of traces against the core's results."""

import base64
import io
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from core import Task, TaskSet, learn
from core.curriculum.learn import Learned, Problem
from core.orders.transfer import pairwise
from core.statistics import noise
from core.statistics.projection import cosines, projection
from dashboard import text, theme
from dashboard.figures import candidates, curricula, forest, images, plot, relations, scatter, tasks
from dashboard.reports.page import figure_page
from data.sources import catalogue
from tests.dashboard.screens import drawn

SET = drawn(5)
NAMES = ["<i>x</i>", "a" * 200, "a" * 199 + "b", "%{x} $y$", "plain"]


@pytest.fixture(scope="module")
def tree() -> Learned:
    return learn(SET, "treemt", C=10.0)


def test_bars_are_the_terms_of_every_candidate_best_first(tree: Learned) -> None:
    step = tree.steps[2]
    chart = candidates.figure(candidates.info(step), text.shorts(SET.names), False)
    error, complexity, total = chart.data
    best = sorted(step.candidates, key=lambda one: one.criterion)
    assert [tuple(ids) for ids in error.customdata] == [(one.task, one.source or "") for one in best]
    np.testing.assert_array_equal(error.x, [one.error_term for one in best])
    np.testing.assert_array_equal(complexity.x, [one.complexity_term for one in best])
    np.testing.assert_array_equal(total.x, [one.criterion for one in best])
    assert "★" in chart.layout.yaxis.ticktext[0]
    assert len(candidates.table(step)) == len(step.candidates)


def test_the_picked_bar_is_framed_nothing_fades_and_nothing_jumps_from_step_to_step(tree: Learned) -> None:
    labels = text.shorts(SET.names)
    found = [candidates.info(step) for step in tree.steps]
    room = candidates.frame(found, labels)
    picked = found[1].shown[2]
    chart = candidates.figure(found[1], labels, False, room=room, picked=picked)
    frame = chart.layout.shapes[0]
    assert (frame.x1, (frame.y0 + frame.y1) / 2) == (picked.criterion, pytest.approx(2))
    for bars in chart.data[:2]:
        assert bars.selected.marker.opacity == bars.unselected.marker.opacity == 1
    charts = [candidates.figure(one, labels, False, room=room) for one in found]
    for part in ("height", "margin.l", "xaxis.range", "yaxis.range"):
        assert len({str(one.layout[part]) for one in charts}) == 1


def test_on_own_scales_each_term_fills_its_half(tree: Learned) -> None:
    found = candidates.info(tree.steps[2])
    chart = candidates.figure(found, text.shorts(SET.names), False, own_scales=True)
    error, complexity = chart.data[:2]
    assert (error.xaxis, complexity.xaxis) == ("x", "x2")
    assert chart.layout.xaxis.range[1] == pytest.approx(1.3 * max(error.x))
    assert chart.layout.xaxis2.range[1] == pytest.approx(1.75 * max(complexity.x))
    assert candidates.Frame(3, 5, 0.2, 2.1, 2.3).unlike
    assert not candidates.Frame(3, 5, 0.2, 1.9, 2.1).unlike


def test_all_three_weight_images_have_one_size(tree: Learned) -> None:
    layout = images.weight_images(tree.steps[1].chosen, True, (1, 3), False).layout
    widths = [axis.domain[1] - axis.domain[0] for axis in (layout.xaxis, layout.xaxis2, layout.xaxis3)]
    np.testing.assert_allclose(widths, widths[0])


def test_a_figure_of_its_own_says_what_it_shows(tree: Learned) -> None:
    chart = candidates.figure(candidates.info(tree.steps[0]), text.shorts(SET.names), True)
    page = figure_page(chart, "Which <task>?", "drawn, C 10.0, seed 0")
    assert "<title>Which &lt;task&gt;? (drawn, C 10.0, seed 0)</title>" in page
    assert "<h1>Which &lt;task&gt;?</h1><p>drawn, C 10.0, seed 0</p>" in page
    assert theme.DARK.paper in page[:600]


def test_forced_steps_are_those_that_greedy_search_would_not_take() -> None:
    own = learn(SET, "seqmt", C=10.0)
    second = own.steps[1].runner_up
    before = [(own.order[0], None), (second.task, second.source)]
    once = learn(SET, "seqmt", C=10.0, choices=before)
    assert once.forced_steps == (2,)
    third = once.steps[2].runner_up
    twice = learn(SET, "seqmt", C=10.0, choices=[*before, (third.task, third.source)])
    assert twice.forced_steps == (2, 3)
    assert own.forced_steps == ()
    colours, labels = theme.task_colours(SET.names), text.shorts(SET.names)
    table = curricula.diff(own, twice, colours, labels, False, twice.forced_steps).table
    assert table is not None
    assert table["what if: your choice"].tolist() == [False, True, True, False, False]
    assert forest.table(forest.info(twice))["your choice"].tolist() == [False, True, True, False, False]


def test_bars_are_cut_to_the_best_but_keep_the_chosen_one() -> None:
    worst = candidates.ranked(learn(SET, "treemt", C=10.0).steps[0])[-1]
    learned = learn(SET, "treemt", C=10.0, choices=[(worst.task, None)])
    shown = candidates.info(learned.steps[0], most=2)
    assert len(shown.shown) == 2
    assert shown.shown[-1] is learned.steps[0].chosen
    assert shown.total == 5


def test_the_grid_is_the_criterion_of_source_and_task(tree: Learned) -> None:
    step = tree.steps[3]
    chart = plot.matrix(candidates.source_matrix(step, step.chosen), True)
    found = candidates.source_matrix(step, step.chosen)
    sources, columns = list(found.row_names), list(found.column_names)
    for candidate in step.candidates:
        cell = chart.data[0].z[sources.index(candidate.source or "no source")][columns.index(candidate.task)]
        assert cell == candidate.criterion
    frame = chart.layout.shapes[0]
    assert (frame.y0 + 0.5, frame.x0 + 0.5) == (
        sources.index(step.chosen.source or "no source"),
        columns.index(step.chosen.task),
    )


def test_the_running_bound_stacks_up_to_theorem_1(tree: Learned) -> None:
    chart = curricula.bound_figure(tree.curriculum, 2, text.shorts(SET.names), False)
    stacked = np.sum([trace.y for trace in chart.data if trace.type == "bar"], axis=0)
    assert stacked[-1] == pytest.approx(tree.bound.value)
    assert stacked[0] == pytest.approx(tree.bound.constant)
    expected = tree.bound.constant + np.cumsum([0, *[step.chosen.criterion for step in tree.steps]]) / 5
    np.testing.assert_allclose(stacked, expected)
    np.testing.assert_allclose(curricula.bound_table(tree.curriculum)["bound"], expected)


def test_weight_images_leave_the_bias_out_and_add_up() -> None:
    task_set = replace(drawn(3, features=4), image_shape=(2, 2))
    chosen = learn(task_set, "seqmt", C=10.0).steps[1].chosen
    source, change, new = (np.array(trace.z) for trace in images.weight_images(chosen, True, (2, 2), False).data)
    np.testing.assert_allclose(source + change, new)
    np.testing.assert_allclose(new.ravel(), chosen.weights[:-1])
    shown = images.weight_features(chosen, True, False).data[-1]
    np.testing.assert_allclose(shown.x, chosen.weights[[int(name.split()[1]) - 1 for name in shown.customdata]])


def test_difficulty_follows_the_semantic_order() -> None:
    task_set = replace(SET, semantic_order=SET.names[::-1])
    alone = learn(task_set, "indsvm", C=10.0)
    found = tasks.difficulty(task_set, alone)
    colours = theme.task_colours(task_set.names)
    trace = tasks.difficulty_figure(found, colours, False).data[0]
    np.testing.assert_allclose(trace.y, [100 * alone.test_error[name] for name in SET.names[::-1]])
    assert list(trace.x) == [1, 2, 3, 4, 5]
    bars = tasks.difficulty_figure(tasks.difficulty(SET, alone), colours, False).data[0]
    np.testing.assert_allclose(bars.x, sorted((100 * error for error in alone.test_error.values()), reverse=True))


def test_without_test_data_difficulty_is_the_criterion() -> None:
    task_set = drawn(4, test=False)
    alone = learn(task_set, "indsvm", C=10.0)
    found = tasks.difficulty(task_set, alone)
    assert found.quantity == "criterion"
    assert found.values == tuple(step.chosen.criterion for step in alone.steps)


def test_matrices_are_the_cores() -> None:
    problem = Problem(SET)
    transfer = pairwise(problem, 10.0)
    shown = np.where(transfer.beyond_noise, 100, 25) * transfer.difference  # pale where chance may explain it
    np.testing.assert_allclose(relations.transfer(transfer, False).chart.data[0].z, shown)
    table = relations.transfer(transfer, False).table
    assert table is not None
    assert len(table) == 20
    np.testing.assert_allclose(table["difference"], table["test error started"] - table["test error alone"])
    values = cosines(learn(SET, "indsvm", C=10.0).weights, True)
    z = np.array(relations.similarity(values, SET.names, False).chart.data[0].z)
    off = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(z[off], values[off])
    below = np.where(np.eye(5, dtype=bool), 1.0, -0.07)
    assert relations.similarity(below, SET.names, False).title.endswith("(cosine −0.07)")
    assert "cosine −0.07" in relations.similarity(below, SET.names, False).chart.data[0].hovertext[0][1]


def test_every_line_of_a_step_in_the_plane_is_named_once_whatever_the_picked_one_starts_from() -> None:
    plane = catalogue.load("plane-tree")
    steps = learn(plane, "treemt", C=100.0).steps
    weights = {step.chosen.task: step.chosen.weights for step in steps[:2]}
    for picked in steps[2].candidates:
        chart = scatter.step_plane(plane, picked, weights, scatter.Preparation(False, True), False)
        named = [trace.name for trace in chart.data if trace.type == "contour" and trace.showlegend]
        assert named.count("learned before") == 1, picked.source
        assert f"candidate: {picked.task}" in named


def test_points_and_sizes_are_those_of_the_set() -> None:
    plane = drawn(2, features=2)
    chart = scatter.planes(plane, plane.names, {}, scatter.Preparation(True, True), False)
    task = plane.tasks[0]
    np.testing.assert_allclose(chart.data[0].x, task.X[task.y == 1][:, 0])
    frame = tasks.sizes(SET)
    assert [trace.name for trace in tasks.sizes_figure(frame, False).data] == list(tasks.PARTS)
    assert frame[list(tasks.PARTS)].to_numpy().sum() == sum(t.n_points + t.n_test for t in SET.tasks)
    flat = projection(SET.prepared())
    shown = scatter.projected(flat, SET.names, theme.task_colours(SET.names), False, 400)
    assert sum(len(trace.x) for trace in shown.data) == len(flat.points)


def test_tiles_show_the_first_images_of_each_class() -> None:
    task_set = catalogue.load("digits-levels:8")
    found = images.tiles(task_set, task_set.names, each=2)
    first = task_set.tasks[0]
    image = first.X[first.y == 1][0].reshape(8, 8)
    shown = found.images[0][0]
    np.testing.assert_allclose(shown / 255.0, (image - image.min()) / np.ptp(image), atol=0.01)
    whole = images.mosaic(found)
    np.testing.assert_array_equal(whole[:8, :8], shown)
    for dark in (False, True):
        chart = images.tiles_figure(found, dark, 300)
        (drawn_as,) = chart.layout.images
        sent = base64.b64decode(drawn_as.source.removeprefix("data:image/png;base64,"))
        pixels = np.asarray(Image.open(io.BytesIO(sent)).convert("RGBA"))
        block = len(pixels) // len(whole)
        assert pixels.shape == (block * whole.shape[0], block * whole.shape[1], 4)
        np.testing.assert_array_equal(pixels[::block, ::block, 3] == 0, np.isnan(whole))
        for row, column in ((0, 0), (3, 4), (7, 7)):
            wanted = theme.colour_at(theme.greys(dark), shown[row, column] / 255)
            assert np.ptp([pixels[row * block, column * block, :3], theme.channels(wanted)], axis=0).max() <= 1
        assert (drawn_as.sizex, drawn_as.sizey) == whole.shape[::-1]
        assert list(chart.layout.yaxis.range) == [len(whole) - 0.5, -0.5]  # the first task is on top


def test_side_by_side_joins_each_tasks_two_steps() -> None:
    own = learn(SET, "seqmt", C=10.0)
    other = learn(SET, "seqmt", C=10.0, choices=[(own.order[-1], None)])
    shown = curricula.diff(own, other, theme.task_colours(SET.names), text.shorts(SET.names), False)
    for trace, task in zip(shown.chart.data, own.order, strict=True):
        assert list(trace.y) == [own.order.index(task) + 1, other.order.index(task) + 1]
    assert shown.table is not None
    assert shown.table["what if: task"].tolist() == list(other.order)


def named_set() -> TaskSet:
    return drawn(5, names=NAMES)


def test_names_are_escaped_in_every_figure() -> None:
    task_set = named_set()
    labels, colours = text.shorts(task_set.names), theme.task_colours(task_set.names)
    learned = learn(task_set, "treemt", C=10.0)
    alone = learn(task_set, "indsvm", C=10.0)
    step = learned.steps[2]
    drawings = [
        candidates.figure(candidates.info(step), labels, False),
        plot.matrix(candidates.source_matrix(step, step.chosen), False),
        curricula.bound_figure(learned.curriculum, 1, labels, False),
        curricula.diff(learned, learned, colours, labels, False).chart,
        tasks.difficulty_figure(tasks.difficulty(task_set, alone), colours, False),
        relations.transfer(pairwise(Problem(task_set), 10.0), False).chart,
        tasks.sizes_figure(tasks.sizes(task_set), False),
        scatter.projected(projection(task_set.prepared()), task_set.names, colours, False, 300),
    ]
    for chart in drawings:
        for trace in chart.data:
            if "hovertext" in (trace.hovertemplate or ""):
                trace.customdata = None  # what a click returns, never drawn
        drawn = chart.to_json()
        assert "<i>x" not in drawn
        assert "\\u003ci\\u003ex" not in drawn
        assert "%{x} $y$" not in drawn


def test_a_tie_for_the_hardest_task_is_told() -> None:
    def told(*values: float) -> str:
        sure = (noise.Interval(0.0, 0.1),) * len(values)
        names = tuple("abcdef"[: len(values)])
        return tasks.Difficulty(names, values, "test error", None, None, None, sure, True).title

    assert told(0.2, 0.2, 0.1, 0.15) == "Alone, “a” and “b” are the hardest tasks and “c” the easiest"
    assert told(0.2, 0.0, 0.0, 0.0, 0.0, 0.0) == "Alone, “a” is the hardest task and “b”, “c” and 3 more the easiest"


def test_the_hardest_of_many_tasks_is_named_only_if_chance_would_not_make_it() -> None:
    """36 of 100 wrong against 14 is clear of two tasks, of twenty only 40 against 8."""
    for wrong, count, clear in (((36, 14), 2, True), ((36, 14), 20, False), ((40, 8), 20, True)):
        counts = [*wrong, *[20] * (count - 2)]
        parts = [(np.zeros((100, 1)), np.where(np.arange(100) < 50, 1.0, -1.0)) for _ in counts]
        task_set = TaskSet("s", tuple(Task(f"t{k}", *part, *part) for k, part in enumerate(parts)))
        alone = SimpleNamespace(steps=(), test_error={f"t{k}": count / 100 for k, count in enumerate(counts)})
        title = tasks.difficulty(task_set, alone).title  # type: ignore[arg-type]
        assert ("is the hardest task" in title) is clear
        assert ("beyond noise" in title) is not clear


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("diverging", [False, True])
def test_numbers_can_be_read_in_every_cell_of_a_matrix(dark: bool, diverging: bool) -> None:
    values = np.linspace(-1, 1, 120).reshape(10, 12)
    names = [str(k) for k in range(12)]
    chart = plot.matrix(
        plot.Matrix(
            values, names[:10], names, lambda i, j: "", ("", ""), "", "{:.3f}", ends=(-1, 1), diverging=diverging
        ),
        dark,
    )
    heat, numbers = chart.data
    assert [float(number.replace("−", "-")) for number in numbers.text] == pytest.approx(values.ravel(), abs=6e-4)
    assert (heat.zmin, heat.zmax) == (-1, 1)
    for share, colour in zip((values.ravel() + 1) / 2, numbers.textfont.color, strict=True):
        assert theme.contrast(theme.colour_at(heat.colorscale, share), colour) >= 4.5


def test_where_all_test_errors_are_equal_the_criterion_tells_tasks_apart() -> None:
    task_set = catalogue.load("plane-groups")
    alone = learn(task_set, "indsvm")
    assert alone.test_error is not None
    assert set(alone.test_error.values()) == {0.0}
    found = tasks.difficulty(task_set, alone)
    assert found.values == tuple(step.chosen.criterion for step in alone.steps)
    assert found.title.startswith("Alone, every task has a test error of 0.0\u00a0%; “")
    assert "the largest criterion alone" in found.title
