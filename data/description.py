"""What is known of a set beyond its points, as one line of text that a file can carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, quote

from core.task_set import TaskSet
from data.limits import MAX_NAME_CHARACTERS
from data.task_names import is_hidden

PARQUET_KEY = b"curriculab"
"""Under which a Parquet file carries the line."""
MAX_ABOUT_CHARACTERS = 100_000
MAX_RECIPE_CHARACTERS = 8_000
_COUNTING = ("", "x", "X", "f", "feature ", "feature_", "V")


@dataclass(frozen=True, slots=True)
class About:
    """Semantic order, groups, image shape, preparation and feature names of a task set; all optional."""

    semantic_order: tuple[str, ...] | None = None
    groups: Mapping[str, str] | None = None
    image_shape: tuple[int, int] | None = None
    normalize: Literal["l2", "none"] = "l2"
    bias: bool = True
    feature_names: tuple[str, ...] | None = None
    recipe: str = ""

    @classmethod
    def of(cls, task_set: TaskSet) -> About:
        """What is known of `task_set`."""
        return cls(
            task_set.semantic_order,
            task_set.groups,
            task_set.image_shape,
            task_set.normalize,
            task_set.bias,
            task_set.feature_names,
            task_set.recipe,
        )

    def line(self, names: tuple[str, ...]) -> str:
        """As `normalize=none&order=2.1.3&groups=a.b.b`: tasks are counted from 1; empty if all is usual.

        Feature names are left out: most formats have a place for them.
        """
        parts = []
        if self.normalize != "l2":
            parts.append(f"normalize={self.normalize}")
        if not self.bias:
            parts.append("bias=0")
        if self.image_shape is not None:
            parts.append(f"image={self.image_shape[0]}x{self.image_shape[1]}")
        if self.semantic_order is not None:
            parts.append("order=" + ".".join(str(names.index(name) + 1) for name in self.semantic_order))
        if self.groups is not None:
            parts.append("groups=" + "|".join(quote(quote(self.groups[name], safe=" ")) for name in names))
        if self.recipe:
            parts.append(f"recipe={quote(self.recipe, safe='')}")
        return "&".join(parts)


def features_line(names: tuple[str, ...] | None) -> str:
    """Feature names as a part of the line, for formats without columns; empty where there are none or too many."""
    line = "" if names is None else "features=" + "|".join(quote(quote(name, safe=" ")) for name in names)
    return line if len(line) < MAX_ABOUT_CHARACTERS // 2 else ""


def clean_feature_names(given: Sequence[str]) -> tuple[str, ...] | None:
    """Names that can be shown on one line; None where they only count: x1, x2 or 0, 1 and so on."""
    names = [shown(name) or f"feature {k + 1}" for k, name in enumerate(given)]
    counted = {tuple(f"{word}{k + first}" for k in range(len(names))) for word in _COUNTING for first in (0, 1)}
    return None if tuple(names) in counted else tuple(names)


def shown_recipe(text: str) -> str:
    """A recipe as a file carries it, if it is one line of a sensible length; else nothing."""
    return text if len(text) <= MAX_RECIPE_CHARACTERS and not any(is_hidden(c) for c in text) else ""


def shown(name: str) -> str:
    """A column's name without what is hidden, at most `MAX_NAME_CHARACTERS` long."""
    return "".join("?" if is_hidden(c) else c for c in name.strip())[:MAX_NAME_CHARACTERS]


def parse_about(line: str, names: tuple[str, ...], features: int) -> tuple[About, tuple[str, ...]]:
    """The inverse of `About.line`, and a sentence for everything in it that does not fit the tasks."""
    from urllib.parse import unquote

    if len(line) > MAX_ABOUT_CHARACTERS:
        return About(), ("The file's description of the set is too long and was left out.",)
    fields = dict(parse_qsl(line, keep_blank_values=True))
    misfits = []
    order = groups = image = None
    if "order" in fields:
        places = fields["order"].split(".")
        if sorted(places, key=lambda place: (len(place), place)) == [str(k + 1) for k in range(len(names))]:
            order = tuple(names[int(place) - 1] for place in places)
        else:
            misfits.append("semantic order")
    if "groups" in fields:
        given = [unquote(group) for group in fields["groups"].split("|")]
        if len(given) == len(names) and all(0 < len(group) <= 200 for group in given):
            groups = dict(zip(names, given, strict=True))
        else:
            misfits.append("groups")
    if "image" in fields:
        sides = fields["image"].split("x")
        if len(sides) == 2 and all(side.isdecimal() and len(side) < 7 for side in sides):
            image = (int(sides[0]), int(sides[1]))
        if image is None or image[0] * image[1] != features:
            image = None
            misfits.append("image shape")
    features_named = None
    if "features" in fields:
        features_named = clean_feature_names([unquote(name) for name in fields["features"].split("|")])
        if features_named is None or len(features_named) != features:
            features_named = None
            misfits.append("list of feature names")
    about = About(
        order,
        groups,
        image,
        "none" if fields.get("normalize") == "none" else "l2",
        fields.get("bias") != "0",
        features_named,
        shown_recipe(fields.get("recipe", "")),
    )
    return about, tuple(f"The file's {what} does not fit its tasks and was left out." for what in misfits)
