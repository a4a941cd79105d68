"""Slide mode as a lecturer uses it: one figure at a time on 1280 × 720, large type, arrow keys only."""

import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import becomes, settle

SMALL = """() => {
  const small = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement, style = getComputedStyle(element);
    const words = texts.currentNode.textContent.replace(/\\u200b/g, "").trim(), box = element.getBoundingClientRect();
    const seen = style.visibility === "visible" && box.width && box.height && box.bottom > 0 && box.top < innerHeight;
    if (!words || !seen || element.closest("style, script, noscript, .katex-mathml")) continue;
    if (parseFloat(style.fontSize) < 18) small.push(`${style.fontSize}: ${words.slice(0, 40)}`);
  }
  return small;
}"""

INSIDE = "plot => { const box = plot.getBoundingClientRect(); return box.bottom <= 720 && box.right <= 1280; }"


def where(page: Page) -> Locator:
    return page.locator(".st-key-slides-bar").get_by_role("status")


def seen(page: Page) -> list[str]:
    """The figures that can be seen."""
    return page.evaluate(
        """() => [...document.querySelectorAll("[class*=st-key-figure-]")]
            .filter(one => getComputedStyle(one).visibility === "visible")
            .map(one => [...one.classList].find(name => name.startsWith("st-key-figure-")))"""
    )


def test_f_enters_arrows_go_through_figures_steps_and_pages_and_esc_leaves(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("/step?set=mnist-levels%3A2&C=1000")
    expect(page.get_by_text("Step 1 of 5.")).to_be_visible()
    expect(page.get_by_role("button", name="Slides")).to_be_visible()  # before it is there, no key leads to it
    settle(page)
    page.keyboard.press("f")
    expect(where(page)).to_have_text("Figure 1 of 6")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    becomes(page, lambda: seen(page), ["st-key-figure-candidates-1"])
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Step 2 of 5.")).to_be_visible()
    expect(page.locator(".st-key-figure-candidates-2")).to_be_visible()
    for number in range(2, 7):
        page.keyboard.press("ArrowDown")
        expect(where(page)).to_have_text(f"Figure {number} of 6")
        becomes(page, lambda: len(seen(page)), 1)
    expect(page).to_have_url(re.compile("figure=6"))
    settle(page)
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("/subsequences.*slides=1"))
    expect(page.locator(".st-key-figure-lanes .js-plotly-plot")).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("/orders.*slides=1"))
    expect(where(page)).to_have_text("Figure 1 of 4")
    settle(page)
    page.keyboard.press("ArrowUp")
    expect(page).to_have_url(re.compile("/subsequences"))
    expect(where(page)).to_have_text("Figure 1 of 1")
    settle(page)
    page.keyboard.press("ArrowUp")
    expect(page).to_have_url(re.compile("/step"))
    expect(where(page)).to_have_text("Figure 6 of 6")
    settle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(page.get_by_text("Step 2 of 5.")).to_be_visible()
    expect(page).not_to_have_url(re.compile("slides"))


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("/step?method=multiseqmt&C=1000&step=4&slides=1", "mnist-levels, C 1000, seed 0"),
        ("/subsequences?C=1000&slides=1", "mnist-levels, C 1000, seed 0"),
        ("/orders?set=mnist-levels%3A2&C=1000&slides=1", "mnist-levels:2, C 1000, seed 0"),
        ("/compare?run=0&slides=1", "mnist-levels:2, C 1000"),
        ("/lessons?lesson=1&screen=2&guess=db&slides=1", ""),
    ],
)
def test_nothing_on_a_slide_is_smaller_than_18_pixels_or_sticks_out(page: Page, link: str, named: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(link)
    expect(where(page)).to_have_text(re.compile("Figure 1 of"))
    settle(page)
    if named:
        expect(page.locator(".about, .slides-about").filter(has_text=named)).to_be_visible()
    count = int(where(page).inner_text().split()[-1])
    for number in range(1, count + 1):
        expect(where(page)).to_have_text(re.compile(f"(Figure|Question) {number} of {count}"))
        becomes(page, lambda: len(seen(page)), 1)
        shown = page.locator(f".{seen(page)[0]}")
        if shown.get_by_test_id("stPlotlyChart").count():
            expect(shown.locator(".main-svg").first).to_be_visible()
            becomes(page, partial(shown.locator(".js-plotly-plot").evaluate, INSIDE), True)
        becomes(page, lambda: page.evaluate(SMALL), [])
        page.keyboard.press("ArrowDown") if number < count else None


def test_a_lesson_is_gone_through_by_keys_figure_question_answer_and_next_screen(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("/lessons?slides=1")
    expect(where(page)).to_have_text("All lessons")
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(where(page)).to_have_text("Figure 1 of 2")
    expect(page.get_by_text("→ the question")).to_be_visible()
    settle(page)
    page.keyboard.press("4")  # not answered unseen
    expect(where(page)).to_have_text("Question 2 of 2")
    expect(page.get_by_role("button", name="Task D")).to_be_visible()
    settle(page)
    page.keyboard.press("4")
    expect(page.get_by_text("You said: Task D.")).to_be_visible()
    expect(where(page)).to_have_text("Question 2 of 3")
    settle(page)
    for key in ("ArrowRight",) * 3 + ("1",):  # the bars, then the next screen, its question and an answer, quickly
        page.keyboard.press(key)
        page.wait_for_timeout(60)
    expect(where(page)).to_have_text("Question 2 of 3")
    expect(page).to_have_url(re.compile("screen=2"))
    expect(page).to_have_url(re.compile(r"guess=da\b"))
    settle(page)
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    expect(where(page)).to_have_text("Figure 3 of 3")
    expect(page).to_have_url(re.compile("lesson=1&"))


def test_a_lecturers_link_fixes_the_set_and_hides_what_was_chosen_and_embeds(page: Page) -> None:
    page.goto("/step?set=mnist-levels%3A2&C=1000")
    expect(page.get_by_text("Step 1 of 5.")).to_be_visible()
    page.get_by_text("Link and code").click()
    page.get_by_role("button", name="For a lecture, or to embed").click()
    offered = page.locator("code", has_text=re.compile(r"^http.*without="))
    expect(offered).to_have_text(re.compile(r"set=mnist-levels%3A2&C=1000&seed=0&without=set\.learner"))
    expect(page.locator("code", has_text="<iframe")).to_have_text(re.compile("embed=true"))
    page.goto(offered.inner_text().strip() + "&embed=true")
    expect(page.get_by_text("Step 1 of 5.")).to_be_visible()
    expect(page.get_by_test_id("stSidebar").get_by_text(re.compile("^mnist-levels:.?2$"))).to_be_visible()
    expect(page.locator(".st-key-control-learner")).to_be_hidden()
    expect(page.locator(".st-key-control-set")).to_be_hidden()
    page.get_by_role("button", name="Forward").click()
    expect(page.get_by_text("Step 2 of 5.")).to_be_visible()
    expect(page).to_have_url(re.compile(r"embed=true.*without=set\.learner|without=set\.learner.*embed=true"))


def test_a_page_prints_on_several_sheets_without_the_sidebar(page: Page) -> None:
    page.goto("/step?set=mnist-levels%3A2&C=1000")
    for chart in ("candidates-1", "weights", "bound"):
        expect(page.locator(f".st-key-figure-{chart} .main-svg").first).to_be_visible()
    settle(page)
    named = page.locator(".print-only", has_text="mnist-levels:2")
    expect(named).to_be_hidden()
    printed = page.pdf(prefer_css_page_size=True)
    sheets = max(int(count) for count in re.findall(rb"/Count (\d+)", printed))
    assert 2 <= sheets <= 4
    page.emulate_media(media="print")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_text("How to read this").first).to_be_hidden()
    expect(named).to_be_visible()
    for control in ("stButton", "stCheckbox"):
        expect(page.locator(f"[data-testid={control}]:visible")).to_have_count(0)
    expect(page.get_by_role("heading", name="Step through")).to_be_visible()
