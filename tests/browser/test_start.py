"""The dashboard opens."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle


def test_the_dashboard_opens_without_an_error(page: Page) -> None:
    page.goto("/")
    settle(page)
    expect(page).to_have_title("Curriculab")
    expect(page.get_by_role("heading", name="Curriculab")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
