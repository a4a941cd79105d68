"""How far a run is: what is counted, and how the rest is estimated."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from core.experiments.experiment import OrdersOutcome, Outcome, Settings
from data.runs import computation
from data.runs.computation import find_or_begin
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.data.runhelp import settings_for, write_tasks


def test_progress_counts_pieces_by_method_and_estimates_the_rest(tmp_path, monkeypatch):
    clock = iter(range(0, 10_000, 3))
    monkeypatch.setattr(computation, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    tracker = computation._Tracker(Settings("s", ("indsvm", "best"), 2, 1.0), {(0, "indsvm")}, (told := []).append)
    for repeat, method, seconds in ((1, "indsvm", 2.0), (0, "orders", 4.0), (1, "orders", 8.0)):
        tracker.tell(replace(piece(repeat, method), seconds=seconds))
    assert [tuple(one.done.items()) for one in told] == [
        (("orders", 0), ("indsvm", 2), ("best", 0)),
        (("orders", 1), ("indsvm", 2), ("best", 0)),
        (("orders", 2), ("indsvm", 2), ("best", 0)),
    ]
    assert told[-1].total == {"indsvm": 2, "orders": 2, "best": 2}
    assert (told[-1].done_in_all, told[-1].total_in_all) == (4, 6)
    # Left at the mean seconds of its method (or of all), times wall-clock seconds a second of work.
    assert told[0].seconds_left == pytest.approx((2 * 2.0 + 2 * 2.0) * 3 / 2.0)
    assert told[1].seconds_left == pytest.approx((1 * 4.0 + 2 * 3.0) * 6 / 6.0)
    assert told[2].seconds_left == pytest.approx(2 * (14 / 3) * 9 / 14.0)
    assert told[1].words() == "3 of 6, about 10 s left: all orders 1/2, IndSVM 2/2, Best 0/2"
    assert replace(told[1], seconds_left=None).words() == "3 of 6: all orders 1/2, IndSVM 2/2, Best 0/2"
    assert replace(told[1], seconds_left=0.9).words().startswith("3 of 6: ")
    assert [computation.duration(s) for s in (1, 99.4, 100, 5999, 6000, 9000)] == [
        "1 s", "99 s", "2 min", "100 min", "1.7 h", "2.5 h",
    ]  # fmt: skip
    with Store(tmp_path / "home") as store:
        path = write_tasks(tmp_path / "three.csv")
        sampler = open_source(str(path))
        run = find_or_begin(store, settings_for(path, 1, ("indsvm", "best")), sampler, resume=False)
        seen = []
        computation.compute_run(store, run, sampler, jobs=1, watch=seen.append)
    assert [one.done_in_all for one in seen] == [1, 2, 3]
    assert dict(seen[-1].done) == dict(seen[-1].total) == {"indsvm": 1, "orders": 1, "best": 1}


def piece(repeat, method):
    if method == "orders":
        return OrdersOutcome(repeat, 1.0, ("a",), ((0,),), (0.0,), (1.0,), True)
    return Outcome(repeat, method, 1.0, ("a",), {"a": None}, {"a": 1.0}, {"a": 0.0}, None)


def test_the_rest_of_a_stored_run_is_estimated_from_the_rate_of_the_last_pieces(tmp_path):
    with Store(tmp_path / "home") as store:
        path = write_tasks(tmp_path / "three.csv")
        sampler = open_source(str(path))
        run = find_or_begin(store, settings_for(path, 9, ("indsvm",)), sampler, resume=False)
        assert store.seconds_left(run) is None
        for repeat, minute in enumerate((0, 10, 12, 16)):
            store.add(run.id, piece(repeat, "indsvm"))
            store._connection.execute(
                "UPDATE pieces SET done = ? WHERE run = ? AND repeat = ?",
                (f"2026-01-01T00:{minute:02}:00+00:00", run.id, repeat),
            )
        run = store.run(run.id)
        assert store.seconds_left(run) == pytest.approx(16 * 60 / 3 * 5)
        assert store.seconds_left(run, recent=3) == pytest.approx(6 * 60 / 2 * 5)
        assert store.seconds_left(run, recent=1) is None
