"""Computing a run: what is missing, in parallel, each piece stored when it is done.

Of the runs that the dashboard started, one of a store is computed at a time, on all cores; the others wait. What ends a
run early is kept with it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import groupby

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import OrdersOutcome, Outcome, Settings, check_draw, compute
from core.experiments.parallel import check_jobs, on_all_cores, on_cluster, one_at_a_time
from core.task_set import TaskSet
from data.assembly import LEAST
from data.limits import check_memory
from data.runs.lock import computing, turn
from data.runs.run import now
from data.runs.schema import retry_while_busy
from data.runs.store import Run, Store
from data.sources.catalogue import open_source
from data.sources.source import Source

Watch = Callable[[Run, float | None], object]
"""Is told the run after each piece, and about how many seconds the rest takes."""
STOPPED = "it was stopped"
"""Why a run stopped that someone stopped."""


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
    with store.transaction():  # so that two equal starts at one moment find one run
        run = store.twin(settings, digest, contents, owner) if resume else None
        return run or store.begin(settings, source.sentence, digest, source.overlap(first), contents, owner)


def check_sample(settings: Settings, first: TaskSet) -> None:
    """Refuse, before anything is computed, settings that do not fit the first sample, or a sample that is too large."""
    check_memory(first)
    check_draw(settings, first)


def finished_twin(store: Store, settings: Settings, source: Source, first: TaskSet | None = None) -> Run | None:
    """The newest finished run of the same settings on the same data, computed here with the same versions."""
    return store.twin(settings, source.digest_of(first or source.sample(settings.seed)), source.contents)


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
) -> Run:
    """Compute what is missing of a run, which `find_or_begin` found for this source or `check_data` lets go on with it,
    and store each piece as it is done; the finished run.
    """
    with _held(store, run):
        _compute(store, run, source, check_jobs(jobs), scheduler, watch)
    return store.run(run.id)


def compute_in_turn(store: Store, identity: int, jobs: int | None = None) -> None:
    """Wait for the turn, then compute what is missing."""
    run = store.run(identity)
    with _held(store, run), turn(store.folder, identity):
        source = open_source(run.settings.source)
        if source.digest != run.digest:  # begun without small tasks
            source, _ = source.with_least(LEAST)
        check_data(run, source)
        _compute(store, run, source, check_jobs(jobs))


@contextmanager
def _held(store: Store, run: Run) -> Iterator[None]:
    """Hold a run, so that no other process computes it; what ends it early is kept as why it stopped."""
    check_open(run)
    with computing(store.folder, run.id):
        try:
            retry_while_busy(lambda: store.stop(run.id, ""))
            yield
        except BaseException as error:
            why = f"it met a problem that nobody foresaw ({type(error).__name__})"
            if isinstance(error, CurriculabError):
                why = str(error)
            elif not isinstance(error, Exception):
                why = STOPPED
            with suppress(CurriculabError):  # where the store itself is the trouble, there is nothing to note it in
                store.stop(run.id, why)
            raise


def check_data(run: Run, source: Source) -> None:
    """Refuse data that changed since the run began. Once a run kept the digest of its first sample, whatever its
    source.
    """
    same = run.contents == source.contents
    if same and run.digest != source.digest:
        same = run.digest == source.sample(run.settings.seed).digest
    if not same:
        raise SettingsError(f"the data of {run.title} changed since run {run.id} began; begin a new run")


def _compute(
    store: Store,
    run: Run,
    source: Source,
    workers: int,
    scheduler: str | None = None,
    watch: Watch | None = None,
) -> None:
    """The missing pieces of a run that is held: first those that can begin at once, then Best and Worst."""
    begun = now()
    for phase in (run.settings.first_pieces, run.settings.last_pieces):
        finished = store.finished_pieces(run.id)
        if not (todo := [piece for piece in phase if piece not in finished]):
            continue
        calls = _calls(store, run, todo, source, portable=scheduler is not None)
        if scheduler is not None:
            outcomes = on_cluster(calls, scheduler)
        else:
            outcomes = one_at_a_time(calls) if workers == 1 else on_all_cores(calls, workers)
        for outcome in outcomes:
            retry_while_busy(partial(store.add, run.id, outcome))
            if watch is not None:
                run = store.run(run.id)
                watch(run, store.seconds_left(run, begun))
    retry_while_busy(lambda: store.finish(run.id))


def _calls(
    store: Store, run: Run, todo: list[tuple[int, str]], source: Source, portable: bool
) -> Iterator[tuple[Callable[..., Outcome | OrdersOutcome], tuple[object, ...]]]:
    """What computes each piece; Best and Worst are fixed orders, picked here and now from those that were walked, as no
    other thread may ask the store.
    """
    settings = run.settings
    picked = {method for _, method in todo} & {"best", "worst"}
    results = store.results(run) if picked else None
    orders = {method: results.picked_order(method) for method in picked} if results else {}
    return (
        (compute, (settings, given, repeat, method, orders.get(method)))
        for repeat, pieces in groupby(todo, key=lambda piece: piece[0])
        for given in [source.portable(settings.seed + repeat) if portable else source]
        for _, method in pieces
    )


def main(arguments: list[str]) -> int:
    """Compute the run of that id in this process: 0, or 2 with a line on standard error, or 130 if interrupted."""
    try:
        with Store() as store:
            compute_in_turn(store, int(arguments[0]))
    except CurriculabError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0
