"""Step through: keyboard, clicks, what-if, links, play and cancel."""

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.test_shell import choose, fresh

LINK = "/step?set=digits-levels%3A8&C=100"


def press_until(page: Page, key: str, text: str) -> None:
    """Press a key until the text is there: a key that comes while its button is drawn anew is lost, as for a person."""
    for patience in (15_000, 15_000, 60_000):
        page.wait_for_timeout(500)
        page.keyboard.press(key)
        try:
            expect(page.get_by_text(text)).to_be_visible(timeout=patience)
            break
        except AssertionError:
            if patience == 60_000:
                raise
    settle(page)


def test_the_keyboard_steps_to_the_end_and_back(page: Page) -> None:
    page.goto(LINK)
    expect(page.get_by_text("Step 1 of 5.")).to_be_visible()
    settle(page)
    for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 5), ("Home", 1)):
        press_until(page, key, f"Step {step} of 5.")
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    with page.expect_download() as download:
        page.get_by_role("button", name="This curriculum (JSON)").click()
    saved = json.loads(download.value.path().read_text())
    assert saved["method"] == "seqmt"
    assert len(saved["steps"]) == 5


def test_a_click_on_a_bar_picks_it_and_a_what_if_survives_the_link(page: Page) -> None:
    page.goto(f"{LINK}&method=multiseqmt&step=2")
    settle(page)
    bars = page.locator(".st-key-figure-candidates-2 .js-plotly-plot .bars .point")
    expect(bars.first).to_be_visible()
    third = bars.nth(bars.count() // 2 + 2)
    third.click(force=True)
    expect(page).to_have_url(re.compile("pick="))
    expect(page.get_by_role("button", name="What if this one came next?")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="What if this one came next?").click()
    expect(page.get_by_text("You chose")).to_be_visible()
    expect(page.get_by_text("Bound, what if")).to_be_visible()
    settle(page)
    bounds = page.get_by_test_id("stMetricValue").all_inner_texts()
    other = fresh(page)
    expect(other.get_by_text("You chose")).to_be_visible()
    expect(other.get_by_text("Bound, what if")).to_be_visible()
    assert other.get_by_test_id("stMetricValue").all_inner_texts() == bounds
    other.context.close()
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("Bound, what if")).to_have_count(0)
    expect(page.get_by_text("Step 2 of 5.")).to_be_visible()


def test_play_moves_on_by_itself_and_stops_at_the_end(page: Page) -> None:
    page.goto(f"{LINK}&step=4")
    settle(page)
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_text("Step 5 of 5.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_long_computation_can_be_cancelled_and_the_app_stays_usable(page: Page) -> None:
    page.goto("/step?set=shoes-like%3Ftrain%3D120&method=treemt")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("cancelled")).to_be_visible()
    page.get_by_role("radio", name="SeqMT", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    choose(page, "Task set", "plane-tree")
    expect(page.get_by_text("Step 1 of 7.")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_open_code_box_follows_every_step(page: Page) -> None:
    page.goto(LINK)
    settle(page)
    page.get_by_role("button", name="Forward").click()
    expect(page.get_by_text("Step 2 of 5.")).to_be_visible()
    page.get_by_text("Link and code", exact=True).click()
    link = page.get_by_test_id("stSidebar").get_by_test_id("stCode").first
    expect(link).to_contain_text("step=2")
    page.get_by_role("button", name="Forward").click()
    expect(page.get_by_text("Step 3 of 5.")).to_be_visible()
    expect(link).to_contain_text("step=3")
