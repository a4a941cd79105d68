"""What is known of a set beyond its points, as one line of text that a file can carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, quote, unquote

from core.task_set import TaskSet
from data.limits import MAX_NAME_CHARACTERS
from data.task_names import is_hidden, visible

Known = dict[str, Any]
"""Semantic order, groups, image shape, preparation, feature names and recipe as `TaskSet` takes them; all optional."""
PARQUET_KEY = b"curriculab"
"""Under which a Parquet file carries the line."""
MAX_ABOUT_CHARACTERS = 100_000
MAX_RECIPE_CHARACTERS = 8_000
_COUNTING = ("", "x", "X", "f", "feature ", "feature_", "V")


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


def shown_recipe(text: str) -> str:
    """A recipe as a file carries it, if it is one line of a sensible length; else nothing."""
    return text if len(text) <= MAX_RECIPE_CHARACTERS and not is_hidden(text) else ""


def parse_about(line: str, names: tuple[str, ...], features: int) -> tuple[Known, tuple[str, ...]]:
    """The inverse of `about_line`, and a sentence for everything in it that does not fit the tasks."""
    if len(line) > MAX_ABOUT_CHARACTERS:
        return {}, ("The file's description of the set is too long and was left out.",)
    fields = dict(parse_qsl(line, keep_blank_values=True))
    known: Known = {"recipe": shown_recipe(fields.get("recipe", ""))}
    misfits = []
    if fields.get("normalize") == "none":
        known["normalize"] = "none"
    if fields.get("bias") == "0":
        known["bias"] = False
    if "order" in fields:
        places = fields["order"].split(".")
        if sorted(places, key=lambda place: (len(place), place)) == [str(k + 1) for k in range(len(names))]:
            known["semantic_order"] = tuple(names[int(place) - 1] for place in places)
        else:
            misfits.append("semantic order")
    if "groups" in fields:
        given = [unquote(group) for group in fields["groups"].split("|")]
        if len(given) == len(names) and all(0 < len(group) <= 200 for group in given):
            known["groups"] = dict(zip(names, given, strict=True))
        else:
            misfits.append("groups")
    if "image" in fields:
        sides = [int(side) for side in fields["image"].split("x") if side.isdecimal() and len(side) < 7]
        if len(sides) == 2 and sides[0] * sides[1] == features and fields["image"].count("x") == 1:
            known["image_shape"] = (sides[0], sides[1])
        else:
            misfits.append("image shape")
    if "features" in fields:
        named = clean_feature_names([unquote(name) for name in fields["features"].split("|")])
        if named is not None and len(named) == features:
            known["feature_names"] = named
        else:
            misfits.append("list of feature names")
    return known, tuple(f"The file's {what} does not fit its tasks and was left out." for what in misfits)
