"""Every page with a set of images and one in the plane, chosen as a person does; all sets are in tests/dashboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from data.sources import catalogue
from tests.browser.conftest import settle
from tests.browser.test_shell import choose

PAGES = ("Step through", "Subsequences", "Orders", "Compare", "Runs", "Lessons", "Tasks")
SETS = (catalogue.DEFAULT, "plane-tree")


@pytest.mark.parametrize("name", SETS)
def test_every_page_shows_the_set_without_a_problem(page: Page, name: str) -> None:
    page.goto("/?C=100")
    settle(page)
    if name != catalogue.DEFAULT:
        choose(page, "Task set", name)
    written = re.escape(name).replace(":", ":\u2060?")  # a word joiner keeps ":8" from becoming a picture
    expect(page.get_by_text(re.compile(rf"{written}: \d+ binary tasks"))).to_be_visible()
    for title in PAGES:
        page.get_by_role("link", name=title).click()
        expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
        settle(page)
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        settle(page)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)
        if title in PAGES[:3]:
            expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
