"""The shell as a new user meets it: sets, uploads, links, theme."""

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, expect

from core import Task, TaskSet
from data.archives import formats
from tests.browser.conftest import becomes, settle

GOOD = "task,label,split,mean area,f2,f3\n" + "".join(
    f"{task},{label},{split},{label * 2 + k % 3},{k % 5},{(k * 7) % 4 - label}\n"
    for task in ("<b>first</b>", "second | *task*")
    for split, count in (("train", 12), ("test", 6))
    for k in range(count)
    for label in (0, 1)
)
BAD = "task,label,f1\na,1,2.5\na,0,oops\n"


def fresh(page: Page) -> Page:
    """The same address in a browser that has never been here."""
    browser: Browser | None = page.context.browser
    assert browser is not None
    other = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce").new_page()
    other.goto(page.url)
    settle(other)
    return other


def choose(page: Page, label: str, option: str) -> None:
    """Pick an option of a select box; a list that is drawn anew at that moment closes, so wait for what is computed."""
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
    settle(page)
    box = page.get_by_role("combobox", name=re.compile(label))
    box.click()
    box.fill(option)
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)


def test_a_set_chosen_in_the_sidebar_is_in_the_link_and_a_colleague_sees_it(page: Page) -> None:
    page.goto("/")
    settle(page)
    expect(page.get_by_text("mnist-levels: 15 binary tasks")).to_be_visible()
    choose(page, "Task set", "digits-rotated")
    expect(page.get_by_text("digits-rotated: 5 binary tasks")).to_be_visible()
    expect(page).to_have_url(re.compile(r"set=digits-rotated"))
    page.get_by_text("Learner", exact=True).click()
    page.get_by_role("radio", name="fixed").or_(page.get_by_role("button", name="fixed")).first.click()
    expect(page).to_have_url(re.compile(r"C=100"))
    settle(page)
    other = fresh(page)
    expect(other.get_by_text("digits-rotated: 5 binary tasks")).to_be_visible()
    expect(other.get_by_text("C, how much a mistake costs")).to_be_visible()
    other.context.close()


def test_a_name_typed_in_full_selects_that_set(page: Page) -> None:
    page.goto("/?set=plane-equal&C=10")
    settle(page)
    for name, tasks in (("digits-levels:8", 5), ("plane-tree", 7)):
        page.get_by_role("combobox", name=re.compile("Task set")).click()
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(page.get_by_text(f": {tasks} binary tasks")).to_be_visible()
        expect(page).to_have_url(re.compile(f"set={name.replace(':', '%3A')}&"))
        settle(page)
    page.get_by_role("combobox", name=re.compile("Task set")).click()
    page.keyboard.type("dgtslvls8")  # a resemblance selects nothing
    expect(page.get_by_role("option", name="digits-levels:8")).to_have_count(0)


def test_all_sets_are_listed_in_groups_with_their_stories(page: Page) -> None:
    page.goto("/?set=plane-equal&C=10")
    settle(page)
    page.get_by_role("button", name="All sets and their stories").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Points in the plane")).to_be_visible()
    expect(dialog.get_by_text("Two unrelated groups")).to_be_visible()
    dialog.get_by_role("button", name="plane-tree").click()
    expect(page.get_by_text("plane-tree: 7 binary tasks")).to_be_visible()
    expect(dialog).to_have_count(0)


def test_a_bad_file_is_told_in_a_sentence_and_a_good_one_is_used(page: Page, tmp_path: Path) -> None:
    page.goto("/")
    settle(page)
    page.get_by_text("Your own tasks", exact=True).click()
    upload = page.get_by_test_id("stFileUploaderDropzoneInput")
    bad = tmp_path / "bad.csv"
    bad.write_text(BAD)
    upload.set_input_files(bad)
    problem = page.get_by_test_id("stAlert").filter(has_text="cannot be read")
    expect(problem).to_contain_text("bad.csv")
    expect(problem).to_contain_text("oops")
    good = tmp_path / "good.csv"
    good.write_text(GOOD)
    upload.set_input_files(good)
    expect(page.get_by_text(re.compile("Read:.*2 tasks"))).to_contain_text("<b>first</b>")
    page.get_by_role("button", name="Use this task set").click()
    expect(page.get_by_text("good: 2 binary tasks")).to_be_visible()
    expect(page).to_have_url(re.compile(r"set=upload"))
    settle(page)
    expect(page.locator(".js-plotly-plot text", has_text="<b>first</b>").first).to_be_visible()
    expect(page.locator(".js-plotly-plot svg b")).to_have_count(0)


def test_an_upload_stays_chosen_while_it_is_learned_with_progress(page: Page, tmp_path: Path) -> None:
    """The progress asks the server again and again, with the values of the knobs that the set before had."""
    rng = np.random.default_rng(0)
    y = np.tile([-1.0, 1.0], 75)  # at random, which takes long
    tasks = [Task(f"t{k}", rng.normal(size=(150, 30)), y) for k in range(90)]
    large = tmp_path / "large.npz"
    formats.write(TaskSet("large", tuple(tasks)), large)
    page.goto("/?set=plane-equal&C=10")
    page.get_by_text("Your own tasks", exact=True).click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(large)
    page.get_by_role("button", name="Use this task set").click()
    expect(page.get_by_text("large: 90 binary tasks")).to_be_visible()
    expect(page.locator(".st-key-figure-difficulty h4")).to_contain_text(re.compile(r"“t\d+”"))  # all is learned
    settle(page)
    expect(page.get_by_text("large: 90 binary tasks")).to_be_visible()
    expect(page).to_have_url(re.compile("set=upload"))


def test_an_upload_survives_a_reload_and_a_second_tab_and_the_link_alone_asks_for_the_file(
    page: Page, tmp_path: Path
) -> None:
    page.goto("/")
    settle(page)
    page.get_by_text("Your own tasks", exact=True).click()
    good = tmp_path / "good.csv"
    good.write_text(GOOD)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(good)
    page.set_viewport_size({"width": 1440, "height": 1000})
    expect(page.get_by_role("button", name="Use this task set")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Use this task set").click()
    expect(page.get_by_text("good: 2 binary tasks")).to_be_visible()
    expect(page).to_have_url(re.compile(r"key=[\w-]{20,}"))
    page.goto(page.url.replace("/?", "/step?") + "&C=10&step=2")
    expect(page.get_by_text("Step 2 of 2.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Step 2 of 2.")).to_be_visible()
    expect(page.locator(".js-plotly-plot text", has_text="mean area")).to_be_visible()
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.get_by_text("Step 2 of 2.")).to_be_visible()
    page.get_by_text("Link and code", exact=True).click()
    link = page.get_by_test_id("stCode").first.inner_text()
    assert "set=upload" in link
    assert "key=" not in link
    other = page.context.browser.new_page()  # type: ignore[union-attr]
    other.goto(link)
    expect(other.get_by_text("upload the same file")).to_be_visible()
    other.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(good)
    expect(other.get_by_text("Step 2 of 2.")).to_be_visible()
    other.close()


def test_the_theme_follows_the_reader_and_the_pages_keep_the_link(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto("/?set=digits-levels%3A8")
    settle(page)
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    expect(page.locator(".js-plotly-plot .ytick text").first).to_have_css("fill", "rgb(238, 242, 246)")
    page.get_by_role("link", name="Step through").click()
    expect(page.get_by_role("heading", name="Step through")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/step\?set=digits-levels%3A8|/step\?set=digits-levels:8"))
    expect(page.get_by_text("Step 1 of 5.")).to_be_visible()


def inked(page: Page, colour: str) -> None:
    """Wait until three figures have text of that colour."""
    page.wait_for_function(
        "wanted => [...document.querySelectorAll('.js-plotly-plot')].filter(plot => plot.querySelector('text') && "
        "getComputedStyle(plot.querySelector('text')).fill === wanted).length >= 3",
        arg=colour,
    )


def quiet(page: Page, asked: list[object]) -> int:
    """Wait until nothing more is asked of the server; how often it was."""
    counts: list[int] = []

    def none_for_two_seconds() -> bool:
        settle(page)
        counts.append(len(asked))
        return len(counts) > 40 and counts[-41] == counts[-1]

    becomes(page, none_for_two_seconds, True)
    return counts[-1]


def test_the_theme_is_switched_while_a_page_is_open(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    asked: list[object] = []
    page.on("websocket", lambda connection: connection.on("framesent", lambda frame: asked.append(frame)))
    page.goto("/step?set=digits-levels%3A8&C=100&step=3")
    inked(page, "rgb(28, 39, 51)")
    before = quiet(page, asked)
    for theme, colour in (("Dark", "rgb(238, 242, 246)"), ("Light", "rgb(28, 39, 51)")):
        page.get_by_test_id("stMainMenu").get_by_role("button").click()
        page.get_by_role("menuitemradio", name=theme).click()
        page.keyboard.press("Escape")
        inked(page, colour)
        expect(page.get_by_text("Step 3 of 5.")).to_be_visible()
    assert quiet(page, asked) - before == 2  # each switch draws the page once


def test_settings_are_changed_again_after_reset_and_after_back(page: Page) -> None:
    page.goto("/?set=plane-equal")
    delta = page.get_by_role("spinbutton", name=re.compile("δ"))
    for value in ("0.1", "0.2"):
        settle(page)
        page.get_by_text("Learner", exact=True).click()
        delta.fill(value)
        delta.press("Enter")
        expect(page).to_have_url(re.compile(f"delta={value}"))
        settle(page)
        page.get_by_role("button", name="Reset settings").click()
        expect(page).not_to_have_url(re.compile("delta"))
        expect(delta).to_have_value("0.05")
        expect(delta).not_to_be_visible()  # the box closes
    settle(page)
    page.go_back()
    expect(delta).to_have_value("0.2")
    settle(page)
    delta.fill("0.3")
    delta.press("Enter")
    expect(page).to_have_url(re.compile("delta=0.3"))
    settle(page)
    page.get_by_role("radio", name="fixed").click()
    expect(page).to_have_url(re.compile("C=100&|C=100$"))
    value = page.get_by_test_id("stSliderThumbValue")
    for _ in range(2):
        expect(value).to_have_text(["100"])
        settle(page)
        page.get_by_role("slider", name="C").press("ArrowRight")
        expect(page).to_have_url(re.compile("C=1000&|C=1000$"))
        settle(page)
        page.go_back()
    expect(value).to_have_text(["100"])
    settle(page)
    page.get_by_role("button", name="Reset settings").click()
    expect(page).to_have_url(re.compile(r"/\?set=plane-equal$"))
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_role("button", name="Reset settings")).to_be_disabled()
