"""Computing a run: what is missing, in parallel, each piece stored when it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import NAMES, OrdersOutcome, Outcome, Settings, check_draw, compute
from core.experiments.parallel import check_jobs, on_all_cores, on_cluster, one_at_a_time
from core.task_set import TaskSet
from data.memory import check_memory
from data.runs.lock import computing
from data.runs.schema import patiently
from data.runs.store import Run, Store, versions
from data.sources.source import Source


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: finished and all pieces of each method, and an estimate of the seconds left."""

    done: Mapping[str, int]
    total: Mapping[str, int]
    seconds_left: float | None

    @property
    def done_in_all(self) -> int:
        """Finished pieces."""
        return sum(self.done.values())

    @property
    def total_in_all(self) -> int:
        """All pieces."""
        return sum(self.total.values())

    def words(self) -> str:
        """As `12 of 80, about 40 s left: IndSVM 3/20, SeqMT 2/20`."""
        left = (
            "" if self.seconds_left is None or self.seconds_left < 1 else f", about {duration(self.seconds_left)} left"
        )
        parts = [
            f"{NAMES.get(method, 'all orders')} {self.done[method]}/{count}" for method, count in self.total.items()
        ]
        return f"{self.done_in_all} of {self.total_in_all}{left}: {', '.join(parts)}"


Watch = Callable[[Progress], None]
STOPPED = "it was stopped"
"""Why a run stopped that someone stopped."""


def duration(seconds: float) -> str:
    """In the unit that suits."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def find_or_begin(
    store: Store, settings: Settings, source: Source, resume: bool, owner: str = "", first: TaskSet | None = None
) -> Run:
    """A new run of `owner`, or with `resume` their newest unfinished one of the same settings and data; bad settings
    are refused. `first` is the sample of the first seed, where it is at hand and was checked.
    """
    if first is None:
        first = source.sample(settings.seed)
        check_sample(settings, first)
    digest, contents = source.digest_of(first), source.contents
    with store.together():  # so that two equal starts at one moment find one run
        run = store.unfinished(settings, digest, owner, contents) if resume else None
        overlap = source.overlap(first)
        return run or store.begin(settings, source.sentence, digest, overlap=overlap, contents=contents, owner=owner)


def check_sample(settings: Settings, first: TaskSet) -> None:
    """Refuse, before anything is computed, settings that do not fit the first sample, or a sample that is too large."""
    check_memory(first)
    check_draw(settings, first)


def finished_twin(store: Store, settings: Settings, source: Source, first: TaskSet | None = None) -> Run | None:
    """The newest finished run of the same settings on the same data, computed here with the same versions."""
    digest, present = source.digest_of(first or source.sample(settings.seed)), versions()
    wanted = replace(settings, methods=tuple(sorted(settings.methods)))
    return next(
        (
            run
            for run in store.runs()
            if run.finished
            and not run.imported
            and (run.digest, run.contents) == (digest, source.contents)
            and run.versions == present
            and replace(run.settings, methods=tuple(sorted(run.settings.methods))) == wanted
        ),
        None,
    )


def check_open(run: Run) -> None:
    """Refuse to compute a run that came from elsewhere: its source and its outcomes are a stranger's word."""
    if run.imported:
        raise SettingsError(f"run {run.id} was imported and can only be looked at; begin a new run to compute more")


def compute_run(
    store: Store,
    run: Run,
    source: Source,
    jobs: int | None = None,
    scheduler: str | None = None,
    watch: Watch | None = None,
    held: bool = False,
    first: TaskSet | None = None,
) -> Run:
    """Compute what is missing of a run and store each piece as it is done; the finished run.

    `held`: this process holds the run already, so that no other computes it. `first` is the sample of the run's first
    seed, where it is at hand.
    """
    check_open(run)
    work = _Work(store, run, source, check_jobs(jobs), scheduler, watch)
    with nullcontext() if held else computing(store.folder, run.id):
        work.check_data(first)
        patiently(lambda: store.stop(run.id, ""))
        try:
            for phase in (run.settings.first_pieces, run.settings.last_pieces):
                for outcome in work.outcomes(phase):
                    patiently(partial(store.add, run.id, outcome))
        except BaseException as error:
            # best effort: where the store itself is the trouble, there is nothing to note it in
            with suppress(CurriculabError):
                store.stop(run.id, str(error) if isinstance(error, CurriculabError) else STOPPED)
            raise
        patiently(lambda: store.finish(run.id))
    return store.run(run.id)


@dataclass(frozen=True, slots=True)
class _Work:
    """What is to be computed, and where."""

    store: Store
    run: Run
    source: Source
    workers: int
    scheduler: str | None
    watch: Watch | None

    def check_data(self, first: TaskSet | None) -> None:
        """Refuse data that changed since the run began. Once a run kept the digest of its first sample, whatever its
        source.
        """
        run, source = self.run, self.source
        same = run.contents == source.contents
        if same and run.digest != source.digest:
            same = run.digest == (source.sample(run.settings.seed) if first is None else first).digest
        if not same:
            raise SettingsError(f"the data of {run.title} changed since run {run.id} began; begin a new run")

    def outcomes(self, phase: tuple[tuple[int, str], ...]) -> Iterator[Outcome | OrdersOutcome]:
        """The missing pieces of a phase, each as soon as it is done."""
        finished = self.store.finished_pieces(self.run.id)
        todo = [piece for piece in phase if piece not in finished]
        if not todo:
            return
        orders: dict[str, tuple[str, ...]] = {}
        if phase == self.run.settings.last_pieces:
            results = self.store.results(self.run)
            orders = {method: results.picked_order(method) for _, method in phase}
        calls = self._calls(todo, orders)
        if self.scheduler is not None:
            computed = on_cluster(calls, self.scheduler)
        elif self.workers == 1:
            computed = one_at_a_time(calls)
        else:
            computed = on_all_cores(calls, self.workers)
        tracker = _Tracker(self.run.settings, finished, self.watch)
        for outcome in computed:
            yield outcome
            tracker.tell(outcome)

    def _calls(
        self, todo: list[tuple[int, str]], orders: Mapping[str, tuple[str, ...]]
    ) -> Iterator[tuple[Callable[..., Outcome | OrdersOutcome], tuple[object, ...]]]:
        settings = self.run.settings
        for repeat, pieces in groupby(todo, key=lambda piece: piece[0]):
            source = self.source.portable(settings.seed + repeat) if self.scheduler else self.source
            for _, method in pieces:
                yield compute, (settings, source, repeat, method, orders.get(method))


class _Tracker:
    """Counts what is done and estimates the rest: its seconds at the mean of its method, over the rate so far."""

    def __init__(self, settings: Settings, finished: set[tuple[int, str]], watch: Watch | None) -> None:
        self._watch = watch
        self._started = time.monotonic()
        self._worked: dict[str, list[float]] = {}
        methods = list(dict.fromkeys(method for _, method in settings.pieces))
        self._total = {method: sum(m == method for _, m in settings.pieces) for method in methods}
        self._done = {method: sum(m == method for _, m in finished) for method in methods}

    def tell(self, outcome: Outcome | OrdersOutcome) -> None:
        self._done[outcome.method] += 1
        self._worked.setdefault(outcome.method, []).append(outcome.seconds)
        if self._watch is not None:
            self._watch(Progress(dict(self._done), dict(self._total), self._seconds_left()))

    def _seconds_left(self) -> float | None:
        worked = [seconds for per_method in self._worked.values() for seconds in per_method]
        usual = sum(worked) / len(worked)
        left = 0.0
        for method, total in self._total.items():
            known = self._worked.get(method)
            left += (total - self._done[method]) * (sum(known) / len(known) if known else usual)
        # Wall-clock seconds a second of work: also holds for several workers and for what they do between pieces.
        rate = (time.monotonic() - self._started) / sum(worked) if sum(worked) > 0 else 1.0
        return left * rate
