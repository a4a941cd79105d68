"""Pages run by Streamlit's AppTest, with built-in sets or with a set that stands in for an upload."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from streamlit import config
from streamlit.testing.v1 import AppTest

import dashboard
from core import Task, TaskSet
from dashboard.session.job import Job
from dashboard.session.uploads import Held

APP = Path(dashboard.__file__).parent / "app.py"
SECONDS = 120
config.set_option("runner.magicEnabled", False)  # as `streamlit.toml` has it; AppTest reads no such file


def open_page(page: str = "tasks", task_set: TaskSet | None = None, **query: str) -> AppTest:
    """A fresh session at that page's link."""
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    if task_set is not None:
        digest = task_set.digest
        app.session_state["_uploads"] = {digest[:16]: Held("mine.csv", task_set, (), digest)}
        query["set"] = f"upload:{digest[:16]}"
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
        if not waiting:
            return app.run() if jobs(app) else app
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
