"""Computing a run: what is missing, in parallel, each piece stored when it is done.

    python -m data.runs.computation ID [JOBS]

computes a run that the dashboard started, in a process of its own. One such run of a store is computed at a time, on
all cores; the others wait. What ends it is kept with the run.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from core.errors import CurriculabError, SettingsError
from core.experiments.experiment import OrdersOutcome, Outcome, Settings, check_draw, compute
from core.experiments.parallel import check_jobs, on_all_cores, on_cluster, one_at_a_time
from core.task_set import TaskSet
from data.assembly import LEAST
from data.memory import check_memory
from data.runs.lock import computing, turn
from data.runs.run import now
from data.runs.schema import patiently
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
    with store.together():  # so that two equal starts at one moment find one run
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
    held: bool = False,
    first: TaskSet | None = None,
) -> Run:
    """Compute what is missing of a run and store each piece as it is done; the finished run.

    `held`: this process holds the run already, so that no other computes it. `first` is the sample of the run's first
    seed, where it is at hand.
    """
    check_open(run)
    work = _Work(store, run, source, check_jobs(jobs), scheduler)
    with nullcontext() if held else computing(store.folder, run.id):
        work.check_data(first)
        patiently(lambda: store.stop(run.id, ""))
        begun = now()
        try:
            for phase in (run.settings.first_pieces, run.settings.last_pieces):
                for outcome in work.outcomes(phase):
                    patiently(partial(store.add, run.id, outcome))
                    if watch is not None:
                        run = store.run(run.id)
                        watch(run, store.seconds_left(run, begun))
        except BaseException as error:
            with suppress(CurriculabError):  # where the store itself is the trouble, there is nothing to note it in
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
            return iter(())
        orders: dict[str, tuple[str, ...]] = {}
        if phase == self.run.settings.last_pieces:
            results = self.store.results(self.run)
            orders = {method: results.picked_order(method) for _, method in phase}
        calls = self._calls(todo, orders)
        if self.scheduler is not None:
            return on_cluster(calls, self.scheduler)
        return one_at_a_time(calls) if self.workers == 1 else on_all_cores(calls, self.workers)

    def _calls(
        self, todo: list[tuple[int, str]], orders: Mapping[str, tuple[str, ...]]
    ) -> Iterator[tuple[Callable[..., Outcome | OrdersOutcome], tuple[object, ...]]]:
        settings = self.run.settings
        for repeat, pieces in groupby(todo, key=lambda piece: piece[0]):
            source = self.source.portable(settings.seed + repeat) if self.scheduler else self.source
            for _, method in pieces:
                yield compute, (settings, source, repeat, method, orders.get(method))


def compute_in_turn(store: Store, identity: int, jobs: int | None = None) -> None:
    """Wait for the turn, then compute what is missing; an error is kept as why the run stopped."""
    run = store.run(identity)
    check_open(run)
    with computing(store.folder, identity):
        try:
            patiently(lambda: store.stop(identity, ""))
            with turn(store.folder, identity):
                source = open_source(run.settings.source)
                if source.digest != run.digest:  # begun without small tasks
                    source, _ = source.with_least(LEAST)
                compute_run(store, run, source, jobs, held=True)
        except BaseException as error:
            why = f"it met a problem that nobody foresaw ({type(error).__name__})"
            if isinstance(error, CurriculabError | KeyboardInterrupt):
                why = str(error) or STOPPED
            store.stop(identity, why)
            raise


def main(arguments: list[str]) -> int:
    """0, or 2 with a line on standard error, or 130 when interrupted."""
    try:
        with Store() as store:
            compute_in_turn(store, int(arguments[0]), int(arguments[1]) if arguments[1:] else None)
    except CurriculabError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
