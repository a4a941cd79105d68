"""How often a run claims a difference where there is none: labels drawn at random, rows split anew or drawn afresh.

`python -m tests.data.null_runs [RUNS]` measures it with the real methods, 400 runs of each kind unless told otherwise
(about four minutes), and prints the share of runs that call any method clearly better or worse than SeqMT: as Compare
does, without asking for more than the larger class, and then without the corrections.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from core import Task, TaskSet
from core.experiments.difference import Paired
from core.experiments.experiment import Outcome, Sampler, Settings, compute
from core.experiments.summary import Results, results_of
from data.sources.file import FileSource

METHODS = (
    "seqmt", "indsvm", "mergedsvm", "mt", "multiseqmt", "treemt", "diversity", "error", "compl", "random",
    "randommultiseq",
)  # fmt: skip
"""The baseline and ten others."""
REPEATS = 10
KINDS = ("the same rows split anew", "the same rows split anew, classes by coin flips", "fresh draws")


def random_labels(seed: int, coins: bool = False, tasks: int = 3, points: int = 40, features: int = 5) -> FileSource:
    """Tasks whose labels have nothing to do with their features: as many of each class, or by the flips of a coin."""
    rng = np.random.default_rng([seed, 77])
    made = []
    for k in range(tasks):
        y = rng.choice([1.0, -1.0], points) if coins else np.repeat([1.0, -1.0], points // 2)
        made.append(Task(f"t{k}", rng.normal(size=(points, features)), y))
    return FileSource.of(TaskSet("random labels", tuple(made)))


@dataclass(frozen=True, slots=True)
class FreshRows:
    """Tasks with random labels whose rows are new in every repeat."""

    fresh = True

    @property
    def key(self) -> str:
        return "fresh rows"

    def sample(self, seed: int) -> TaskSet:
        return random_labels(10**6 + seed).sample(seed)


def learned(sampler: Sampler, seed: int) -> Iterator[Outcome]:
    """Every piece of a run, by the real methods."""
    settings = Settings("random labels", METHODS, REPEATS, 1.0, seed=seed)
    for repeat, method in settings.pieces:
        outcome = compute(settings, sampler, repeat, method)
        assert isinstance(outcome, Outcome)
        yield outcome


def run_of(sampler: Any, outcomes: list[Outcome]) -> Results:
    """The results, with the overlap that a run would record."""
    settings = Settings("random labels", METHODS, REPEATS, 1.0)
    return results_of(settings, outcomes, sampler.overlap(sampler.sample(0)))


def claims(results: Results) -> dict[str, bool]:
    """Whether any method is called clearly better or worse than the first: as shown, or by the intervals alone."""
    baseline, plain = results.methods[0], results_of(results.settings, results.outcomes)
    pairs = results.against(baseline)

    def told(found: Iterable[Paired]) -> bool:
        return any(pair.interval is not None and 0.0 not in pair.interval for pair in found)

    def alone(found: Results) -> bool:
        return told(found.paired(method, baseline) for method in results.methods[1:])

    return {
        "as shown": any(pair.verdict.startswith("clearly") for pair in pairs),
        "both corrections": told(pairs),
        "overlap alone": alone(results),
        "Holm alone": told(plain.against(baseline)),
        "neither": alone(plain),
    }


def shares(
    runs: int, outcomes_of: Callable[[Any, int], Iterator[Outcome]] = learned, kind: str = KINDS[0]
) -> dict[str, float]:
    """The share of so many runs, each of its own rows, that claim anything."""
    found: list[dict[str, bool]] = []
    for seed in range(runs):
        sampler = FreshRows() if kind == KINDS[2] else random_labels(seed, kind == KINDS[1])
        found.append(claims(run_of(sampler, list(outcomes_of(sampler, 1000 * seed)))))
    return {how: float(np.mean([one[how] for one in found])) for how in found[0]}


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for kind in KINDS:
        print(f"{kind}, {count} runs:", flush=True)
        for how, share in shares(count, kind=kind).items():
            print(f"  {how:16} {100 * share:5.1f} % claim a difference", flush=True)
