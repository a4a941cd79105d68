"""Subsequences and Orders with sets that nobody would design: they work or say what they need."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import Task, TaskSet
from dashboard.session import current
from dashboard.session.uploads import Upload
from data.sources.file import FileSource

MARKUP = "<script>alert(1)</script> **bold** $x$ :smile: [link](http://x) `code` " * 3


def made(n: int, features: int = 2, test: bool = True, name: Callable[[int], str] = "t{}".format) -> TaskSet:
    rng = np.random.default_rng(7)
    tasks = []
    for k in range(n):
        X = rng.normal(size=(16, features))
        y = np.where(X[:, 0] + 0.3 * (k % 4) * X[:, 1] > 0, 1.0, -1.0)
        y[:2], y[8:10] = (1.0, -1.0), (1.0, -1.0)
        tasks.append(Task(name(k), X[:8], y[:8], *((X[8:], y[8:]) if test else ())))
    return TaskSet("made", tuple(tasks))


@pytest.fixture(autouse=True)
def own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path))


SETS: dict[str, Callable[[], TaskSet]] = {
    "one task": lambda: made(1),
    "two tasks": lambda: made(2),
    "sixty tasks": lambda: made(60),
    "no test data": lambda: made(4, test=False),
    "5,000 features": lambda: made(3, features=5000),
    "markup in names": lambda: made(3, name=lambda k: f"{k} {MARKUP}"),
    "equal tasks": lambda: TaskSet(
        "equal", tuple(Task(f"t{k}", [[1.0], [-1.0]], [1.0, -1.0], [[1.0]], [1.0]) for k in range(3))
    ),
}


def page(view: str) -> None:
    import runpy
    from pathlib import Path

    import dashboard
    from dashboard.session import links

    links.read(view)
    runpy.run_path(str(Path(dashboard.__file__).parent / "pages" / view / "page.py"))


def opened(view: str, task_set: TaskSet, **link: str) -> AppTest:
    """The page after everything it computes has come to its end."""
    settings = current.Settings(C=10.0)
    app = AppTest.from_function(page, default_timeout=60, kwargs={"view": view})
    held = Upload(Path("made.npz"), task_set, FileSource.of(task_set), ())
    app.session_state["_current"] = current.Current(task_set, settings, False, upload=held)
    for name, value in link.items():
        app.query_params[name] = value
    app.run()
    deadline = time.monotonic() + 60
    while any(button.label == "Cancel" for button in app.button):
        assert time.monotonic() < deadline
        time.sleep(0.2)
        app.run()
    return app


def words_of(app: AppTest) -> str:
    return "\n".join(element.value for kind in (app.markdown, app.info, app.caption) for element in kind)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("view", ["subsequences", "orders"])
def test_no_set_breaks_a_page(view: str, name: str) -> None:
    app = opened(view, SETS[name]())
    assert not app.exception
    assert not app.error
    shown = words_of(app)
    assert "<script>" not in shown
    assert "**bold**" not in shown


def test_one_task_says_what_orders_need() -> None:
    assert "choose or upload a set of at least two tasks" in words_of(opened("orders", made(1)))


def test_without_test_data_orders_says_so_and_places_your_order_by_bound() -> None:
    app = opened("orders", made(4, test=False), mine="4.3.2.1")
    assert "only the bound can be shown" in words_of(app)
    assert "Your bound" in words_of(app)


def test_repeats_of_an_uploaded_set_are_splits_of_it() -> None:
    app = opened("subsequences", made(4), repeats="5", method="multiseqmt")
    assert not app.exception
    assert "Two of the 5 repeats share" in words_of(app)


@pytest.mark.parametrize("nonsense", ["1.2", "9.9.9.9", "<b>", "1.1.2.3"])
def test_nonsense_in_the_link_is_ignored(nonsense: str) -> None:
    app = opened("orders", made(4), mine=nonsense, picked=nonsense, limit=nonsense, ordersC=nonsense)
    assert not app.exception
    assert "Move a task, or start from an order" in words_of(app)
    app = opened("subsequences", made(4), task=nonsense, repeats=nonsense, flow=nonsense, method=nonsense)
    assert not app.exception


def test_a_store_that_cannot_be_opened_leaves_the_page_usable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CURRICULAB_HOME", str(tmp_path / "file"))
    app = opened("subsequences", made(4), repeats="5")
    assert not app.exception
    assert not app.error
    assert "Two of the 5 repeats share" in words_of(app)
