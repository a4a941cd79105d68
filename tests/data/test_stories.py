"""Every story that a set or a lesson tells is true of the core: on a few draws here, on many in docs/stories.md."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from dashboard.lessons import LESSONS
from data.sources.catalogue import STORY_SET, find
from tests.claims.claims import CLAIMS, DOCS
from tests.claims.stories import NEARLY_ALWAYS, Claim, Draw, document, measured

SEEDS = range(3)
PAGES = Path(__file__).parents[2] / "docs"
ROW = re.compile(r"\| `(?P<set>.+?)` \| (?P<told>.+?) \| (?P<text>.+) \| (?P<count>\d+) \| (?P<promised>\d+) \|")


@cache
def drawn(name: str, seed: int) -> Draw:
    return Draw(name, seed)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.set}: {claim.text}"[:70])
def test_a_story_holds_on_these_draws_but_one_at_most(claim):
    held = sum(claim.holds(drawn(claim.set, seed)) for seed in SEEDS)
    assert held >= (len(SEEDS) - 1 if claim.share == NEARLY_ALWAYS else 1)


def test_the_page_of_stories_has_every_claim_and_all_hold_as_often_as_promised():
    rows = [found.groupdict() for found in map(ROW.fullmatch, (PAGES / "stories.md").read_text().splitlines()) if found]
    on_more = [claim for claim in CLAIMS if claim.set == STORY_SET]
    assert sorted(row["text"] for row in rows) == sorted(claim.text for claim in [*CLAIMS, *on_more])
    for row in rows:
        assert int(row["count"]) >= int(row["promised"]), row


def test_the_set_of_all_orders_was_counted_on_a_hundred_draws():
    counted = (PAGES / "stories.md").read_text().partition("100 draws")[2].splitlines()
    promised = [found["promised"] for found in map(ROW.fullmatch, counted) if found]
    assert len(promised) >= 5
    assert set(promised) == {"95"}


def test_what_the_page_of_sets_says_is_what_is_counted():
    rows = {line.split("`")[1]: line for line in (PAGES / DOCS).read_text().splitlines() if line.startswith("| `")}
    for claim in CLAIMS:
        if claim.told == DOCS:
            assert claim.text in rows[claim.set]
            assert (claim.share == NEARLY_ALWAYS) == ("mostly" not in claim.text)
    counted = {(claim.set, claim.text) for claim in CLAIMS if claim.told == DOCS}
    for name in {name for name, _ in counted}:
        told = rows[name].split(" | ")[-1].rstrip(" |").split(". ")[0].split("; ")
        assert {(name, text) for text in told} <= counted


def test_every_lesson_has_claims_on_its_own_set():
    for number, lesson in enumerate(LESSONS, start=1):
        assert lesson.task_set in {claim.set for claim in CLAIMS if claim.told == f"lesson {number}"}


def test_sets_that_show_structure_say_so_where_they_are_chosen():
    shows = {claim.set for claim in CLAIMS if "shows structure" in claim.text}
    assert shows
    for name in shows:
        assert "structure, not test error" in find(name).note


def test_draws_that_bear_a_claim_out_are_counted():
    even = Claim("plane-equal", "nowhere", "the seed is even", lambda draw: draw.seed % 2 == 0, 0.5)
    never = Claim("plane-equal", "nowhere", "never", lambda draw: False)
    assert list(measured([even, never], range(3, 8))) == [(even, 2), (never, 0)]
    assert (even.enough(5), never.enough(20), never.enough(100)) == (3, 19, 95)
    assert "| `plane-equal` | nowhere | the seed is even | 2 | 3 |" in list(document([even], range(3, 8), range(0)))
