"""Tasks and task sets: validated once here, trusted everywhere else."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import scipy.sparse as sp

from core.errors import SettingsError, TaskError
from core.features import Features, FloatArray, Normalize, first_not_finite, hash_array, prepare

__all__ = ["Features", "FloatArray", "Normalize", "Task", "TaskSet"]


@dataclass(frozen=True, eq=False, slots=True)
class Task:
    """A binary classification task: training points `X, y` with `y` in {-1, +1}, and perhaps test points."""

    name: str
    X: Features
    y: FloatArray
    X_test: Features | None = None
    y_test: FloatArray | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise TaskError(f"a task is named {self.name!r}; give every task a name that is not empty")
        X, y = _points(self.name, "training", self.X, self.y)
        for label in (-1.0, 1.0):
            if not np.any(y == label):
                raise TaskError(
                    f"task {self.name!r}: all {len(y)} training labels are {-label:+.0f}; a task needs both classes"
                )
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)
        if (self.X_test is None) != (self.y_test is None):
            given, missing = ("X_test", "y_test") if self.y_test is None else ("y_test", "X_test")
            raise TaskError(f"task {self.name!r}: {given} is given without {missing}; give both or neither")
        if self.X_test is not None and self.y_test is not None:
            X_test, y_test = _points(self.name, "test", self.X_test, self.y_test)
            if X_test.shape[1] != X.shape[1]:
                raise TaskError(
                    f"task {self.name!r}: {X_test.shape[1]} test features but {X.shape[1]} training features; "
                    "use one feature space"
                )
            object.__setattr__(self, "X_test", X_test)
            object.__setattr__(self, "y_test", y_test)

    @property
    def n_points(self) -> int:
        """m, the number of training points."""
        return len(self.y)

    @property
    def n_test(self) -> int:
        """Number of test points; 0 without test data."""
        return 0 if self.y_test is None else len(self.y_test)

    @property
    def n_features(self) -> int:
        """d, the number of features."""
        return int(self.X.shape[1])

    def test_error(self, weights: FloatArray) -> float | None:
        """Share of test points with `y<w,x> <= 0`; None without test data."""
        if self.X_test is None or self.y_test is None:
            return None
        return float(np.mean(self.y_test * (self.X_test @ weights) <= 0))


@dataclass(frozen=True, eq=False, slots=True)
class TaskSet:
    """The tasks of one problem on one feature space, with what is known of them.

    `semantic_order` names all tasks from easiest to hardest, `groups` maps task to group, `image_shape` says
    that each row is an image. `normalize` and `bias` are how this set wants its features prepared.
    """

    name: str
    tasks: tuple[Task, ...]
    semantic_order: tuple[str, ...] | None = None
    groups: Mapping[str, str] | None = None
    image_shape: tuple[int, int] | None = None
    normalize: Normalize = "l2"
    bias: bool = True
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

    @property
    def n_features(self) -> int:
        """d, shared by all tasks."""
        return self.tasks[0].n_features

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
        names = tuple(order) if isinstance(order, (list, tuple)) else (order,)
        for name in names:
            if name not in self._index:
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
        return replace(self, tasks=tasks, normalize="none", bias=False, image_shape=None if bias else self.image_shape)

    def subset(self, names: tuple[str, ...] | list[str]) -> TaskSet:
        """Only the named tasks, in the given order."""
        return replace(
            self,
            tasks=tuple(self[name] for name in names),
            semantic_order=self.semantic_order and tuple(name for name in self.semantic_order if name in names),
            groups=self.groups and {name: self.groups[name] for name in names},
        )

    @property
    def digest(self) -> str:
        """SHA-256 of everything that a result can depend on, as hex."""
        sha = hashlib.sha256()
        for task in self.tasks:
            sha.update(repr(task.name).encode())
            for array in (task.X, task.y, task.X_test, task.y_test):
                hash_array(sha, array)
        known = (self.semantic_order, sorted((self.groups or {}).items()), self.image_shape, self.normalize, self.bias)
        sha.update(repr(known).encode())
        return sha.hexdigest()


def _points(name: str, part: str, X: object, y: object) -> tuple[Features, FloatArray]:
    """Finite features and -1/+1 labels of one part of a task, as float64, or a TaskError."""
    where = f"task {name!r}, {part} data"
    try:
        features: Features
        if sp.issparse(X):
            features = sp.csr_array(X, dtype=np.float64)
            features.sum_duplicates()
        else:
            features = np.ascontiguousarray(X, dtype=np.float64)
        labels = np.array(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TaskError(
            f"{where}: not a rectangular table of numbers ({error}); give numeric rows of one length"
        ) from None
    if features.ndim != 2 or labels.ndim != 1:
        raise TaskError(f"{where}: X has {features.ndim} and y {labels.ndim} dimensions; X needs 2 and y needs 1")
    if features.shape[0] != len(labels):
        raise TaskError(f"{where}: {features.shape[0]} rows of features but {len(labels)} labels; give one label a row")
    if features.shape[0] == 0 or features.shape[1] == 0:
        raise TaskError(
            f"{where}: {features.shape[0]} rows and {features.shape[1]} features; give at least one of each"
        )
    values = features.data if isinstance(features, sp.csr_array) else features
    if not np.all(np.isfinite(values)):
        row, column = first_not_finite(features)
        raise TaskError(f"{where}: row {row}, feature {column} is not a finite number; remove or fill it")
    odd = labels[(labels != 1) & (labels != -1)]
    if len(odd):
        raise TaskError(f"{where}: label {odd[0]:g} found; labels must be -1 or +1")
    return features, labels


def _listed(names: tuple[str, ...], most: int = 8) -> str:
    shown = ", ".join(repr(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
