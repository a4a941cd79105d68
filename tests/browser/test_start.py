"""The dashboard opens."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import serve, settle


def test_the_dashboard_opens_without_an_error(page: Page) -> None:
    page.goto("/")
    settle(page)
    expect(page).to_have_title(re.compile("Curriculab"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Pages that have something to show")).to_have_count(0)  # a constant's docstring


def test_a_newcomer_is_told_what_this_is_until_they_do_not_want_it_any_more(page: Page) -> None:
    page.goto("/?set=plane-equal&C=10")
    settle(page)
    start = page.get_by_text("New here?")
    expect(start).to_be_visible()
    expect(page.get_by_text("A curriculum is the order")).to_be_visible()
    assert (
        page.get_by_role("link", name=re.compile("Pentina")).get_attribute("href") == "https://arxiv.org/abs/1412.1353"
    )
    start.click()
    expect(page.get_by_text("A curriculum is the order")).to_be_hidden()
    page.reload()
    expect(start).to_be_visible()
    expect(page.get_by_text("A curriculum is the order")).to_be_hidden()
    start.click()
    page.get_by_role("button", name="Do not show this again").click()
    page.reload()
    settle(page)
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    expect(start).to_be_hidden()


def test_the_first_visitor_of_a_server_may_open_any_page(chromium: Browser, tmp_path: Path) -> None:
    with serve(tmp_path) as address:
        page = chromium.new_page()
        page.goto(f"{address}/runs?set=plane-equal&C=1")
        settle(page)
        expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        page.close()


def test_scripts_are_compressed_and_the_health_check_is_a_word(page: Page) -> None:
    with page.expect_response(re.compile(r"/static/js/PlotlyChart.*\.js")) as figures:
        page.goto("/?set=plane-equal&C=10")
    assert figures.value.headers["content-encoding"] == "gzip"
    assert "immutable" in figures.value.headers["cache-control"]
    health = page.request.get("/_stcore/health")
    assert (health.text(), health.headers.get("content-encoding")) == ("ok", None)
    settle(page)


def test_the_start_leads_to_the_first_lesson(page: Page) -> None:
    page.goto("/tasks?set=plane-equal&C=10")  # as one would guess the address of the page
    settle(page)
    expect(page).to_have_url(re.compile(r"\d/\?set=plane-equal&C=10"))
    expect(page.get_by_text("Page not found")).to_have_count(0)
    page.get_by_role("button", name="Start with lesson 1").click()
    expect(page).to_have_url(re.compile(r"/lessons\?.*lesson=1"))
