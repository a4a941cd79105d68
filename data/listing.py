"""What the commands `sets`, `check` and `export` say: plain data and plain lines, for any front end."""

from __future__ import annotations

import os
from dataclasses import dataclass

from core.tasks import TaskSet
from data.catalogue import load, sources
from data.formats import read, write
from data.reading import Reading
from data.source import Source


def sets(folder: str | os.PathLike[str] | None = None) -> list[dict[str, object]]:
    """Every source as plain data, for `sets --json`."""
    return [_described(source) for source in sources(folder)]


def sets_lines(folder: str | os.PathLike[str] | None = None) -> list[str]:
    """Every source as name and story, with what is missing beneath; the default is marked."""
    listed = sources(folder)
    width = max(len(source.name) for source in listed)
    lines = []
    for k, source in enumerate(listed):
        lines.append(f"{source.name:<{width}}  {source.story}{' (the default)' if k == 0 else ''}")
        lines += [
            f"{'':<{width}}  {sentence}"
            for sentence in (source.note, source.missing and f"Not there: {source.missing}")
            if sentence
        ]
    return lines


@dataclass(frozen=True, eq=False, slots=True)
class Check:
    """A file that could be read: its set, what was assumed, and a line for each task."""

    reading: Reading

    def lines(self) -> list[str]:
        """The set, its tasks and the assumptions."""
        task_set = self.reading.task_set
        tasks = f"{len(task_set)} task{'s' * (len(task_set) != 1)}"
        return [
            f"{task_set.name}: {tasks}, {task_set.n_features} features",
            *(f"  {line}" for line in task_lines(task_set)),
            "Assumed:",
            *(f"  {sentence}" for sentence in self.reading.assumptions),
        ]


def check(path: str | os.PathLike[str]) -> Check:
    """Read a file or folder; whatever is wrong with it is raised as one sentence."""
    return Check(read(path))


def export(name_or_path: str, path: str | os.PathLike[str], seed: int = 0) -> tuple[str, ...]:
    """Write a built-in set, or another file's, in the format of the path's ending; returns what was lost."""
    return write(load(name_or_path, seed), path)


def task_lines(task_set: TaskSet) -> list[str]:
    """A line for each task: name and points of each class in both parts."""
    lines = []
    for task in task_set.tasks:
        parts = [f"{int((y > 0).sum())} + {int((y < 0).sum())}" for y in (task.y, task.y_test) if y is not None]
        lines.append(f"{task.name}: {parts[0]} training, {parts[1] if len(parts) > 1 else 'no'} test points")
    return lines


def _described(source: Source) -> dict[str, object]:
    return {
        "name": source.name,
        "story": source.story,
        "kind": source.kind,
        "licence": source.licence,
        "origin": source.origin,
        "note": source.note,
        "available": source.available,
        "missing": source.missing,
        "tasks": source.tasks,
        "semantic_order": source.semantic_order,
        "groups": source.groups,
        "image_shape": None if source.image_shape is None else list(source.image_shape),
        "knobs": [
            {"name": knob.name, "default": knob.default, "least": knob.least, "most": knob.most, "help": knob.help}
            for knob in source.knobs
        ],
    }
