"""`make load`: the real server, N visitors over WebSockets, a scripted lesson; percentiles, memory, processor time.

    python -m tests.load --visitors 30 --pause 2 [--servers 2]
    python -m tests.load --uploads 120      # visitors one after another, each with a set of their own: memory

With several servers visitors are shared out among them, as a proxy with sticky sessions does; all use one store.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from tests.load import uploads
from tests.load.lesson import Diary, attend

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Start, drive, report."""
    parser = argparse.ArgumentParser(prog="python -m tests.load")
    parser.add_argument("--visitors", type=int, default=30)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds between two actions of a visitor")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--uploads", type=int, default=0, help="instead: so many visitors, each with other tasks")
    arguments = parser.parse_args()
    if arguments.uploads:
        return remember(arguments.uploads)
    with tempfile.TemporaryDirectory() as home:
        servers = [start(home) for _ in range(arguments.servers)]
        try:
            alone = Diary()
            attend(servers[0][1], 0, 0.2, alone)
            before, began = sum(cpu(process.pid) for process, _ in servers), time.monotonic()
            diary = Diary()
            threads = [
                threading.Thread(target=attend, args=(servers[k % len(servers)][1], k, arguments.pause, diary))
                for k in range(arguments.visitors)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            took = time.monotonic() - began
            used = sum(cpu(process.pid) for process, _ in servers) - before
            report(arguments, alone, diary, took, used, [memory(process.pid) for process, _ in servers])
        finally:
            for process, _ in servers:
                process.terminate()
            for process, _ in servers:
                process.wait()


def remember(visitors: int) -> None:
    """Print what the server holds after ever more uploads."""
    with tempfile.TemporaryDirectory() as home:
        process, address = start(home)
        try:
            print("| uploads of 3.8 MB | most held so far |\n|---|---|")
            for number, held in uploads.visit(address, visitors, lambda: memory(process.pid)):
                print(f"| {number} | {held:.0f} MB |", flush=True)
        finally:
            process.terminate()
            process.wait()


def start(home: str) -> tuple[subprocess.Popen[bytes], str]:
    """A public server, and its address once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "dashboard.cli", "--public", "--no-browser", "--port", str(port)],
        cwd=ROOT,
        env=os.environ | {"CURRICULAB_HOME": home, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
            return process, f"127.0.0.1:{port}"
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


def cpu(pid: int) -> float:
    """Seconds of processor time so far."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """The most that it has held, in MB."""
    [line] = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


def report(
    arguments: argparse.Namespace, alone: Diary, diary: Diary, took: float, used: float, held: list[float]
) -> None:
    """Print a table in Markdown."""
    actions = sum(map(len, diary.seconds.values()))
    load = os.getloadavg()[0]
    print(
        f"{arguments.visitors} visitors, {arguments.pause:g} s between actions, {arguments.servers} server(s): "
        f"{actions} actions in {took:.0f} s, {len(diary.errors)} errors, {used / took:.2f} cores, "
        f"{1000 * used / max(actions, 1):.0f} ms of processor time an action, "
        f"at most {', '.join(f'{size:.0f} MB' for size in held)}; load average {load:.1f}\n"
    )
    print("| action | alone, median s | median s | p95 s | most s |\n|---|---|---|---|---|")
    for action, seconds in diary.seconds.items():
        cuts = statistics.quantiles(seconds, n=20, method="inclusive") if len(seconds) > 1 else [seconds[0]] * 19
        single = statistics.median(alone.seconds[action]) if alone.seconds[action] else float("nan")
        print(f"| {action} | {single:.2f} | {cuts[9]:.2f} | {cuts[18]:.2f} | {max(seconds):.2f} |")
    for error in diary.errors[:10]:
        print(f"\n{error}")


if __name__ == "__main__":
    main()
