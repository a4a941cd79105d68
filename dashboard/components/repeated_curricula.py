"""The curricula of one method over several repeats: computed here, or taken from a stored run."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import CurriculabError
from core.experiments.summary import Results
from core.statistics.patterns import Forest
from dashboard.components import run_choice
from dashboard.session.current import Current, Settings
from dashboard.session.job_panel import Report
from data.runs.store import Store
from data.sources.source import Source

COUNTS = (5, 10, 20)


@dataclass(frozen=True, eq=False)
class Repeated:
    """The sources of every repeat, in the order of learning."""

    names: tuple[str, ...]
    forests: tuple[Forest, ...]


def repeat(source: Source, method: str, settings: Settings, count: int, report: Report[Repeated]) -> Repeated:
    """Repeat k draws and learns with seed `seed + k`, as in a run."""
    found = Repeated((), ())
    for k in range(count):
        report.note(f"{k} of {count} repeats")
        progress = report.part(k, count)
        problem = settings.problem(source.sample(settings.seed + k), settings.seed + k)
        learned = problem.learn(method, settings.C, delta=settings.delta, progress=progress)
        found = Repeated(problem.task_set.names, (*found.forests, learned.sources))
        report.keep(found)
    return found


def stored(now: Current, method: str) -> dict[str, Repeated]:
    """By name, the stored runs of the selected set in which the method finished at least twice."""
    try:
        with Store() as store:
            return {
                f"run {run.id}": of_run(store.results(run), method, now.task_set.names)
                for run in store.runs()
                if run.done.get(method, 0) > 1 and run_choice.is_of_set(run, now)
            }
    except CurriculabError:  # the page has more to show than stored runs
        return {}


def of_run(results: Results, method: str, names: tuple[str, ...]) -> Repeated:
    """The finished repeats of a stored run."""
    outcomes = results.of(method)
    return Repeated(names, tuple({task: one.sources[task] for task in one.order} for one in outcomes))
