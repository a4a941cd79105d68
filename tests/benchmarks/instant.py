"""What people wait for around the searches: the start, the command line, reruns, bytes of a step, many tasks."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from core import METHODS
from tests.benchmarks.rows import seconds
from tests.benchmarks.screen import OURS, ROOT, Session, Waiting, _server, _until_shown

PAGES = ("tasks", "step", "subsequences", "orders", "compare", "runs", "lessons", "draw")
AS_MANY_CHARTS = """
import json, streamlit as st, plotly.graph_objects as go
@st.cache_resource
def charts():
    return [go.Figure(json.loads(spec), skip_invalid=True) for spec in json.load(open({path!r}))]
st.button("again")
for k, chart in enumerate(charts()):
    st.plotly_chart(chart, key=f"chart{{k}}", theme=None)
"""
COMMANDS = ("learn digits-levels", "--help", "sets", "check FILE")
MOST_SECONDS = 0.3  # of processor time, for the commands that learn nothing
MANY = """
import numpy as np, time
from core import Task, TaskSet, learn
rng = np.random.default_rng(0)
tasks, base = [], rng.standard_normal((10, 50))
for k in range(500):
    X = rng.standard_normal((40, 50))
    y = np.sign(X @ (base[k % 10] + 0.3 * rng.standard_normal(50)) + 0.1 * rng.standard_normal(40))
    tasks.append(Task(f"t{k}", X, y))
task_set = TaskSet("many", tuple(tasks))
started = time.perf_counter()
learned = learn(task_set, METHOD, C=100.0)
print(time.perf_counter() - started, learned.solver.worst_gap)
print([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])
"""


def start(runs: int) -> Waiting:
    """From the start of the process to the first figure in Chromium, after that of `streamlit hello`."""
    hello = [sys.executable, "-m", "streamlit", "hello", "--server.headless=true", "--server.port"]
    ours = min(_until_shown(OURS, ".js-plotly-plot .main-svg") for _ in range(runs))
    theirs = min(_until_shown(hello, "h1") for _ in range(runs))
    what = f"from process start to the first figure; {ours - theirs:.2f} s later"
    return Waiting(what, "`streamlit hello`, first heading", ours, theirs)


def processor_seconds(command: list[str], runs: int = 5) -> tuple[float, float]:
    """The least wall-clock and processor time of a command line in a fresh process."""
    wall = cpu = float("inf")
    for _ in range(runs):
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "dashboard.cli", *command], check=True, cwd=ROOT, stdout=subprocess.DEVNULL
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = min(wall, time.perf_counter() - started)
        cpu = min(cpu, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return wall, cpu


def command_line() -> dict[str, str]:
    """Processor time of each command that people wait for, and the wall-clock time of `learn`."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "set.npz"
        export = ["export", "plane-tree", str(file)]
        subprocess.run(
            [sys.executable, "-m", "dashboard.cli", *export], check=True, cwd=ROOT, stdout=subprocess.DEVNULL
        )
        for name in COMMANDS:
            wall, cpu = processor_seconds([str(file) if part == "FILE" else part for part in name.split()])
            if name.startswith("learn"):
                found[f"`curriculab {name}`, wall-clock"] = seconds(wall)
                continue
            verdict = "met" if cpu <= MOST_SECONDS else "missed"
            found[f"`curriculab {name}`, processor time"] = f"{seconds(cpu)} (at most {MOST_SECONDS:g} s: {verdict})"
    return found


def pages(runs: int) -> Iterator[Waiting]:
    """A rerun of every page, against an empty page with as many charts of the same size."""
    with tempfile.TemporaryDirectory() as folder, _server(OURS) as address:
        for page in PAGES:
            session = Session(address, page, "set=mnist-levels%3A2&C=1000")
            for _ in range(100):
                session.again()
                if not session.busy:
                    break
                time.sleep(0.3)
            session.again()
            ours, charts = statistics.median(session.again() for _ in range(runs)), session.charts
            session.socket.close()
            specs, script = Path(folder) / f"{page}.json", Path(folder) / f"{page}.py"
            specs.write_text(json.dumps(charts))
            script.write_text(AS_MANY_CHARTS.format(path=str(specs)))
            options = ["--server.headless=true", "--browser.gatherUsageStats=false", "--server.port"]
            with _server([sys.executable, "-m", "streamlit", "run", str(script), *options]) as empty:
                bare = Session(empty)
                bare.again()
                theirs = statistics.median(bare.again() for _ in range(runs))
                bare.socket.close()
            what = f"rerun of {page}, {len(charts)} charts"
            yield Waiting(what, "empty page, as many charts of the same size", ours, theirs, 3.0)


def bytes_of_a_step() -> dict[str, str]:
    """What one step forward sends, and what a whole rerun of the page sends."""
    with _server(OURS) as address:
        session = Session(address, "step", "set=mnist-levels%3A2&C=1000")
        session.wait_for_player()
        session.again()
        whole = session.received
        steps = []
        for number in (2, 3, 4):
            session.step(number)
            steps.append(session.received)
    step = statistics.mean(steps) / 1000
    verdict = "halved" if step < 43.8 else "not halved"
    return {
        "over the wire: a whole rerun of Step through": f"{whole / 1000:.0f} kB",
        "over the wire: one step forward": f"{step:.0f} kB (87.5 kB before: {verdict})",
    }


def many_tasks() -> dict[str, str]:
    """500 tasks of 40 points at one C: seconds and megabytes."""
    found = {}
    for method in ("seqmt", "multiseqmt"):
        code = MANY.replace("METHOD", repr(method))
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True, env=os.environ
        )
        taken, megabytes = float(done.stdout.split()[0]), int(done.stdout.split()[-1]) / 1024
        within = "met" if taken <= 20 and megabytes <= 1024 else "missed"
        found[f"500 tasks × 40 points, {METHODS[method]}, C 100"] = (
            f"{seconds(taken)}, {megabytes:.0f} MB (at most 20 s and 1 GB: {within})"
        )
    return found


def around() -> dict[str, str]:
    """Command line, bytes of a step, many tasks: each with its target."""
    return command_line() | bytes_of_a_step() | many_tasks()
