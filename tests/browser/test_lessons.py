"""Lessons in a real browser: by keyboard alone, from a link, and on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import becomes, settle, width
from tests.browser.test_contrast import FAINT
from tests.browser.test_shell import fresh
from tests.browser.test_step import other_work

LATE = """
const Socket = WebSocket, held = [];
let holding = false;
window.WebSocket = class extends Socket {
  set onmessage(hear) { super.onmessage = event => holding ? held.push(() => hear(event)) : hear(event); }
  addEventListener(kind, hear, ...rest) {
    const later = event => holding ? held.push(() => hear.call(this, event)) : hear.call(this, event);
    super.addEventListener(kind, kind === "message" ? later : hear, ...rest);
  }
};
window.hold = () => { holding = true; };
window.release = () => { holding = false; held.splice(0).forEach(hear => hear()); };
"""
"""A browser that hears nothing of the server from `hold()` to `release()`, as on a slow line."""


def test_the_first_lesson_is_done_by_keyboard_and_its_link_keeps_the_score(page: Page) -> None:
    page.goto("/lessons")
    expect(page.get_by_role("button", name="Start lesson 7")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Start lesson 1").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="First choice")).to_be_visible()
    expect(page.locator(".st-key-figure-lesson-bars-1")).to_have_count(0)
    settle(page)
    page.keyboard.press("4")
    expect(page.get_by_text("You said: Task D. That is right.")).to_be_visible()
    expect(page.locator(".st-key-figure-lesson-bars-1 .js-plotly-plot")).to_be_visible()
    expect(page).to_have_url(re.compile("guess=d"))
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Second choice")).to_be_visible()
    settle(page)
    page.keyboard.press("4")
    expect(page.get_by_text("You said: Task E. It is: Task A.")).to_be_visible()
    other = fresh(page)
    expect(other.get_by_role("heading", name="Second choice")).to_be_visible()
    expect(other.get_by_text("Score: 1 of 2.")).to_be_visible()


def test_an_order_is_arranged_predicted_and_then_seen(page: Page) -> None:
    page.goto("/lessons?lesson=2&screen=2")
    expect(page.get_by_role("heading", name="Arrange them yourself")).to_be_visible(timeout=180_000)  # 20 × 120 orders
    settle(page)
    page.get_by_role("button", name="Later").click()
    expect(page).to_have_url(re.compile("mine=4.2.1.3.5"))
    settle(page)
    page.get_by_role("button", name="Among the worst quarter").click()
    expect(page.locator(".st-key-figure-lesson-your-order .js-plotly-plot")).to_be_visible()
    expect(page.get_by_text("You said: Among the worst quarter.")).to_be_visible()


def test_on_a_phone_the_question_can_be_answered_and_nothing_sticks_out(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/lessons?lesson=1")
    page.get_by_role("button", name="Task D").click()
    expect(page.get_by_text("That is right.")).to_be_visible()
    expect(page.locator(".st-key-figure-lesson-bars-1 .js-plotly-plot")).to_be_visible()
    settle(page)
    becomes(page, lambda: width(page) <= 390, True)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Second choice")).to_be_visible()


def test_quick_keys_all_count_and_the_next_lesson_follows_the_last_screen(page: Page) -> None:
    page.goto("/lessons?lesson=1&guess=d")
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    settle(page)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 300)")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(80)
    expect(page.get_by_role("heading", name="What decides")).to_be_in_viewport()
    expect(page).to_have_url(re.compile("guess=d.*screen=4|screen=4.*guess=d"))
    settle(page)
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="First choice")).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowLeft")  # nothing is before the first screen: guesses stay
    page.get_by_role("button", name="All lessons").click()
    expect(page.get_by_role("button", name="Start lesson 1")).to_be_visible()
    page.go_back()
    page.wait_for_url(re.compile("lesson=1"))
    page.keyboard.press("End")  # before the lesson is drawn
    expect(page.get_by_role("heading", name="What decides")).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("lesson=2"))


@pytest.mark.parametrize("pause", [150, 400])
def test_quick_answers_all_count_and_each_for_the_screen_it_was_given_on(page: Page, pause: int) -> None:
    page.goto("/lessons?lesson=1")
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    settle(page)
    with other_work():
        for key in ("4", "ArrowRight", "1", "ArrowRight", "3", "ArrowRight", "2"):
            page.keyboard.press(key)
            page.wait_for_timeout(pause)
        expect(page).to_have_url(re.compile(r"(?=.*guess=dacb\b)(?=.*screen=4\b)"))
        expect(page.get_by_text("Score: 4 of 4.")).to_be_visible()
    settle(page)
    page.keyboard.press("1")  # the question is answered
    page.get_by_role("combobox", name="Jump to screen").select_option("3")
    expect(page.get_by_role("heading", name="Third choice")).to_be_visible()
    expect(page).to_have_url(re.compile("guess=dacb"))


@pytest.mark.parametrize("pause", [0, 1])
def test_a_key_after_a_click_whose_answer_is_late_does_not_undo_the_click(page: Page, pause: int) -> None:
    """The key's request carries the address of before the click, to which nobody went back."""
    page.add_init_script(LATE)
    page.goto("/lessons?lesson=1&guess=d&screen=2")
    expect(page.get_by_role("combobox", name="Jump to screen")).to_have_value("2")
    settle(page)
    page.evaluate("hold()")
    page.get_by_role("button", name="All lessons").click()
    page.wait_for_timeout(1000 * pause)  # with 1, the server has most likely forgotten the lesson's controls
    page.keyboard.press("ArrowRight")
    page.wait_for_function("curriculabPlayers.screens.inFlight")
    page.evaluate("release()")
    page.get_by_role("button", name="Start lesson 5").click()
    expect(page).to_have_url(re.compile(r"/lessons\?lesson=5$"))
    expect(page.get_by_text("Lesson 5 of 7")).to_be_visible()
    settle(page)
    page.go_back()
    expect(page.get_by_role("button", name="Start lesson 1")).to_be_visible()
    expect(page).to_have_url(re.compile("/lessons$"))


def test_a_lesson_leads_to_its_page_with_its_settings(page: Page) -> None:
    page.goto("/lessons?lesson=5&screen=3")
    page.get_by_role("link", name="Look closer on Subsequences").click()
    expect(page).to_have_url(re.compile("/subsequences.*set=plane-tree"))
    expect(page.locator(".st-key-figure-lanes .js-plotly-plot")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_of_lessons_and_of_draw_stands_out(page: Page, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    for address, heading in (("/lessons?lesson=1&screen=2&guess=db", "Second choice"), ("/draw", "Draw")):
        page.goto(address)
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        expect(page.locator(".js-plotly-plot").first).to_be_visible()
        settle(page)
        # A slider's value stands above its thumb, not on it, though it belongs to it.
        page.add_style_tag(content="[data-testid=stSliderThumbValue] { display: none; }")
        becomes(page, lambda: page.evaluate(FAINT), [])  # colours fade in
