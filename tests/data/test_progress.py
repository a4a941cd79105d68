"""How far a run is: what is counted, and how the rest is estimated."""

from __future__ import annotations

import pytest

from core.errors import CurriculabError
from core.experiments.experiment import OrdersOutcome, Outcome
from dashboard.commands.compare import progress_words
from data.runs import computation
from data.runs.computation import compute_run, find_or_begin
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.data.runhelp import settings_for, write_tasks


def test_a_run_that_is_watched_tells_how_far_it_is_after_each_piece(tmp_path):
    told = []
    with Store(tmp_path / "home") as store:
        path = write_tasks(tmp_path / "three.csv")
        source = open_source(str(path))
        run = find_or_begin(store, settings_for(path, 2, ("indsvm", "best")), source, resume=False)
        store.add(run.id, piece(0, "indsvm"))
        compute_run(store, run, source, jobs=1, watch=lambda run, left: told.append((run, left)))
    assert [dict(one.done) for one, _ in told] == [
        {"indsvm": 1, "orders": 1},
        {"indsvm": 1, "orders": 2},
        {"indsvm": 2, "orders": 2},
        {"indsvm": 2, "orders": 2, "best": 1},
        {"indsvm": 2, "orders": 2, "best": 2},
    ]
    assert told[0][1] is None, "what was finished before tells nothing of the rest"
    assert all(left > 0 for _, left in told[1:-1])
    assert told[-1][1] == 0
    assert progress_words(told[1][0], 10.4) == "3 of 6, about 10 s left: all orders 2/2, IndSVM 1/2, Best 0/2"
    assert (
        progress_words(told[1][0], 0.9)
        == progress_words(told[1][0], None)
        == ("3 of 6: all orders 2/2, IndSVM 1/2, Best 0/2")
    )


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
        assert store.seconds_left(run, since="2026-01-01T00:05") == pytest.approx(6 * 60 / 2 * 5)
        assert store.seconds_left(run, recent=3) == pytest.approx(6 * 60 / 2 * 5)
        assert store.seconds_left(run, recent=1) is None


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        (CurriculabError("task 'a' is too large; take fewer points"), "task 'a' is too large; take fewer points"),
        (RuntimeError("inside"), "it met a problem that nobody foresaw (RuntimeError)"),
        (KeyboardInterrupt(), "it was stopped"),
    ],
)
def test_what_ended_a_run_is_kept_with_it_and_with_all_that_was_finished(error, kept, tmp_path, monkeypatch):
    real = computation.compute

    def failing(settings, source, repeat, *rest):
        if repeat == 1:
            raise error
        return real(settings, source, repeat, *rest)

    with Store(tmp_path / "home") as store:
        path = write_tasks(tmp_path / "three.csv")
        source = open_source(str(path))
        run = find_or_begin(store, settings_for(path, 3, ("indsvm", "seqmt")), source, resume=False)
        with monkeypatch.context() as fails:
            fails.setattr(computation, "compute", failing)
            with pytest.raises(type(error)):
                compute_run(store, run, source, jobs=1)
        stopped = store.run(run.id)
        assert (stopped.stopped, stopped.finished, dict(stopped.done)) == (kept, None, {"indsvm": 1, "seqmt": 1})
        told = []
        finished = compute_run(store, stopped, source, jobs=1, watch=lambda run, left: told.append(run.stopped))
        assert told == [""] * 4, "what goes on has not stopped"
        assert (finished.stopped, finished.done_in_all) == ("", 6)
