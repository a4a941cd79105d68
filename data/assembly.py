"""From the points of a file to a checked task set, with everything that was assumed on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.errors import CurriculabError, SettingsError
from core.features import IntArray, is_sparse
from core.task_set import Features, FloatArray, Task, TaskSet
from data.description import Known
from data.limits import MAX_CELLS, FormatError, check_shape, check_tasks
from data.task_names import clean_task_name, fewer_than, listed, set_name, shown_file

LEAST = 2
"""Training points of each class that cross-validation needs."""


@dataclass(frozen=True, eq=False, slots=True)
class Reading:
    """A task set read from a file and a sentence for everything that was assumed."""

    task_set: TaskSet
    assumptions: tuple[str, ...]


class Points(NamedTuple):
    """Features, labels and, where they are known, ids of the training or the test points of a task."""

    X: FloatArray
    y: FloatArray
    ids: IntArray | None = None


def task_set_of(filename: str, tasks: Mapping[str, tuple[Points, Points | None]], known: Known) -> TaskSet:
    """The task set of these training and test points: names cleaned, sizes checked, every error in the file's name."""
    file = shown_file(filename)
    check_tasks(file, len(tasks))
    names = [clean_task_name(name, file) for name in tasks]
    for name in names:
        if names.count(name) > 1:
            raise FormatError(f"{file}: two tasks are named {name!r}; give every task its own name")
    parts = [part for both in tasks.values() for part in both if part is not None]
    check_shape(file, sum(len(part.y) for part in parts), max(part.X.shape[1] for part in parts))
    try:
        made = []
        for name, (train, test) in zip(names, tasks.values(), strict=True):
            X_test, y_test, ids_test = (None, None, None) if test is None else test
            made.append(Task(name, train.X, train.y, X_test, y_test, train.ids, ids_test))
        return TaskSet(set_name(filename), tuple(made), **known)
    except FormatError:
        raise
    except CurriculabError as error:
        raise FormatError(f"{file}: {error}") from None


def reading_of(
    filename: str, tasks: Mapping[str, tuple[Points, Points | None]], known: Known, assumptions: Sequence[str]
) -> Reading:
    """The same with what was assumed, and with what a reader should know of its test data and preparation."""
    task_set = task_set_of(filename, tasks, known)
    made = (f"It was made of a table by the recipe {task_set.recipe[:200]!r}.",) if task_set.recipe else ()
    rows = "Rows are L2-normalised" if task_set.normalize == "l2" else "Features are taken as they are"
    bias = "a bias coordinate 1 is appended" if task_set.bias else "no bias coordinate is appended"
    prepared = f"{rows} and {bias}, unless you choose otherwise."
    return Reading(task_set, (*made, *assumptions, *_tested(task_set), prepared))


def with_least(task_set: TaskSet, least: int = LEAST) -> tuple[TaskSet, tuple[str, ...]]:
    """The tasks with so many training points of each class, and a sentence that names the others, if any."""
    if least < 1:
        raise SettingsError(f"at least {least} training points of a class were asked for; use 1 or more")
    kept = task_set.with_least(least)
    small = [task.name for task in task_set.tasks if task.smaller_class < least]
    if not small:
        return task_set, ()
    if kept is task_set:
        return kept, (f"No task is left out, though every task has {fewer_than(least)}: choose a fixed C.",)
    return kept, (f"Left out: task{'s' * (len(small) > 1)} {listed(small, 5)}: {fewer_than(least)}.",)


def _tested(task_set: TaskSet) -> tuple[str, ...]:
    without = [task.name for task in task_set.tasks if not task.n_test]
    if not without:
        return ()
    if len(without) == len(task_set):
        return ("There is no test data, so no test errors; a stratified share of the points can be held out for it.",)
    return (
        f"Test data is missing for {len(without)} of {len(task_set)} tasks ({listed(without, 3)}), so no test errors.",
    )


def dense(X: Features) -> FloatArray:
    """`X` as a dense array, unless that would be larger than any file we read."""
    if not is_sparse(X):
        return X
    if X.shape[0] * X.shape[1] > MAX_CELLS:
        raise FormatError(
            f"{X.shape[0]:,} x {X.shape[1]:,} sparse features become too many when dense; "
            f"the most that is written is {MAX_CELLS:,} numbers"
        )
    values: FloatArray = X.toarray()
    return values
