"""What a page works with: the selected task set, the settings, and results that are computed once.

    now = current.current()                     # .task_set .settings .colours .labels .dark .name
    learned = current.learned(now, "seqmt")     # None while it is computed: progress and Cancel are on screen
    if learned is not None: ...
    value = current.result(now, "transfer", "Trying all pairs", lambda report: pairwise(..., progress=report))
    chart = current.drawn(now, ("bars", step.number), lambda: candidates.figure(...))

`result` keeps what `work(report)` returns, for all sessions, by the set's digest, the settings and `name` (which must
name everything else that the result depends on); `now.labels[task]` is a short name, to be escaped like every name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

import plotly.graph_objects as go
import streamlit as st

from core.curriculum.learn import CSetting, Learned, Problem
from core.curriculum.methods import METHODS, method_key
from core.curriculum.steps import Pair
from core.fitting.cross_validation import C_GRID
from core.measure import Measure
from core.task_set import Normalize, TaskSet
from dashboard import text, theme
from dashboard.server.serving import hold_set, points_bytes, register_cache, serving
from dashboard.session import job_panel, links
from dashboard.session.cache import BoundedCache
from dashboard.session.job import Work
from data.limits import TooLargeError, check_fit, check_memory, predicted_bytes
from data.sources.offered import Offered
from data.sources.source import check_cells
from data.sources.table import TableSource

Value = TypeVar("Value")
_CURRENT = "_current"
_RUN = "_run_shown"

_problems: BoundedCache[Problem] = BoundedCache(6, 6e8)
_results: BoundedCache[Any] = BoundedCache(64, 6e8)
_figures: BoundedCache[go.Figure] = BoundedCache(512)
_built_in: BoundedCache[TaskSet] = BoundedCache(24, 3e8)
register_cache(_built_in.drop)


@dataclass(frozen=True, slots=True)
class Settings:
    """The learner's settings, as `core.learn` takes them; None means what the set asks for."""

    C: CSetting = "shared"
    normalize: Normalize | None = None
    bias: bool | None = None
    seed: int = 0
    delta: float = 0.05
    measure: Measure = "error"

    def learner(self) -> dict[str, Any]:
        """As keyword arguments of `core.learn` and `core.every_order`."""
        return asdict(self)

    def problem(self, task_set: TaskSet, seed: int, holdout: int = 0) -> Problem:
        """A set prepared for the learner, with a seed of its own."""
        how = {"normalize": self.normalize, "bias": self.bias, "measure": self.measure, "holdout": holdout}
        return Problem(task_set, seed=seed, **cast(Any, how))


@dataclass(frozen=True, eq=False)
class Current:
    """What is on screen: a task set and the settings.

    `upload` is the file that it came from, with the source that samples it, and `holdout` the share of its points, in
    %, that was held out for testing.
    """

    task_set: TaskSet
    settings: Settings
    dark: bool
    holdout: int = 0
    upload: Offered | None = None

    @property
    def uploaded(self) -> bool:
        """Whether it came from a file, of the visitor or of the server, and not from the catalogue."""
        return self.upload is not None

    @property
    def table(self) -> TableSource | None:
        """The source that samples it, where it was made of a table."""
        return None if self.upload is None else self.upload.table

    @property
    def name(self) -> str:
        """The file's name, or the name by which the catalogue finds the set."""
        return self.task_set.name if self.upload is None else self.upload.filename

    @property
    def key(self) -> tuple[str, str, int, str]:
        """What results are kept by: equal points under another name are another's, and show other names; of another
        table or recipe they have other repeats.
        """
        table = "" if self.table is None else self.table.key
        return self.task_set.digest, self.task_set.name, hash(self.task_set.feature_names), table

    @cached_property
    def colours(self) -> dict[str, str]:
        """Every task's colour, the same on every page."""
        return theme.task_colours(self.task_set.names, self.task_set.groups)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Every task's short name, for charts and sentences."""
        return text.shorts(self.task_set.names)

    @property
    def problem(self) -> Problem:
        """The prepared set with its inner products, shared by all methods and sessions."""
        settings = self.settings
        key = (self.key, settings.normalize, settings.bias, settings.seed, settings.measure)
        known = _problems.get(key)
        if known is None:
            known = settings.problem(self.task_set, settings.seed, self.holdout)
            _problems.put(key, known, _bytes(self.task_set))
        return known

    @property
    def prepared(self) -> TaskSet:
        """The set as learners see it: normalised, with the bias appended."""
        return self.problem.task_set

    @property
    def normalizes(self) -> bool:
        """Whether points are scaled to length 1."""
        return (self.settings.normalize or self.task_set.normalize) == "l2"

    @property
    def has_bias(self) -> bool:
        """Whether the last weight is that of the bias."""
        return self.task_set.bias if self.settings.bias is None else self.settings.bias


def current() -> Current:
    """The selection of this session; the sidebar puts it there before any page runs."""
    return cast(Current, st.session_state[_CURRENT])


def about() -> str:
    """The set and settings that a page's figures show, as plain text; empty on pages that show stored runs."""
    now = st.session_state.get(_CURRENT)
    if now is None or links.page() in ("compare", "runs", "lessons"):
        return ""
    by = ", by balanced error" if now.settings.measure == "balanced" else ""
    return f"{now.name}, C {text.setting(now.settings.C)}, seed {now.settings.seed}{by}"


def about_figure() -> str:
    """What the file of a figure says of its data: set and settings, and on Compare the run."""
    return str(st.session_state.get(_RUN, "")) if links.page() == "compare" else about()


def set_run_title(title: str) -> None:
    """Store the title of the run that Compare shows, for the files of its figures."""
    st.session_state[_RUN] = title


def choose(now: Current | None) -> None:
    """For the sidebar: make this the selection; None where the set of the link cannot be shown."""
    st.session_state[_CURRENT] = now


def result(
    now: Current,
    name: str,
    title: str,
    work: Callable[[Work[Value]], Value],
    partial: Callable[[Value], None] | None = None,
    light: bool = False,
) -> Value | None:
    """The kept result of that name, or None while a worker computes it, with its progress on screen.

    Where the work keeps partial results, `partial` draws the latest meanwhile, and what a cancelled job had finished is
    returned. Unless the work is `light` on memory, a set of too many points is refused here, in a sentence.
    """
    key = (now.key, now.settings, name)
    known = _results.get(key)
    if known is not None:
        return cast(Value, known)

    if not light:
        try:
            check_memory(now.task_set)
            check_fit(now.task_set, serving().fit_seconds)
        except TooLargeError as error:
            st.warning(text.md(f"{title}: {error}."), icon=":material/memory:")
            return None

    def once(report: Work[Value]) -> Value:
        already = _results.get(key)  # another session may have finished it while this one waited for its turn
        if already is not None:
            return cast(Value, already)
        made = work(report)
        return cast(Value, _results.put(key, made, len(made) if isinstance(made, bytes) else _bytes(now.task_set)))

    needs = 0.0 if light else predicted_bytes(now.task_set)
    job = job_panel.session_jobs().run(name.split(" ")[0], repr(key), title, once, needs)
    job_panel.watch(job, partial)
    return None if job.running else job.work.best


def drawn(now: Current, name: Hashable, draw: Callable[[], go.Figure]) -> go.Figure:
    """The kept figure of that name, drawn once for all sessions with the same set, settings and theme."""
    key = (now.key, now.settings, now.dark, name)
    known = _figures.get(key)
    return _figures.put(key, draw()) if known is None else known


def learned(
    now: Current,
    method: str,
    choices: Sequence[Pair] = (),
    order: Sequence[str] | None = None,
    C: CSetting | None = None,
) -> Learned | None:
    """One method on the selected set; `choices` are the forced pairs of a what-if, `order` is for method 'order'.

    `C` stands in for that of the settings.
    """
    key, settings = method_key(method), now.settings
    problem, used_C = now.problem, settings.C if C is None else C

    def work(report: Work[Learned]) -> Learned:
        # A C that stands in for the shared one was picked from the grid, too, and its bound pays for that.
        C_choices = len(C_GRID) if C is not None and settings.C == "shared" else 1
        return problem.learn(
            key, used_C, delta=settings.delta, choices=choices, order=order, C_choices=C_choices, progress=report
        )

    slot = f"learn-{key}{'-if' if choices else ''}"
    name = f"{slot} {used_C} {tuple(choices)!r} {order and tuple(order)!r}"
    title = f"Learning with {METHODS[key]}" if order is None else "Learning in your order"
    return result(now, name, title, work)


def built_in(name: str, seed: int, folder: str | None = None) -> TaskSet:
    """A built-in set; `folder` is where local copies lie."""
    known = _built_in.get((name, seed, folder))
    if known is not None:
        return known
    from data.sources import catalogue

    with st.spinner("Drawing the task set …"):
        source = catalogue.find(name, folder)
        check_cells(source, serving().set_cells)
        task_set = hold_set(source.sample(seed))
        return _built_in.put((name, seed, folder), task_set, points_bytes(task_set))


def _bytes(task_set: TaskSet) -> float:
    """Roughly what a result on this set holds on to: its features and the inner products between them."""
    rows = sum(task.n_points for task in task_set.tasks)
    return 8.0 * rows * (rows + task_set.n_features)
