"""Task sets: validated once here, trusted everywhere else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from core.errors import SettingsError, TaskError
from core.features import Features, FloatArray, IntArray, Normalize, array_bytes, prepare, row_keys
from core.task import Task

__all__ = ["Features", "FloatArray", "Normalize", "Task", "TaskSet"]


@dataclass(frozen=True, eq=False)
class TaskSet:
    """The tasks of one problem on one feature space, with what is known of them.

    `semantic_order` names all tasks from easiest to hardest, `groups` maps task to group, `image_shape` says
    that each row is an image. `normalize` and `bias` are how this set wants its features prepared. `feature_names`,
    where they are known, and `recipe`, how the set was made of a table, are for people: no result depends on them.
    """

    name: str
    tasks: tuple[Task, ...]
    semantic_order: tuple[str, ...] | None = None
    groups: Mapping[str, str] | None = None
    image_shape: tuple[int, int] | None = None
    normalize: Normalize = "l2"
    bias: bool = True
    feature_names: tuple[str, ...] | None = None
    recipe: str = ""
    _index: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        tasks = tuple(self.tasks)
        object.__setattr__(self, "tasks", tasks)
        if not tasks:
            raise TaskError(f"task set {self.name!r} has no tasks; give it at least one")
        index = {task.name: i for i, task in enumerate(tasks)}
        if len(index) < len(tasks):
            names = [task.name for task in tasks]
            twice = next(name for name in names if names.count(name) > 1)
            raise TaskError(f"task set {self.name!r}: two tasks are named {twice!r}; give every task its own name")
        object.__setattr__(self, "_index", index)
        first = tasks[0]
        for task in tasks[1:]:
            if task.n_features != first.n_features:
                raise TaskError(
                    f"task {task.name!r} has {task.n_features} features but task {first.name!r} has "
                    f"{first.n_features}; all tasks of a set need the same features"
                )
        if self.feature_names is not None:
            object.__setattr__(self, "feature_names", tuple(str(name) for name in self.feature_names))
            if len(self.feature_names) != first.n_features:
                raise TaskError(
                    f"task set {self.name!r}: {len(self.feature_names)} feature names for {first.n_features} features; "
                    "name each once, or none"
                )
        if self.normalize not in ("l2", "none"):
            raise SettingsError(f"normalize is {self.normalize!r}; use 'l2' or 'none'")
        if self.semantic_order is not None:
            object.__setattr__(self, "semantic_order", self.check_order(self.semantic_order, "the semantic order"))
        if self.groups is not None and set(self.groups) != set(index):
            raise TaskError(f"task set {self.name!r}: groups name other tasks than the set has; give each task a group")
        if self.image_shape is not None and np.prod(self.image_shape) != first.n_features:
            raise TaskError(
                f"task set {self.name!r}: image shape {self.image_shape} does not match {first.n_features} features"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The task names, in input order."""
        return tuple(self._index)

    @property
    def has_test(self) -> bool:
        """Whether every task has test data."""
        return all(task.n_test for task in self.tasks)

    @cached_property
    def test_rows(self) -> dict[str, IntArray]:
        """For each task a number for every test point; points of several tasks that are one row have the same number.

        Numbering them takes longer than many a fit, so it is done once, when it is needed.
        One row are those with the same id or, where ids are not known, with the same features. Of several such points
        in one task, the first is one row with the first of another task, and so on.
        """
        numbers: dict[tuple[Hashable, int], int] = {}
        found = {}
        for task in self.tasks:
            keys: Sequence[Hashable] = [] if task.X_test is None else row_keys(task.X_test)
            times = Counter[Hashable]()
            own = []
            for key in keys if task.ids_test is None else task.ids_test.tolist():
                times[key] += 1
                own.append(numbers.setdefault((key, times[key]), len(numbers)))
            found[task.name] = np.array(own, dtype=np.int64)
        return found

    @property
    def n_features(self) -> int:
        """d, shared by all tasks."""
        return self.tasks[0].n_features

    @property
    def features(self) -> tuple[str, ...]:
        """The features' names; 'feature 1' and so on where they have none."""
        return self.feature_names or tuple(f"feature {k + 1}" for k in range(self.n_features))

    @property
    def m_bar(self) -> float:
        """Harmonic mean of the training sizes (Theorem 1)."""
        return len(self.tasks) / sum(1.0 / task.n_points for task in self.tasks)

    def __len__(self) -> int:
        return len(self.tasks)

    def __getitem__(self, name: str) -> Task:
        return self.tasks[self.index(name)]

    def index(self, name: str) -> int:
        """Position of the task of that name in the input."""
        if name not in self._index:
            raise TaskError(f"task set {self.name!r} has no task {name!r}; its tasks are {_listed(self.names)}")
        return self._index[name]

    def check_order(self, order: object, what: str = "the order") -> tuple[str, ...]:
        """`order` as a tuple of task names, if it names every task once."""
        names = tuple(order) if isinstance(order, (list, tuple, np.ndarray)) else (order,)
        for name in names:
            if not isinstance(name, str) or name not in self._index:
                raise SettingsError(f"{what} names {name!r}, which is no task; name each once: {_listed(self.names)}")
            if names.count(name) > 1:
                raise SettingsError(f"{what} names {name!r} {names.count(name)} times; name every task once")
        if len(names) < len(self):
            missing = next(name for name in self.names if name not in names)
            raise SettingsError(f"{what} leaves out {missing!r}; name every task once")
        return names

    def prepared(self, normalize: Normalize | None = None, bias: bool | None = None) -> TaskSet:
        """The set as learners see it: rows L2-normalised, then a bias coordinate 1 appended.

        `None` means what the set itself asks for. The result asks for nothing more, so preparing twice is harmless.
        """
        normalize = self.normalize if normalize is None else normalize
        bias = self.bias if bias is None else bias
        if normalize not in ("l2", "none"):
            raise SettingsError(f"normalize is {normalize!r}; use 'l2' or 'none'")
        if not isinstance(bias, (bool, np.bool_)):
            raise SettingsError(f"bias is {bias!r}; use True or False")
        if normalize == "none" and not bias:
            return replace(self, normalize="none", bias=False)
        tasks = tuple(
            replace(
                task,
                X=prepare(task.X, normalize, bias),
                X_test=None if task.X_test is None else prepare(task.X_test, normalize, bias),
            )
            for task in self.tasks
        )
        return replace(
            self,
            tasks=tasks,
            normalize="none",
            bias=False,
            image_shape=None if bias else self.image_shape,
            feature_names=self.feature_names and (*self.feature_names, *(["bias"] if bias else [])),
        )

    def subset(self, names: tuple[str, ...] | list[str]) -> TaskSet:
        """Only the named tasks, in the given order."""
        return replace(
            self,
            tasks=tuple(self[name] for name in names),
            semantic_order=self.semantic_order and tuple(name for name in self.semantic_order if name in names),
            groups=self.groups and {name: self.groups[name] for name in names},
        )

    def with_least(self, least: int = 2) -> TaskSet:
        """Only the tasks with so many training points of each class; all of them where none has.

        Cross-validation needs two of each class.
        """
        kept = [task.name for task in self.tasks if task.smaller_class >= least]
        return self if len(kept) in (0, len(self)) else self.subset(kept)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that a result can depend on, as hex."""
        sha = hashlib.sha256()
        for task in self.tasks:
            sha.update(repr(task.name).encode())
            for array in (task.X, task.y, task.X_test, task.y_test):
                for piece in array_bytes(array):
                    sha.update(piece)
        known = (self.semantic_order, sorted((self.groups or {}).items()), self.image_shape, self.normalize, self.bias)
        sha.update(repr(known).encode())
        return sha.hexdigest()


def _listed(names: tuple[str, ...], most: int = 8) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
