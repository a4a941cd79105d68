"""What titles and marks of figures claim of numbers put in by hand: who is better, by how much, and what is marked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from core import Orders, Task, TaskSet, learn
from core.experiments.difference import Average, Between
from core.experiments.experiment import Outcome, Settings
from core.experiments.summary import Results, results_of
from core.orders.orders_by_draw import OrdersByDraw
from core.orders.ranking import OrderNoise, extremes, place
from core.orders.transfer import Transfer
from core.statistics.noise import Interval, Significance
from core.statistics.patterns import patterns
from dashboard import text, theme
from dashboard.figures import (
    agreement,
    by_draw,
    candidates,
    class_balance,
    compare,
    curricula,
    images,
    orders,
    plot,
    relations,
    scatter,
    tasks,
)
from dashboard.figures import patterns as pattern_figures
from tests.dashboard.screens import drawn, uneven

PERCENT = "\u00a0%"


def run_of(errors: Mapping[str, list[list[float]]], measure: str = "error", **more: object) -> Results:
    """Methods with their errors, one row per repeat and one column per task."""
    outcomes = [
        Outcome(
            repeat, method, 1.0, (), dict.fromkeys("ab"), dict.fromkeys("ab", 1.0), dict(zip("ab", row, strict=True)),
            None, **more,  # type: ignore[arg-type]
        )
        for method, rows in errors.items()
        for repeat, row in enumerate(rows)
    ]  # fmt: skip
    return results_of(Settings("s", tuple(errors), max(map(len, errors.values())), measure=measure), outcomes)  # type: ignore[arg-type]


ERRORS = {
    "indsvm": [[0.30, 0.40], [0.32, 0.40], [0.30, 0.44], [0.31, 0.41]],
    "seqmt": [[0.20, 0.30], [0.21, 0.31], [0.19, 0.31], [0.21, 0.30]],
    "mt": [[0.10, 0.20], [0.11, 0.20], [0.10, 0.22], [0.10, 0.20]],
    "random": [[0.20, 0.30], [0.21, 0.31], [0.19, 0.31], [0.21, 0.30]],
}


def test_who_is_clearly_better_or_worse_than_the_baseline_and_who_is_identical() -> None:
    results = run_of(ERRORS)
    said = {base: compare.baseline_title(results.against(base)) for base in ERRORS}
    assert said == {
        "indsvm": "Clearly better than IndSVM: SeqMT, MT, Random",
        "seqmt": "Clearly worse than SeqMT: IndSVM; better: MT; identical: Random",
        "mt": "Clearly worse than MT: IndSVM, SeqMT, Random",
        "random": "Clearly worse than Random: IndSVM; better: MT; identical: SeqMT",
    }
    for dark in (False, True):
        marks = compare.baseline_figure(results.against("seqmt"), dark).data[0]
        assert list(marks.y) == ["IndSVM", "MT", "Random"]
        assert list(marks.marker.symbol) == ["circle", "circle", "square-open"]
        ink = theme.ink(dark)
        assert list(marks.marker.color) == [ink.hurts, ink.helps, ink.muted]
        pairs = results.against("seqmt")
        widths = [100 * (pair.interval.high - pair.difference) for pair in pairs[:2] if pair.interval]
        assert list(marks.error_x.array)[:2] == pytest.approx(widths)
        assert np.isnan(marks.error_x.array[2])
    assert compare.baseline_title(run_of({k: ERRORS[k] for k in ("seqmt", "random")}).against("seqmt")) == (
        "Random is identical with SeqMT on every repeat"
    )
    noisy = run_of({"seqmt": [[0.2, 0.3], [0.3, 0.2]], "mt": [[0.1, 0.3], [0.35, 0.3]]})
    assert compare.baseline_title(noisy.against("seqmt")) == "No method differs clearly from SeqMT on these draws"


def test_which_method_and_which_task_has_the_lowest_and_the_highest_error() -> None:
    assert compare.title(compare.info(run_of(ERRORS), {})) == (
        f"MT has the lowest mean test error: {100 * np.mean(ERRORS['mt']):.1f}{PERCENT} over 4 repeats"
    )
    tied = {k: ERRORS[k] for k in ("indsvm", "seqmt", "random")}
    assert compare.title(compare.info(run_of(tied), {})).startswith("SeqMT and Random share the lowest mean test error")
    same = dict.fromkeys(("indsvm", "seqmt", "random"), ERRORS["seqmt"])
    assert compare.title(compare.info(run_of(same), {})).startswith("All 3 methods have the same mean test error")
    near = {"seqmt": [[0.2, 0.3], [0.3, 0.4]], "mt": [[0.28, 0.34], [0.29, 0.33]], "random": [[0.36, 0.4], [0.36, 0.4]]}
    # SeqMT 30 %, one standard error 5 points; MT 31 %; Random 38 %.
    assert compare.title(compare.info(run_of(near), {})) == (
        f"SeqMT has the lowest mean test error: 30.0{PERCENT} over 2 repeats; within one standard error: MT"
    )
    one = {key: rows[:1] for key, rows in ERRORS.items()}
    assert (
        compare.title(compare.info(run_of(one), {}))
        == f"On this one draw MT has the lowest mean test error: 15.0{PERCENT}"
    )
    means = np.mean([np.mean(rows, axis=0) for rows in ERRORS.values()], axis=0)
    assert compare.tasks_title(run_of(ERRORS)) == f"“b” has the highest mean error: {100 * means[1]:.1f}{PERCENT}"
    turned = {key: [row[::-1] for row in rows] for key, rows in ERRORS.items()}
    assert compare.tasks_title(run_of(turned)) == f"“a” has the highest mean error: {100 * means[1]:.1f}{PERCENT}"
    assert compare.tasks_title(run_of({"mt": [[0.2, 0.2]]})) == f"All tasks have the same mean error: 20.0{PERCENT}"


def test_which_run_is_clearly_better() -> None:
    def gap(method: str, difference: float, half: float, learned: bool = True) -> Between:
        sure = Interval(difference - half, difference + half)
        means = Average(0.3, 0.01, 4), Average(0.3 + difference, 0.01, 4)
        return Between(method, (difference,) * 4, sure, None, learned, *means)

    worse, better, open_ = gap("seqmt", 0.05, 0.04), gap("mt", -0.2, 0.1), gap("indsvm", -0.01, 0.02)
    same = gap("treemt", 0.0, 0.0)
    unlearned = gap("random", -0.2, 0.1, learned=False)

    def said(*found: Between, measure: str = "error") -> str:
        return compare.runs_title(found, "run 1", "run 2", measure)  # type: ignore[arg-type]

    assert said(worse, better, open_, same, unlearned) == (
        "In run 2 instead of run 1, clearly fewer mistakes: MT; more mistakes: SeqMT; identical: TreeMT"
    )
    assert said(worse) == "In run 2 instead of run 1, clearly more mistakes: SeqMT"
    assert said(better, measure="balanced") == "In run 2 instead of run 1, clearly lower balanced error: MT"
    assert said(open_, unlearned, same) == "No method differs clearly between run 1 and run 2; identical: TreeMT"
    assert said(same) == "TreeMT is identical in run 1 and run 2, on every repeat"
    marks = compare.runs_figure((worse, better, open_, same), "run 2", False).data[0]
    assert list(marks.marker.symbol) == ["circle", "circle", "circle-open", "square-open"]
    assert list(marks.x) == pytest.approx([5, -20, -1, 0])


def test_transfers_ends_companions_and_places_name_the_right_tasks() -> None:
    found = patterns(
        [
            {"a": None, "b": "a", "c": "b", "d": None},
            {"a": None, "b": "a", "d": "a", "c": "b"},
            {"b": None, "a": "b", "c": "b", "d": "c"},
            {"a": None, "b": "a", "c": "b", "d": "c"},
        ],
        ("a", "b", "c", "d"),
    )
    # Two trees in the first repeat, one in the others; c ends a subsequence in two, d in all four.
    assert (
        pattern_figures.transfers(found, False).title
        == f"Most often “c” is learned from “b”: in 100{PERCENT} of 4 repeats"
    )
    assert pattern_figures.ends(found, text.shorts(found.names), False).title == (
        f"“a” starts a subsequence in 75{PERCENT} of the repeats, “d” ends one in 100{PERCENT}"
    )
    assert pattern_figures.companions(found, False).title == (
        "3 of 6 pairs of tasks always stay together; 1.2 subsequences on average"
    )
    shown = pattern_figures.transfers(found, False).chart.data[0]
    assert np.array(shown.z).T.tolist() == [[0, 25, 0, 0, 75], [75, 0, 0, 0, 25], [0, 100, 0, 0, 0], [25, 0, 50, 0, 25]]
    starts, ends = pattern_figures.ends(found, text.shorts(found.names), False).chart.data
    assert (starts.name, list(starts.x), ends.name, list(ends.x)) == (
        "starts",
        [75, 25, 0, 25],
        "ends",
        [25, 0, 50, 100],
    )
    when = pattern_figures.positions(found, text.shorts(found.names), theme.task_colours(found.names), False)
    assert when.title == "“a” tends to be learned first, “d” last"
    dots, means = when.chart.data
    assert list(means.x) == [1.25, 1.75, 3.25, 3.75]
    assert list(dots.x) == [1, 1, 2, 1, 2, 2, 1, 2, 3, 4, 3, 3, 4, 3, 4, 4]


def test_which_pair_is_most_alike_and_which_source_helps_most() -> None:
    values = np.array([[1.0, -0.9, 0.2], [-0.9, 1.0, 0.31], [0.2, 0.31, 1.0]])
    assert relations.similarity(values, ("a", "b", "c"), False).title == "Most alike are “b” and “c” (cosine 0.31)"
    alone = np.array([0.3, 0.4, 0.2])
    started = np.array([[np.nan, 0.1, 0.25], [0.2, np.nan, 0.3], [0.05, 0.5, np.nan]])
    sure = np.array([[np.nan, 0.01, 0.9], [0.01, np.nan, 0.02], [0.9, 0.01, np.nan]])
    found = Transfer(("a", "b", "c"), "test error", alone, started, np.ones((3, 3)), sure)
    # Beyond noise: a helps b by 0.3, b helps a by 0.1, b hurts c and c hurts b by 0.1; c helps a by 0.25 by chance.
    assert relations.transfer(found, False).title == (
        "A source helps beyond noise in 2 of 6 pairs and hurts in 2; “a” helps “b” most"
    )
    heat, numbers = relations.transfer(found, False).chart.data
    shown = np.array(numbers.text).reshape(3, 3).tolist()
    assert shown == [["", "−30", "(+5)"], ["−10", "", "+10"], ["(−25)", "+10", ""]]
    np.testing.assert_allclose(np.array(heat.z)[2, 0], -25 / 4)
    chance = replace(found, p_values=np.where(np.isnan(sure), np.nan, 0.5))
    assert relations.transfer(chance, False).title == "No task helps or hurts another beyond noise on this draw"
    criteria = replace(found, quantity="criterion", p_values=np.full((3, 3), np.nan))
    assert (
        relations.transfer(criteria, False).title == "A source helps in 3 of 6 pairs and hurts in 3; “a” helps “b” most"
    )


def test_the_known_order_is_judged_by_its_correlation() -> None:
    names = tuple("abcdefgh")
    rising = tuple(float(k) for k in range(8))
    for values, said in (
        (rising, "The known order tells how hard tasks are (rank correlation 1.00, 95"),
        (rising[::-1], "The known order runs against how hard tasks are (rank correlation −1.00, 95"),
        ((3, 1, 4, 1.5, 5, 9, 2, 6), "Whether the known order tells how hard tasks are is left open (rank corr"),
    ):
        found = tasks.Difficulty(names, values, "test error", tuple(range(1, 9)), None)
        assert found.title.startswith(said)


def test_sizes_and_shares_are_told_from_the_least_to_the_largest() -> None:
    def sized(*counts: tuple[int, int]) -> str:
        made = [Task(f"t{k}", np.ones((a + b, 1)), np.r_[np.ones(a), -np.ones(b)]) for k, (a, b) in enumerate(counts)]
        return tasks.sizes_title(tasks.sizes(TaskSet("s", tuple(made))))

    assert sized((5, 5), (5, 5)) == "Tasks have 10 training points each, half of them positive"
    assert sized((54, 46), (46, 54)) == "Tasks have 100 training points each, half of them positive"
    assert sized((55, 45)) == f"Tasks have 100 training points each, 55{PERCENT} of them positive"
    assert (
        sized((1, 4), (10, 10))
        == f"Tasks have from 5 to 20 training points, 20{PERCENT} to 50{PERCENT} of them positive"
    )


def some_orders(errors: list[float], limits: list[float]) -> Orders:
    names = ("a", "b") if len(errors) == 2 else ("a", "b", "c")
    rows = np.array([*permutations(range(len(names)))])[: len(errors)]
    return Orders(names, rows, np.array(limits), np.array(errors), np.ones(len(errors)))


def noise(draws: int, rho: float, low: float, high: float) -> OrderNoise:
    return OrderNoise(draws, 0.02, Significance(30.0, 8.0, 0.001), 0.01, rho, Interval(low, high), draws)


@pytest.mark.parametrize(("errors", "said"), [((0.1, 0.2), "lower"), ((0.2, 0.1), "higher"), ((0.1, 0.1), "same")])
def test_of_two_orders_it_is_said_which_has_the_lower_error(errors: tuple[float, float], said: str) -> None:
    found = orders.Spread(some_orders(list(errors), [0.8, 0.9]), ())
    assert f"that of the lower bound has the {said} test error on this draw" in agreement.title(found)


def test_seqmt_is_placed_among_the_orders_by_bound_and_by_error() -> None:
    found = some_orders([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.9, 0.8, 1.0, 1.1, 1.2, 1.3])
    greedy, lowest = place(found, "SeqMT", ("a", "b"), 0.9, 0.1), place(found, "Lowest bound", ("b", "a"), 0.8, 0.2)
    relation = orders.Spread(found, (greedy, lowest), noise(1, 0.8, 0.1, 0.9))
    assert agreement.greedy_words(relation, 2) == (
        "SeqMT's greedy choice is number 2 by bound: 1 of all 6 orders has a lower one. The order of the lowest bound "
        f"has a mean test error of 20.0{PERCENT}, SeqMT 10.0{PERCENT}."
    )
    third = agreement.greedy_words(replace(relation, orders=some_orders([0.1, 0.2, 0.3, 0.4], [0.9, 0.8, 1.0, 1.1])), 3)
    assert "number 3 by bound: 2 of the 4 orders tried have a lower one." in third
    first = agreement.greedy_words(relation, 1)
    assert first.startswith("No order among all 6 orders has a lower bound than SeqMT's greedy choice.")
    dots, *marks = agreement.figure(relation, False).data
    assert (list(dots.x), list(dots.y)) == ([0.9, 0.8, 1.0, 1.1, 1.2, 1.3], pytest.approx([10, 20, 30, 40, 50, 60]))
    assert {mark.name: (mark.x[0], mark.y[0]) for mark in marks} == {
        "SeqMT": (0.9, pytest.approx(10)),
        "Lowest bound": (0.8, pytest.approx(20)),
    }


def test_rows_of_marks_stand_by_their_error_lowest_on_top() -> None:
    found = some_orders([0.1, 0.2, 0.3, 0.4], [0.9, 0.8, 1.0, 1.1])
    best, worst, mean = extremes(found)
    greedy = place(found, "SeqMT", ("a", "b"), 0.8, 0.2)
    chart = orders.figure(orders.Spread(found, (worst, greedy, mean, best)), False)
    marks = [trace for trace in chart.data if trace.name in ("SeqMT", "Best", "Worst", "Random")]
    by_height = sorted(marks, key=lambda trace: -trace.y[0])
    assert [trace.name for trace in by_height] == ["Best", "SeqMT", "Random", "Worst"]
    assert [trace.x[0] for trace in by_height] == pytest.approx([10, 20, 25, 40])
    names = dict(zip(chart.layout.yaxis.tickvals, chart.layout.yaxis.ticktext, strict=True))
    for trace in marks:
        assert names[trace.y[0]] == f"{trace.name}  <b>{trace.x[0]:.1f}{PERCENT}</b>"
    assert {shape.x0 for shape in chart.layout.shapes} == {trace.x[0] for trace in marks}
    said = {note.text.replace("<b>", "").replace("</b>", "") for note in chart.layout.annotations}
    assert said == {"the best of them", "the worst of them", f"better than 50{PERCENT}"}


def test_on_how_many_runs_and_draws_seqmt_is_better_leaves_ties_out() -> None:
    def run(seqmt: float, other: float) -> OrdersByDraw:
        errors = np.array([0.1, 2 * other - 0.1])
        walked = Orders(("a", "b"), np.array([[0, 1], [1, 0]]), errors, errors, np.ones(2))
        methods = {"SeqMT": np.full((2, 4), seqmt)}
        return OrdersByDraw((walked,) * 4, methods)

    runs = {"one": run(0.1, 0.2), "two": run(0.2, 0.15), "three": run(0.2, 0.2), "four": run(0.12, 0.2)}
    assert (
        by_draw.figure3(runs, False).title == "SeqMT makes fewer mistakes than a random order can expect in 2 of 4 runs"
    )
    shown = {
        trace.name: list(trace.y) for trace in by_draw.figure3(runs, False).chart.data if trace.name in by_draw.SHIFTS
    }
    assert shown["SeqMT"] == pytest.approx([10, 20, 20, 12])
    assert shown["Random"] == pytest.approx([20, 15, 20, 20])
    errors = {"SeqMT": np.array([1.0, 2.0, 3.0, 4.0, 5.0]), "Random": np.array([2.0, 2.0, 4.0, 3.0, 6.0])}
    assert by_draw.title(by_draw.Draws(errors, "errors"), "error") == (
        "SeqMT makes fewer mistakes than a random order can expect on 3 of 5 draws, which could be chance"
    )


def balanced_run(measure: str) -> Results:
    """Two methods: one is better than the larger class by plain error, the other by balanced error."""
    rows = {"seqmt": (0.10, 0.50), "mt": (0.20, 0.30)}
    outcomes = [
        Outcome(
            repeat, method, 1.0, (), {}, {}, {"a": plain + 0.001 * (repeat % 2)}, None,
            {"a": other + 0.001 * (repeat % 3)}, {"a": 0.2},
        )
        for method, (plain, other) in rows.items()
        for repeat in range(6)
    ]  # fmt: skip
    return results_of(Settings("s", tuple(rows), 6, measure=measure), outcomes)  # type: ignore[arg-type]


def test_which_method_is_no_better_than_the_larger_class_by_which_error() -> None:
    results = balanced_run("error")
    always = "always answering the larger class, which has"
    assert class_balance.results_words(results, "error") == (
        f"MT is not clearly better than {always} 20.0{PERCENT} error. Balanced error there: 30.1{PERCENT}."
    )
    assert class_balance.results_words(results, "balanced") == (
        f"SeqMT is not clearly better than {always} 50.0{PERCENT} balanced error. Balanced error there: 50.1{PERCENT}."
    )


SET = replace(uneven(["one", "two", "three", "four"]), semantic_order=("two", "one", "four", "three"))


def test_the_star_the_pen_and_the_frames_stand_at_what_was_chosen_and_picked() -> None:
    labels = text.shorts(SET.names)
    own = learn(SET, "treemt", C=10.0)
    other = learn(SET, "treemt", C=10.0, choices=[(own.order[-1], None)])
    for learned, sign in ((own, "★"), (other, "✎")):
        assert learned.steps is not None
        for step in learned.steps[:3]:
            forced = learned is other and step is learned.steps[0]
            found = candidates.info(step, forced=forced)
            chart = candidates.figure(found, labels, False, picked=found.shown[-1])
            row = next(k for k, one in enumerate(found.shown) if one is step.chosen)
            marked = [k for k, tick in enumerate(chart.layout.yaxis.ticktext) if tick.startswith("<b>")]
            assert marked == [row]
            mark = sign if forced else "★"
            assert chart.layout.yaxis.ticktext[row].startswith(f"<b>{mark} ")
            assert [k for k, one in enumerate(chart.data[2].text) if mark in one] == [row]
            strong = [k for k, one in enumerate(chart.data[0].marker.color) if one == theme.ink(False).error]
            assert strong == [row]
            shown = candidates.source_matrix(step, found.shown[-1], mark)
            grid = plot.matrix(shown, False)
            row, column = (
                shown.row_names.index(step.chosen.source or "no source"),
                shown.column_names.index(step.chosen.task),
            )
            cell = row * len(shown.column_names) + column
            assert [k for k, one in enumerate(grid.data[1].text) if mark in one] == [cell]
            alone = plot.matrix(candidates.source_matrix(step, step.chosen, mark), False)
            assert [shape.line.dash for shape in alone.layout.shapes] == ["solid"]
            dashes = [shape.line.dash for shape in grid.layout.shapes]
            assert dashes == (["solid"] if found.shown[-1] is step.chosen else ["solid", "dot"])
    framed = candidates.figure(
        candidates.info(own.steps[1]), labels, False, picked=own.steps[1].chosen, own_scales=True
    )
    assert not framed.layout.shapes
    last = candidates.info(own.steps[1]).shown[-1]
    frames = candidates.figure(candidates.info(own.steps[1]), labels, False, picked=last, own_scales=True).layout.shapes
    assert [(one.xref, one.x1) for one in frames] == [("x", last.error_term), ("x2", last.complexity_term)]


def test_steps_to_come_are_pale_and_lines_tell_what_moved() -> None:
    own = learn(SET, "seqmt", C=10.0)
    other = learn(SET, "seqmt", C=10.0, choices=[(own.order[-1], None)])
    assert own.curriculum is not None
    for bar in curricula.bound_figure(own.curriculum, 2, text.shorts(SET.names), False).data[:-1]:
        assert list(bar.marker.opacity) == [1.0, 1.0, 1.0, 0.3, 0.3]
    labels = text.shorts(SET.names)
    chart = curricula.diff(own, other, theme.task_colours(SET.names), labels, False, (1,)).chart
    for trace, task in zip(chart.data, own.order, strict=True):
        here, there = own.order.index(task), other.order.index(task)
        assert (trace.line.width == 4) == (here != there)
        assert (trace.line.dash == "dash") == (own.sources[task] != other.sources[task])
        assert ("✎" in trace.text[1]) == (there == 0)
    lines = curricula.sums({"own": own, "yours": other}, labels, "sums", "Sums", False).chart.data
    for line, learned in zip(lines, (own, other), strict=True):
        assert list(line.y) == pytest.approx(np.cumsum([step.chosen.criterion for step in learned.steps]))
        assert list(line.text) == list(learned.order)


def test_features_are_those_that_moved_most_from_ring_to_dot() -> None:
    wide = learn(drawn(2, features=20), "seqmt", C=10.0).steps[1].chosen
    change = (wide.weights - wide.source_weights)[:-1]
    moved = np.argsort(-np.abs(change), kind="stable")[:15]
    ring, dot = images.weight_features(wide, True, False).data[-2:]
    assert (ring.name, dot.name) == ("source weight", "new weight")
    np.testing.assert_array_equal(ring.x, wide.source_weights[moved])
    np.testing.assert_array_equal(dot.x, wide.weights[moved])
    assert list(dot.customdata) == [f"feature {k + 1}" for k in moved]


def test_classes_have_their_symbols_and_the_line_is_where_the_score_is_zero() -> None:
    plane = drawn(2, features=2)
    w = np.array([1.0, -2.0, 0.5])
    chart = scatter.planes(plane, plane.names[:1], {plane.names[0]: w}, scatter.Preparation(False, True), False)
    points = [trace for trace in chart.data if trace.type == "scatter" and trace.mode == "markers"]
    task = plane.tasks[0]
    for trace, label in zip(points, (1.0, -1.0), strict=True):
        np.testing.assert_allclose(np.c_[trace.x, trace.y], task.X[task.y == label])
        assert trace.marker.symbol == scatter.SYMBOLS[label]
    line = next(trace for trace in chart.data if trace.type == "contour")
    x, y = np.meshgrid(line.x, line.y)
    np.testing.assert_array_equal(np.sign(line.z), np.sign(w[0] * x + w[1] * y + w[2]))
    assert (line.contours.start, line.contours.end) == (0, 0)


MEASURED: dict[str, Callable[[], str]] = {
    "orders": lambda: orders.Spread(some_orders([0.1, 0.2], [1, 2]), ()).title,
    "bounds": lambda: orders.Spread(replace(some_orders([0.1, 0.2], [0.4, 2]), test_errors=None), ()).title,
    "vacuous": lambda: orders.Spread(replace(some_orders([0.1, 0.2], [0.6, 2]), test_errors=None), ()).title,
    "flat": lambda: orders.Spread(some_orders([0.1, 0.1], [1, 2]), ()).title,
}
SAID = {
    "orders": f"On this draw orders have a mean test error from 10.0{PERCENT} to 20.0{PERCENT}",
    "bounds": "On this draw orders have a bound from 0.400 to 2.000",
    "vacuous": "On this draw orders have a bound from 0.600 to 2.000 (above ½ it guarantees nothing)",
    "flat": "On this draw the order makes no difference: all 2 have the same mean test error",
}


@pytest.mark.parametrize("name", SAID)
def test_orders_are_titled_by_what_they_differ_in(name: str) -> None:
    assert MEASURED[name]() == SAID[name]
