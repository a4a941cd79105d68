"""The table: a row for each piece of work and peer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.benchmarks.timing import Timed


@dataclass(frozen=True, slots=True)
class Row:
    """Ours against a peer on the same work; `target` is the least ratio asked for, if any."""

    work: str
    problem: str
    peer: str
    ours: Timed[Any]
    theirs: Timed[Any]
    target: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float:
        """How many times as long the peer takes."""
        return self.theirs.seconds / self.ours.seconds

    @property
    def cpu_ratio(self) -> float:
        """The same by processor time, as if we had one core: what other load on the machine disturbs least."""
        return self.theirs.cpu / self.ours.cpu

    @property
    def verdict(self) -> str:
        """Whether the target is met; empty without one."""
        if self.target is None:
            return ""
        if self.ratio >= self.target:
            return "met"
        return "met on one core only" if self.cpu_ratio >= self.target else "missed"

    def as_dict(self) -> dict[str, object]:
        """For the JSON."""
        names = ("work", "problem", "peer", "target", "note", "ratio", "cpu_ratio", "verdict")
        return {name: getattr(self, name) for name in names} | {
            "ours_seconds": self.ours.seconds,
            "ours_cpu_seconds": self.ours.cpu,
            "theirs_cpu_seconds": self.theirs.cpu,
        }


def seconds(value: float) -> str:
    """With three digits and a unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if value * factor >= 1.0:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"


def table(header: list[str], lines: list[list[str]]) -> str:
    """A Markdown table that also reads well on a terminal."""
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]
    rows = [header, ["-" * width for width in widths], *lines]
    return "\n".join(
        "| " + " | ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)) + " |" for row in rows
    )


def comparison_table(rows: list[Row]) -> str:
    """Work, problem, peer, both times, ratio, target."""
    lines = [
        [
            row.work,
            row.problem,
            row.peer,
            seconds(row.ours.seconds),
            seconds(row.theirs.seconds),
            f"{row.ratio:.3g}×",
            f"{row.cpu_ratio:.3g}×",
            "" if row.target is None else f"{row.target:g}× {row.verdict}",
            row.note,
        ]
        for row in rows
    ]
    return table(["work", "problem", "against", "ours", "theirs", "ratio", "on one core", "target", "note"], lines)
