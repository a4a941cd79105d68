"""A stored run, and its fields: each of its type, on one line, within bounds; whatever else is refused."""

from __future__ import annotations

import json
import math
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import Settings
from data.limits import MAX_NAME_CHARACTERS
from data.recipes.recipe import LONGEST, Recipe, source_name, split_name
from data.runs.schema import StoreError
from data.sources.source import FRESH
from data.task_names import is_hidden, visible

COLUMNS = """id, uid, begun, finished, settings, about, digest, stopped, imported, owner,
    (SELECT json_group_object(method, done)
     FROM (SELECT method, count(*) AS done FROM pieces WHERE run = runs.id GROUP BY method))"""
PACKAGES = ("curriculab", "numpy", "scipy", "numba", "osqp", "qpsolvers", "scikit-learn", "joblib")
MOST_SOURCE = 4096 + LONGEST
MOST_NAME = 200
MOST_SENTENCE = 1000
MOST_VERSIONS = 40
MOST_ORDERS = 50_000
MOST_OVERLAP = 1e6
UID = re.compile(r"[0-9A-Za-z-]{1,64}")
DIGEST = re.compile(r"[0-9a-f]{64}")
_WORD = re.compile(r"[\w.+!-]{1,60}", re.ASCII)


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

    def drew_as(self, other: Run) -> bool:
        """Whether every repeat of both has the same sample: so it is where the first has, and the seeds are equal."""
        return self.digest == other.digest and self.settings.seed == other.settings.seed

    @property
    def title(self) -> str:
        """Its set for people: of a table, file, sheet and recipe."""
        return source_title(self.settings.source)

    @property
    def full_title(self) -> str:
        """The same with the folders of a file."""
        return source_title(self.settings.source, folders=True)

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


def run_from(row: tuple[Any, ...]) -> Run:
    """The run of a row of `COLUMNS`."""
    identity, uid, begun, finished, settings, about, digest, stopped, imported, owner, done = row
    try:
        record = json.loads(about) | {"uid": uid, "begun": begun, "finished": finished, "digest": digest}
        known = known_fields(record | {"settings": json.loads(settings)})
        return Run(
            id=identity, **known, stopped=str(stopped), imported=bool(imported), owner=str(owner), done=json.loads(done)
        )
    except (CurriculabError, ArithmeticError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(f"run {identity} is damaged and cannot be read; delete it") from None


def known_fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """What both a store and a bundle record of a run, checked: arguments of `Run`."""
    return {
        "uid": matched(UID, record["uid"]),
        "begun": moment(record["begun"]),
        "finished": None if record["finished"] is None else moment(record["finished"]),
        "settings": settings(record["settings"]),
        "split": line(record["split"], MOST_SENTENCE),
        "overlap": overlap(record),
        "versions": versions(record["versions"]),
        "digest": matched(DIGEST, record["digest"]),
        "contents": line(record.get("contents", ""), 64),
    }


def present_versions() -> dict[str, str]:
    """Of everything that a figure could depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def now() -> str:
    """The time as text, in UTC, to the microsecond."""
    return datetime.now(UTC).isoformat()


def line(value: object, most: int) -> str:
    """Text that can be shown on one line."""
    if not isinstance(value, str) or len(value) > most or is_hidden(value):
        raise ValueError("not a line of text")
    return value


def task_name(value: object) -> str:
    """A task's name."""
    name = line(value, MAX_NAME_CHARACTERS)
    if not name:
        raise ValueError("an empty name")
    return name


def number(value: object) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError("not a number")
    return float(value)


def count(value: object) -> int:
    """A whole number from 0 up."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError("not a count")
    return value


def path_and_recipe(source: str) -> tuple[str, Recipe | None]:
    """The parts of a run's source; a stranger's, whose recipe is none, is a path as a whole."""
    try:
        return split_name(source)
    except SettingsError:
        return source, None


def plain_source(source: str) -> str:
    """A run's source without the folders of a file: where it lay is nobody else's business, and is never looked up."""
    path, recipe = path_and_recipe(source)
    family, _, rest = path.partition(":")
    prefix = "attributes:" if family == "attributes" else ""
    name = prefix + re.split(r"[/\\]", rest if prefix else path)[-1][-MOST_NAME:]
    return name if recipe is None else source_name(name, recipe)


def source_title(source: str, folders: bool = False) -> str:
    """A run's source for people: of a table, its file, its sheet and the options of its recipe."""
    kept = re.match(r".*[/\\]uploads[/\\][0-9a-f]{20}[/\\]", source)  # in the store, under its own name
    name, recipe = path_and_recipe(source if folders and not kept else plain_source(source))
    if recipe is None:
        return name
    options = [f"sheet {recipe.sheet}"] if recipe.sheet else []
    for word in replace(recipe, sheet="").as_words():
        if word.startswith("--"):
            options.append(word[2:])
        else:
            options[-1] += f" {word}"
    return visible(f"{name}: {', '.join(options)}")


def matched(pattern: re.Pattern[str], value: object) -> str:
    """Text of that form as a whole."""
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError("not of the expected form")
    return value


def moment(value: object) -> str:
    """A time with its zone, written as `now` writes it."""
    if not isinstance(value, str) or len(value) > 40:
        raise TypeError("not a time")
    when = datetime.fromisoformat(value)
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def overlap(about: Mapping[str, Any]) -> float | None:
    """How far a run's repeats overlap, as in `Run`. Runs once recorded nothing but a sentence: where that does not tell
    of fresh draws, 3 of 10 points were held out as a rule.
    """
    if "overlap" not in about:
        return None if about["split"] == FRESH else 3 / 7
    if about["overlap"] is None:
        return None
    if not 0 < (ratio := number(about["overlap"])) <= MOST_OVERLAP:
        raise ValueError("an overlap that cannot be")
    return ratio


def versions(value: object) -> dict[str, str]:
    """Package to version."""
    if not isinstance(value, Mapping) or len(value) > MOST_VERSIONS:
        raise TypeError("not versions")
    return {matched(_WORD, name): matched(_WORD, version) for name, version in value.items()}


def settings(value: object) -> Settings:
    """Settings of a run; what `Settings` itself checks is checked there."""
    if not isinstance(value, Mapping):
        raise TypeError("not settings")
    line(value["source"], MOST_SOURCE)
    if not isinstance(value.get("bias"), bool | None):
        raise TypeError("bias is neither on nor off")
    if not 1 <= count(value.get("limit", 1)) <= MOST_ORDERS:
        raise ValueError("too many orders")
    return Settings.from_dict(value)
