"""The methods by name, and the plans of those that do not look at the data to choose."""

from __future__ import annotations

from core.curriculum.search import NO_SOURCE, Plan
from core.curriculum.steps import Rule
from core.errors import SettingsError
from core.fitting.cross_validation import named_generator
from core.task_set import TaskSet

METHODS: dict[str, str] = {
    "seqmt": "SeqMT",
    "multiseqmt": "MultiSeqMT",
    "treemt": "TreeMT",
    "indsvm": "IndSVM",
    "mergedsvm": "MergedSVM",
    "mt": "MT",
    "random": "Random",
    "semantic": "Semantic",
    "diversity": "Diversity",
    "error": "Error",
    "compl": "Compl",
    "randommultiseq": "RandomMultiSeq",
    "order": "Order",
}
"""Key to display name, the paper's; `order` is a fixed order that is given."""

RULES: dict[str, Rule] = {
    "seqmt": Rule("last", "sequence"),
    "multiseqmt": Rule("open", "subsequences"),
    "treemt": Rule("all", "forest"),
    "error": Rule("last", "sequence", "error"),
    "compl": Rule("last", "sequence", "complexity"),
    "diversity": Rule("last", "sequence", maximise=True),
    "random": Rule("last", "sequence"),
    "semantic": Rule("last", "sequence"),
    "order": Rule("last", "sequence"),
    "indsvm": Rule("open", "subsequences"),
    "randommultiseq": Rule("open", "subsequences"),
}
"""Of the sequential methods; MergedSVM and MT have none. IndSVM is n subsequences of one task."""

GREEDY = ("seqmt", "multiseqmt", "treemt", "error", "compl", "diversity")


def method_key(name: str) -> str:
    """The key of a method named in any case."""
    key = str(name).strip().lower()
    if key not in METHODS:
        raise SettingsError(f"there is no method {name!r}; choose one of {', '.join(METHODS.values())}")
    return key


def chain(order: list[int]) -> Plan:
    """The plan that learns in one sequence."""
    return list(zip(order, [NO_SOURCE, *order[:-1]], strict=True))


def random_ranks(task_set: TaskSet, seed: int) -> list[int]:
    """A uniformly random order of the tasks that follows them when the input is permuted; another for another set."""
    keys = [(named_generator(seed, repr((task_set.name, name))).random(), name) for name in task_set.names]
    return sorted(range(len(keys)), key=lambda k: keys[k])


def plan_for(key: str, task_set: TaskSet, seed: int, order: object = None) -> Plan:
    """The fixed plan of a method that does not search; empty for one that does."""
    names = list(task_set.names)
    if (order is not None) != (key == "order"):
        wanted = "needs an order of the tasks" if key == "order" else "takes no order; use the method 'order' for that"
        raise SettingsError(f"method {METHODS[key]} {wanted}")
    if key == "order":
        return chain([names.index(name) for name in task_set.check_order(order)])
    if key == "semantic":
        if task_set.semantic_order is None:
            raise SettingsError(
                f"task set {task_set.name!r} has no semantic order, so method Semantic cannot run on it"
            )
        return chain([names.index(name) for name in task_set.semantic_order])
    if key == "random":
        return chain(random_ranks(task_set, seed))
    if key == "indsvm":
        return [(k, NO_SOURCE) for k in range(len(names))]
    if key == "randommultiseq":
        rng = named_generator(seed, repr((task_set.name, len(names))))
        ends = [NO_SOURCE]
        plan = []
        for task in random_ranks(task_set, seed):
            source = ends[int(rng.integers(len(ends)))]
            plan.append((task, source))
            if source != NO_SOURCE:
                ends.remove(source)
            ends.append(task)
        return plan
    return ()
