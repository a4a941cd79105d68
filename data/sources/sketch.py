"""Tasks that a person draws in the plane, and a drawing as a short text for a link.

Points stand on a grid of 256 × 256 over the square from -1.5 to 1.5, so that two bytes hold one.
"""

from __future__ import annotations

import base64
import io
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.errors import CurriculabError
from core.task_set import FloatArray, Task, TaskSet
from data.sources.source import BuiltIn, Source
from data.task_names import is_hidden

SIDE = 255
REACH = 1.5
MOST_TASKS = 12
MOST_POINTS = 500
MOST_IN_LINK = 200
"""Points that a link holds; a larger drawing stays in the session."""
MOST_AT_START = 120
"""Points that a set has where a drawing starts from it, so that there is room for more."""
LONGEST_NAME = 30
_VERSION = 1
_LONGEST_TEXT = 2000
_LONGEST_BYTES = 4096

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DrawnTask:
    """A name and the points of both classes, on the grid."""

    name: str
    positive: tuple[Point, ...] = ()
    negative: tuple[Point, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether it can be learned: it has both classes."""
        return bool(self.positive and self.negative)


@dataclass(frozen=True, slots=True)
class Drawing(Source):
    """Some tasks; made by `checked`, which lets nothing else through. Every sample is the drawing itself."""

    name: str = field(default="drawing", init=False)
    story: str = field(default="Tasks that a person drew in the plane.", init=False)
    tasks: tuple[DrawnTask, ...]

    @property
    def n_points(self) -> int:
        """Points of all tasks."""
        return sum(len(task.positive) + len(task.negative) for task in self.tasks)

    @property
    def ready(self) -> tuple[DrawnTask, ...]:
        """The tasks that can be learned."""
        return tuple(task for task in self.tasks if task.ready)

    def sample(self, seed: int = 0) -> TaskSet:
        """The tasks that have both classes, without test data."""
        made = []
        for task in self.ready:
            y = np.repeat([1.0, -1.0], [len(task.positive), len(task.negative)])
            made.append(Task(task.name, coordinates([*task.positive, *task.negative]), y))
        return TaskSet(self.name, tuple(made), normalize="none", bias=True)


def coordinates(points: Sequence[Point]) -> FloatArray:
    """Places on the grid as features."""
    return REACH * (2.0 * np.asarray(points, dtype=np.float64).reshape(-1, 2) / SIDE - 1.0)


def on_grid(X: FloatArray) -> tuple[Point, ...]:
    """The nearest places on the grid."""
    places = np.clip(np.round((X / REACH + 1.0) * SIDE / 2.0), 0, SIDE).astype(int)
    return tuple((int(x), int(y)) for x, y in places)


def from_source(source: BuiltIn, seed: int = 0) -> Drawing:
    """A draw of a set in the plane, with fewer points a class where it has many."""
    for train in range(source.sizes.train, 1, -1):
        task_set = source.sample(seed, (train, 1))
        if sum(task.n_points for task in task_set.tasks) <= MOST_AT_START:
            break
    parts = [(task.name, np.asarray(task.X), task.y) for task in task_set.tasks]
    return Drawing(tuple(DrawnTask(name, on_grid(X[y > 0]), on_grid(X[y < 0])) for name, X, y in parts))


def checked(tasks: object) -> Drawing:
    """A drawing from what a browser sent: `[{"name", "positive": [[x, y], ...], "negative": [...]}, ...]`."""
    if not isinstance(tasks, list) or not 1 <= len(tasks) <= MOST_TASKS:
        raise CurriculabError(f"a drawing has 1 to {MOST_TASKS} tasks")
    made = tuple(_task(task) for task in tasks)
    if len({task.name for task in made}) < len(made):
        raise CurriculabError("two tasks of the drawing have the same name")
    drawing = Drawing(made)
    if drawing.n_points > MOST_POINTS:
        raise CurriculabError(f"a drawing has at most {MOST_POINTS} points")
    return drawing


def _task(task: object) -> DrawnTask:
    if not isinstance(task, Mapping):
        raise CurriculabError("a task of the drawing is no task")
    name = task.get("name")
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or is_hidden(name):
        raise CurriculabError(f"a task of the drawing needs a name of at most {LONGEST_NAME} letters")
    return DrawnTask(name.strip(), _points(task.get("positive")), _points(task.get("negative")))


def _points(points: Any) -> tuple[Point, ...]:
    if not isinstance(points, list) or not all(
        isinstance(point, list) and len(point) == 2 and all(type(part) is int and 0 <= part <= SIDE for part in point)
        for point in points
    ):
        raise CurriculabError("a point of the drawing is not on its grid")
    return tuple((point[0], point[1]) for point in points)


def plain(drawing: Drawing) -> list[dict[str, Any]]:
    """As `checked` takes it, for the browser."""
    return [
        {"name": task.name, "positive": [[*p] for p in task.positive], "negative": [[*p] for p in task.negative]}
        for task in drawing.tasks
    ]


def encode(drawing: Drawing) -> str:
    """A drawing as text for a link: its bytes, compressed, in URL-safe base 64."""
    packed = bytes([_VERSION, len(drawing.tasks)])
    for task in drawing.tasks:
        name = task.name.encode()
        packed += bytes([len(name)]) + name
        for points in (task.positive, task.negative):
            packed += len(points).to_bytes(2, "big") + bytes(part for point in points for part in point)
    return base64.urlsafe_b64encode(zlib.compress(packed, 9)).decode().rstrip("=")


def decode(text: str) -> Drawing | None:
    """The drawing of a link; None if it is anything but one that `encode` could have written."""
    if len(text) > _LONGEST_TEXT or not re.fullmatch(r"[A-Za-z0-9_-]+", text):
        return None
    unpack = zlib.decompressobj()
    try:
        packed = unpack.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), _LONGEST_BYTES)
        return checked(_read(packed)) if unpack.eof and not unpack.unused_data else None
    except (ValueError, zlib.error):
        return None


def _read(packed: bytes) -> list[dict[str, Any]]:
    """The tasks as `checked` takes them."""
    stream = io.BytesIO(packed)

    def take(count: int) -> bytes:
        part = stream.read(count)
        if len(part) < count:
            raise ValueError("cut off")
        return part

    version, count = take(2)
    tasks = []
    for _ in range(count):
        task: dict[str, Any] = {"name": take(take(1)[0]).decode()}
        for label in ("positive", "negative"):
            raw = take(2 * int.from_bytes(take(2), "big"))
            task[label] = [[x, y] for x, y in zip(raw[::2], raw[1::2], strict=True)]
        tasks.append(task)
    if version != _VERSION or stream.read():
        raise ValueError("another version, or more than a drawing")
    return tasks
