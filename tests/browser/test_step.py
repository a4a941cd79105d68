"""Step through: keyboard, clicks, what-if, links, play and cancel."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from playwright.sync_api import Locator, Page, expect

from core import learn
from data.sources import catalogue
from tests.browser.conftest import becomes, settle
from tests.browser.test_shell import choose, fresh

LINK = "/step?set=digits-levels%3A8&C=100"
LONG = "/step?set=digits-levels&C=100"


@contextmanager
def other_work() -> Iterator[None]:
    """Two processes that keep the machine busy, as on a lecturer's laptop."""
    loops = [subprocess.Popen(["nice", sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def opened(page: Page, link: str, step: str) -> None:
    """Open a link and wait for its step with the player; the first learns, and may compile what it learns with."""
    page.goto(link)
    expect(page.get_by_text(step)).to_be_visible(timeout=180_000)
    expect(page.get_by_role("button", name="Forward")).to_be_visible()
    settle(page)


def press(page: Page, key: str, text: str) -> None:
    """Press a key; what it asks for appears."""
    page.keyboard.press(key)
    expect(page.get_by_text(text)).to_be_visible()


def test_the_keyboard_steps_to_the_end_and_back(page: Page) -> None:
    opened(page, LINK, "Step 1 of 5.")
    for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 5), ("Home", 1)):
        press(page, key, f"Step {step} of 5.")
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="This curriculum (JSON)").click()
    saved = json.loads(download.value.path().read_text())
    assert saved["method"] == "seqmt"
    assert len(saved["steps"]) == 5


def test_ten_quick_presses_or_clicks_are_ten_steps_on_a_busy_machine(page: Page) -> None:
    opened(page, LONG, "Step 1 of 15.")
    with other_work():
        for key, pause, step in (("ArrowRight", 120, 11), ("ArrowLeft", 30, 1), ("ArrowRight", 0, 11)):
            for _ in range(10):
                page.keyboard.press(key)
                page.wait_for_timeout(pause)
            expect(page.get_by_text(f"Step {step} of 15.")).to_be_visible()
            settle(page)
            expect(page.get_by_text(f"Step {step} of 15.")).to_be_visible()
        for _ in range(10):
            page.get_by_role("button", name="Back").click()
        expect(page.get_by_text("Step 1 of 15.")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_role("heading", name="Step through")).to_be_visible()


def test_arrows_step_after_a_click_on_a_method_and_never_while_typing(page: Page) -> None:
    opened(page, LINK, "Step 1 of 5.")
    page.get_by_role("radio", name="MultiSeqMT").click()
    expect(page).to_have_url(re.compile("method=multiseqmt"))
    settle(page)
    press(page, "ArrowRight", "Step 2 of 5.")
    expect(page.get_by_role("radio", name="MultiSeqMT")).to_be_checked()
    settle(page)
    page.get_by_role("combobox", name="Candidate").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Forward").click()
    expect(page.get_by_text("Step 3 of 5.")).to_be_visible()
    page.get_by_role("combobox", name="Jump to step").select_option("5")
    expect(page.get_by_text("Step 5 of 5.")).to_be_visible()
    press(page, "ArrowLeft", "Step 4 of 5.")


def test_back_goes_through_the_steps_and_a_reload_or_a_second_tab_shows_the_same(page: Page) -> None:
    opened(page, "/step", "Step 1 of 15.")
    for step in (2, 3):
        press(page, "ArrowRight", f"Step {step} of 15.")
    settle(page)
    for step in (2, 1):
        page.go_back()
        expect(page.get_by_text(f"Step {step} of 15.")).to_be_visible()
    page.go_forward()
    expect(page.get_by_text("Step 2 of 15.")).to_be_visible()
    settle(page)
    words = page.get_by_text("Step 2 of 15.").inner_text()
    page.reload()
    expect(page.get_by_text("Step 2 of 15.")).to_have_text(words)
    other = fresh(page)
    expect(other.get_by_text("Step 2 of 15.")).to_have_text(words)
    other.context.close()
    page.go_back()
    expect(page.get_by_text("Step 1 of 15.")).to_be_visible()


OPACITIES = "plot => [...plot.querySelectorAll('.bars .point path')].map(path => getComputedStyle(path).opacity)"


def framed(page: Page) -> Locator:
    """The frame of the picked bar."""
    return page.locator(".st-key-figure-candidates-2 .js-plotly-plot .shapelayer path")


def test_a_picked_bar_is_framed_here_and_in_a_fresh_browser_and_no_bar_fades(page: Page) -> None:
    opened(page, f"{LINK}&method=multiseqmt&step=2", "Step 2 of 5.")
    plot = page.locator(".st-key-figure-candidates-2 .js-plotly-plot")
    bars = plot.locator(".bars .point")
    expect(bars.first).to_be_visible()
    before = plot.evaluate(OPACITIES)
    assert before
    bars.nth(bars.count() // 2 + 2).click(force=True)
    expect(page).to_have_url(re.compile("pick="))
    expect(framed(page)).to_have_count(1)
    settle(page)
    becomes(page, lambda: plot.evaluate(OPACITIES), before)
    other = fresh(page)
    expect(framed(other)).to_have_count(1)
    other.context.close()
    bars.nth(bars.count() // 2 + 3).click(force=True)
    expect(framed(page)).to_have_count(1)


def what_if(page: Page, chosen: str) -> str:
    """Ask what if the second of the listed candidates came next; its name."""
    page.get_by_role("combobox", name="Candidate").click()
    option = page.get_by_role("option").filter(has_not_text=re.compile("[★✎]")).first
    name = option.inner_text()
    option.click()
    page.get_by_role("button", name="What if this one came next?").click()
    expect(page.locator(".st-key-whatif").get_by_text(chosen)).to_be_visible()
    settle(page)
    return name


def test_all_steps_of_a_what_if_are_told_and_survive_the_link(page: Page) -> None:
    opened(page, f"{LINK}&step=2", "Step 2 of 5.")
    second = what_if(page, "your choice at step 2 (✎)")
    expect(page.locator(".st-key-slide-words").get_by_text("You chose")).to_be_visible()
    expect(page.get_by_text("This is your choice.")).to_be_visible()
    press(page, "ArrowRight", "Step 3 of 5.")
    settle(page)
    what_if(page, "your choices at steps 2 and 3 (✎)")
    press(page, "ArrowLeft", "Step 2 of 5.")
    expect(page.get_by_text(f"You chose “{second}”")).to_be_visible()
    listed = page.get_by_role("combobox", name="Jump to step").locator("option")
    becomes(page, lambda: [k for k, name in enumerate(listed.all_inner_texts()) if "✎" in name], [1, 2])
    expect(page.locator(".st-key-figure-so-far").get_by_text(f"✎ {second}")).to_be_visible()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="This curriculum (JSON)").click()
    saved = json.loads(download.value.path().read_text())
    assert saved["forced"] == [[step["task"], step["source"]] for step in saved["steps"][:3]]
    assert saved["prepared"] == {"normalize": "l2", "bias": True, "holdout": 0}
    with page.expect_download() as download:
        page.get_by_role("button", name="Its weights (NPZ)").click()
    with np.load(download.value.path()) as weights:
        assert list(weights) == saved["order"]
    bounds = page.get_by_test_id("stMetricValue").all_inner_texts()
    other = fresh(page)
    expect(other.get_by_text("Bound, what if")).to_be_visible()
    becomes(page, lambda: other.get_by_test_id("stMetricValue").all_inner_texts(), bounds)
    other.get_by_role("link", name="Subsequences").click()
    expect(other.get_by_text("your choices at steps 2 and 3 (✎)")).to_be_visible()
    expect(other.locator(".st-key-chart-lanes .js-plotly-plot text").filter(has_text="✎")).to_have_count(2)
    other.context.close()
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("Bound, what if")).to_have_count(0)
    expect(page.get_by_text("Step 2 of 5.")).to_be_visible()


def test_the_reader_guesses_before_the_bars_appear_and_the_score_is_in_the_link(page: Page) -> None:
    order = learn(catalogue.load("digits-levels:8"), "seqmt", C=100.0).order
    opened(page, LINK, "Step 1 of 5.")
    page.get_by_text("Hide until I guess").click()
    expect(page.get_by_text("Which task comes at step 1?")).to_be_visible()
    expect(page.locator(".st-key-figure-candidates-1")).to_have_count(0)
    expect(page.get_by_text("Step 1 of 5.")).to_have_count(0)
    assert not any(order[0] in name for name in page.get_by_role("combobox", name="Jump to step").all_inner_texts())
    page.get_by_role("button", name=order[0], exact=True).click()
    expect(page.get_by_text("Score: 1 of 1.")).to_be_visible()
    expect(page.locator(".st-key-figure-candidates-1")).to_be_visible()
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Which task comes at step 2?")).to_be_visible()
    page.get_by_role("button", name=order[3], exact=True).click()
    expect(page.get_by_text("Score: 1 of 2.")).to_be_visible()
    expect(page.get_by_text(f"You guessed “{order[3]}”")).to_contain_text(f"It is “{order[1]}”")
    other = fresh(page)
    expect(other.get_by_text("Score: 1 of 2.")).to_be_visible()
    other.context.close()


def test_at_1280_the_player_is_one_line_and_the_theorem_fits_its_card(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    opened(page, f"{LONG}&step=3", "Step 3 of 15.")
    buttons = "all => new Set(all.map(button => Math.round(button.getBoundingClientRect().top))).size"
    becomes(page, lambda: page.locator(".player button").evaluate_all(buttons), 1)
    expect(page.get_by_role("button", name="First step", exact=True)).to_have_text("")
    inside = """card => [...card.querySelectorAll('table')].every(
        table => table.getBoundingClientRect().right <= card.getBoundingClientRect().right)"""
    becomes(page, lambda: page.locator(".st-key-figure-theorem").evaluate(inside), True)
    page.get_by_role("radio", name="own scales").click()
    expect(page).to_have_url(re.compile("scales=own"))
    expect(page.locator(".st-key-figure-candidates-3 .x2title")).to_be_visible()
    expect(page.get_by_text("Before learning, every row x is divided by its length")).to_be_visible()
    page.get_by_text("What the symbols mean").click()
    expect(page.get_by_text("the harmonic mean of all tasks' sizes")).to_be_visible()
    with page.expect_download() as download:
        page.locator(".st-key-figure-candidates-3").get_by_role("button", name="HTML").click()
    assert "digits-levels, C 100, seed 0</p>" in download.value.path().read_text()


def test_play_moves_on_by_itself_on_a_busy_machine_and_stops_at_the_end(page: Page) -> None:
    opened(page, f"{LINK}&step=3", "Step 3 of 5.")
    with other_work():
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        expect(page.get_by_text("Step 4 of 5.")).to_be_visible()
        expect(page.get_by_text("Step 5 of 5.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_long_computation_can_be_cancelled_and_the_app_stays_usable(page: Page) -> None:
    page.goto("/step?set=shoes-like%3Ftrain%3D500&method=treemt")  # ten times as long as Cancel takes to press
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
