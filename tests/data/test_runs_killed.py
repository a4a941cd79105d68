"""Runs that are killed or interrupted: nothing finished is lost, and the end is that of a run left alone."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from data.runs.schema import FILE
from data.runs.store import Store
from tests.data.runhelp import command, environment, finished_run, untimed_rows, write_tasks

pytestmark = pytest.mark.slow
METHODS = ("indsvm", "seqmt", "treemt", "best", "worst")
REPEATS = 8


def begin(home: Path, tasks: Path, jobs: int) -> subprocess.Popen[str]:
    """A resumable run in a process group of its own."""
    words = command(
        home, "compare", tasks, "--methods", ",".join(METHODS), "--repeats", REPEATS, "--C", "shared", "--jobs", jobs,
        "--resume",
    )  # fmt: skip
    return subprocess.Popen(
        words,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def pieces(home: Path) -> list[tuple[object, ...]]:
    """All finished pieces, read beside the writer."""
    if not (home / FILE).exists():
        return []
    reader = sqlite3.connect(home / FILE, timeout=10)
    try:
        return reader.execute("SELECT * FROM pieces ORDER BY run, repeat, method").fetchall()
    except sqlite3.OperationalError:  # made but not yet filled
        return []
    finally:
        reader.close()


def wait_for_more(home: Path, process: subprocess.Popen[str], than: int) -> None:
    deadline = time.monotonic() + 60
    while process.poll() is None and len(pieces(home)) <= than and time.monotonic() < deadline:
        time.sleep(0.01)


def test_killed_again_and_again_a_run_loses_nothing_and_ends_the_same(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "three.csv", tasks=3)
    home, moments = tmp_path / "home", random.Random(4)
    before: list[tuple[object, ...]] = []
    kills = 0
    for _ in range(3):
        process = begin(home, tasks, jobs=1)
        wait_for_more(home, process, len(before) + moments.randrange(4))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            kills += 1
        process.communicate()
        after = pieces(home)
        assert set(before) <= set(after)
        before = after
    assert kills >= 2
    assert begin(home, tasks, jobs=1).communicate(timeout=120)[1] == ""
    with Store(home) as store:
        resumed = [run for run in store.runs() if run.finished]
        assert resumed
        assert len(store.runs()) == 1 or resumed[-1].id == 1
        survived = untimed_rows(store.results(resumed[-1]))
    check = sqlite3.connect(home / FILE)
    assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    check.close()
    with Store(tmp_path / "alone") as store:
        alone = finished_run(store, tasks, REPEATS, METHODS, "shared")
        assert untimed_rows(store.results(alone)) == survived


def test_interrupted_it_says_how_to_go_on_and_leaves_no_process(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "four.csv", tasks=4)
    home = tmp_path / "home"
    process = begin(home, tasks, jobs=2)
    wait_for_more(home, process, 0)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
    output, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert output == ""
    assert len(said.splitlines()) == 1
    assert "of run 1 are kept, the same command with --resume goes on" in said
    with Store(home) as store:
        assert store.run(1).done_in_all > 0
        assert store.run(1).stopped


def workers(process: subprocess.Popen[str]) -> list[int]:
    """The processes that compute its pieces."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            group = os.getpgid(int(path.parent.name))
            if group == process.pid and b"popen_loky" in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def test_interrupted_while_its_workers_start_it_says_one_line(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "four.csv", tasks=4)
    process = begin(tmp_path / "home", tasks, jobs=2)
    deadline = time.monotonic() + 60
    while not (found := workers(process)):
        assert time.monotonic() < deadline
        assert process.poll() is None
    for worker in found:
        os.kill(worker, signal.SIGINT)
    wait_for_more(tmp_path / "home", process, 0)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert len(said.splitlines()) == 1, said


def test_workers_do_not_outlive_a_killed_run(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path / "four.csv", tasks=4)
    home = tmp_path / "home"
    process = begin(home, tasks, jobs=2)
    wait_for_more(home, process, 0)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.2)
    else:
        raise AssertionError("a worker still runs 60 seconds after its run was killed")
    with Store(home) as store:
        assert finished_run(store, tasks, 1, ("indsvm",)).finished


def test_a_killed_worker_is_told_and_what_was_finished_is_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    process = begin(home, write_tasks(tmp_path / "four.csv", tasks=4), jobs=2)
    wait_for_more(home, process, 0)
    os.kill(workers(process)[0], signal.SIGKILL)
    _, said = process.communicate(timeout=90)
    assert process.returncode == 2
    assert said.startswith("curriculab: a worker process was killed, perhaps for want of memory; go on with --resume")
    assert len(said.splitlines()) == 1
    with Store(home) as store:
        assert store.run(1).done_in_all > 0
        assert "worker process was killed" in store.run(1).stopped
