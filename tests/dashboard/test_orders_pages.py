"""The page Orders at its edges: two tasks, no test data, more orders than are tried."""

from __future__ import annotations

from core import Problem
from core.analysis.best_order import best_order
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
