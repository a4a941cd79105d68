"""Task sets in the plane: seeded, with knobs, each with a known story."""

from __future__ import annotations

import numpy as np

from core.task_set import FloatArray, Task, TaskSet
from data.sources.sampling import labels
from data.sources.source import Sizes

WIDEST_GAP = 0.9
NARROWEST_GAP = 0.15
GROUPS_APART = 110.0  # degrees; weights more than 90 degrees apart are a worse start than none
UNRELATED_GAP = 0.3
UNRELATED_OFFSET = 0.3


def _half_disc(rng: np.random.Generator, count: int, angle: float, offset: float, gap: float) -> FloatArray:
    """Points of the unit disc with `<u, x> - offset >= gap / 2`, u at `angle` degrees; uniform, by rejection."""
    u = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    kept: list[FloatArray] = []
    while sum(map(len, kept)) < count:
        x = rng.uniform(-1.0, 1.0, (8 * count + 64, 2))
        kept.append(x[(np.sum(x * x, axis=1) <= 1.0) & (x @ u - offset >= gap / 2)])
    return np.concatenate(kept)[:count]


def plane_task(
    rng: np.random.Generator, name: str, angle: float, sizes: Sizes, gap: float, noise: float, offset: float = 0.0
) -> Task:
    """Two parts of the unit disc, `gap` apart; a share `noise` of each class gets the other's label."""
    parts = []
    for count in sizes:
        positive = _half_disc(rng, count, angle, offset, gap)
        negative = _half_disc(rng, count, angle + 180.0, -offset, gap)
        wrong = rng.binomial(count, noise)
        positive[:wrong], negative[:wrong] = negative[:wrong].copy(), positive[:wrong].copy()
        parts.append((np.concatenate([positive, negative]), labels(count)))
    (X, y), (X_test, y_test) = parts
    return Task(name, X, y, X_test, y_test)


def _gaps(tasks: int) -> FloatArray:
    """From wide to narrow: the first task is the easiest."""
    return np.linspace(WIDEST_GAP, NARROWEST_GAP, tasks)


def _plane_set(
    name: str, tasks: list[Task], order: tuple[str, ...] | None = None, groups: dict[str, str] | None = None
) -> TaskSet:
    return TaskSet(name, tuple(tasks), order, groups, normalize="none", bias=True)


def draw_rotation(seed: int, sizes: Sizes, noise: float, drift: float, tasks: int) -> TaskSet:
    """The boundary turns by `drift` degrees from task to task while the gap narrows: a chain."""
    rng = np.random.default_rng(seed)
    made = [
        plane_task(rng, f"{k * drift:g} degrees" if drift else f"task {k + 1}", k * drift, sizes, gap, noise)
        for k, gap in enumerate(_gaps(tasks))
    ]
    return _plane_set("plane-rotation", made, tuple(task.name for task in made))


def draw_groups(seed: int, sizes: Sizes, noise: float, drift: float, tasks: int) -> TaskSet:
    """Two chains whose boundaries have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    made, groups = [], {}
    for letter, start in (("A", 0.0), ("B", GROUPS_APART)):
        for k, gap in enumerate(_gaps(tasks)):
            name = f"{letter}{k + 1}"
            groups[name] = f"group {letter}"
            made.append(plane_task(rng, name, start + k * drift, sizes, gap, noise))
    return _plane_set("plane-groups", made, groups=groups)


def draw_outlier(seed: int, sizes: Sizes, noise: float, drift: float, tasks: int) -> TaskSet:
    """A chain, and one task whose labels are the other way round."""
    rng = np.random.default_rng(seed)
    made = [plane_task(rng, f"task {k + 1}", k * drift, sizes, gap, noise) for k, gap in enumerate(_gaps(tasks))]
    middle = drift * (tasks - 1) / 2
    made.append(plane_task(rng, "outlier", middle + 180.0, sizes, (WIDEST_GAP + NARROWEST_GAP) / 2, noise))
    groups = {task.name: "outlier" if task.name == "outlier" else "chain" for task in made}
    return _plane_set("plane-outlier", made, groups=groups)


def draw_unrelated(seed: int, sizes: Sizes, noise: float) -> TaskSet:
    """Four boundaries a quarter turn apart, shifted to and fro, so that no two weights point the same way."""
    rng = np.random.default_rng(seed)
    made = [
        plane_task(rng, word, 90.0 * k, sizes, UNRELATED_GAP, noise, UNRELATED_OFFSET * (-1) ** k)
        for k, word in enumerate(("east", "north", "west", "south"))
    ]
    return _plane_set("plane-unrelated", made)


def draw_equal(seed: int, sizes: Sizes, noise: float, tasks: int) -> TaskSet:
    """Every task has the same boundary: only its points are new."""
    rng = np.random.default_rng(seed)
    return _plane_set("plane-equal", [plane_task(rng, f"task {k + 1}", 30.0, sizes, 0.0, noise) for k in range(tasks)])


def draw_tree(seed: int, sizes: Sizes, noise: float, drift: float, depth: int) -> TaskSet:
    """A root, and two branches that turn away from it in opposite directions."""
    rng = np.random.default_rng(seed)
    gaps = _gaps(depth + 1)
    made = [plane_task(rng, "root", 0.0, sizes, gaps[0], noise)]
    groups = {"root": "root"}
    for word, turn in (("left", drift), ("right", -drift)):
        for k in range(1, depth + 1):
            name = f"{word} {k}"
            groups[name] = f"{word} branch"
            made.append(plane_task(rng, name, k * turn, sizes, gaps[k], noise))
    return _plane_set("plane-tree", made, groups=groups)


def draw_misleading(seed: int, sizes: Sizes, noise: float, tasks: int, richness: int) -> TaskSet:
    """A teacher with `richness` times the points, and pupils of the same boundary with few.

    Few points are separated by small weights, so each pupil looks cheaper than the teacher, and SeqMT takes the
    teacher last, when nobody can learn from it any more.
    """
    rng = np.random.default_rng(seed)
    teacher = plane_task(rng, "teacher", 30.0, Sizes(sizes.train * richness, sizes.test), 0.05, noise)
    made = [teacher, *(plane_task(rng, f"pupil {k + 1}", 30.0, sizes, 0.05, noise) for k in range(tasks))]
    return _plane_set("plane-misleading", made, tuple(task.name for task in made))
