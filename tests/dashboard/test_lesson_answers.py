"""Every lesson's right answers in words, and the numbers they are told with, worked out again from what was learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import spearmanr

from core import Learned, every_order, learn
from dashboard.lessons.cost_of_greed import BEST, GREEDY
from dashboard.lessons.lesson import ALONE, FOREST, ONE, SEVERAL, Seen, Tried
from dashboard.lessons.misleads import FIRST
from data.sources import catalogue
from tests.dashboard.test_lessons import screens, studied

pytestmark = pytest.mark.xdist_group("lessons")  # each lesson is computed once


def errors(learned: Sequence[Learned]) -> np.ndarray:
    """The mean test error on each draw, in per cent."""
    return np.array([100 * np.mean(list((one.test_error or {}).values())) for one in learned])


def held(number: int, *said: tuple[str, Sequence[str]], seen: Seen | None = None) -> None:
    """The right answers of a lesson's screens, and what is said with them."""
    questions = [screen.question for screen in screens(number, seen)]
    assert [question.choices[question.right] for question in questions] == [answer for answer, _ in said]
    for question, (_, words) in zip(questions, said, strict=True):
        told = question.told.replace("\\", "")
        assert [one for one in words if one not in told] == [], told


def share(value: float) -> str:
    return f"{value:.1f}\u00a0%"


def test_lesson_1_the_next_task_is_the_one_of_the_lowest_sum() -> None:
    learned = studied(1)[0].first(ONE)
    told = []
    for step in learned.steps[:3]:
        best = sorted(step.candidates, key=lambda one: one.error_term + one.complexity_term)
        numbers = [f"takes **{best[0].task}**", f"Together {best[0].criterion:.3f}", f"**{best[1].task}**, would cost"]
        told.append((f"Task {best[0].task}", [*numbers, f"would cost {best[1].criterion:.3f}"]))
    held(1, *told, ("It can be fitted well, and the line has to change little", ["error term", "complexity term"]))


def test_lesson_2_orders_by_their_mean_over_the_draws() -> None:
    (found,) = studied(2)
    names, by_draw = found.over.walked[0].names, found.over.errors
    rows = [found.over.walked[0].named(row) for row in range(120)]
    means = 100 * by_draw.mean(axis=0)
    for seed in (0, 7):
        drawn = catalogue.load("mnist-levels:2", seed)
        for row in (0, 50, 119):
            again = learn(drawn, "order", C=1000.0, order=rows[row])
            assert by_draw[seed, row] == pytest.approx(again.mean_test_error)
    ratio = means.max() / means.min()
    much = ("Hardly: a tenth at most", "By a tenth up to a half", "By more than a half")[
        int(ratio > 1.1) + int(ratio > 1.5)
    ]
    easy, hard = (rows.index(order) for order in (names, names[::-1]))
    won = int(np.sum(by_draw[:, easy] < by_draw[:, hard]))
    assert won >= 15
    greedy = 100 * np.array(
        [learn(catalogue.load("mnist-levels:2", seed), C=1000.0).mean_test_error for seed in (0, 7)]
    )
    of_greedy = errors(found.learned[ONE])
    assert of_greedy[[0, 7]] == pytest.approx(greedy)
    better = int(np.sum(of_greedy < 100 * by_draw.mean(axis=1)))
    quarters = ("Among the best quarter", "In the second quarter", "In the third quarter", "Among the worst quarter")
    ranks = means.argsort().argsort()
    for row in (int(means.argmin()), int(np.argsort(means)[45]), int(np.argsort(means)[75]), int(means.argmax())):
        held(
            2,
            (much, [f"best order gets {share(means.min())} of", f"worst {share(means.max())}: {ratio:.2f} times"]),
            (quarters[ranks[row] // 30], [f" gets {share(means[row])} wrong", f"order reaches {share(means.min())}"]),
            (
                "Easiest first",
                [
                    f"fewer mistakes in {won} of 20 draws: {share(means[easy])} on average",
                    f"against {share(means[hard])}",
                    f"gets {share(of_greedy.mean())} wrong: fewer than the average",
                    f"of all orders in {better} of",
                ],
            ),
            seen=Seen(order=rows[row]),
        )


def test_lesson_3_the_two_terms_at_the_ends_of_the_slider() -> None:
    drawn = catalogue.load("mnist-levels:2")
    first = {C: learn(drawn, C=C).steps[0] for C in (0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)}
    low, high = first[0.1].chosen, first[10000.0].chosen
    flips = [C for C, step in first.items() if step.chosen.task != high.task]
    assert flips
    assert low.error_term > high.error_term
    assert low.complexity_term < high.complexity_term
    here = first[1000.0].candidates
    most = max(here, key=lambda one: one.complexity_term)
    by_error, by_complexity = (
        min(here, key=lambda one, by=by: getattr(one, by)) for by in ("error_term", "complexity_term")
    )
    flipped, other = (first[flips[-1]].chosen, next(c for c in first[flips[-1]].candidates if c.task == high.task))
    held(
        3,
        ("Its weights had to move far from where they started", [f"**{most.task}**'s, {most.complexity_term:.3f}"]),
        (
            "The orange part shrinks and the blue part grows",
            [
                f"error term {low.error_term:.3f}, complexity term {low.complexity_term:.3f} for **{low.task}**",
                f"{high.error_term:.3f} and {high.complexity_term:.3f} for **{high.task}**",
            ],
        ),
        (
            "Yes",
            [
                f"C = {flips[-1]:g} it is **{flipped.task}** that comes first: complexity term "
                f"{flipped.complexity_term:.3f} against {other.complexity_term:.3f} for **{high.task}**",
                f"error term is still {flipped.error_term:.3f}",
            ],
        ),
        (
            "The one with the least sum of both",
            [
                f"error term alone would choose **{by_error.task}**",
                f"complexity term alone **{by_complexity.task}**",
                f"their sum chooses **{first[1000.0].chosen.task}**",
            ],
        ),
    )


def same_sources(tried: Tried, one: str, other: str) -> int:
    return sum(a.sources == b.sources for a, b in zip(tried.learned[one], tried.learned[other], strict=True))


def test_lesson_4_one_sequence_against_each_alone() -> None:
    found, chain = studied(4)
    alone, one, several = (errors(found.learned[name]) for name in (ALONE, ONE, SEVERAL))
    shown = learn(catalogue.load("shoes-like?test=60"), "multiseqmt", C=100.0)
    count = list(shown.sources.values()).count(None)
    assert shown.sources == found.learned[SEVERAL][0].sources
    assert np.sum(alone < one) >= 15
    same = same_sources(chain, SEVERAL, ONE)
    held(
        4,
        (
            "Each alone",
            [
                f"Each alone: {share(alone.mean())} of",
                f"one sequence {share(one.mean())}",
                f"worse in {np.sum(alone < one)} of",
            ],
        ),
        (
            "One" if count == 1 else "Two or three" if count < 4 else "Four or more",
            [
                f"{count} on this draw",
                f"falls to {share(several.mean())} on average",
                f"below that of one sequence in {np.sum(several < one)} of 20",
                f"learning each alone (in {np.sum(alone < several)} of 20 draws)",
            ],
        ),
        ("It makes one sequence, exactly that of SeqMT", [f"same sequence as SeqMT in {same} of 20 draws"]),
    )


def test_lesson_5_where_the_second_branch_starts_and_whose_steps_cost_less() -> None:
    found, chain = studied(5)
    several, trees = found.learned[SEVERAL], found.learned[FOREST]
    costs = [
        np.array([np.mean([step.chosen.criterion for step in one.steps or ()]) for one in learned])
        for learned in (trees, several)
    ]
    assert np.sum(costs[0] < costs[1]) >= 19

    def start(learned: Learned) -> tuple[str, str | None]:
        """The branch that begins later, and the task it starts from."""
        later = [name for name in learned.sources if name.endswith(" 1")][-1]
        return later, learned.sources[later]

    later, source = start(several[0])
    wheres = {None: "From nothing", "root": "From the root"}
    answer = wheres.get(source, "From a task of the other branch")
    anew = sum(start(one)[1] is None for one in several)
    once = sum(list(one.sources.values()).count("root") <= 1 for one in several)
    same = same_sources(chain, FOREST, ONE)
    held(
        5,
        (
            answer,
            [
                f"**{later}** starts {'from nothing' if source is None else f'from **{source}**'} on this draw",
                f"continues the root in {once} of 20 draws",
                f"start from nothing, as it does in {anew} of 20",
            ],
        ),
        (
            "TreeMT's",
            [
                f"less in {np.sum(costs[0] < costs[1])} of 20 draws: {costs[0].mean():.2f}",
                f"against {costs[1].mean():.2f}",
                f"test errors are alike, {share(errors(trees).mean())} and {share(errors(several).mean())}",
            ],
        ),
        ("The same chain as one sequence", [f"same chain as SeqMT in {same} of 20 draws"]),
    )


def test_lesson_6_when_the_teacher_comes_and_which_way_the_cloud_goes() -> None:
    found = studied(6)[0]
    greedy, first = (errors(found.learned[name]) for name in (ONE, FIRST))
    place = found.learned[ONE][0].order.index("teacher") + 1
    assert found.learned[FIRST][0].order[0] == "teacher"
    correlations = []
    for name, C in (("plane-misleading", 1000.0), ("mnist-levels:2", 1000.0)):
        walked = every_order(catalogue.load(name), C=C)
        correlations.append(float(spearmanr(walked.bounds.round(9), walked.test_errors.round(9)).statistic))
    assert correlations[0] < -0.1 < 0.1 < correlations[1]
    bounds = [np.array([one.bound.value for one in found.learned[name]]) for name in (ONE, FIRST)]
    told = f"{correlations[0]:.2f}".replace("-", "−")
    held(
        6,
        (
            "First" if place == 1 else "Second or third" if place < 4 else "Fourth or last",
            [
                f"At step {place} of 5",
                f"teacher first, {share(first.mean())} of the test",
                f"SeqMT gets {share(greedy.mean())} wrong. It is worse in {np.sum(first < greedy)} of 20",
                f"mean over all orders in {np.sum(100 * found.over.errors.mean(axis=1) < greedy)} of 20",
            ],
        ),
        (
            "It falls: low bound, many mistakes",
            [f"It is {told} on this draw", f"teacher first in {np.sum(bounds[0] < bounds[1])} of 20 draws"],
        ),
        ("It rises: low bound, few mistakes", [f"correlation is {correlations[1]:.2f} on this draw"]),
    )


def test_lesson_7_where_the_outlier_stands_in_the_cheapest_sequence() -> None:
    greedy, cheapest = (studied(7)[0].learned[name] for name in (GREEDY, BEST))
    walked = every_order(catalogue.load("plane-outlier"), C=10.0)
    best = walked.named(int(walked.bounds.argmin()))
    assert best == cheapest[0].order
    limits = [np.array([one.bound.value for one in learned]) for learned in (greedy, cheapest)]
    wrong = [errors(greedy), errors(cheapest)]
    assert np.sum(wrong[1] < wrong[0]) >= 15
    first, last = (sum(one.order[k] == "outlier" for one in made) for made, k in ((cheapest, 0), (greedy, -1)))
    held(
        7,
        (
            {0: "First", 5: "Last"}.get(best.index("outlier"), "In the middle"),
            [
                f"of all is {' → '.join(best)}: the outlier comes first in {first} of 20",
                f"takes {' → '.join(greedy[0].order)}: it puts the outlier off to the end in {last} of 20",
            ],
        ),
        (
            "Yes, greedy makes more mistakes",
            [
                f"higher in {np.sum(limits[1] < limits[0])} of 20 draws, {limits[0].mean():.3f} against "
                f"{limits[1].mean():.3f} on average",
                f"mistakes in {np.sum(wrong[1] < wrong[0])} of 20 draws: {share(wrong[0].mean())} against "
                f"{share(wrong[1].mean())}",
            ],
        ),
        (
            "When the cheapest next task is also a good start for the rest, as on a turning line",
            ["lowest bound of all 120"],
        ),
    )
