"""Sentences and tables with numbers put in by hand, so that each word can be told right or wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core import Task, TaskSet, learn
from core.curriculum.steps import Step
from core.experiments.experiment import Outcome, Settings
from core.experiments.summary import results_of
from core.statistics.patterns import Patterns
from dashboard.commands.learn import summary
from dashboard.commands.terminal import printable
from dashboard.components import step_text
from dashboard.figures import class_balance, compare
from dashboard.figures import patterns as patterns_figure
from dashboard.figures.compare import Bar
from dashboard.pages.step import cards
from tests.dashboard.screens import drawn


def test_a_long_name_is_cut_to_its_length() -> None:
    assert printable("a" * 10, 10) == "a" * 10
    assert printable("abcdefghijk", 10) == "abcdefghi…"
    assert printable("a\x1b[1mb", 40) == "a\\x1b[1mb"


def test_best_and_worst_never_count_as_ahead() -> None:
    bars = [Bar("Worst", 1.0, 0.1, 20, None), Bar("MT", 8.0, 0.5, 20, None), Bar("Best", 2.0, 0.1, 20, None)]
    bars += [Bar("SeqMT", 7.0, 0.5, 20, None), Bar("Random", 7.5, 0.5, 20, None)]
    said = compare.title(tuple(bars))
    assert said == "SeqMT has the lowest mean test error: 7.0\u00a0% over 20 repeats; within one standard error: Random"


@pytest.mark.parametrize(("others", "words"), [(0, ""), (1, ", and 1 other transfer"), (2, ", and 2 other transfers")])
def test_transfers_that_are_as_frequent_are_counted(others: int, words: str) -> None:
    shares, four = np.zeros((4, 4)), np.zeros(4)
    for k in range(others + 1):
        shares[k, k + 1] = 0.75
    found = Patterns(("a", "b", "c", "d"), shares, four, four, np.eye(4), np.ones((8, 4)), np.ones(8))
    said = patterns_figure.transfers(found, False).title
    ending = f"{words} as often" if words else ""
    assert said == f"Most often “b” is learned from “a”: in 75\u00a0% of 8 repeats{ending}"


def test_the_table_of_solvers_has_both_gaps() -> None:
    fit = learn(drawn(3), "seqmt", C=10.0).steps[0].chosen
    before = replace(fit, solved=replace(fit.solved, gap_before=3.25e-4, gap=1.5e-13, iterations=25))
    without = replace(fit, solved=replace(fit.solved, gap_before=None, gap=0.0, iterations=0))
    table = cards.solver_table({"osqp": before, "kernel": without})
    assert table["osqp"].tolist()[1:4] == ["25", "3.2e-04", "1.5e-13"]
    assert table["kernel"].tolist()[1:4] == ["-", "-", "0.0e+00"]


@pytest.mark.parametrize(
    ("error", "complexity", "said"),
    [
        (0.1, 0.2, "is better in both terms."),
        (0.0, 0.2, "is better in the complexity term, and no worse in the other."),
        (0.1, 0.0, "is better in the error term, and no worse in the other."),
        (-0.1, 0.2, "is 0.200 lower, which outweighs an error term that is 0.100 higher."),
        (0.2, -0.1, "is 0.200 lower, which outweighs a complexity term that is 0.100 higher."),
        (0.0, 0.0, ""),
    ],
)
def test_which_term_decided_is_said(error: float, complexity: float, said: str) -> None:
    step = learn(drawn(3), "seqmt", C=10.0).steps[0]
    chosen = replace(step.chosen, error_term=0.5, complexity_term=0.5)
    other = replace(step.candidates[0], task="other", error_term=0.5 + error, complexity_term=0.5 + complexity)
    assert step_text.why(Step((chosen, other), chosen)).endswith(said)
    assert step_text.why(Step((chosen,), chosen)) == ""


def test_learn_prints_balanced_errors_where_classes_differ() -> None:
    rng = np.random.default_rng(2)
    tasks = []
    for name, positives in (("even", 10), ("uneven", 4)):
        y = np.where(np.arange(20) < positives, 1.0, -1.0)
        X = rng.normal(size=(20, 3)) + y[:, None]
        tasks.append(Task(name, X, y, X, y))
    task_set = TaskSet("two", tuple(tasks))
    learned = learn(task_set, "indsvm", C=1.0)
    balanced = learned.balanced_error
    assert balanced is not None
    lines = "\n".join(summary(learned, unequal=True)).splitlines()
    assert any(line.split()[-2:] == ["balanced", "error"] for line in lines)
    [uneven] = [line for line in lines if "uneven" in line and "%" in line]
    assert uneven.endswith(f"{100 * balanced['uneven']:.1f} %")
    [even] = [line for line in lines if " even " in f" {line} " and "%" in line and "uneven" not in line]
    assert even.endswith(f"{100 * balanced['even']:.1f} %")
    assert "balanced" not in "\n".join(summary(learned))


@pytest.mark.parametrize(
    ("repeats", "errors", "said"), [(5, (0.5, 0.49), True), (4, (0.5, 0.49), False), (5, (0.5, 0.2), False)]
)
def test_where_no_method_beats_the_larger_class_that_is_said_of_equal_classes_too(
    repeats: int, errors: tuple[float, float], said: bool
) -> None:
    methods = ("seqmt", "indsvm")
    outcomes = [
        Outcome(k, method, 0.1, (), {}, {}, {"t": error + 0.01 * (k % 2)}, None, {"t": error}, {"t": 0.5})
        for method, error in zip(methods, errors, strict=True)
        for k in range(repeats)
    ]
    words = class_balance.results_words(results_of(Settings("s", methods, repeats), outcomes), "error")
    assert words.startswith("No method is clearly better than always answering the larger class") is said
    assert bool(words) is said
