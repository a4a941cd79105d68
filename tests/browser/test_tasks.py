"""The Tasks page: pictures, tables and downloads."""

import csv
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import becomes, settle


def test_every_figure_has_a_text_alternative_a_table_and_downloads(page: Page) -> None:
    page.goto("/?set=digits-levels%3A8&C=100")
    settle(page)
    for key in ("images", "difficulty", "transfer", "similarity", "sizes"):
        figure = page.locator(f".st-key-figure-{key}")
        expect(figure.locator(".js-plotly-plot")).to_be_visible()
        expect(figure.get_by_role("figure")).to_have_attribute("aria-label", re.compile(".{20}", re.DOTALL))
        expect(figure.get_by_text("How to read this")).to_be_visible()
    settle(page)
    page.locator(".st-key-figure-difficulty").get_by_text("Table", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    with open(download.value.path(), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["task"] for row in rows] == [f"8 {level}" for level in ("easiest", "easy", "medium", "hard", "hardest")]
    assert all(0.0 <= float(row["test error alone"]) <= 1.0 for row in rows)


@pytest.mark.parametrize("width", [600, 1440])
def test_nothing_is_wider_than_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/?set=digits-attributes&C=100")
    settle(page)
    expect(page.locator(".st-key-figure-similarity .js-plotly-plot")).to_be_visible()
    main = page.get_by_test_id("stMain")
    becomes(page, lambda: main.evaluate("element => element.scrollWidth - element.clientWidth") <= 1, True)
    clipped = """() => [...document.querySelectorAll('.js-plotly-plot')].filter(plot => {
            const frame = plot.getBoundingClientRect();
            return [...plot.querySelectorAll('.ytick text, .xtick text, .legendtext')].some(text => {
                const box = text.getBoundingClientRect();
                return box.left < frame.left - 2 || box.right > frame.right + 2 || box.bottom > frame.bottom + 2;
            });
        }).length"""
    becomes(page, lambda: page.evaluate(clipped), 0)


def test_what_explains_a_figure_never_covers_it_and_cards_are_equally_high(page: Page) -> None:
    page.goto("/?set=plane-tree&C=10")
    settle(page)
    expect(page.locator(".st-key-figure-similarity .js-plotly-plot")).to_be_visible()
    card = page.locator(".st-key-figure-transfer")
    chart = card.locator(".js-plotly-plot")
    card.get_by_text("How to read this").click()
    card.get_by_text("Table", exact=True).click()
    expect(card.get_by_role("button", name="Download CSV")).to_be_visible()
    placed = """([chart, ...parts]) => parts.every(part =>
        part.getBoundingClientRect().top >= chart.getBoundingClientRect().bottom)"""
    parts = (chart, card.get_by_text("started from the source"), card.get_by_test_id("stDataFrame"))
    becomes(page, lambda: page.evaluate(placed, [part.element_handle() for part in parts]), True)
    cards = page.locator(".st-key-figure-plane, .st-key-figure-difficulty")
    heights = "([a, b]) => Math.abs(a.getBoundingClientRect().height - b.getBoundingClientRect().height) < 2"
    becomes(page, lambda: cards.evaluate_all(heights), True)
