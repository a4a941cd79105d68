"""What a command says and writes: tables, progress on one line, and files; what goes wrong there is one sentence."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.errors import SettingsError

Progress = Callable[[int, int], None]
EVERY = 0.1  # seconds between two lines


def printable(text: str, longest: int = 40) -> str:
    """`text` without control characters, which a stranger's file may hold, and no longer than `longest`."""
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return safe if len(safe) <= longest else f"{safe[: longest - 1]}…"


def plain(sentence: str) -> str:
    """A sentence of the screen with ordinary blanks in place of those that do not break."""
    return sentence.replace("\u00a0", " ")


def percent(share: float | None) -> str:
    """A share as `12.3 %`; `-` where there is none."""
    return "-" if share is None else f"{100 * share:.1f} %"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Container[int]) -> str:
    """Aligned columns; those in `right`, the numbers, to the right."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (headings, *rows)
    )
    return "\n".join(lines)


def tell(said: Iterable[str]) -> None:
    """On standard error, so that no output is disturbed: what was assumed, left out or filled."""
    for sentence in said:
        print(f"curriculab: {printable(sentence, 300)}", file=sys.stderr)


def check_writable(target: Path | str | None) -> None:
    """Refuse a place that cannot be written before any work is done for it; None and `-` are no place."""
    if target in (None, "-"):
        return
    path = Path(target or "")
    if path.is_dir():
        raise SettingsError(f"{path} is a folder; name a file in it")
    if not path.parent.is_dir():
        raise SettingsError(f"{path}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise SettingsError(f"{path} may not be written; choose another place")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says while `path` is written into one sentence."""
    try:
        yield
    except OSError as error:
        raise SettingsError(f"{path} could not be written: {error.strerror or error}; choose another place") from None


def write_text(target: str, text: str) -> None:
    """Write `text` to a file, or to standard output for `-`."""
    if target == "-":
        sys.stdout.write(text)
        return
    with writing(Path(target)):
        Path(target).write_text(text, encoding="utf-8", newline="")


@contextmanager
def status_line() -> Iterator[Callable[[str], None] | None]:
    """One line on standard error that rewrites itself, and is gone at the end; None where no person watches."""
    if not sys.stderr.isatty():
        yield None
        return
    width = shutil.get_terminal_size().columns - 1
    try:
        yield lambda text: print(f"\r\033[K{text[:width]}", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


@contextmanager
def terminal_progress(what: str) -> Iterator[Progress | None]:
    """A callback `(done, total)` that tells how far `what` is; before the first use of all, what is being prepared."""
    from core.solver.jit import on_disk

    if not on_disk():
        print("preparing: compiling the kernels for this machine, once; about ten seconds", file=sys.stderr, flush=True)
    started = time.monotonic()
    shown = 0.0
    with status_line() as say:

        def show(done: int, total: int) -> None:
            nonlocal shown
            now = time.monotonic()
            if say is None or now - shown < EVERY:
                return
            shown = now
            left = (now - started) * (total - done) / done if done else 0.0
            say(f"{what}: {done} of {total}" + (f", about {left:.0f} s left" if left >= 1 else ""))

        yield None if say is None else show
