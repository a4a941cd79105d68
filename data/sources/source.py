"""Sources of task sets: what every source has, and the built-in ones with what can be changed about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import parse_qsl

import numpy as np

from core.errors import CurriculabError, SettingsError
from core.task_set import TaskSet
from data.assembly import LEAST
from data.task_names import counted

if TYPE_CHECKING:
    from core.experiments.experiment import Sampler

Kind = Literal["real", "plane", "synthetic", "local", "optional", "offered", "own"]
KnobValue = float | int
LARGEST_SEED = 2**32 - 1
SHARE = 0.3
"""Held out of tasks that come without test data."""
FRESH = "every repeat is a fresh draw of the source"
"""What runs of built-in sets say of their repeats."""


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """Where task sets come from. Repeats, runs, orders over samples and the cluster know nothing else.

    `full_name` opens it again, `story` says what it is. `digest` is that of the data, where every seed splits the same
    points anew; it is empty where every seed draws fresh points.
    """

    name: str
    story: str
    kind: Kind = field(default="own", kw_only=True)
    note: str = field(default="", kw_only=True)
    digest: str = field(default="", kw_only=True)

    def sample(self, seed: int) -> TaskSet:
        """The task set of a seed: a repeat."""
        raise NotImplementedError

    def as_given(self, seed: int) -> TaskSet:
        """The task set to look at: a sample, unless the data is a task set as it stands."""
        return self.sample(seed)

    @property
    def full_name(self) -> str:
        """The name that opens it again, as a run records it."""
        return self.name

    @property
    def key(self) -> str:
        """Equal for sources with equal samples."""
        return self.full_name

    @property
    def contents(self) -> str:
        """The digest of what samples are made of, where `digest` does not cover all of it."""
        return ""

    @property
    def sentence(self) -> str:
        """How repeats differ."""
        return FRESH

    def portable(self, seed: int) -> Sampler:
        """What another machine needs for the sample of this seed."""
        return self

    def digest_of(self, first: TaskSet) -> str:
        """What tells whether the data changed since a run with this first sample began."""
        return self.digest or first.digest

    def overlap(self, sample: TaskSet) -> float | None:
        """Test points over training points, where every seed splits the same points anew; None for fresh ones.

        What `core.statistics.t_test.estimate` corrects for.
        """
        if not self.digest:
            return None
        return sum(task.n_test for task in sample.tasks) / sum(task.n_points for task in sample.tasks)

    def with_test(self, share: float = SHARE) -> Source:
        """The same with that share of the points held out, where there is no test data."""
        return self

    def with_least(self, least: int) -> tuple[Source, tuple[str, ...]]:
        """The same without tasks that have fewer training points of a class, and a sentence that names those."""
        return self, ()

    def learnable(self, C: object) -> Source:
        """The same with what can be learned at this C: cross-validation needs some points of each class."""
        return self.with_least(LEAST)[0] if isinstance(C, str) else self


def story_of(task_set: TaskSet, file: str) -> str:
    """What a list says of a set that was read from a file."""
    return f"{counted(len(task_set), 'task')}, {counted(task_set.n_features, 'feature')}, from {file}."


@dataclass(frozen=True, eq=False, slots=True)
class SentSample:
    """One sample, made where the data is, to be sent to where the work is done."""

    key: str
    task_set: TaskSet = field(repr=False)

    def sample(self, seed: int) -> TaskSet:
        """The sample that it carries, whatever the seed."""
        return self.task_set


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


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class BuiltIn(Source):
    """A set that is there from the start: every seed is a fresh sample, with no point in two tasks or in both parts.

    `make(rng, sizes, **knobs)` does the work; `values` holds the knobs that stand off their defaults;
    `missing` says what to do when the data or package is not there.
    """

    licence: str
    origin: str
    make: Callable[..., TaskSet] = field(repr=False)
    sizes: Sizes
    tasks: int | None = None
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

    def turned(self, **values: object) -> BuiltIn:
        """The same source with some knobs at other values."""
        knobs = {knob.name: knob for knob in self.knobs}
        for name in values:
            if name not in knobs:
                raise SettingsError(f"{self.name} has no knob {name[:30]!r}; it has {', '.join(knobs)}")
        checked = dict(self.values) | {name: knobs[name].checked(value, self.name) for name, value in values.items()}
        return replace(self, values={name: v for name, v in checked.items() if v != knobs[name].default})

    def tuned_by(self, query: str) -> BuiltIn:
        """The source with the knobs of a query such as `noise=0.2&drift=15`."""
        try:
            pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=20)
        except ValueError:
            raise SettingsError(f"{self.name}: {query[:40]!r} is no setting; write name=number&name=number") from None
        return self.turned(**dict(pairs))

    def portable(self, seed: int) -> Sampler:
        """The sample itself where it is made of local data or by an optional package, as others may lack these."""
        if self.kind not in ("local", "optional"):
            return self
        return SentSample(f"{self.key} seed {seed}", self.sample(seed))

    def sample(self, seed: int = 0, sizes: tuple[int, int] | None = None) -> TaskSet:
        """A fresh sample; `sizes` are (training, test) points of each class in a task, else the source's own."""
        if self.missing:
            raise CurriculabError(f"{self.name}: {self.missing}")
        if not 0 <= seed <= LARGEST_SEED:
            raise SettingsError(f"the seed is {str(seed)[:30]!r}; use a whole number from 0 to {LARGEST_SEED}")
        source = self if sizes is None else self.turned(train=sizes[0], test=sizes[1])
        values = {knob.name: source.values.get(knob.name, knob.default) for knob in source.knobs}
        counts = Sizes(int(values.pop("train")), int(values.pop("test")))
        return replace(source.make(np.random.default_rng(seed), counts, **values), name=source.full_name)


def check_cells(source: BuiltIn, most: int | None) -> None:
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
