"""Sentences and numbers of single components, with values put in by hand: which is which, and who is better."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core import learn
from core.curriculum.bound import Bound
from core.experiments.experiment import Outcome, Settings
from core.experiments.summary import results_of
from core.measure import MEASURES
from core.orders.all_orders import Orders
from core.orders.ranking import place
from core.statistics.data_checks import DataWarning
from core.statistics.majority import AgainstMajority
from core.statistics.noise import Interval
from core.statistics.patterns import Stability
from dashboard import text
from dashboard.components import data_warnings, step_text
from dashboard.figures import candidates, class_balance, compare, forest
from dashboard.figures import orders as orders_figure
from dashboard.figures import patterns as patterns_figure
from dashboard.pages.orders import cards
from dashboard.pages.step import comparison
from dashboard.pages.subsequences import repeats
from tests.dashboard.screens import drawn


@pytest.mark.parametrize(
    ("base", "other", "said"),
    [
        ((0.41, 0.12), (0.45, 0.08), "0.450 instead of 0.410, mean test error 8.0 % instead of 12.0 %."),
        ((0.41, 0.12), (0.39, 0.1205), "0.390 instead of 0.410, mean test error 12.05 % instead of 12.00 %."),
        ((0.41, None), (0.62, None), "0.620 instead of 0.410 (above ½ it guarantees nothing)."),
    ],
)
def test_what_a_what_if_changes_is_told_with_the_new_number_first(
    base: tuple[float, float], other: tuple[float, float], said: str
) -> None:
    first, second = (
        SimpleNamespace(bound=SimpleNamespace(value=bound), mean_test_error=error) for bound, error in (base, other)
    )
    assert step_text.difference(first, second) == f"Bound {said}".replace(" %", "\u00a0%")  # type: ignore[arg-type]


def candidate(task: str, error: float, complexity: float) -> Any:
    return SimpleNamespace(
        task=task, source=None, error_term=error, complexity_term=complexity, criterion=error + complexity, C=1.0
    )


def test_on_own_scales_every_term_stands_behind_its_own_bar_and_the_sum_behind_the_second() -> None:
    best, other = candidate("b", 0.125, 0.25), candidate("a", 0.375, 0.5)
    found = candidates.info(SimpleNamespace(candidates=(other, best), chosen=best))  # type: ignore[arg-type]
    chart = candidates.figure(found, {"a": "A", "b": "B"}, False, own_scales=True)
    bars, numbers = chart.data[:2], chart.data[2:]
    assert [(bar.name, bar.xaxis, list(bar.x)) for bar in bars] == [
        ("error term", "x", [0.125, 0.375]),
        ("complexity term", "x2", [0.25, 0.5]),
    ]
    assert [(one.xaxis, list(one.x), [said.strip() for said in one.text]) for one in numbers] == [
        ("x", [0.125, 0.375], ["0.125", "0.375"]),
        ("x2", [0.25, 0.5], ["+ 0.250 = ★ 0.375", "+ 0.500 = 0.875"]),
    ]
    [sums] = candidates.figure(found, {"a": "A", "b": "B"}, False).data[2:]
    assert (list(sums.x), [said.strip() for said in sums.text]) == ([0.375, 0.875], ["★ 0.375", "0.875"])


ORDERS = np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]])


def study_of(p_value: float | None, seqmt: float = 0.2, draws: int | None = None) -> Any:
    orders = Orders(("a", "b", "c"), ORDERS, np.linspace(0.6, 0.7, 6), np.linspace(0.1, 0.3, 6), np.ones(6), True)
    greedy = place(orders, "SeqMT", ("a", "b", "c"), 0.61, seqmt)
    over = None if draws is None else object()
    return SimpleNamespace(orders=orders, greedy=greedy, over=over, noise=None, p_value=lambda order: p_value)


@pytest.mark.parametrize(
    ("p_value", "said"), [(0.008, ", more than chance would do"), (0.009, ", which could be chance"), (None, "")]
)
def test_your_order_beats_seqmt_beyond_chance_only_among_as_many_orders_as_are_shown(
    p_value: float | None, said: str
) -> None:
    """Of six orders, 0.05 / 6 = 0.0083."""
    for draws, where in ((None, "on this draw"), (5, "over these draws")):
        found = study_of(p_value, draws=draws)
        mine = place(found.orders, "Yours", ("b", "a", "c"), 0.65, 0.15)
        assert f"{where} it **beats** SeqMT by 5.0 points{said} (20.0\u00a0%)" in cards.verdict(mine, found)
        worse = place(found.orders, "Yours", ("b", "a", "c"), 0.65, 0.26)
        assert f"{where} it **loses to** SeqMT by 6.0 points{said} (20.0\u00a0%)" in cards.verdict(worse, found)
        same = place(found.orders, "Yours", ("b", "a", "c"), 0.65, 0.2)
        assert f"**as good as** SeqMT {where} (20.0\u00a0%)" in cards.verdict(same, found)


def test_without_test_data_your_bound_is_held_against_seqmt_s() -> None:
    found = study_of(None)
    found.orders = replace(found.orders, test_errors=None)
    found.greedy = place(found.orders, "SeqMT", ("a", "b", "c"), 0.43, None)
    for bound, said in ((0.42, "is lower than"), (0.43, "is not lower than"), (0.44, "is not lower than")):
        mine = place(found.orders, "Yours", ("b", "a", "c"), bound, None)
        assert cards.verdict(mine, found) == f"Your bound **{bound:.3f}** {said} SeqMT's 0.430."


def test_tasks_that_keep_their_step_are_those_that_stand_at_it_in_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """One order keeps two steps and one source, the other no step and two sources."""
    titles: list[str] = []
    monkeypatch.setattr(comparison.figure_card, "figure", lambda chart, *, title, **more: titles.append(title))
    task_set = drawn(4)
    base = learn(task_set, "order", C=1.0, order=["task 1", "task 2", "task 3", "task 4"])
    for order, same in (("1432", 2), ("4123", 0), ("1234", 4)):
        other = learn(task_set, "order", C=1.0, order=[f"task {k}" for k in order])
        now: Any = SimpleNamespace(
            colours=dict.fromkeys(base.order, "#123456"), labels={name: name for name in base.order}, dark=False
        )
        comparison.show(now, base, other, "Two of them")
        assert titles[-1] == f"{same} of 4 tasks keep their step"


@pytest.mark.parametrize("by", ["error", "balanced"])
def test_where_classes_are_unequal_the_table_has_the_other_error_beside_the_one_asked_for(by: str) -> None:
    plain, other = (0.10, 0.12), (0.40, 0.44)
    outcomes = [
        Outcome(k, "seqmt", 1.0, (), {}, {}, {"a": plain[k]}, None, {"a": other[k]}, {"a": 0.2}) for k in range(2)
    ]
    results = results_of(Settings("s", ("seqmt",), 2), outcomes)
    [bar] = found = compare.info(results, {}, by)  # type: ignore[arg-type]
    first, second = (11.0, 42.0) if by == "error" else (42.0, 11.0)
    assert (bar.mean, bar.other) == (pytest.approx(first), pytest.approx(second))
    names = ["test error %", "balanced error %"] if by == "error" else ["balanced error %", "test error %"]
    frame = compare.table(found)
    assert [name for name in frame.columns if "error %" in name] == names
    assert frame[names].iloc[0].tolist() == pytest.approx([first, second])


ALWAYS = "always answering the larger class"
CASES = (
    ((0.10, 0.30), (True, True), "error",
     "SeqMT has a mean test error of 10.0 % and a balanced error of 30.0 %; "
     f"{ALWAYS} has 20.0 % and 50.0 %."),
    ((0.25, 0.30), (False, True), "error",
     f"SeqMT is no better than {ALWAYS} (25.0 % error against 20.0 %), but "
     "clearly better by balanced error (30.0 % against 50.0 %)."),
    ((0.10, 0.48), (True, False), "balanced",
     f"SeqMT is not clearly better than {ALWAYS} (48.0 % balanced error against "
     "50.0 %, which could be chance), but clearly better by plain error (10.0 % against 20.0 %)."),
    ((0.20, 0.52), (False, False), "error",
     f"SeqMT is no better than {ALWAYS} (20.0 % error either way; balanced error "
     "52.0 %)."),
    ((0.19, 0.52), (False, False), "balanced",
     f"SeqMT is no better than {ALWAYS} (52.0 % balanced error against 50.0 %; "
     "error 19.0 %)."),
)  # fmt: skip


@pytest.mark.parametrize(("errors", "better", "by", "said"), CASES)
def test_which_error_is_the_learner_s_and_which_the_larger_class_s(
    errors: tuple[float, float], better: tuple[bool, bool], by: str, said: str
) -> None:
    own, theirs, clear = (dict(zip(MEASURES, pair, strict=True)) for pair in (errors, (0.20, 0.50), better))
    found = AgainstMajority(own, theirs, clear)  # type: ignore[arg-type]
    assert class_balance.words("SeqMT", found, by) == said.replace(" %", "\u00a0%")  # type: ignore[arg-type]


@pytest.mark.parametrize("uploaded", [False, True])
def test_only_fresh_draws_are_held_against_chance(uploaded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeats that split the same rows anew agree beyond it even where there is nothing to learn."""
    said: list[str] = []
    screen = SimpleNamespace(markdown=said.append, columns=lambda n, gap: [nullcontext()] * n)
    monkeypatch.setattr(repeats, "st", screen)
    monkeypatch.setattr(repeats.figure_card, "figure", lambda chart, **more: None)
    task_set = drawn(3)
    names = task_set.names
    now: Any = SimpleNamespace(
        task_set=task_set, uploaded=uploaded, dark=False, labels=dict(zip(names, names, strict=True)),
        colours=dict.fromkeys(names, "#123456"),
    )  # fmt: skip
    one = {names[0]: None, names[1]: names[0], names[2]: None}
    forests = (one, one | {names[2]: names[1]})
    repeats.show_patterns(now, "treemt", forests)
    told = said[0].replace("\\", "")
    assert "Two of the 2 repeats share 50\u00a0% of their transfers" in told
    assert ("by chance" in told) is not uploaded
    assert ("They split the same rows anew" in told) is uploaded


FOUND = (
    (("unbalanced", ("a",), 4.0), "in “a” one class has up to 4 times the points of the other, so always saying the "
     "larger is right in up to 80 %"),
    (("tiny", ("a",), 3.0), "“a” has under ten training points (fewest: 3)"),
    (("tiny", ("a", "b"), 7.0), "“a” and “b” have under ten training points (fewest: 7)"),
    (("duplicates", ("b",), 1.0), "1 test point of “b” equals a training point"),
    (("duplicates", ("b",), 5.0), "5 test points of “b” equal a training point"),
    (("coarse", ("a",), 0.25), "25 % equal one with the other label"),
    (("shared", ("a", "b"), 1.0), "1 training point is in several tasks, such as “a” and “b”; sources have seen it,"),
    (("shared", ("a", "b"), 8.0), "8 training points are in several tasks, such as “a” and “b”; sources have seen "
     "them,"),
    (("scales", (), 1234.5, (1, 0)), "numbers of “large” are 1,234 times those of “small”"),
    (("untested", ("a",), 1.0), "No test data** in “a”"),
    (("untested", ("a", "b"), 2.0), "No test data** in any task"),
)  # fmt: skip


@pytest.mark.parametrize(("found", "said"), FOUND, ids=lambda one: one[0] if isinstance(one, tuple) else "")
def test_what_is_odd_about_a_set_is_told_with_its_numbers(found: tuple[Any, ...], said: str) -> None:
    task_set = replace(drawn(2, features=2, names=["a", "b"]), feature_names=("small", "large"))
    now: Any = SimpleNamespace(task_set=task_set, uploaded=True, normalizes=True)
    told = data_warnings.sentence(DataWarning(*found), now).replace("\\", "").replace("\u00a0", " ")
    assert said in told
    calm: Any = SimpleNamespace(task_set=task_set, uploaded=False, normalizes=False)
    assert bool(data_warnings.sentence(DataWarning(*found), calm)) is (found[0] not in ("scales", "untested"))


def test_a_bound_from_a_half_on_says_nothing_and_one_below_says_something() -> None:
    for value, something in ((0.4999, True), (0.5, False), (0.7, False)):
        assert (text.vacuous(value) == "") is something
        bound = Bound(value - 0.25, 0.25, 1.0, 1, 1e30, "sequence")  # of so many points that its constant is none
        assert (bound.value, bound.says_something) == (pytest.approx(value), something)


def test_how_stable_repeats_are_is_told_with_each_number_beside_its_own_chance() -> None:
    said = patterns_figure.stable_words(Stability(0.71, 0.12, 0.63, 0.34, -0.25), 7, True)
    assert said == (
        "How stable is it? Two of the 7 repeats share 71 % of their transfers on average (by chance: 12 %) and 63 % of "
        "their pairs in one subsequence (by chance: 34 %). Their orders have a rank correlation of −0.25."
    ).replace(" %", "\u00a0%")
    one_tree = patterns_figure.stable_words(Stability(0.71, 0.12, 1.0, 1.0, 0.5), 7, True)
    assert "pairs" not in one_tree


def test_how_sure_an_error_is_is_told_as_a_standard_error_over_draws_and_as_an_interval_on_one() -> None:
    orders = Orders(("a", "b", "c"), ORDERS, np.linspace(0.6, 0.7, 6), np.linspace(0.1, 0.3, 6), np.ones(6), True)
    it = place(orders, "SeqMT", ("a", "b", "c"), 0.6, 0.20, Interval(0.185, 0.215))
    many: Any = SimpleNamespace(draws=5)
    one: Any = SimpleNamespace(draws=1)
    assert orders_figure.whisker_words(it, many) == " ± 1.5 (standard error over 5 draws)"
    for noise in (one, None):
        said = orders_figure.whisker_words(it, noise)
        assert said == " (95\u00a0% interval 18.5 to 21.5\u00a0% over this draw's test points)"
    assert orders_figure.whisker_words(place(orders, "Best", None, 0.6, 0.2), many) == ""


@pytest.mark.parametrize("direction", ["right", "down"])
def test_the_ring_and_the_bold_name_stand_at_the_picked_task(direction: Any) -> None:
    task_set = drawn(5)
    learned = learn(task_set, "indsvm", C=1.0)  # a lane of its own for each
    found = forest.info(learned)
    names = {name: name for name in task_set.names}
    for picked, node in enumerate(found.nodes):
        chart = forest.figure(found, names, dict.fromkeys(names, "#123456"), False, direction, picked)
        [ring] = [trace for trace in chart.data if trace.name == "picked"]
        at = (node.step, node.lane) if direction == "right" else (node.lane, node.step)
        assert (ring.x[0], ring.y[0]) == at
        bold = [note.text for note in chart.layout.annotations if "<b>" in note.text]
        assert len(bold) == 1
        assert node.task in bold[0]
