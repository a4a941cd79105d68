"""Where the repeats of a run draw their task sets: a built-in source by name, or the points of a file split anew."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from core.errors import CurriculabError, SettingsError, TaskError
from core.experiments.experiment import Sampler
from core.tasks import Features, FloatArray, Task, TaskSet


def with_test_split(task_set: TaskSet, share: float = 0.3, seed: int = 0) -> TaskSet:
    """Hold out `share` of each class of every task that has no test data; at least one point of each class stays
    on both sides. Tasks that have test data keep it.
    """
    if not 0.0 < share < 1.0:
        raise SettingsError(f"the share held out for testing is {share:g}; use a number between 0 and 1")
    rng = np.random.default_rng(seed)
    tasks = tuple(task if task.n_test else _split(task, share, rng) for task in task_set.tasks)
    return replace(task_set, tasks=tasks)


def split_sentence(task_set: TaskSet, share: float = 0.3, seed: int = 0) -> str:
    """What `with_test_split` does to this set, for the screen and the report."""
    without = sum(not task.n_test for task in task_set.tasks)
    if without == 0:
        return "Every task has its own test data."
    tasks = "every task" if without == len(task_set) else f"{without} of {len(task_set)} tasks"
    return f"Of {tasks}, {100 * share:.0f} % of each class is held out as test data, drawn with seed {seed}."


def _split(task: Task, share: float, rng: np.random.Generator) -> Task:
    held_out = np.zeros(task.n_points, dtype=bool)
    for label in (1.0, -1.0):
        members = np.flatnonzero(task.y == label)
        if len(members) < 2:
            raise TaskError(
                f"task {task.name!r} has one point of class {label:+.0f}; holding out test data needs at least two"
            )
        count = min(max(round(share * len(members)), 1), len(members) - 1)
        held_out[rng.choice(members, count, replace=False)] = True
    kept = ~held_out
    return Task(task.name, task.X[kept], task.y[kept], task.X[held_out], task.y[held_out])


SHARE = 0.3
"""Held out of tasks that come without test data."""


@dataclass(frozen=True, slots=True)
class NamedSampler:
    """Fresh draws of a built-in source."""

    name: str

    @property
    def key(self) -> str:
        """The name tells it all."""
        return self.name

    @property
    def sentence(self) -> str:
        """How a repeat gets its split."""
        return "every repeat is a fresh draw of the source"

    @property
    def everywhere(self) -> bool:
        """Whether each machine with curriculab can draw it; local data cannot be counted on elsewhere."""
        from data.sets import catalogue

        family = self.name.partition(":")[0]
        return family not in ("awa", "attributes") and catalogue.find(self.name).kind != "optional"

    def sample(self, seed: int) -> TaskSet:
        """The draw of a seed."""
        from data.sets import catalogue

        return catalogue.load(self.name, seed)


@dataclass(frozen=True, eq=False, slots=True)
class PooledSampler:
    """The points of given tasks, split anew for every seed."""

    task_set: TaskSet = field(repr=False)
    digest: str
    share: float = SHARE

    @classmethod
    def of(cls, task_set: TaskSet) -> PooledSampler:
        """Of a task set that was read or uploaded."""
        return cls(task_set, task_set.digest)

    @property
    def key(self) -> str:
        """By contents."""
        return f"{self.digest}/{self.share}"

    @property
    def sentence(self) -> str:
        """How a repeat gets its split."""
        with_test = sum(bool(task.n_test) for task in self.task_set.tasks)
        again = "training and test points are pooled and split anew, as many of each class in each part as in the file"
        held = f"{100 * self.share:.0f} % of each class are held out for testing"
        if with_test == len(self.task_set):
            return f"in every repeat each task's {again}"
        if not with_test:
            return f"the file has no test data, so in every repeat {held}"
        return f"in every repeat the {again}; of tasks without test data, {held}"

    @property
    def everywhere(self) -> bool:
        """It carries its points along."""
        return True

    def sample(self, seed: int) -> TaskSet:
        """Depends on the seed, the points and nothing else."""
        rng = np.random.default_rng([seed, 1])
        tasks = tuple(_split_anew(task, rng) if task.n_test else task for task in self.task_set.tasks)
        return with_test_split(replace(self.task_set, tasks=tasks), self.share, seed)


@dataclass(frozen=True, eq=False, slots=True)
class DrawnSampler:
    """One draw, made where the data is, to be sent to where the work is done."""

    key: str
    task_set: TaskSet = field(repr=False)

    def sample(self, seed: int) -> TaskSet:
        """The draw that it carries."""
        return self.task_set


RunSampler = NamedSampler | PooledSampler


def sampler_of(name_or_path: str) -> tuple[RunSampler, str]:
    """The sampler for a built-in name or a file, and the name under which a run records it."""
    from data.files import formats
    from data.sets import catalogue

    family, _, parameter = name_or_path.partition(":")
    if family == "attributes" and Path(parameter).is_file():
        name = f"attributes:{Path(parameter).resolve()}"
        return NamedSampler(name), name
    try:
        name = catalogue.find(name_or_path).full_name
    except CurriculabError:
        path = Path(name_or_path)
        if not path.exists() and not path.suffix:
            raise
    else:
        return NamedSampler(name), name
    return PooledSampler.of(formats.read(path).task_set), str(path.resolve())


def portable(sampler: RunSampler, seed: int) -> Sampler:
    """A sampler that works on another machine, for one seed."""
    return sampler if sampler.everywhere else DrawnSampler(f"{sampler.key} seed {seed}", sampler.sample(seed))


def _split_anew(task: Task, rng: np.random.Generator) -> Task:
    if task.X_test is None or task.y_test is None:
        raise TaskError(f"task {task.name!r} has no test data to pool")
    X, y = _stacked(task.X, task.X_test), np.concatenate([task.y, task.y_test])
    train = np.zeros(len(y), dtype=bool)
    for label in (1.0, -1.0):
        members = np.flatnonzero(y == label)
        train[rng.choice(members, int(np.sum(task.y == label)), replace=False)] = True
    return Task(task.name, X[train], y[train], X[~train], y[~train])


def _stacked(A: Features, B: Features) -> Features:
    import scipy.sparse as sp

    if isinstance(A, sp.csr_array) or isinstance(B, sp.csr_array):
        return sp.csr_array(sp.vstack([A, B]))
    stacked: FloatArray = np.vstack([A, B])
    return stacked
