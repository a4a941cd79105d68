"""Computing a run: what is missing, in parallel, each piece stored when it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import NAMES, OrdersOutcome, Outcome, Settings, check_draw, compute
from core.experiments.parallel import check_jobs, on_all_cores, on_cluster, one_at_a_time
from core.task_set import TaskSet
from data.memory import check_memory
from data.runs.fields import source_title
from data.runs.lock import computing
from data.runs.schema import patiently
from data.runs.sources import RunSampler, portable
from data.runs.store import Run, Store, versions


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


def duration(seconds: float) -> str:
    """In the unit that suits."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def overlap_of(sampler: RunSampler, first: TaskSet) -> float | None:
    """Test points over training points of a draw, where every repeat splits the same rows anew; None for fresh draws.

    What `core.statistics.t_test.estimate` corrects for.
    """
    if sampler.fresh:
        return None
    return sum(task.n_test for task in first.tasks) / sum(task.n_points for task in first.tasks)


def find_or_begin(store: Store, settings: Settings, sampler: RunSampler, resume: bool, owner: str = "") -> Run:
    """A new run of `owner`, or with `resume` their newest unfinished one of the same settings and data; bad settings
    are refused.
    """
    first = sampler.sample(settings.seed)
    check_memory(first)
    check_draw(settings, first)
    digest = sampler.digest_at(settings.seed)
    with store.together():  # so that two equal starts at one moment find one run
        run = store.unfinished(settings, digest, owner, sampler.contents) if resume else None
        overlap, contents = overlap_of(sampler, first), sampler.contents
        return run or store.begin(settings, sampler.sentence, digest, overlap=overlap, contents=contents, owner=owner)


def finished_twin(store: Store, settings: Settings, sampler: RunSampler) -> Run | None:
    """The newest finished run of the same settings on the same data, computed here with the same versions."""
    digest, present = sampler.digest_at(settings.seed), versions()
    wanted = replace(settings, methods=tuple(sorted(settings.methods)))
    return next(
        (
            run
            for run in store.runs()
            if run.finished
            and not run.imported
            and (run.digest, run.contents) == (digest, sampler.contents)
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
    sampler: RunSampler,
    jobs: int | None = None,
    scheduler: str | None = None,
    watch: Watch | None = None,
    held: bool = False,
) -> Run:
    """Compute what is missing of a run and store each piece as it is done; the finished run.

    `held`: this process holds the run already, so that no other computes it.
    """
    check_open(run)
    workers = check_jobs(jobs)
    with nullcontext() if held else computing(store.folder, run.id):
        return _compute(store, run, sampler, workers, scheduler, watch)


def _compute(
    store: Store, run: Run, sampler: RunSampler, workers: int, scheduler: str | None, watch: Watch | None
) -> Run:
    settings = run.settings
    # once a run kept the digest of its first repeat, also of a file
    same = run.digest in (sampler.digest_at(settings.seed), sampler.sample(settings.seed).digest)
    if not same or run.contents != sampler.contents:
        name = source_title(settings.source)
        raise SettingsError(f"the data of {name} changed since run {run.id} began; begin a new run")
    patiently(lambda: store.stop(run.id, ""))
    try:
        for phase in (settings.first_pieces, settings.last_pieces):
            for outcome in _computed(store, run, sampler, phase, workers, scheduler, watch):
                patiently(partial(store.add, run.id, outcome))
    except BaseException as error:
        _note_stop(store, run, error)
        raise
    patiently(lambda: store.finish(run.id))
    return store.run(run.id)


def _note_stop(store: Store, run: Run, error: BaseException) -> None:
    """Best effort: where the store itself is the trouble, there is nothing to note it in."""
    why = str(error) if isinstance(error, CurriculabError) else "it was stopped"
    try:
        store.stop(run.id, why)
    except CurriculabError:
        return


def _computed(
    store: Store,
    run: Run,
    sampler: RunSampler,
    phase: tuple[tuple[int, str], ...],
    workers: int,
    scheduler: str | None,
    watch: Watch | None,
) -> Iterator[Outcome | OrdersOutcome]:
    settings = run.settings
    finished = store.finished_pieces(run.id)
    todo = [piece for piece in phase if piece not in finished]
    if not todo:
        return
    orders: dict[str, tuple[str, ...]] = {}
    if phase == settings.last_pieces:
        results = store.results(run)
        orders = {method: results.picked_order(method) for _, method in phase}

    def calls() -> Iterator[tuple[Callable[..., Outcome | OrdersOutcome], tuple[object, ...]]]:
        sent = None
        for repeat, method in todo:
            if scheduler is None:
                yield compute, (settings, sampler, repeat, method, orders.get(method))
                continue
            if sent is None or sent[0] != repeat:
                sent = repeat, portable(sampler, settings.seed + repeat)
            yield compute, (settings, sent[1], repeat, method, orders.get(method))

    if scheduler is not None:
        computed = on_cluster(calls(), scheduler)
    elif workers == 1:
        computed = one_at_a_time(calls())
    else:
        computed = on_all_cores(calls(), workers)
    tracker = _Tracker(settings, finished, watch)
    for outcome in computed:
        yield outcome
        tracker.tell(outcome)


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
