"""From points to a checked task set, with everything that was assumed; and what is known of a set, as one line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from core.errors import CurriculabError, SettingsError
from core.features import IntArray, is_sparse
from core.task_set import Features, FloatArray, Task, TaskSet
from data.limits import MAX_CELLS, MAX_NAME_CHARACTERS, FormatError, check_shape, check_tasks
from data.task_names import clean_task_name, fewer_than, is_hidden, listed, set_name, shown_file, visible

Known = dict[str, Any]
"""Semantic order, groups, image shape, preparation, feature names and recipe as `TaskSet` takes them; all optional."""
PARQUET_KEY = b"curriculab"
"""Under which a Parquet file carries the line."""
MAX_ABOUT_CHARACTERS = 100_000
MAX_RECIPE_CHARACTERS = 8_000
_STATED = {
    "semantic_order": "semantic order",
    "groups": "grouping",
    "image_shape": "image shape",
    "feature_names": "list of feature names",
}
_COUNTING = ("", "x", "X", "f", "feature ", "feature_", "V")
LEAST = 2
"""Training points of each class that cross-validation needs."""


@dataclass(frozen=True, eq=False, slots=True)
class Reading:
    """A task set read from a file or made of a table, and a sentence for everything that was assumed or left out."""

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


def check_least(least: int) -> None:
    """Refuse to keep tasks with no point of a class."""
    if least < 1:
        raise SettingsError(f"at least {least} training points of a class were asked for; use 1 or more")


def with_least(task_set: TaskSet, least: int = LEAST) -> tuple[TaskSet, tuple[str, ...]]:
    """The tasks with so many training points of each class, and a sentence that names the others, if any."""
    check_least(least)
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


def about_line(task_set: TaskSet) -> str:
    """As `normalize=none&order=2.1.3&groups=a.b.b`: tasks are counted from 1; empty if all is usual.

    Feature names are left out: most formats have a place for them.
    """
    names = task_set.names
    parts = []
    if task_set.normalize != "l2":
        parts.append(f"normalize={task_set.normalize}")
    if not task_set.bias:
        parts.append("bias=0")
    if task_set.image_shape is not None:
        parts.append(f"image={task_set.image_shape[0]}x{task_set.image_shape[1]}")
    if task_set.semantic_order is not None:
        parts.append("order=" + ".".join(str(names.index(name) + 1) for name in task_set.semantic_order))
    if task_set.groups is not None:
        parts.append("groups=" + "|".join(quote(quote(task_set.groups[name], safe=" ")) for name in names))
    if task_set.recipe:
        parts.append(f"recipe={quote(task_set.recipe, safe='')}")
    return "&".join(parts)


def features_line(names: tuple[str, ...] | None) -> str:
    """Feature names as a part of the line, for formats without columns; empty where there are none or too many."""
    line = "" if names is None else "features=" + "|".join(quote(quote(name, safe=" ")) for name in names)
    return line if len(line) < MAX_ABOUT_CHARACTERS // 2 else ""


def clean_feature_names(given: Sequence[str]) -> tuple[str, ...] | None:
    """Names that can be shown on one line; None where they only count: x1, x2 or 0, 1 and so on."""
    names = [visible(name.strip())[:MAX_NAME_CHARACTERS] or f"feature {k + 1}" for k, name in enumerate(given)]
    counted = {tuple(f"{word}{k + first}" for k in range(len(names))) for word in _COUNTING for first in (0, 1)}
    return None if tuple(names) in counted else tuple(names)


def parse_about(line: str, names: tuple[str, ...], features: int) -> tuple[Known, tuple[str, ...]]:
    """The inverse of `about_line`, and a sentence for everything in it that does not fit the tasks."""
    if len(line) > MAX_ABOUT_CHARACTERS:
        return {}, ("The file's description of the set is too long and was left out.",)
    fields = dict(parse_qsl(line, keep_blank_values=True))
    stated: Known = {"recipe": fields.get("recipe", "")}
    if fields.get("normalize") == "none":
        stated["normalize"] = "none"
    if fields.get("bias") == "0":
        stated["bias"] = False
    if "order" in fields:
        stated["semantic_order"] = [_whole(place) - 1 for place in fields["order"].split(".")]
    if "image" in fields:
        stated["image_shape"] = [_whole(side) for side in fields["image"].split("x")]
    for key, field in (("groups", "groups"), ("feature_names", "features")):
        if field in fields:
            stated[key] = [unquote(name) for name in fields[field].split("|")]
    return fitting(stated, names, features)


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def fitting(stated: Known, names: tuple[str, ...], features: int) -> tuple[Known, tuple[str, ...]]:
    """What a file states of its set, where it fits the tasks; and a sentence for everything that does not.

    Stated are the semantic order as places of tasks, counted from 0, and groups and feature names as lists.
    """
    recipe = stated.get("recipe", "")
    known: Known = {"recipe": recipe if len(recipe) <= MAX_RECIPE_CHARACTERS and not is_hidden(recipe) else ""}
    known |= {key: stated[key] for key in ("normalize", "bias") if key in stated}
    if (order := stated.get("semantic_order")) is not None:
        fits = sorted(order) == list(range(len(names)))
        known["semantic_order"] = tuple(names[k] for k in order) if fits else None
    if (groups := stated.get("groups")) is not None:
        fits = len(groups) == len(names) and all(0 < len(group) <= 200 for group in groups)
        known["groups"] = dict(zip(names, groups, strict=True)) if fits else None
    if (sides := stated.get("image_shape")) is not None:
        fits = len(sides) == 2 and min(sides) > 0 and math.prod(sides) == features
        known["image_shape"] = tuple(sides) if fits else None
    if (given := stated.get("feature_names")) is not None:
        named = clean_feature_names(given)
        known["feature_names"] = named if named is not None and len(named) == features else None
    misfits = [what for key, what in _STATED.items() if key in known and known[key] is None]
    return (
        {key: value for key, value in known.items() if value is not None},
        tuple(f"The file's {what} does not fit its tasks and was left out." for what in misfits),
    )
