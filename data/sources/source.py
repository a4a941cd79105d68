"""A source of task sets: what it is, where it comes from, and how to draw from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple
from urllib.parse import parse_qsl

from core.errors import CurriculabError, SettingsError
from core.task_set import TaskSet

Kind = Literal["real", "plane", "synthetic", "local", "optional", "offered"]
KnobValue = float | int
LARGEST_SEED = 2**32 - 1


class Sizes(NamedTuple):
    """Points of each class in every task: `train` for learning, `test` held out."""

    train: int
    test: int


@dataclass(frozen=True, slots=True)
class Knob:
    """One number that a source lets a person turn; `whole` numbers are integers."""

    name: str
    label: str
    default: KnobValue
    least: KnobValue
    most: KnobValue
    step: KnobValue
    help: str

    @property
    def whole(self) -> bool:
        """Whether only integers make sense."""
        return isinstance(self.default, int)

    def checked(self, value: object, source: str) -> KnobValue:
        """`value` as a number within the knob's range, or an error that names the range."""
        try:
            number = float(str(value))
        except ValueError:
            number = float("nan")
        if not self.least <= number <= self.most or (self.whole and number != int(number)):
            kind = "a whole number" if self.whole else "a number"
            raise SettingsError(
                f"{source}: {self.name} is {str(value)[:30]!r}; use {kind} from {self.least:g} to {self.most:g}"
            )
        return int(number) if self.whole else number


Draw = Callable[..., TaskSet]


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """Where task sets come from: every seed is a fresh draw, with no point in two tasks or in both parts.

    `draw(seed, sizes, **knobs)` does the work; `values` holds the knobs that stand off their defaults;
    `missing` says what to do when the data or package is not there.
    """

    name: str
    story: str
    kind: Kind
    licence: str
    origin: str
    draw: Draw = field(repr=False)
    sizes: Sizes
    tasks: int | None = None
    note: str = ""
    missing: str = ""
    semantic_order: str = ""
    groups: str = ""
    image_shape: tuple[int, int] | None = None
    own_knobs: tuple[Knob, ...] = ()
    values: Mapping[str, KnobValue] = field(default_factory=dict)

    @property
    def available(self) -> bool:
        """Whether `sample` can be called now."""
        return not self.missing

    @property
    def knobs(self) -> tuple[Knob, ...]:
        """All that can be turned: the source's own knobs, then the two sizes."""
        train = Knob("train", "training points", self.sizes.train, 2, 500, 1, "of each class in every task")
        test = Knob("test", "test points", self.sizes.test, 1, 2000, 1, "of each class in every task")
        return (*self.own_knobs, train, test)

    @property
    def full_name(self) -> str:
        """The name that reproduces this source with its knobs, as in `plane-rotation?noise=0.2`."""
        turned = [f"{knob.name}={_written(self.values[knob.name])}" for knob in self.knobs if knob.name in self.values]
        return f"{self.name}?{'&'.join(turned)}" if turned else self.name

    def turned(self, **values: object) -> Source:
        """The same source with some knobs at other values."""
        knobs = {knob.name: knob for knob in self.knobs}
        for name in values:
            if name not in knobs:
                raise SettingsError(f"{self.name} has no knob {name[:30]!r}; it has {', '.join(knobs)}")
        checked = dict(self.values) | {name: knobs[name].checked(value, self.name) for name, value in values.items()}
        return replace(self, values={name: v for name, v in checked.items() if v != knobs[name].default})

    def tuned_by(self, query: str) -> Source:
        """The source with the knobs of a query such as `noise=0.2&drift=15`."""
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=20)
        except ValueError:
            raise SettingsError(f"{self.name}: {query[:40]!r} is no setting; write name=number&name=number") from None
        return self.turned(**dict(pairs))

    def sample(self, seed: int = 0, sizes: tuple[int, int] | None = None) -> TaskSet:
        """A fresh draw; `sizes` are (training, test) points of each class a task, else the source's own."""
        if self.missing:
            raise CurriculabError(f"{self.name}: {self.missing}")
        if not 0 <= seed <= LARGEST_SEED:
            raise SettingsError(f"the seed is {str(seed)[:30]!r}; use a whole number from 0 to {LARGEST_SEED}")
        source = self if sizes is None else self.turned(train=sizes[0], test=sizes[1])
        values = {knob.name: source.values.get(knob.name, knob.default) for knob in source.knobs}
        drawn = Sizes(int(values.pop("train")), int(values.pop("test")))
        return replace(source.draw(seed, drawn, **values), name=source.full_name)


def check_cells(source: Source, most: int | None) -> None:
    """Refuse, before it is drawn, a source whose knobs were turned to more numbers than that; None refuses none.

    Tasks and features are those of its smallest draw; as it stands without turning, every source may be drawn.
    """
    if most is None or not source.values or not source.available:
        return
    train, test = (int(source.values.get(name, size)) for name, size in source.sizes._asdict().items())
    small = source.sample(0, (2, 1))
    cells = 2 * (train + test) * len(small) * small.n_features
    if cells > most:
        raise SettingsError(
            f"{source.full_name} would hold about {cells:,} numbers; the most that is drawn here is {most:,}, "
            "so take fewer points or tasks"
        )


def _written(value: KnobValue) -> str:
    """As short as possible, and never another number."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
