"""The forest's layout and what is drawn of it, against the learned curriculum; patterns over repeats likewise."""

from __future__ import annotations

import numpy as np
import pytest

from core import Learned, Task, TaskSet, learn
from core.errors import SettingsError
from core.statistics.patterns import patterns, stability
from dashboard import text, theme
from dashboard.figures import forest
from dashboard.figures import patterns as drawn

METHODS = ("seqmt", "multiseqmt", "treemt")
MARKUP = "<b>bold</b> & $x$ " + "long " * 40


def turning(n: int, test: bool = True, names: tuple[str, ...] = ()) -> TaskSet:
    rng = np.random.default_rng(3)
    tasks = []
    for k in range(n):
        angle = 2.1 * (k % 3) + 0.25 * (k // 3)
        X = rng.normal(size=(40, 2))
        y = np.where(X @ [np.cos(angle), np.sin(angle)] + 0.3 * rng.normal(size=40) > 0, 1.0, -1.0)
        name = names[k] if k < len(names) else f"task {k}"
        tasks.append(Task(name, X[:20], y[:20], *((X[20:], y[20:]) if test else ())))
    return TaskSet("turning", tuple(tasks))


@pytest.fixture(scope="module", params=METHODS)
def learned(request: pytest.FixtureRequest) -> Learned:
    return learn(turning(9), request.param, C=10.0)


def draw(result: Learned, direction: forest.Direction = "right", dark: bool = False) -> forest.go.Figure:
    found = forest.info(result)
    return forest.figure(found, text.shorts(result.order), theme.task_colours(result.order), dark, direction)


def test_nodes_are_the_chosen_candidates(learned: Learned) -> None:
    found = forest.info(learned)
    assert [node.task for node in found.nodes] == list(learned.order)
    assert {node.task: node.source for node in found.nodes} == learned.sources
    assert learned.curriculum is not None
    assert learned.test_error is not None
    for node in found.nodes:
        source = np.zeros(3) if node.source is None else learned.weights[node.source]
        assert node.distance == pytest.approx(np.linalg.norm(learned.weights[node.task] - source), abs=1e-6)
        assert node.test_error == learned.test_error[node.task]
    trees = [[node.task for node in found.nodes if node.subsequence == tree] for tree in range(found.n_subsequences)]
    assert [tuple(tree) for tree in trees] == list(learned.curriculum.subsequences)


def test_what_is_drawn_is_what_was_learned(learned: Learned) -> None:
    found = forest.info(learned)
    chart = draw(learned)
    dots = chart.data[-1]
    assert list(dots.x) == [node.step for node in found.nodes]
    assert list(dots.y) == [node.lane for node in found.nodes]
    assert list(dots.customdata) == list(range(9))
    assert list(dots.marker.color) == pytest.approx([100 * (node.test_error or 0) for node in found.nodes])
    assert (dots.marker.cmin, dots.marker.showscale) == (0, True)
    assert [float(text) for text in dots.text] == [round(100 * (node.test_error or 0)) for node in found.nodes]
    widths = [line.line.width for line in chart.data[:-1]]
    distances = np.array([node.distance for node in found.nodes])
    assert widths == pytest.approx(1 + (forest.WIDEST - 1) * distances / distances.max())
    place = {node.task: (node.step, node.lane) for node in found.nodes}
    for node, line in zip(found.nodes, chart.data[:-1], strict=True):
        assert (line.x[-1], line.y[-1]) == place[node.task]
        if node.source is not None:
            assert (line.x[0], line.y[0]) == place[node.source]


def test_time_down_swaps_the_axes(learned: Learned) -> None:
    right, down = draw(learned).data[-1], draw(learned, "down").data[-1]
    assert list(down.x) == list(right.y)
    assert list(down.y) == list(right.x)


def test_no_two_tasks_share_a_place_and_chains_stay_in_their_lane() -> None:
    chains = {"a": None, "b": "a", "x": None, "c": "b", "y": "x"}
    assert forest.arrange(chains)[0] == {"a": 0, "b": 0, "c": 0, "x": 1, "y": 1}
    tree = {"r": None, "a": "r", "b": "r", "c": "b", "d": "c", "e": "b"}
    lane, number = forest.arrange(tree)
    assert lane == {"r": 0, "b": 0, "c": 0, "d": 0, "e": 1, "a": 2}  # the longest branch goes straight on
    assert set(number.values()) == {0}


def test_many_tasks_run_down_and_few_to_the_right() -> None:
    few, many = (forest.info(learn(turning(n), "seqmt", C=10.0)) for n in (5, 40))
    assert forest.default_direction(few, {node.task: node.task for node in few.nodes}) == "right"
    assert forest.default_direction(many, {node.task: node.task for node in many.nodes}) == "down"


@pytest.mark.parametrize(("n", "ticks"), [(3, [1, 2, 3]), (20, list(range(1, 21))), (24, [1, 5, 10, 15, 20])])
def test_every_step_has_a_tick_where_there_is_room_else_every_fifth(n: int, ticks: list[int]) -> None:
    layout = draw(learn(turning(n), "seqmt", C=10.0)).layout
    assert layout.xaxis.title.text == "step of learning"
    assert list(layout.xaxis.tickvals) == ticks


def test_without_test_data_nothing_is_written_in_the_circles() -> None:
    chart = draw(learn(turning(3, test=False), "multiseqmt", C=10.0))
    assert chart.data[-1].text is None
    assert chart.data[-1].mode == "markers"


def test_markup_in_names_is_escaped_and_shortened() -> None:
    chart = draw(learn(turning(3, names=(MARKUP,)), "seqmt", C=10.0))
    texts = [note.text for note in chart.layout.annotations] + list(chart.data[-1].hovertext)
    assert not any("<b>bold" in text for text in texts)
    assert any("&lt;b&gt;" in text for text in texts)
    assert all(len(note.text) < 60 for note in chart.layout.annotations)


def test_a_joint_method_has_no_lanes() -> None:
    with pytest.raises(SettingsError, match="no subsequences"):
        forest.info(learn(turning(3), "mergedsvm", C=10.0))


def test_numbers_can_be_read_on_their_circles() -> None:
    for dark in (False, True):
        dots = draw(learn(turning(9), "seqmt", C=10.0), dark=dark).data[-1]
        for error, colour in zip(dots.marker.color, dots.textfont.color, strict=True):
            circle = theme.colour_at(theme.sequential(dark), error / dots.marker.cmax)
            assert theme.contrast(circle, colour) >= 4.5


def test_pattern_figures_draw_the_shares() -> None:
    names = ("a", "b", "c")
    forests = [{"a": None, "b": "a", "c": "b"}, {"c": None, "a": None, "b": "a"}]
    found = patterns(forests, names)
    heat = drawn.transfers(found, False).chart.data[0]
    assert np.asarray(heat.z) == pytest.approx(100 * np.vstack([found.transfers, found.starts]))
    assert drawn.transfers(found, False).title == "Most often “b” is learned from “a”: in 100\u00a0% of 2 repeats"
    starts, ends = drawn.ends(found, text.shorts(names), False).chart.data
    assert list(starts.x) == pytest.approx(list(100 * found.starts))
    assert list(ends.x) == pytest.approx(list(100 * found.ends))
    order = list(found.by_companions)
    together = drawn.companions(found, False).chart.data[0]
    assert np.asarray(together.z) == pytest.approx(100 * found.together[np.ix_(order, order)])
    dots, mean = drawn.positions(found, text.shorts(names), theme.task_colours(names), False).chart.data
    assert sorted(dots.x) == sorted(found.positions.ravel())
    assert sorted(mean.x) == sorted(found.positions.mean(axis=0))
    stable = stability(forests, names)
    assert stable is not None
    assert f"share {100 * stable.transfers:.0f}\u00a0% of their transfers" in drawn.stable_words(stable, 2, True)
    split = drawn.stable_words(stable, 2, False)
    assert "by chance" not in split
    assert "split the same rows anew" in split
    table = drawn.transfers(found, False).table
    assert table is not None
    assert table["share of repeats"].tolist() == [1.0, 0.5]
