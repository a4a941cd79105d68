"""The page Orders at its edges: two tasks, no test data, more orders than are tried."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import Problem, TaskSet, every_order, learn
from core.orders import orders_by_draw
from core.orders.best_order import best_order
from core.solver import cancellation
from dashboard.session.current import Settings
from data.sources import catalogue
from tests.dashboard import screens
from tests.dashboard.screens import charts, drawn, link, open_page, texts


def said(page: str) -> str:
    return page.replace("\\", "")


def test_two_tasks_are_two_orders_of_which_nothing_is_claimed() -> None:
    app = open_page("orders", drawn(2), C="10")
    assert "Two orders are too few for a rank correlation" in said(texts(app))
    assert "All orders are equal" not in said(texts(app))


def test_without_any_test_data_it_says_that_none_has() -> None:
    app = open_page("orders", drawn(3, test=False), C="10")
    assert "The tasks have no test data" in said(texts(app))


def test_the_lowest_bound_is_searched_for_when_asked() -> None:
    tasks = drawn(8)
    app = open_page("orders", tasks, C="10", limit="200")
    assert "lowest bound has a mean test error" not in said(texts(app))
    [search] = [button for button in app.button if button.label == "Search for the lowest bound"]
    search.click().run()
    assert link(app, "best") == "1"
    again = open_page("orders", tasks, C="10", limit="200", best="1")
    best = best_order(Problem(tasks), 10.0)
    assert best.exact
    assert f"lowest bound has a mean test error of {100 * (best.test_error or 0):.1f}\u00a0%" in said(texts(again))


def test_an_order_that_loses_beyond_chance_is_said_to() -> None:
    tasks = catalogue.load("mnist-levels:2")
    orders = every_order(tasks, C=1000.0)
    assert orders.test_errors is not None
    worst = orders.named(int(np.argmax(orders.test_errors)))
    mine = ".".join(str(tasks.index(name) + 1) for name in worst)
    app = open_page("orders", set="mnist-levels:2", C="1000", mine=mine)
    behind = orders.test_errors.max() - (learn(tasks, "seqmt", C=1000.0).mean_test_error or 0.0)
    wanted = f"it **loses to** SeqMT by {100 * behind:.1f} points, more than chance would do"
    assert wanted in said(texts(app))


def test_an_order_that_was_not_among_those_tried_is_walked_on_every_draw() -> None:
    tasks, backwards = catalogue.load("digits-levels"), "15.14.13.12.11.10.9.8.7.6.5.4.3.2.1"
    app = open_page("orders", set="digits-levels", C="10", limit="200", draws="5", mine=backwards)
    errors = [
        learn(drawn, "order", C=10.0, order=drawn.names[::-1]).mean_test_error or 0.0
        for drawn in (tasks, *(catalogue.load("digits-levels", seed) for seed in range(1, 5)))
    ]
    assert f"Your order has a mean test error of **{100 * np.mean(errors):.1f}\u00a0%**" in said(texts(app))


def stop_after(monkeypatch: pytest.MonkeyPatch, owner: ModuleType | type, name: str, calls: int) -> None:
    """Only so many calls of a function end; the others wait to be cancelled."""
    real, begun, counting = getattr(owner, name), [0], threading.Lock()

    def counted(*given: Any, **named: Any) -> Any:
        with counting:
            begun[0] += 1
            place = begun[0]
        while place > calls:
            cancellation.checkpoint()
            time.sleep(0.005)
        return real(*given, **named)

    monkeypatch.setattr(owner, name, counted)


def cancelled(
    monkeypatch: pytest.MonkeyPatch, page: str, slot: str, enough: Callable[[Any], bool], **query: str
) -> AppTest:
    """A page whose job was cancelled once so much of it was finished."""
    monkeypatch.setattr(screens, "settled", lambda app: app)
    app = screens.open_page(page, drawn(3, points=14), C="7", **query)
    [job] = [job for job in screens.jobs(app) if job.work.slot == slot]
    deadline = time.monotonic() + 60
    while job.state != "running" or not enough(job.work.partial):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    app.run()
    next(button for button in app.button if button.label == "Cancel").click().run()
    job.wait(60)
    return app.run()


@pytest.mark.parametrize(
    ("finished", "told", "shown"),
    [(0, "Nothing was finished yet", ""), (1, "What was finished is shown below", "1 draw**"),
     (2, "What was finished is shown below", "2 draws**")],
)  # fmt: skip
def test_cancel_shows_the_draws_that_were_finished_and_says_how_many(
    monkeypatch: pytest.MonkeyPatch, finished: int, told: str, shown: str
) -> None:
    stop_after(monkeypatch, orders_by_draw, "_one_draw", finished)
    app = cancelled(
        monkeypatch, "orders", "orders", lambda found: (found.over.draws if found else 0) == finished, draws="5"
    )
    assert not app.exception
    assert [said(info.value) for info in app.info] == [
        f"Trying orders on 5 draws: cancelled after {finished} of 5 draws. {told}."
    ]
    assert shown in said(texts(app))
    assert (charts(app) >= 3) == bool(finished)


def test_cancel_shows_the_repeats_that_were_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Settings.problem

    def problem(self: Settings, task_set: TaskSet, seed: int, holdout: int = 0) -> Problem:
        while seed > 1:  # the third repeat waits to be cancelled
            cancellation.checkpoint()
            time.sleep(0.005)
        return real(self, task_set, seed, holdout)

    monkeypatch.setattr(Settings, "problem", problem)
    app = cancelled(
        monkeypatch, "subsequences", "repeats", lambda found: found is not None and len(found) == 2, repeats="5"
    )
    assert not app.exception
    assert [said(info.value) for info in app.info] == [
        "Repeating MultiSeqMT: cancelled after 2 of 5 repeats. What was finished is shown below."
    ]
    assert "of 2 repeats" in said(texts(app))
