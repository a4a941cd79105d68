"""The recipe: how tasks are made of a table. It is data: a link, a command, Python code and a file can carry it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import parse_qsl, urlencode

from core.errors import CurriculabError, SettingsError
from data.assembly import LEAST, check_least
from data.task_names import written

if TYPE_CHECKING:
    from data.tables.table import Table

Kind = Literal["groups", "one-vs-rest", "columns", "levels", "ready"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Missing = Literal["drop", "mean"]
Part = Literal["recipe", "task", "label", "features", "missing", "test"]
LONGEST = 8000
MOST_LEVELS = 20
_OPTIONS = (
    "task", "label", "drop", "keep", "score", "levels", "missing", "standardize", "test", "least", "without", "balance",
    "most", "draw", "sheet", "side", "shared",
)  # fmt: skip
_ONLY_FOR: dict[str, tuple[Kind, ...]] = {
    "task": ("groups", "ready"), "score": ("levels",), "levels": ("levels",), "shared": ("one-vs-rest",),
}  # fmt: skip
_MARK = "?recipe="


class RecipeError(CurriculabError):
    """Why no tasks come of a recipe, and the part of it that would change this."""

    def __init__(self, part: Part, sentence: str) -> None:
        super().__init__(sentence)
        self.part, self.sentence = part, sentence

    @classmethod
    def of_column(cls, part: Part, name: str, why: str) -> RecipeError:
        """What is wrong with a column."""
        return cls(part, f"column {name[:40]!r} {why}")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What the tasks are, what is positive, which columns are features, and what is test data.

    `label` with `positive` (a value) or `above` (a threshold); `labels` are the columns of `columns`; `keep` and `drop`
    change which columns are features; `test` is a share, `split` a column. Tasks have at most `most` points and at
    least `least` training points of each class; `without` are tasks to leave out; `balance` cuts the larger class of
    every task, in training and in test data, to the size of the smaller. `draw` is the seed.
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
    least: int = LEAST
    without: tuple[str, ...] = ()
    balance: bool = False
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
            raise SettingsError(f"at most {self.most} points per task are too few; use at least 4, or 0 for all")
        check_least(self.least)
        if not 0 <= self.draw < 2**32:
            raise SettingsError(f"the draw is {self.draw}; use a whole number from 0 to {2**32 - 1}")

    @property
    def needs_task(self) -> bool:
        """Whether a column names the task."""
        return self.kind in ("groups", "ready")

    @property
    def by_machine(self) -> bool:
        """Whether a machine says how hard a row is."""
        return self.kind == "levels" and not self.score

    @property
    def shares_rows(self) -> bool:
        """Whether one row may be a point of several tasks: then it is test data of all of them or of none."""
        return self.kind == "columns" or (self.kind == "one-vs-rest" and self.shared)

    @property
    def used(self) -> set[str]:
        """The columns that are no features, as they say something else."""
        columns = {self.split, *self.labels, self.label if self.kind != "columns" else ""}
        return columns | {self.task if self.needs_task else "", self.score if self.kind == "levels" else ""}

    def as_text(self) -> str:
        """One line, such as `recipe=groups&task=hospital&label=outcome&positive=died`; what is usual is left out."""
        pairs: list[tuple[str, str]] = [("recipe", self.kind)]
        for name, value in self._unusual.items():
            items = value if isinstance(value, tuple) else (value,)
            pairs += [(name, "1" if item is True else str(item)) for item in items]
        return urlencode(pairs)

    def as_words(self) -> list[str]:
        """The options of `curriculab make`, in the order of the contract."""
        label = self.labels if self.kind == "columns" else (self.label_text,) * bool(self.label)
        said = self._unusual | {"label": label, "test": self.split or (f"{self.test:g}" if self.test else "")}
        words = ["--recipe", self.kind]
        for name in _OPTIONS:
            value = said.get(name)
            if value and self.kind in _ONLY_FOR.get(name, KINDS):
                items = value if isinstance(value, tuple) else (value,)
                words += [f"--{name}", *(str(item) for item in items if item is not True)]
        return words

    def as_python(self) -> str:
        """The arguments of `make_tasks` after the table."""
        parts = self._unusual.items()
        found = [f"{name}={list(value) if isinstance(value, tuple) else value!r}" for name, value in parts]
        return ", ".join([f"recipe={self.kind!r}", *found])

    @property
    def label_text(self) -> str:
        """`COLUMN`, `COLUMN=POSITIVE` or `COLUMN>THRESHOLD`."""
        if self.above is not None:
            return f"{self.label}>{written(self.above)}"
        return f"{self.label}={self.positive}" if self.positive else self.label

    @property
    def _unusual(self) -> dict[str, Any]:
        """The parts that do not stand at their defaults, without the kind."""
        values = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        return {name: value for name, (value, usual) in values.items() if value != usual and name != "kind"}


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


def source_name(path: str, recipe: Recipe) -> str:
    """A table's path with its recipe, as in `patients.xlsx?recipe=groups&task=hospital`: what a run records."""
    return f"{path}?{recipe.as_text()}"


def split_name(name: str) -> tuple[str, Recipe | None]:
    """The inverse of `source_name`; no recipe where the name has none."""
    path, mark, rest = name.rpartition(_MARK)
    return (path, recipe_of(f"recipe={rest}")) if mark else (name, None)


def _parsed(name: str, value: str, usual: Any) -> Any:
    kind = float if name == "above" else type(usual)
    try:
        return value == "1" if kind is bool else kind(value)
    except ValueError:
        raise SettingsError(f"the recipe's {name} is {value[:30]!r}, which is no number") from None


def with_labels(recipe: Recipe, texts: tuple[str, ...], table: Table) -> Recipe:
    """The recipe with the label, or for `columns` the labels, that these texts name in the table."""
    if recipe.kind == "columns" or len(texts) > 1:
        for text in texts:
            table[text]
        return replace(recipe, labels=texts)
    text = texts[0]
    if text in table:
        return replace(recipe, label=text)
    for mark in ("=", ">"):
        name, found, value = text.partition(mark)
        while found and name not in table and mark in value:
            more, _, value = value.partition(mark)
            name = f"{name}{mark}{more}"
        if not found or name.strip() not in table:
            continue
        if mark == "=":
            return replace(recipe, label=name.strip(), positive=value.strip())
        try:
            return replace(recipe, label=name.strip(), above=float(value))
        except ValueError:
            raise SettingsError(f"--label {text[:60]!r}: {value[:20]!r} is no number; write COLUMN>NUMBER") from None
    table[text.partition("=")[0]]  # raises the sentence that lists the columns
    raise SettingsError(f"--label {text[:60]!r} is neither COLUMN, COLUMN=VALUE nor COLUMN>NUMBER")
