"""What a method learned, and the report of it that the contract asks for."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np

from core.curriculum.bound import Bound
from core.curriculum.steps import Curriculum, Pair, Step
from core.solver.solved import SolverSummary
from core.tasks import FloatArray, Normalize

CSetting = float | Literal["shared", "each"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """How the features were prepared, and the percentage of points that was set aside as test data before."""

    normalize: Normalize
    bias: bool
    holdout: int = 0


@dataclass(frozen=True, eq=False)
class Learned:
    """Weights for all tasks by one method; with its curriculum if the method is sequential."""

    task_set: str
    method: str
    C: CSetting
    seed: int
    chosen_C: dict[str, float]
    weights: dict[str, FloatArray]
    test_error: dict[str, float] | None
    curriculum: Curriculum | None
    solver: SolverSummary
    forced: tuple[Pair, ...]
    prepared: Prepared

    @property
    def order(self) -> tuple[str, ...]:
        """Task names in the order of learning; the input order for a joint method."""
        return tuple(self.weights) if self.curriculum is None else self.curriculum.order

    @property
    def sources(self) -> dict[str, str | None]:
        """Every task's source."""
        return dict.fromkeys(self.weights) if self.curriculum is None else self.curriculum.sources

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of a sequential method; none for a joint one."""
        return () if self.curriculum is None else self.curriculum.steps

    @property
    def forced_steps(self) -> tuple[int, ...]:
        """The steps, from 1, that were forced to another choice than the method's own."""
        return () if self.curriculum is None else self.curriculum.forced_steps(len(self.forced))

    @property
    def bound(self) -> Bound | None:
        """Theorem 1; None for a joint method, of which it says nothing."""
        return None if self.curriculum is None else self.curriculum.bound

    @property
    def mean_test_error(self) -> float | None:
        """Mean over tasks of the test error."""
        return None if self.test_error is None else float(np.mean(list(self.test_error.values())))

    def as_dict(self) -> dict[str, object]:
        """What `curriculab learn --json` writes."""
        bound = self.bound
        return {
            "task_set": self.task_set,
            "method": self.method,
            "C": self.C,
            "seed": self.seed,
            "order": list(self.order),
            "sources": self.sources,
            "chosen_C": self.chosen_C,
            "steps": [
                {
                    "task": step.chosen.task,
                    "source": step.chosen.source,
                    "candidates": [
                        {
                            "task": candidate.task,
                            "source": candidate.source,
                            "error": candidate.error_term,
                            "complexity": candidate.complexity_term,
                            "criterion": candidate.criterion,
                            "C": candidate.C,
                        }
                        for candidate in step.candidates
                    ],
                }
                | ({"forced": True} if number in self.forced_steps else {})  # not the method's own choice
                for number, step in enumerate(self.steps, start=1)
            ],
            "bound": bound
            and {name: getattr(bound, name) for name in ("value", "error", "complexity", "constant", "delta")},
            "test_error": self.test_error,
            "mean_test_error": self.mean_test_error,
            "forced": [list(pair) for pair in self.forced],
            "prepared": asdict(self.prepared),
            "solver": self.solver.as_dict(),
        }
