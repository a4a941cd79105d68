"""The lessons: what they say holds over 20 draws, and guesses and score are in the link."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from core import learn
from core.orders.orders_by_draw import correlations
from dashboard.components import player
from dashboard.figures.pictures import Picture
from dashboard.lessons import LESSONS, cost_of_greed, forest, misleads, next_task, two_terms, why_order
from dashboard.lessons.lesson import (
    ALONE,
    C_GRID,
    CHAIN,
    DRAWS,
    FOREST,
    ONE,
    SEVERAL,
    Question,
    Screen,
    Seen,
    Tried,
    answers,
    open_choices,
    score,
    with_guess,
)
from data.sources import catalogue
from tests.dashboard.screens import link, open_page, settled, texts

pytestmark = pytest.mark.xdist_group("lessons")  # each lesson is computed once
SEEDS = range(DRAWS)
NEARLY = 19
"""A story that is told holds in at least 95 % of draws."""


@cache
def studied(number: int) -> tuple[Tried, ...]:
    return LESSONS[number - 1].study(lambda done, total: None)


def screens(number: int, seen: Seen | None = None) -> tuple[Screen, ...]:
    return LESSONS[number - 1].screens(studied(number), seen or Seen())


def test_guesses_in_a_link_count_only_where_they_fit_a_question() -> None:
    question = Question("?", ("one", "two"), 1, "")
    made = tuple(Screen("", "", lambda: None, question) for _ in range(3))  # type: ignore[arg-type,return-value]
    assert with_guess("", 3, 1) == "--b"
    assert with_guess("--b", 1, 0) == "a-b"
    assert with_guess("a-b", 3, None) == "a"
    assert answers("cab<script>", made) == [None, 0, 1]
    assert answers("ba", made) == [1, 0, None]
    assert score(answers("a-b", made), made) == (1, 2)
    assert score(answers("", made), made) == (0, 0)
    assert answers("a-b", made) == [0, None, 1]


@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_every_screen_asks_one_question_with_a_right_answer_and_draws_its_figures(number: int) -> None:
    told = screens(number)
    assert 3 <= len(told) <= 5
    for screen in told:
        assert 0 <= screen.question.right < len(screen.question.choices)
        assert screen.question.told
        for draw in filter(None, (screen.picture, screen.reveal)):
            picture = draw()
            assert isinstance(picture, Picture)
            assert picture.title
            assert picture.alt
            assert len(picture.chart.data) + len(picture.chart.layout.images) > 0


def test_lesson_1_the_learner_follows_the_turning_line() -> None:
    assert studied(1)[0].first(ONE).order[:3] == next_task.NAMES[:3]
    for number, screen in enumerate(screens(1)[:3]):
        assert screen.question.choices[screen.question.right] == f"Task {next_task.NAMES[number]}"
    sets = [catalogue.load(CHAIN, seed) for seed in SEEDS]
    assert all(learn(drawn, "seqmt", C=next_task.C).order == drawn.names for drawn in sets)  # "in 20 of 20 draws"


def test_lesson_2_easy_first_and_greedy_do_well() -> None:
    (found,) = studied(2)
    names, errors = found.over.walked[0].names, found.over.errors
    easy, hard = (errors[:, found.over.walked[0].row(order)] for order in (names, names[::-1]))
    assert sum(easy < hard) >= NEARLY
    assert sum(found.errors().values[ONE] < 100 * errors.mean(axis=1)) >= NEARLY
    assert all(own.max() > 1.2 * own.min() for own in errors)
    mine = names[::-1]
    landed = screens(2, Seen(order=mine))[1].question
    assert landed.choices[landed.right] == why_order.QUARTERS[3]
    assert f"{100 * hard.mean():.1f}\u00a0%" in landed.told


def test_lesson_3_the_first_choice_flips_on_the_slider_in_every_draw() -> None:
    for seed in SEEDS:
        drawn = catalogue.load(LESSONS[2].task_set, seed)
        steps = [learn(drawn, "seqmt", C=C).steps[0] for C in C_GRID]
        flips = [step for step in steps if step.chosen.task != steps[-1].chosen.task]
        assert flips
        moved = {one.task: one.complexity_term for one in flips[-1].candidates}  # it moved less: hardly learned
        assert moved[flips[-1].chosen.task] < moved[steps[-1].chosen.task]
    at = screens(3, Seen(C=10.0))[2]
    assert ("You found a C" in at.words) == (10.0 in two_terms.flips(studied(3)))


def test_lesson_4_one_sequence_hurts_and_subsequences_repair_it() -> None:
    shoes, chain = studied(4)
    errors = shoes.errors()
    assert errors.lower(ALONE, ONE) >= NEARLY
    assert errors.lower(SEVERAL, ONE) >= NEARLY
    assert errors.values[SEVERAL].mean() > errors.values[ALONE].mean()  # "a little above learning each alone"
    assert all(a.sources == b.sources for a, b in zip(chain.learned[SEVERAL], chain.learned[ONE], strict=True))


def test_lesson_5_both_branches_begin_at_the_root_of_the_forest() -> None:
    branching, chain = studied(5)
    for tree, several in zip(branching.learned[FOREST], branching.learned[SEVERAL], strict=True):
        assert {tree.sources[name] for name in forest.BRANCHES} == {forest.ROOT}
        assert list(several.sources.values()).count(forest.ROOT) <= 1
        chosen = [one.bound.error + one.bound.complexity for one in (tree, several) if one.bound]
        assert chosen[0] < chosen[1]
    for tree, one in zip(chain.learned[FOREST], chain.learned[ONE], strict=True):
        assert tree.sources == one.sources
        assert tree.bound is not None
        assert one.bound is not None
        assert tree.bound.value > one.bound.value


def test_lesson_5_asks_where_a_named_task_starts_so_that_one_answer_is_right() -> None:
    question, sources = screens(5)[0].question, studied(5)[0].first(SEVERAL).sources
    assert forest.second(sources) in question.asked
    named = sources[forest.second(sources)]
    assert question.right == {forest.ROOT: 0, None: 2}.get(named, 1)
    assert (named or "from nothing") in question.told


def test_lesson_3_weights_have_one_scale_for_every_C() -> None:
    ends = {screens(3, Seen(C=C))[3].picture().chart.data[0].zmax for C in C_GRID}
    assert len(ends) == 1


@pytest.mark.parametrize("number", [4, 5, 7])
def test_the_opposite_shows_the_turning_line_it_asks_about(number: int) -> None:
    last = screens(number)[-1]
    assert last.reveal is not None
    assert last.reveal().key in ("lesson-chain", "lesson-greed-chain")


def test_lesson_6_the_lower_bound_has_the_higher_error() -> None:
    found, digits = studied(6)
    errors, bounds = misleads.errors_of(found), found.bounds()
    assert errors.lower(misleads.FIRST, misleads.GREEDY) >= NEARLY
    assert errors.lower(misleads.RANDOM, misleads.GREEDY) >= NEARLY
    assert bounds.lower(misleads.GREEDY, misleads.FIRST) == DRAWS
    assert sum(correlations(found.over) < 0) >= 15
    assert sum(correlations(digits.over) > 0) >= NEARLY


def test_lesson_7_greed_puts_the_outlier_off_and_pays_for_it() -> None:
    found, chain = studied(7)
    greedy, best = found.learned[cost_of_greed.GREEDY], found.learned[cost_of_greed.BEST]
    assert all(one.order[-1] == cost_of_greed.OUTLIER for one in greedy)
    assert all(one.order[0] == cost_of_greed.OUTLIER for one in best)
    lowest = [orders.bounds.min() for orders in found.over.walked]
    assert [one.bound and one.bound.value for one in best] == pytest.approx(lowest, abs=1e-6)
    assert found.bounds().lower(cost_of_greed.BEST, cost_of_greed.GREEDY) == DRAWS
    assert found.errors().lower(cost_of_greed.BEST, cost_of_greed.GREEDY) >= NEARLY
    assert chain.bounds().lower(cost_of_greed.CHAIN_BEST, cost_of_greed.GREEDY) <= 1
    assert all(a.steps[0].chosen.criterion < b.steps[0].chosen.criterion for a, b in zip(greedy, best, strict=True))


def test_the_page_lists_the_lessons_and_opens_one() -> None:
    app = open_page("lessons")
    assert not app.exception
    for number, lesson in enumerate(LESSONS, start=1):
        assert f"{number}\\. {lesson.title}" in texts(app)
    app.button(key="start-1").click().run()
    settled(app)
    assert link(app, "lesson") == "1"
    assert app.title[0].value == "First choice"


def test_a_guess_shows_the_answer_and_is_in_the_link_with_the_score() -> None:
    app = open_page("lessons", lesson="1")
    assert not app.success
    assert not app.info
    app.button(key="choice-1-1-1").click().run()
    assert link(app, "guess") == "a"
    assert "It is: Task D" in app.info[0].value
    assert "Score: **0 of 1**" in texts(app)
    app = open_page("lessons", lesson="1", screen="2", guess="a")
    app.button(key="choice-1-2-1").click().run()
    assert "That is right" in app.success[0].value
    assert "Score: **1 of 2**" in texts(app)
    again = open_page("lessons", lesson="1", screen="2", guess="aa")
    assert "Score: **1 of 2**" in texts(again)
    app.button(key="again-1-2").click().run()
    assert link(app, "guess") == "a"


def test_a_wish_for_a_screen_leads_there_or_to_the_next_lesson_and_changes_the_link_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put: list[dict[str, Any]] = []
    wanted: list[Callable[[int, dict[int, int]], None]] = []
    monkeypatch.setattr(
        "dashboard.components.player.screens", lambda names, at, chapter, go, **words: wanted.append(go)
    )
    open_page("lessons", lesson="1", guess="a")
    monkeypatch.setattr("dashboard.session.links.put", lambda **values: put.append(values))
    for lesson, wishes in (
        ("1", ((3, {}), (3, {2: 3}), (1, {3: 0, 2: 1}), (0, {}), (5, {4: 1}))),
        ("", ((3, {}),)),
        ("2", ((3, {1: 0}),)),
    ):  # what the link says when the wish comes
        link = {"lesson": lesson, "guess": "a"}
        monkeypatch.setattr("dashboard.session.links.text", lambda name, default="", link=link: link[name] or default)
        for screen, made in wishes:
            wanted[-1](screen, made)
    assert [(one.get("lesson", "stays"), one["screen"], one["guess"]) for one in put] == [
        ("stays", 3, "a"),
        ("stays", 3, "ad"),
        ("stays", None, "aba"),
        (None, None, None),
        (2, None, None),
    ]


def test_an_answer_by_digit_counts_for_its_own_screen_where_a_question_is_open() -> None:
    question = Question("?", ("one", "two"), 1, "")
    made = tuple(Screen("", "", lambda: None, question) for _ in range(3))  # type: ignore[arg-type,return-value]
    assert open_choices(answers("", made), made) == [2, 2, 2]
    assert open_choices(answers("ab-z", made), made) == [0, 0, 2]
    wish = {"step": 3, "answers": [[1, 2], [2, 1], [3, 3], [3, 1], [4, 1], [0, 1], [-1, 1]]}
    assert player._answers(wish, [2, 0, 2]) == {1: 1, 3: 0}
    assert player._answers({"step": 3}, [2, 0, 2]) == {}


def test_nonsense_in_a_lessons_link_falls_back() -> None:
    app = open_page("lessons", lesson="1", screen="99", guess="zz<!>", lessonC="7", mine="1.1")
    assert not app.exception
    assert not app.error
    assert app.title[0].value == "What decides"
    assert app.button(key="choice-1-4-1")
