"""Runs side by side: violins of all orders with the methods on them, and the differences between two runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.experiments.summary import between
from core.orders.orders_by_draw import noise_over
from dashboard.figures import by_draw, compare
from data.runs import bundle


def test_a_violin_a_run_with_the_methods_on_it() -> None:
    over = bundle.example()[1].over_draws
    assert over is not None
    fewer = replace(over, walked=over.walked[:5], methods={k: v[:, :5] for k, v in over.methods.items()})
    runs = {"one": over, "two": fewer}
    traces = {trace.name: trace for trace in by_draw.figure3(runs, False).chart.data}
    assert np.array_equal(traces["orders 0"].y, 100 * over.errors.mean(axis=0))
    assert np.array_equal(traces["orders 1"].y, 100 * over.errors[:5].mean(axis=0))
    seqmt = over.methods["SeqMT"][0]
    assert traces["SeqMT"].y == pytest.approx([100 * seqmt.mean(), 100 * seqmt[:5].mean()])
    halves = [100 * part.std(ddof=1) / np.sqrt(len(part)) for part in (seqmt, seqmt[:5])]
    assert traces["SeqMT"].error_y.array == pytest.approx(halves)
    better = [
        part[0] < part[1] for part in ((seqmt.mean(), over.errors.mean()), (seqmt[:5].mean(), over.errors[:5].mean()))
    ]
    shown = by_draw.figure3(runs, False)
    assert shown.title.endswith(f"in {sum(better)} of 2 runs")
    assert shown.table is not None
    assert shown.table["worst order"].tolist() == pytest.approx(
        [100 * o.errors.mean(axis=0).max() for o in (over, fewer)]
    )


def test_compare_draws_its_orders_as_a_violin_with_what_is_chance() -> None:
    results = bundle.example()[1]
    shown, over = by_draw.run_orders(results, True), results.over_draws
    assert shown is not None
    assert over is not None
    noise = noise_over(over)
    assert noise is not None
    traces = {trace.name: trace for trace in shown.chart.data}
    assert np.array_equal(traces["orders"].x, 100 * results.order_means)
    assert f"{100 * noise.gap:.1f} points" in shown.title
    assert shown.chart.data[0].type == "violin"


def test_the_dots_between_two_runs_are_their_differences() -> None:
    results = bundle.example()[1]
    worse = replace(
        results,
        outcomes=tuple(
            replace(one, test_error={task: error + 0.01 for task, error in one.test_error.items()})
            if one.method == "seqmt" and one.repeat % 2
            else one
            for one in results.outcomes
        ),
    )
    found = between(results, worse, True)
    dots = compare.runs_figure(found, "run 2", False).data[0]
    at = list(dots.y).index("SeqMT")
    assert dots.x[at] == pytest.approx(0.5)
    assert dots.marker.symbol[at] == "circle"
    assert set(np.delete(np.array(dots.x), at)) == {0.0}
    assert set(np.delete(np.array(dots.marker.symbol), at)) == {"square-open"}
    said = compare.runs_title(found, "run 1", "run 2")
    assert said.startswith("In run 2 instead of run 1, clearly more mistakes: SeqMT; identical: IndSVM, MergedSVM")
    same = compare.runs_title(between(results, results, True), "run 1", "run 2")
    assert same == "All 14 methods are identical in run 1 and run 2, on every repeat"
