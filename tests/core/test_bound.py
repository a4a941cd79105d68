"""Theorem 1, part by part, and the count behind the forest's union bound."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from core import every_order, learn
from core.curriculum.bound import Bound, log_structures
from tests.core import cases

N, M_BAR = 7, 30.0


@pytest.mark.parametrize(("structure", "union"), [("sequence", N), ("subsequences", 2 * N), ("forest", N + 1)])
def test_the_formula(structure, union) -> None:
    bound = Bound(0.1, 0.2, 0.05, N, M_BAR, structure)
    root = math.sqrt(M_BAR)
    expected = 0.3 + 1 / (8 * root) - math.log(0.05) / (N * root) + math.log(union) / root
    assert bound.value == pytest.approx(expected)
    assert bound.constant == pytest.approx(bound.hoeffding + bound.confidence + bound.union)
    assert not bound.says_something


@pytest.mark.parametrize("n", range(1, 6))
def test_the_union_bounds_cover_every_structure(n: int) -> None:
    """Count them by brute force: parent maps without a cycle, and those in which no task has two followers."""
    forests = subsequences = 0
    for parents in itertools.product(range(-1, n), repeat=n):
        if all(_reaches_root(parents, k) for k in range(n)):
            forests += 1
            used = [p for p in parents if p >= 0]
            subsequences += len(used) == len(set(used))
    assert forests == (n + 1) ** (n - 1)
    assert math.log(forests) <= n * log_structures("forest", n)
    assert math.log(subsequences) <= n * log_structures("subsequences", n)
    assert math.log(math.factorial(n)) <= n * log_structures("sequence", n)


def _reaches_root(parents, k) -> bool:
    for _ in range(len(parents) + 1):
        if k < 0:
            return True
        k = parents[k]
    return False


@pytest.mark.parametrize(("method", "factor"), [("seqmt", 1), ("multiseqmt", 2), ("random", 1), ("semantic", 1)])
def test_the_bound_of_a_curriculum(method: str, factor: int) -> None:
    task_set = cases.uneven()
    task_set = type(task_set)("u", task_set.tasks, semantic_order=task_set.names)
    learned = learn(task_set, method, C=10.0, delta=0.1)
    prepared = task_set.prepared()
    n, m_bar = len(prepared), prepared.m_bar
    total = 0.0
    for task, source in learned.sources.items():
        start = np.zeros(prepared.n_features) if source is None else learned.weights[source]
        w = learned.weights[task]
        X, y = prepared[task].X, prepared[task].y
        z = y * (X @ w) / np.linalg.norm(X, axis=1)
        total += np.mean([0.5 * math.erfc(value / math.sqrt(2)) for value in z])
        total += np.sum((w - start) ** 2) / (2 * math.sqrt(m_bar))
    constant = 1 / 8 - math.log(0.1) / n + math.log(factor * n)
    assert learned.bound.value == pytest.approx(total / n + constant / math.sqrt(m_bar))


def test_the_running_bound_ends_at_the_bound_and_only_rises() -> None:
    curriculum = learn(cases.draw(0), "treemt", C=5.0).curriculum
    running = [curriculum.bound_of(curriculum.chosen[:k]).value for k in range(5)]
    assert running == sorted(running)
    assert running[-1] == curriculum.bound.value
    assert running[0] == pytest.approx(curriculum.bound.constant)


def test_a_shared_C_pays_for_the_choice_among_eight_and_no_other_C_does() -> None:
    task_set = cases.draw(0)
    n, root = len(task_set), math.sqrt(task_set.m_bar)
    price = math.log(8) / (n * root)
    shared = learn(task_set, C="shared").bound
    assert shared.selection == pytest.approx(price)
    assert shared.constant == pytest.approx(1 / (8 * root) - math.log(0.05) / (n * root) + math.log(n) / root + price)
    assert shared.value == pytest.approx(shared.error + shared.complexity + shared.constant)
    assert learn(task_set, C="each").bound.selection == 0.0
    assert learn(task_set, C=10.0).bound.selection == 0.0


def test_orders_at_the_shared_C_pay_what_seqmt_pays() -> None:
    task_set = cases.draw(1, n=3)
    learned = learn(task_set, C="shared")
    orders = every_order(task_set, C="shared")
    assert orders.bounds[orders.row(learned.order)] == pytest.approx(learned.bound.value, abs=1e-12)
