"""How time grows with the number of tasks, points and features, as fitted exponents: seconds ~ size^exponent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from core import AdaptiveSVC
from core.curriculum.learn import Problem
from core.task_set import Task, TaskSet
from tests.benchmarks import problems
from tests.benchmarks.timing import best_of

C = 100.0


@dataclass(frozen=True, slots=True)
class Curve:
    """Processor seconds at each size; `most` is the largest exponent asked for, if any."""

    work: str
    variable: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    most: float | None = None

    @property
    def exponent(self) -> float:
        """Slope of a straight line through log seconds over log size."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)[0])

    @property
    def verdict(self) -> str:
        """Whether it grows no faster than asked for; a tenth is allowed for noise."""
        if self.most is None:
            return ""
        return "met" if self.exponent <= self.most + 0.1 else "missed"

    def as_dict(self) -> dict[str, object]:
        """For the JSON."""
        return {name: getattr(self, name) for name in ("work", "variable", "sizes", "seconds", "exponent", "verdict")}


def _curve(
    work: str,
    variable: str,
    sizes: tuple[int, ...],
    run: Callable[[int], Callable[[], object]],
    most: float | None = None,
) -> Curve:
    return Curve(work, variable, sizes, tuple(best_of(run(size), 7, 1.5).cpu for size in sizes), most)


def _search(task_set: TaskSet, C: float | str) -> Callable[[], object]:
    """SeqMT without the inner products, which are computed beforehand."""
    problem = Problem(task_set)
    _ = problem.pool, problem.folds
    return lambda: problem.learn("seqmt", C)


def _widened(task_set: TaskSet, d: int, sparse: bool) -> TaskSet:
    """The same points in d dimensions: columns of zeros are added, so the search has the very same work to do."""

    def wide(X: np.ndarray) -> np.ndarray | sp.csr_array:
        if not sparse:
            return np.hstack([X, np.zeros((len(X), d - X.shape[1]))])
        return sp.csr_array(sp.hstack([sp.csr_array(X), sp.csr_array((len(X), d - X.shape[1]))]))

    return TaskSet(task_set.name, tuple(Task(task.name, wide(task.X), task.y) for task in task_set.tasks))


def curves(full: bool) -> Iterator[Curve]:
    """All growth curves; the largest sizes only in a full run."""
    tasks = (5, 10, 20, 40, 80) if full else (5, 10, 20, 40)
    points = (50, 100, 200, 400, 800, 1600, 3200) if full else (50, 100, 200, 400, 800)
    features = (10, 100, 1000, 10_000, 100_000) if full else (10, 100, 1000, 10_000)
    yield _curve("SeqMT, C 100", "n", tasks, lambda n: _search(problems.related_tasks(n, 50, 200), C), 2.0)
    yield _curve("SeqMT, C each", "n", tasks[:4], lambda n: _search(problems.related_tasks(n, 50, 200), "each"), 2.0)

    def fit(m: int, d: int) -> Callable[[], object]:
        task = problems.related_tasks(1, m, d).prepared().tasks[0]
        return lambda: AdaptiveSVC(C).fit(task.X, task.y)

    yield _curve("one fit, d = 20", "m", points, lambda m: fit(m, 20))
    yield _curve("one fit, d = 1000", "m", points, lambda m: fit(m, 1000))
    yield _curve("SeqMT, C 100, 5 tasks, d = 20", "m", points, lambda m: _search(problems.related_tasks(5, m, 20), C))
    base = problems.related_tasks(5, 50, 10)
    for name, sparse in (("dense", False), ("sparse", True)):
        yield _curve(
            f"SeqMT, C each, {name}, without the Gram matrix",
            "d",
            features,
            lambda d, sparse=sparse: _search(_widened(base, d, sparse), "each"),
            0.0,
        )

    def gram(d: int) -> Callable[[], object]:
        wide = _widened(base, d, False)
        return lambda: Problem(wide).pool

    yield _curve("the Gram matrix itself, dense", "d", features, gram)
