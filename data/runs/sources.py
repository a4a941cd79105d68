"""Where the repeats of a run draw their task sets: a built-in source, a table by its recipe, or a file split anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from core.errors import CurriculabError, SettingsError, TaskError
from core.experiments.experiment import Sampler
from core.features import IntArray, row_keys
from core.task_set import Features, FloatArray, Task, TaskSet
from data.assembly import LEAST, with_least
from data.recipes.holdout import share_of_rows
from data.recipes.recipe import source_name, split_name
from data.sources.table import ATTEMPTS, TableSource, open_source


def with_test_split(task_set: TaskSet, share: float = 0.3, seed: int = 0) -> TaskSet:
    """Hold out `share` of each class of every task that has no test data; at least one point of each class stays
    on both sides. Tasks that have test data keep it.
    """
    if not 0.0 < share < 1.0:
        raise SettingsError(f"the share held out for testing is {share:g}; use a number between 0 and 1")
    if not any(task.n_test for task in task_set.tasks) and (rows := _shared_rows(task_set)) is not None:
        return _split_rows(task_set, rows, share, seed)
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
    ids = [None if task.ids is None else task.ids[part] for part in (kept, held_out)]
    return Task(task.name, task.X[kept], task.y[kept], task.X[held_out], task.y[held_out], *ids)


def _pooled(task: Task) -> tuple[Features, FloatArray]:
    """Training and test points together."""
    if task.X_test is None or task.y_test is None:
        return task.X, task.y
    return _stacked(task.X, task.X_test), np.concatenate([task.y, task.y_test])


def _shared_rows(task_set: TaskSet) -> tuple[IntArray, ...] | None:
    """For every task the numbers of its pooled points, equal points having one number, where tasks share any.

    Where the points of a task repeat each other so often, or with the other label, that features are merely coarse,
    equal points are alike by chance and not shared.
    """
    pooled = [_pooled(task) for task in task_set.tasks]
    keys = [row_keys(X) for X, _ in pooled]
    tasks_of = Counter(key for own in keys for key in dict.fromkeys(own))
    repeated = opposite = 0
    for own, (_, y) in zip(keys, pooled, strict=True):
        times, sums = Counter(own), Counter[bytes]()
        for key, label in zip(own, y, strict=True):
            sums[key] += int(label)
        again = [key for key in own if times[key] > 1]
        repeated += len(again)
        opposite += sum(abs(sums[key]) < times[key] for key in again)
    points = sum(map(len, keys))
    coarse = repeated > 0.5 * points or opposite > 0.25 * points
    if coarse or max(tasks_of.values()) < 2:
        return None
    number = {key: k for k, key in enumerate(tasks_of)}
    return tuple(np.array([number[key] for key in own]) for own in keys)


def _split_rows(task_set: TaskSet, rows: tuple[IntArray, ...], share: float, seed: int) -> TaskSet:
    """Every point is test data of all its tasks or of none, so that no task is tested on what another has learned."""
    count = 1 + max(int(own.max()) for own in rows)
    pooled = [_pooled(task) for task in task_set.tasks]
    strata = []
    for own, (_, y) in zip(rows, pooled, strict=True):
        codes = np.zeros(count, dtype=np.int64)
        codes[own] = y
        strata.append(codes)
    for attempt in range(ATTEMPTS):
        held = share_of_rows(np.arange(count), strata, count, share, np.random.default_rng([seed, 2, attempt]))
        tests = [held[own] for own in rows]
        if all(out.any() and len(set(y[~out])) == 2 for out, (_, y) in zip(tests, pooled, strict=True)):
            tasks = (
                Task(task.name, X[~out], y[~out], X[out], y[out])
                for task, out, (X, y) in zip(task_set.tasks, tests, pooled, strict=True)
            )
            return replace(task_set, tasks=tuple(tasks))
    raise TaskError(f"the tasks of {task_set.name!r} share points of which too few can be held out; take more points")


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
    def fresh(self) -> bool:
        """Whether repeats share no rows."""
        return True

    @property
    def sentence(self) -> str:
        """How a repeat gets its split."""
        return "every repeat is a fresh draw of the source"

    @property
    def everywhere(self) -> bool:
        """Whether each machine with curriculab can draw it; local data cannot be counted on elsewhere."""
        from data.sources import catalogue

        family = self.name.partition(":")[0]
        return family not in ("awa", "attributes") and catalogue.find(self.name).kind != "optional"

    def sample(self, seed: int) -> TaskSet:
        """The draw of a seed."""
        from data.sources import catalogue

        return catalogue.load(self.name, seed)

    @property
    def contents(self) -> str:
        """The digest tells it all."""
        return ""

    def digest_at(self, seed: int) -> str:
        """Of the draw with which a run begins."""
        return self.sample(seed).digest


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

    def with_least(self, least: int) -> tuple[PooledSampler, tuple[str, ...]]:
        """Without the tasks that have fewer training points of a class, before or after a share is held out of them."""
        kept, said = with_least(self.task_set, least)
        if all(task.n_test or task.smaller_class > 1 for task in kept.tasks):  # else holding out refuses, and says so
            split, more = with_least(with_test_split(kept, self.share), least)  # whose sizes depend on no seed
            kept, said = kept.subset(split.names), (*said, *more)
        return (PooledSampler(kept, kept.digest, self.share) if said else self), said

    def cross_validated(self, C: object) -> PooledSampler:
        """What can be learned at this C: where it is chosen by cross-validation, without tasks too small for that."""
        return self.with_least(LEAST)[0] if isinstance(C, str) else self

    @property
    def key(self) -> str:
        """By contents."""
        return f"{self.digest}/{self.share}"

    @property
    def contents(self) -> str:
        """The digest tells it all."""
        return ""

    def digest_at(self, seed: int) -> str:
        """Of the file, whatever the seed."""
        return self.digest

    @property
    def fresh(self) -> bool:
        """Whether repeats share no rows."""
        return False

    @property
    def sentence(self) -> str:
        """How a repeat gets its split."""
        with_test = sum(bool(task.n_test) for task in self.task_set.tasks)
        again = "training and test points are pooled and split anew, as many of each class in each part as in the file"
        if _shared_rows(self.task_set) is not None:
            return "in every repeat all points are split anew; a point of several tasks is test data of all or of none"
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
        if (rows := _shared_rows(self.task_set)) is not None:
            held = sum(task.n_test for task in self.task_set.tasks) / sum(map(len, rows))
            return _split_rows(self.task_set, rows, held if self.task_set.has_test else self.share, seed)
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


RunSampler = NamedSampler | PooledSampler | TableSource


def sampler_of(name_or_path: str) -> tuple[RunSampler, str]:
    """The sampler for a built-in name or a file, and the name under which a run records it."""
    from data.archives import formats
    from data.sources import catalogue

    path, recipe = split_name(name_or_path)
    if recipe is not None:
        return table_sampler(open_source(name_or_path), path)
    family, _, parameter = name_or_path.partition(":")
    if family == "attributes" and Path(parameter).is_file():
        name = f"attributes:{Path(parameter).resolve()}"
        return NamedSampler(name), name
    try:
        name = catalogue.find(name_or_path).full_name
    except CurriculabError:
        file = Path(name_or_path)
        if not file.exists() and not file.suffix:
            raise
    else:
        return NamedSampler(name), name
    return PooledSampler.of(formats.read(file).task_set), str(file.resolve())


def table_sampler(source: TableSource, path: str) -> tuple[TableSource, str]:
    """The sampler for a table with its recipe, and the name under which a run records it."""
    source = source.with_test(SHARE)
    return source, source_name(str(Path(path).resolve()), source.recipe)


def portable(sampler: RunSampler, seed: int) -> Sampler:
    """A sampler that works on another machine, for one seed."""
    return sampler if sampler.everywhere else DrawnSampler(f"{sampler.key} seed {seed}", sampler.sample(seed))


def _split_anew(task: Task, rng: np.random.Generator) -> Task:
    X, y = _pooled(task)
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
