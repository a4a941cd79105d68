"""How the dashboard is served: whom it lets in, what it tells them, and that nothing goes on for those who left."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from core.errors import SettingsError
from core.task_set import Task, TaskSet
from dashboard.cli import parser
from dashboard.commands.serve import check_visitors
from dashboard.components import local_data
from dashboard.server.serving import ALLOW_RUNS, PUBLIC, error_for_visitor, serving
from data.limits import MEMORY_ENVIRONMENT, TooLargeError, check_fit, check_memory, predicted_bytes
from tests.benchmarks.screen import Session


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_letting_others_in_asks_for_public(host: str) -> None:
    with pytest.raises(SettingsError, match="lets other people in; add --public"):
        check_visitors(host, public=False, allow_runs=False)
    check_visitors(host, public=True, allow_runs=True)


def test_ones_own_machine_needs_no_option() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        check_visitors(host, public=False, allow_runs=False)
    with pytest.raises(SettingsError, match="belongs to --public"):
        check_visitors("127.0.0.1", public=False, allow_runs=True)


def test_strangers_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    own = serving()
    monkeypatch.setenv(PUBLIC, "1")
    assert (serving().public, serving().runs, serving().turns_each) == (True, False, 1)
    assert serving().seconds is not None
    assert serving().upload_megabytes < own.upload_megabytes
    monkeypatch.setenv(ALLOW_RUNS, "1")
    assert serving().runs


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("the store /home/me/curriculab/runs.sqlite may not be written", "the store runs.sqlite may not be written"),
        ("'/etc/passwd' is no task set", "'passwd' is no task set"),
        ("put awa.npz into ~/data/sets (or elsewhere)", "put awa.npz into sets (or elsewhere)"),
        ("1/2 of the tasks and/or points", "1/2 of the tasks and/or points"),
        (
            "the store /srv/my secret/place/runs.sqlite is full; free and/or go on",
            "the store runs.sqlite is full; free and/or go on",
        ),
        ("set to '/srv/my data/x.npz' and/or elsewhere", "set to 'x.npz' and/or elsewhere"),
        ('"/srv/it\'s here/x.npz" is no task set', '"x.npz" is no task set'),
        ("it lies at (/home/bob/secret)", "it lies at (secret)"),
        ("cannot open /srv", "cannot open srv"),
        ("C:\\Users\\Bob B\\x.npz is empty", "x.npz is empty"),
        ("task 'and/or': error / complexity", "task 'and/or': error / complexity"),
    ],
)
def test_strangers_are_told_no_folders(sentence: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert error_for_visitor(SettingsError(sentence)) == sentence
    monkeypatch.setenv(PUBLIC, "1")
    assert error_for_visitor(SettingsError(sentence)) == shown


@pytest.mark.parametrize(
    "wanted", ["~nosuchuser", "a" * 300, "/" + "a/" * 600, "a\0b", "/etc/passwd", "/no/such/folder"]
)
def test_a_folder_that_cannot_be_opened_is_told_in_a_sentence(wanted: str) -> None:
    assert local_data.problem_with(wanted).startswith("There is no folder")


def test_a_folder_that_can_be_opened_is_taken(tmp_path: Path) -> None:
    assert local_data.problem_with(str(tmp_path)) == ""
    assert local_data.problem_with("") == ""


def test_a_fit_that_nothing_could_stop_is_refused_before_it_begins() -> None:
    def of(points: int, features: int) -> TaskSet:
        return TaskSet("set", (Task("a", np.ones((points, features)), np.arange(points) % 2 * 2.0 - 1.0),))

    check_fit(of(1000, 900), 5.0)
    check_fit(of(3000, 3), 5.0)
    check_fit(of(4000, 900), None)
    for points, features in ((1500, 900), (5500, 3)):
        with pytest.raises(TooLargeError, match=r"so that one fit might take .* take at most [\d,]+ points per task"):
            check_fit(of(points, features), 5.0)


def test_memory_is_predicted_from_the_rows_squared(monkeypatch: pytest.MonkeyPatch) -> None:

    def of(*rows: int) -> TaskSet:
        tasks = (Task(f"t{k}", np.ones((n, 1)), np.resize([1.0, -1.0], n)) for k, n in enumerate(rows))
        return TaskSet("s", tuple(tasks))

    assert predicted_bytes(of(2000)) / predicted_bytes(of(1000)) == pytest.approx(4.0, rel=0.01)
    assert predicted_bytes(of(1000, 1000)) < predicted_bytes(of(2000))
    monkeypatch.setenv(MEMORY_ENVIRONMENT, "1")
    check_memory(of(2000))
    with pytest.raises(
        TooLargeError, match=r"6,000 training points .* 1\.0 GB may be used; take fewer points"
    ) as refused:
        check_memory(of(6000))
    fewer = int(str(refused.value).split("about ")[2].split(" ")[0].replace(",", ""))
    check_memory(of(fewer))
    with pytest.raises(TooLargeError):
        check_memory(of(fewer * 2))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """A public server, its address without the scheme, and its log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "dashboard.cli", "--public", "--no-browser", "--port", str(port)],
            env=os.environ | {"CURRICULAB_HOME": str(tmp_path / "home"), "OMP_NUM_THREADS": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process, f"127.0.0.1:{port}", log
        finally:
            process.kill()
            process.wait()


def until(true: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)


def has_cancel(session: Session) -> bool:
    """Whether work is under way on its page, looked at once more where it was not."""
    if "Cancel" not in session.buttons:
        session.again()
    return "Cancel" in session.buttons


def test_work_ends_soon_after_its_visitor_has_left_and_the_server_soon_when_told(
    server: tuple[subprocess.Popen[bytes], str, Path],
) -> None:
    process, address, log = server
    slow = "set=mnist-levels&ordersC=own&limit=5040"  # a cross-validation an order: most of a minute
    visitor = Session(address, "orders", slow)
    until(lambda: has_cancel(visitor), log)
    visitor.socket.close()
    until(lambda: " cancelled" in log.read_text(), log)
    stays = Session(address, "orders", slow)
    until(lambda: has_cancel(stays), log)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)
    assert "Traceback" not in log.read_text()


def test_the_image_runs_the_public_server_without_rights_and_copies_what_there_is() -> None:
    root = Path(__file__).parents[2]
    lines = (root / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    parts = [line.split(None, 1) for line in lines if line.strip() and not line.lstrip().startswith("#")]
    said = dict(parts)
    assert {word for word, _ in parts} <= {
        "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT",
    }  # fmt: skip
    assert said["USER"] not in ("root", "0")
    command = json.loads(said["ENTRYPOINT"])
    arguments = parser().parse_args(command[1:])
    assert (command[0], arguments.public, arguments.host, arguments.port) == ("curriculab", True, "0.0.0.0", 8501)
    assert "/_stcore/health" in said["HEALTHCHECK"]
    assert json.loads(said["VOLUME"]) == ["/data", "/sets"]
    copied = [rest.split()[:-1] for word, rest in parts if word == "COPY" and not rest.startswith("--from")]
    wanted = {name for names in copied for name in names}
    assert all((root / name).exists() for name in wanted)
    assert wanted <= {line[1:] for line in (root / ".dockerignore").read_text().splitlines() if line.startswith("!")}
