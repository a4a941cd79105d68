"""Who solved what: the record that every reported fit carries, and its summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass

NO_SOLVE = "no solve"
"""Of an answer that is known without solving: every α at its limit."""


@dataclass(frozen=True, slots=True)
class SolveRecord:
    """What was done for one fit.

    `by` is the solver whose answer it is, or `NO_SOLVE`; `gap_before` the relative duality gap of that answer before it
    was finished on its active set (None for the kernel, which finds and finishes in one), `gap` after.
    """

    by: str
    iterations: int
    gap_before: float | None
    gap: float


AT_LIMIT = SolveRecord(NO_SOLVE, 0, 0.0, 0.0)
"""Of a fit whose α all stand at their limit, which is found out before anybody is asked."""


@dataclass(frozen=True, slots=True)
class SolverSummary:
    """All reported fits of a result: the solver that was asked for, and who answered how many."""

    name: str
    fits: int
    by: dict[str, int]
    most_iterations: int
    worst_gap: float

    @classmethod
    def of(cls, name: str, solved: Iterable[SolveRecord]) -> SolverSummary:
        """The summary of these fits."""
        each = tuple(solved)
        return cls(
            name=name,
            fits=len(each),
            by=dict(Counter(one.by for one in each).most_common()),
            most_iterations=max((one.iterations for one in each), default=0),
            worst_gap=max((one.gap for one in each), default=0.0),
        )

    def as_dict(self) -> dict[str, object]:
        """What `learn --json` writes under `solver`."""
        return asdict(self)

    def __str__(self) -> str:
        by = [
            f"{count} without a solve" if name == NO_SOLVE else f"{count} by {name}" for name, count in self.by.items()
        ]
        return (
            f"{self.fits} fit{'s' if self.fits != 1 else ''}, {', '.join(by)}; "
            f"most iterations {self.most_iterations}, worst duality gap {self.worst_gap:.0e}"
        )
