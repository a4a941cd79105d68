"""The dashboard opens."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle


def test_the_dashboard_opens_without_an_error(page: Page) -> None:
    page.goto("/")
    settle(page)
    expect(page).to_have_title(re.compile("Curriculab"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Pages that have something to show")).to_have_count(0)  # a constant's docstring
