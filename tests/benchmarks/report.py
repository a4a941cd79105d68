"""The results as text: what is printed and what docs/performance.md holds between its two marks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.growth import Curve
from tests.benchmarks.rows import Row, comparison_table, seconds, table
from tests.benchmarks.screen import Waiting

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


@dataclass(frozen=True, eq=False, slots=True)
class Results:
    """One run of the benchmarks."""

    machine: dict[str, str]
    full: bool
    first_use: dict[str, float]
    rows: list[Row]
    curves: list[Curve]
    megabytes: dict[str, float]
    waitings: list[Waiting]
    around: dict[str, str]

    def as_dict(self) -> dict[str, object]:
        """For the JSON."""
        return {
            "machine": self.machine,
            "full": self.full,
            "first_use_seconds": self.first_use,
            "comparisons": [row.as_dict() for row in self.rows],
            "growth": [curve.as_dict() for curve in self.curves],
            "peak_megabytes": self.megabytes,
            "dashboard": [waiting.as_dict() for waiting in self.waitings],
            "around": self.around,
        }

    def text(self) -> str:
        """All tables, as Markdown that reads well on a terminal."""
        parts = [
            "\n".join(f"- {name}: {value}" for name, value in self.machine.items()),
            f"- {'full run' if self.full else 'short run: the long literal work is done in part, on both sides alike'}",
            "### Against others\n",
            comparison_table(self.rows),
        ]
        if self.curves:
            parts += ["### Growth\n", growth_table(self.curves)]
        if self.waitings:
            parts += ["### Dashboard\n", waiting_table(self.waitings)]
        if self.around:
            lines = [[name, value] for name, value in self.around.items()]
            parts += ["### Around the searches\n", table(["what", "measured"], lines)]
        if self.megabytes:
            lines = [[name, f"{value:.0f} MB"] for name, value in self.megabytes.items()]
            parts += ["### Peak memory of a process\n", table(["work", "peak"], lines)]
        if self.first_use:
            lines = [[name, seconds(value)] for name, value in self.first_use.items()]
            parts += ["### First use on a new machine\n", table(["what", "time"], lines)]
        return "\n\n".join(parts) + "\n"


def growth_table(curves: list[Curve]) -> str:
    """Work, sizes, times, fitted exponent, target."""
    lines = [
        [
            curve.work,
            f"{curve.variable} = {', '.join(f'{size:,}' for size in curve.sizes)}",
            ", ".join(seconds(value) for value in curve.seconds),
            f"{curve.variable}^{curve.exponent:.2f}",
            "" if curve.most is None else f"at most {curve.most:g}: {curve.verdict}",
        ]
        for curve in curves
    ]
    return table(["work", "sizes", "times", "fitted", "target"], lines)


def waiting_table(waitings: list[Waiting]) -> str:
    """What, against what, both times, the multiple, target."""
    lines = [
        [
            waiting.what,
            waiting.yardstick,
            seconds(waiting.ours),
            seconds(waiting.theirs),
            f"{waiting.multiple:.3g}×",
            "" if waiting.most is None else f"at most {waiting.most:g}×: {waiting.verdict}",
        ]
        for waiting in waitings
    ]
    return table(["what", "against", "ours", "theirs", "multiple", "target"], lines)


def write_page(results: Results) -> None:
    """Put the measurements between the marks of docs/performance.md; the prose around them stays."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{results.text()}\n{END}{after}", encoding="utf-8")
