"""Theorem 1 with every part kept apart, so that each can be shown."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Literal

from core.errors import SettingsError

Structure = Literal["sequence", "subsequences", "forest"]


def log_structures(structure: Structure, n: int) -> float:
    """L: the union bound's price a task, an upper bound on (1/n) log(number of structures on n tasks).

    One sequence: n! ≤ nⁿ orders, so L = log n (Theorem 1). Subsequences: at most (2n)ⁿ, so L = log 2n (appendix).

    Forest: L = log(n + 1). The weights depend on the forest of sources alone, not on the order in which it was grown:
    fix a rooted labelled forest and process the tasks in any order in which sources come first. Task i then has the
    prior P_i = Q_src(i), or Q_0 at a root, which depends only on the samples of i's ancestors and not on S_i. So
    E exp(λ/n Σ(er_i - êr_i)) over the priors still factorises, innermost the task that comes last, exactly as in the
    proof of Theorem 1, and KL = Σ ‖w_i - w_src(i)‖²/2. By Cayley's formula there are (n+1)^(n-1) rooted labelled
    forests on n tasks; with δ/(n+1)^(n-1) each, the union bound costs (n-1)·log(n+1)/(n√m̄) < log(n+1)/√m̄.
    """
    return math.log({"sequence": n, "subsequences": 2 * n, "forest": n + 1}[structure])


def check_delta(delta: object) -> float:
    """δ as a float, if it is a probability that leaves something to say."""
    if isinstance(delta, bool) or not isinstance(delta, numbers.Real) or not 0.0 < float(delta) <= 1.0:
        raise SettingsError(f"delta is {delta!r}; it must lie above 0 and at most 1")
    return float(delta)


@dataclass(frozen=True, slots=True)
class Bound:
    """The right-hand side of eq. (3): with probability 1 - δ, *half* the expected error is at most `value`."""

    error: float
    complexity: float
    delta: float
    n_tasks: int
    m_bar: float
    structure: Structure
    C_choices: int = 1

    @property
    def hoeffding(self) -> float:
        """1/(8√m̄), from Hoeffding's lemma."""
        return 1.0 / (8.0 * math.sqrt(self.m_bar))

    @property
    def confidence(self) -> float:
        """-log δ/(n√m̄), the price of certainty."""
        return -math.log(self.delta) / (self.n_tasks * math.sqrt(self.m_bar))

    @property
    def union(self) -> float:
        """L/√m̄, the price of choosing the structure after seeing the data."""
        return log_structures(self.structure, self.n_tasks) / math.sqrt(self.m_bar)

    @property
    def selection(self) -> float:
        """log k/(n√m̄), the price of choosing one C for all tasks among k on the same data; 0 for a C fixed before.

        The theorem's algorithm is fixed in advance. A union over k algorithms gives each δ/k. Where every Adaptive SVM
        picks its own C, its cross-validation is part of the algorithm, and there is nothing to pay.
        """
        return math.log(self.C_choices) / (self.n_tasks * math.sqrt(self.m_bar))

    @property
    def constant(self) -> float:
        """All that does not depend on what was learned."""
        return self.hoeffding + self.confidence + self.union + self.selection

    @property
    def value(self) -> float:
        """Mean of the chosen criteria plus the constant."""
        return self.error + self.complexity + self.constant

    @property
    def says_something(self) -> bool:
        """Whether it is below ½: half of an expected error is never more than that."""
        return self.value < 0.5
