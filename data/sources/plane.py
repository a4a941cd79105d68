"""Task sets in the plane: seeded, with knobs, each with a known story that holds at the knobs' default values."""

from __future__ import annotations

from functools import partial

import numpy as np

from core.task_set import FloatArray, Task, TaskSet
from data.sources.pools import balanced_task
from data.sources.source import BuiltIn, Knob, Sizes

WIDEST_GAP = 0.9
NARROWEST_GAP = 0.15
GROUPS_APART = 110.0  # degrees; weights more than 90 degrees apart are a worse start than none
UNRELATED_GAP = 0.3
UNRELATED_OFFSET = 0.3
Generator = np.random.Generator


def _half_disc(rng: Generator, count: int, angle: float, offset: float, gap: float) -> FloatArray:
    """Points of the unit disc with `<u, x> - offset >= gap / 2`, u at `angle` degrees; uniform, by rejection."""
    u = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    kept: list[FloatArray] = []
    while sum(map(len, kept)) < count:
        x = rng.uniform(-1.0, 1.0, (8 * count + 64, 2))
        kept.append(x[(np.sum(x * x, axis=1) <= 1.0) & (x @ u - offset >= gap / 2)])
    return np.concatenate(kept)[:count]


def plane_task(
    rng: Generator, name: str, angle: float, sizes: Sizes, gap: float, noise: float, offset: float = 0.0
) -> Task:
    """Two parts of the unit disc, `gap` apart; a share `noise` of each class gets the other's label."""
    parts = []
    for count in sizes:
        positive = _half_disc(rng, count, angle, offset, gap)
        negative = _half_disc(rng, count, angle + 180.0, -offset, gap)
        wrong = rng.binomial(count, noise)
        positive[:wrong], negative[:wrong] = negative[:wrong].copy(), positive[:wrong].copy()
        parts.append(np.concatenate([positive, negative]))
    return balanced_task(name, *parts)


def _gaps(tasks: int) -> FloatArray:
    """From wide to narrow: the first task is the easiest."""
    return np.linspace(WIDEST_GAP, NARROWEST_GAP, tasks)


def _plane_set(tasks: list[Task], ordered: bool = False, groups: dict[str, str] | None = None) -> TaskSet:
    order = tuple(task.name for task in tasks) if ordered else None
    return TaskSet("plane", tuple(tasks), order, groups, normalize="none", bias=True)


def rotation(rng: Generator, sizes: Sizes, noise: float, drift: float, tasks: int) -> TaskSet:
    """The boundary turns by `drift` degrees from task to task while the gap narrows: a chain."""
    made = [
        plane_task(rng, f"{k * drift:g} degrees" if drift else f"task {k + 1}", k * drift, sizes, gap, noise)
        for k, gap in enumerate(_gaps(tasks))
    ]
    return _plane_set(made, ordered=True)


def two_groups(rng: Generator, sizes: Sizes, noise: float, drift: float, tasks: int) -> TaskSet:
    """Two chains whose boundaries have nothing to do with each other."""
    made = [
        plane_task(rng, f"{letter}{k + 1}", start + k * drift, sizes, gap, noise)
        for letter, start in (("A", 0.0), ("B", GROUPS_APART))
        for k, gap in enumerate(_gaps(tasks))
    ]
    return _plane_set(made, groups={task.name: f"group {task.name[0]}" for task in made})


def outlier(rng: Generator, sizes: Sizes, noise: float, drift: float, tasks: int) -> TaskSet:
    """A chain, and one task whose labels are the other way round."""
    made = [plane_task(rng, f"task {k + 1}", k * drift, sizes, gap, noise) for k, gap in enumerate(_gaps(tasks))]
    middle = drift * (tasks - 1) / 2
    made.append(plane_task(rng, "outlier", middle + 180.0, sizes, (WIDEST_GAP + NARROWEST_GAP) / 2, noise))
    groups = {task.name: "outlier" if task.name == "outlier" else "chain" for task in made}
    return _plane_set(made, groups=groups)


def unrelated(rng: Generator, sizes: Sizes, noise: float) -> TaskSet:
    """Four boundaries a quarter turn apart, shifted to and fro, so that no two weights point the same way."""
    made = [
        plane_task(rng, word, 90.0 * k, sizes, UNRELATED_GAP, noise, UNRELATED_OFFSET * (-1) ** k)
        for k, word in enumerate(("east", "north", "west", "south"))
    ]
    return _plane_set(made)


def equal_tasks(rng: Generator, sizes: Sizes, noise: float, tasks: int) -> TaskSet:
    """Every task has the same boundary: only its points are new."""
    return _plane_set([plane_task(rng, f"task {k + 1}", 30.0, sizes, 0.0, noise) for k in range(tasks)])


def tree(rng: Generator, sizes: Sizes, noise: float, drift: float, depth: int) -> TaskSet:
    """A root, and two branches that turn away from it in opposite directions."""
    gaps = _gaps(depth + 1)
    made = [plane_task(rng, "root", 0.0, sizes, gaps[0], noise)]
    for word, turn in (("left", drift), ("right", -drift)):
        made += [plane_task(rng, f"{word} {k}", k * turn, sizes, gaps[k], noise) for k in range(1, depth + 1)]
    groups = {name: name if name == "root" else f"{name.split()[0]} branch" for name in (task.name for task in made)}
    return _plane_set(made, groups=groups)


def misleading(rng: Generator, sizes: Sizes, noise: float, tasks: int, richness: int) -> TaskSet:
    """A teacher with `richness` times the points, and pupils of the same boundary with few.

    Few points are separated by small weights, so each pupil looks cheaper than the teacher, and SeqMT takes the
    teacher last, when nobody can learn from it any more.
    """
    teacher = plane_task(rng, "teacher", 30.0, Sizes(sizes.train * richness, sizes.test), 0.05, noise)
    pupils = [plane_task(rng, f"pupil {k + 1}", 30.0, sizes, 0.05, noise) for k in range(tasks)]
    return _plane_set([teacher, *pupils], ordered=True)


def _noise(default: float = 0.0) -> Knob:
    return Knob("noise", "noise", default, 0.0, 0.4, 0.01, "share of points with the wrong label")


def _drift(default: float) -> Knob:
    return Knob("drift", "drift", default, 0.0, 60.0, 5.0, "degrees that the boundary turns from task to task")


def _tasks(default: int, most: int, help_text: str = "how many tasks") -> Knob:
    return Knob("tasks", "tasks", default, 2, most, 1, help_text)


_RICHNESS = Knob("richness", "richness", 20, 1, 40, 1, "the teacher's points for each of a pupil's")
_plane = partial(BuiltIn, kind="plane", licence="MIT", origin="drawn here from a seed")
_structure = partial(
    _plane, note="It shows structure, not test error: almost no test point is wrong, whatever the order."
)
PLANE = (
    _structure(
        name="plane-rotation",
        story="A boundary that turns while its gap narrows: SeqMT follows the chain from end to end.",
        make=rotation,
        sizes=Sizes(25, 50),
        own_knobs=(_noise(), _drift(20.0), _tasks(7, 12)),
        tasks=7,
        semantic_order="along the chain",
    ),
    _structure(
        name="plane-groups",
        story="Two unrelated groups: one sequence has to jump between them, MultiSeqMT keeps them apart.",
        make=two_groups,
        sizes=Sizes(20, 50),
        own_knobs=(_noise(), _drift(10.0), _tasks(4, 8, "how many tasks in each group")),
        tasks=8,
        groups="the two groups",
    ),
    _structure(
        name="plane-outlier",
        story="A chain and one task with its labels turned round: in MultiSeqMT the outlier stays alone.",
        make=outlier,
        sizes=Sizes(20, 50),
        own_knobs=(_noise(), _drift(10.0), _tasks(5, 10, "how many tasks in the chain")),
        tasks=6,
        groups="chain and outlier",
    ),
    _structure(
        name="plane-unrelated",
        story="Four tasks that have nothing in common: MultiSeqMT starts anew for each.",
        make=unrelated,
        sizes=Sizes(20, 50),
        own_knobs=(_noise(),),
        tasks=4,
    ),
    _plane(
        name="plane-equal",
        story="The same task five times over: throwing all points together beats learning each alone.",
        make=equal_tasks,
        sizes=Sizes(10, 100),
        own_knobs=(_noise(0.1), _tasks(5, 10)),
        tasks=5,
    ),
    _structure(
        name="plane-tree",
        story="A root with two branches: only TreeMT can learn both from the root.",
        make=tree,
        sizes=Sizes(25, 50),
        own_knobs=(_noise(), _drift(25.0), Knob("depth", "depth", 3, 1, 5, 1, "tasks in each branch")),
        tasks=7,
        groups="root and branches",
    ),
    _plane(
        name="plane-misleading",
        story="A teacher that looks expensive: the bound makes SeqMT take pupils first, and it loses to teacher-first.",
        make=misleading,
        sizes=Sizes(5, 100),
        own_knobs=(_noise(), _tasks(4, 6, "how many pupils"), _RICHNESS),
        tasks=5,
        semantic_order="the teacher first",
    ),
)
