"""What is pressed while the server is down is not lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import WAIT_MILLISECONDS, serve, settle

STEPS = "/step?set=plane-tree&C=10"
LESSON = "/lessons?lesson=1"


@pytest.mark.parametrize(
    ("noticed", "link", "begin", "keys", "reached", "words"),
    [
        (False, STEPS, "Step 1 of 7.", ("ArrowRight", "ArrowRight"), "step=3", "Step 3 of 7."),
        (
            True,
            LESSON,
            "Screen 1 of 4.",
            ("4", "ArrowRight", "1", "ArrowRight"),
            r"(?=.*guess=da\b)(?=.*screen=3\b)",
            "Score: 2 of 2.",
        ),
    ],
)
def test_keys_pressed_while_the_server_is_down_count_when_it_is_back(
    chromium: Browser,
    tmp_path: Path,
    noticed: bool,
    link: str,
    begin: str,
    keys: tuple[str, ...],
    reached: str,
    words: str,
) -> None:
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(WAIT_MILLISECONDS)
    page = context.new_page()
    with serve(tmp_path) as address:
        page.goto(address + link)
        expect(page.get_by_text(begin)).to_be_visible()
        expect(page.locator(".player")).to_be_visible()
        settle(page)
    if noticed:  # Streamlit says so in a dialog, which has the focus then
        expect(page.get_by_role("dialog")).to_be_visible()
    for key in keys:
        page.keyboard.press(key)
    with serve(tmp_path, port=int(address.rpartition(":")[2])):
        expect(page).to_have_url(re.compile(reached))
        expect(page.get_by_text(words)).to_be_visible()
        settle(page)
        press_on(page, reached)
    context.close()


def press_on(page: Page, reached: str) -> None:
    """The page goes on as before."""
    page.keyboard.press("ArrowLeft")
    expect(page).not_to_have_url(re.compile(reached))
    expect(page.get_by_text(re.compile("(Step|Screen) 2 of"))).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
