"""A stored run: its settings, what its figures depend on, and how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.experiments.experiment import Settings


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run without its outcomes; `done` counts the finished pieces of each method."""

    id: int
    uid: str
    begun: str
    finished: str | None
    settings: Settings
    split: str
    versions: Mapping[str, str]
    digest: str
    stopped: str
    done: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many pieces there are in all."""
        return len(self.settings.pieces)

    @property
    def done_in_all(self) -> int:
        """How many are finished."""
        return sum(self.done.values())

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "id": self.id,
            "begun": self.begun,
            "finished": self.finished,
            "task_set": self.settings.source,
            "settings": self.settings.as_dict(),
            "split": self.split,
            "versions": dict(self.versions),
            "digest": self.digest,
            "done": self.done_in_all,
            "pieces": self.total,
            "stopped": self.stopped,
        }
