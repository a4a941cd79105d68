"""A stored run, and reading it from its row: whatever is in the file, a run is complete and of its types or refused."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from core.errors import CurriculabError
from core.experiments.experiment import Settings
from data.runs import fields
from data.runs.schema import StoreError

COLUMNS = "id, uid, begun, finished, settings, about, digest, stopped, imported, owner"
PACKAGES = ("curriculab", "numpy", "scipy", "numba", "osqp", "qpsolvers", "scikit-learn", "joblib")


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run without its outcomes; `done` counts the finished pieces of each method.

    `overlap`: test points over training points where every repeat splits the same rows anew; None for fresh draws.
    `contents`: the digest of the table that it is drawn from, of which the first draw may use some rows only.
    """

    id: int
    uid: str
    begun: str
    finished: str | None
    settings: Settings
    split: str
    overlap: float | None
    versions: Mapping[str, str]
    digest: str
    stopped: str
    imported: bool = False
    owner: str = ""
    done: Mapping[str, int] = field(default_factory=dict)
    contents: str = ""

    @property
    def title(self) -> str:
        """Its set for people: of a table, file, sheet and recipe."""
        return fields.source_title(self.settings.source)

    @property
    def full_title(self) -> str:
        """The same with the folders of a file."""
        return fields.source_title(self.settings.source, folders=True)

    @property
    def total(self) -> int:
        """How many pieces there are in all."""
        methods = self.settings.methods
        return self.settings.repeats * (len(methods) + bool({"best", "worst"} & set(methods)))

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
            "overlap": self.overlap,
            "versions": dict(self.versions),
            "digest": self.digest,
            "done": self.done_in_all,
            "pieces": self.total,
            "stopped": self.stopped,
            "imported": self.imported,
        }


def run_from(row: tuple[Any, ...], done: Mapping[str, int]) -> Run:
    """The run of a row of `COLUMNS`."""
    identity, uid, begun, finished, settings, about, digest, stopped, imported, owner = row
    try:
        known = json.loads(about)
        return Run(
            identity,
            fields.uid(uid),
            fields.moment(begun),
            None if finished is None else fields.moment(finished),
            fields.settings(json.loads(settings)),
            fields.line(known["split"], fields.MOST_SENTENCE),
            fields.overlap(known),
            fields.versions(known["versions"]),
            fields.digest(digest),
            str(stopped),
            bool(imported),
            str(owner),
            done,
            fields.line(known.get("contents", ""), 64),
        )
    except (CurriculabError, ArithmeticError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(f"run {identity} is damaged and cannot be read; delete it") from None


def source_of(settings: str) -> str:
    """The source in a row's settings, also where all else is damaged."""
    try:
        return str(json.loads(settings)["source"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def versions() -> dict[str, str]:
    """Of everything that a figure could depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
