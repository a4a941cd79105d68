"""The recipe: how tasks are made of a table. It is data: a link, a command and a file can carry it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args
from urllib.parse import parse_qsl, urlencode

from core.errors import SettingsError

Kind = Literal["groups", "one-vs-rest", "columns", "levels", "ready"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Missing = Literal["drop", "mean"]
LONGEST = 8000
MOST_LEVELS = 20


@dataclass(frozen=True, slots=True)
class Recipe:
    """What the tasks are, what is positive, which columns are features, and what is test data.

    `label` with `positive` (a value) or `above` (a threshold); `labels` are the columns of `columns`; `keep` and `drop`
    change which columns are features; `test` is a share, `split` a column; `most` points a task, `draw` the seed.
    """

    kind: Kind = "ready"
    task: str = ""
    label: str = ""
    positive: str = ""
    above: float | None = None
    labels: tuple[str, ...] = ()
    score: str = ""
    levels: int = 5
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    missing: Missing = "drop"
    standardize: bool = False
    test: float = 0.0
    split: str = ""
    shared: bool = False
    most: int = 0
    side: int = 28
    sheet: str = ""
    draw: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingsError(f"there is no recipe {str(self.kind)[:30]!r}; use {', '.join(KINDS)}")
        if self.missing not in get_args(Missing):
            raise SettingsError(f"missing cells: {str(self.missing)[:30]!r} is no way; use drop or mean")
        if not 0.0 <= self.test <= 0.9:
            raise SettingsError(
                f"the share of test data is {self.test:g}; use a number from 0 to 0.9, or a column's name"
            )
        if not 2 <= self.levels <= MOST_LEVELS:
            raise SettingsError(f"{self.levels} levels were asked for; use 2 to {MOST_LEVELS}")
        if self.most and self.most < 4:
            raise SettingsError(f"at most {self.most} points a task are too few; use at least 4, or 0 for all")
        if not 0 <= self.draw < 2**32:
            raise SettingsError(f"the draw is {self.draw}; use a whole number from 0 to {2**32 - 1}")

    @property
    def needs_task(self) -> bool:
        """Whether a column names the task."""
        return self.kind in ("groups", "ready")

    def as_text(self) -> str:
        """One line, such as `recipe=groups&task=hospital&label=outcome&positive=died`; what is usual is left out."""
        pairs: list[tuple[str, str]] = [("recipe", self.kind)]
        for name, value, usual in self._values():
            if value == usual or name == "kind":
                continue
            items = value if isinstance(value, tuple) else (value,)
            pairs += [(name, "1" if item is True else str(item)) for item in items]
        return urlencode(pairs)

    def _values(self) -> list[tuple[str, Any, Any]]:
        return [(field.name, getattr(self, field.name), field.default) for field in fields(self)]


def recipe_of(text: str) -> Recipe:
    """The inverse of `as_text`; whatever is no recipe ends in a SettingsError."""
    try:
        pairs = parse_qsl(text[: LONGEST + 1], keep_blank_values=True, strict_parsing=True, max_num_fields=500)
        dict(pairs)["recipe"]
    except (ValueError, KeyError):
        raise SettingsError("this is no recipe; write it as recipe=groups&task=COLUMN&label=COLUMN") from None
    if len(text) > LONGEST:
        raise SettingsError(f"the recipe has {len(text):,} characters; the longest that is read has {LONGEST:,}")
    kinds = {field.name: field.default for field in fields(Recipe)}
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name == "recipe":
            values["kind"] = value
        elif name not in kinds:
            raise SettingsError(f"a recipe has no part {name[:30]!r}")
        elif isinstance(kinds[name], tuple):
            values[name] = (*values.get(name, ()), value)
        else:
            values[name] = _parsed(name, value, kinds[name])
    return replace(Recipe(), **values)


def _parsed(name: str, value: str, usual: object) -> object:
    try:
        if isinstance(usual, bool):
            return value == "1"
        if isinstance(usual, int):
            return int(value)
        if isinstance(usual, float) or name == "above":
            return float(value)
    except ValueError:
        raise SettingsError(f"the recipe's {name} is {value[:30]!r}, which is no number") from None
    return value
