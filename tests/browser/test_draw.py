"""Draw: real pointer, touch and key events make tasks, and what is learned follows."""

import re

from playwright.sync_api import Browser, Page, expect

from data.archives import formats
from data.sources import sketch
from tests.browser.conftest import WAIT_MILLISECONDS, becomes, settle, width
from tests.browser.test_shell import fresh

TASKS = sketch.Drawing(
    (
        sketch.DrawnTask("east", ((200, 120), (220, 140)), ((60, 120), (40, 140))),
        sketch.DrawnTask("north", ((120, 200), (140, 220)), ((120, 60), (140, 40))),
    )
)
LINK = f"/draw?drawing={sketch.encode(TASKS)}"


def canvas(page: Page):
    return page.get_by_role("application")


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the grid on the screen."""
    box = canvas(page).bounding_box()
    assert box is not None
    return box["x"] + box["width"] * x / sketch.SIDE, box["y"] + box["height"] * (1 - y / sketch.SIDE)


def linked(url: str) -> sketch.Drawing:
    """The drawing that an address holds."""
    code = re.search(r"drawing=([\w-]+)", url)
    assert code is not None
    found = sketch.decode(code[1])
    assert found is not None
    return found


def east(page: Page) -> sketch.DrawnTask:
    """The first task as the address has it, which follows what is on the canvas."""
    return linked(page.url).tasks[0]


def opened(page: Page, link: str = LINK) -> None:
    page.set_viewport_size({"width": 1440, "height": 1200})
    page.goto(link)
    expect(canvas(page)).to_be_visible()
    expect(page.locator(".st-key-figure-draw-forest .js-plotly-plot")).to_be_visible()
    settle(page)


def test_points_are_added_moved_erased_undone_and_redone_by_mouse(page: Page) -> None:
    opened(page)
    expect(page.locator("svg .own")).to_have_count(1)
    page.mouse.click(*at(page, 100, 100))
    expect(page.get_by_role("button", name="east (3 + 2)")).to_be_visible()
    page.get_by_role("button", name="Negative").click()
    page.mouse.click(*at(page, 30, 30))
    expect(page.get_by_role("button", name="east (3 + 3)")).to_be_visible()
    page.mouse.move(*at(page, 30, 30))
    page.mouse.down()
    page.mouse.move(*at(page, 60, 50), steps=4)
    page.mouse.up()
    expect(page.get_by_text("Moved a negative point")).to_be_visible()
    page.get_by_role("button", name="Erase").click()
    page.mouse.click(*at(page, 100, 100))
    expect(page.get_by_role("button", name="east (2 + 3)")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="east (3 + 3)")).to_be_visible()
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("button", name="east (2 + 3)")).to_be_visible()
    becomes(page, lambda: [len(part) for part in (east(page).positive, east(page).negative)], [2, 3])
    (x, y) = east(page).negative[-1]
    assert abs(x - 60) <= 2
    assert abs(y - 50) <= 2
    other = fresh(page)
    expect(other.get_by_role("button", name="east (2 + 3)")).to_be_visible()


def test_a_task_is_added_named_drawn_by_keyboard_and_learned(page: Page) -> None:
    opened(page)
    page.get_by_role("button", name="Add a task").click()
    name = page.get_by_label("Name")
    name.fill("west")
    name.press("Enter")
    expect(page.get_by_role("button", name="west (0 + 0)")).to_be_visible()
    expect(page.get_by_text("points of one class are missing: west")).to_be_visible()
    canvas(page).focus()
    for key in ["ArrowLeft"] * 5 + ["Enter", "2"] + ["ArrowRight"] * 9 + ["Enter", "ArrowUp", "Enter"]:
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="west (1 + 2)")).to_be_visible()
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="west (1 + 1)")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="west (1 + 2)")).to_be_visible()
    expect(page.get_by_text("points of one class are missing")).to_have_count(0)
    expect(page.locator(".st-key-figure-draw-forest h4")).to_contain_text("west")
    page.wait_for_url(lambda url: len(linked(url).tasks[-1].negative) == 2)
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="This drawing as a task set (CSV)").click()
    task_set = formats.read(download.value.path()).task_set
    assert task_set.names == ("east", "north", "west")
    assert task_set["west"].n_points == 3
    page.get_by_role("button", name="Remove this task").click()
    expect(page.get_by_role("button", name="west")).to_have_count(0)


def test_another_set_is_a_start_that_can_be_undone(page: Page) -> None:
    opened(page)
    page.get_by_label("Start from").click()
    page.get_by_role("option", name="plane-unrelated").click()
    expect(page.get_by_role("button", name=re.compile(r"^south \("))).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="east (2 + 2)")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile(r"^south \("))).to_have_count(0)


def test_a_finger_draws_on_a_phone(chromium: Browser, server: str) -> None:
    context = chromium.new_context(
        base_url=server, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(WAIT_MILLISECONDS)
    page = context.new_page()
    page.goto(LINK)
    expect(canvas(page)).to_be_visible()
    settle(page)
    canvas(page).scroll_into_view_if_needed()
    page.touchscreen.tap(*at(page, 128, 128))
    expect(page.get_by_role("button", name="east (3 + 2)")).to_be_visible()
    becomes(page, lambda: width(page) <= 390, True)
    context.close()
