"""The page Orders at its edges: two tasks, no test data, more orders than are tried."""

from __future__ import annotations

import numpy as np

from core import Problem, every_order, learn
from core.analysis.best_order import best_order
from data.sets import catalogue
from tests.dashboard.screens import drawn, link, open_page, texts


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
