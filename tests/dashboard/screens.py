"""Pages run by Streamlit's AppTest, with built-in sets or with a set that stands in for an upload."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from streamlit import config
from streamlit.testing.v1 import AppTest

import dashboard
from core import Task, TaskSet
from dashboard.session.job import Job
from dashboard.session.uploads import Upload
from data.sources.file import FileSource

APP = Path(dashboard.__file__).parent / "app.py"
SECONDS = 120
config.set_option("runner.magicEnabled", False)  # as `streamlit.toml` has it; AppTest reads no such file


def open_page(page: str = "tasks", task_set: TaskSet | None = None, **query: str) -> AppTest:
    """A fresh session at that page's link."""
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    if task_set is not None:
        held = Upload(Path("mine.csv"), task_set, FileSource.of(task_set), ())
        app.session_state["_uploads"] = {held.name: held}
        query["set"] = f"upload:{held.name}"
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    if page != "tasks":
        app.switch_page(f"pages/{page}/page.py").run()
    return settled(app)


def settled(app: AppTest) -> AppTest:
    """Run again until no job is on screen any more."""
    for _ in range(SECONDS * 2):
        waiting = [job for job in jobs(app) if job.running]
        for job in waiting:
            job.wait(0.5)
        if not waiting and (not jobs(app) or not any(job.running for job in jobs(app.run()))):
            return app
    raise AssertionError("jobs did not end")


def jobs(app: AppTest) -> list[Job[object]]:
    """The jobs of its session: none where all that it shows was known already."""
    return list(app.session_state["_jobs"]._jobs) if "_jobs" in app.session_state else []


def with_code(app: AppTest) -> AppTest:
    """The same page with the box of link and code open: what is in it is sent only to those who open it."""
    assert not app.sidebar.code
    app.session_state["code-box"] = True
    return app.run()


def link(app: AppTest, name: str, default: str = "") -> str:
    """A value of the page's link."""
    value = app.query_params.get(name, default)
    return value[-1] if isinstance(value, list) else str(value)


def texts(app: AppTest) -> str:
    """All Markdown of the page."""
    return "\n".join(element.value for element in app.markdown)


def charts(app: AppTest) -> int:
    """How many Plotly charts are on the page."""
    return len(app.get("plotly_chart"))


def drawn(tasks: int, features: int = 3, points: int = 8, test: bool = True, names: list[str] | None = None) -> TaskSet:
    """Random linear tasks that resemble each other."""
    rng = np.random.default_rng(5)
    centre = rng.normal(size=features)
    made = []
    for k in range(tasks):
        w = centre + 0.5 * rng.normal(size=features)
        parts = []
        for _ in range(2):
            X = rng.normal(size=(points, features))
            order = np.argsort(X @ w)
            y = np.where(np.arange(points) < points // 2, -1.0, 1.0)
            parts += [X[order], y]
        name = names[k] if names else f"task {k + 1}"
        made.append(Task(name, *parts[:2], *(parts[2:] if test else (None, None))))
    return TaskSet("drawn", tuple(made))


def uneven(names: list[str]) -> TaskSet:
    """Tasks of 12, 11, 10, ... training points, of which 6, 5, 4, ... are negative."""
    even = drawn(len(names), points=12, names=names)
    return replace(even, tasks=tuple(replace(task, X=task.X[k:], y=task.y[k:]) for k, task in enumerate(even.tasks)))


SET = replace(uneven(["one", "two", "<b>three</b>", "four"]), semantic_order=("two", "one", "four", "<b>three</b>"))
"""Four tasks of unequal sizes with a semantic order, one with a name that would be markup."""
PAGES: dict[str, tuple[str, TaskSet, dict[str, str]]] = {
    "step": ("step", SET, {"C": "10", "step": "2", "pick": "3.1", "delta": "0.1"}),
    "step-whatif": ("step", SET, {"method": "treemt", "whatif": "4.0_1.4", "C": "10", "step": "3", "scales": "own"}),
    "step-best": ("step", SET, {"C": "10", "best": "1", "solver": "kernel", "normalize": "none", "bias": "0"}),
    "step-shared": ("step", SET, {"method": "multiseqmt", "step": "4", "seed": "3"}),
    "step-hidden": ("step", SET, {"C": "10", "hide": "1", "guesses": "1.2", "step": "2"}),
    "step-hidden-images": ("step", replace(drawn(3, features=4), image_shape=(2, 2)), {"C": "10", "hide": "1"}),
    "step-hidden-plane": ("step", drawn(3, features=2), {"C": "10", "hide": "1", "normalize": "none"}),
    "step-guessed": ("step", SET, {"C": "10", "hide": "1", "guesses": "1.2_2.1_3.3_4.4", "step": "4"}),
    "step-slides": ("step", SET, {"C": "10", "step": "2", "slides": "1"}),
    "step-images": ("step", replace(drawn(3, features=4), image_shape=(2, 2)), {"C": "10", "step": "2"}),
    "step-plane": ("step", drawn(3, features=2, test=False), {"C": "10", "step": "3", "normalize": "none"}),
    "tasks": ("tasks", SET, {"C": "10"}),
    "tasks-plane": ("tasks", drawn(3, features=2, test=False), {"C": "10"}),
    "orders": ("orders", SET, {"C": "10", "mine": "4.3.2.1", "picked": "1.2.3.4"}),
    "orders-shared": ("orders", drawn(3), {"mine": "3.1.2", "ordersC": "own"}),
    "orders-untested": ("orders", drawn(3, test=False), {"C": "10", "mine": "3.1.2", "picked": "2.1.3"}),
    "orders-draws": ("orders", drawn(3, points=12), {"C": "10", "draws": "5", "mine": "3.2.1", "picked": "2.1.3"}),
    "orders-many": ("orders", drawn(8), {"C": "10", "limit": "200", "best": "1", "mine": "8.7.6.5.4.3.2.1"}),
    "subsequences": ("subsequences", SET, {"C": "10", "task": "3"}),
    "subsequences-repeats": ("subsequences", drawn(3, points=12), {"C": "10", "repeats": "10", "method": "treemt"}),
}  # fmt: skip
"""Screens to try things on: the page, the set and the rest of the link."""
