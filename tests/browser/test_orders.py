"""Orders: click a dot, arrange your own order by keyboard, share it by link, cancel a long walk."""

import re

from playwright.sync_api import Page, expect

from core import learn
from core.analysis.all_orders import every_order
from data.sets import catalogue
from tests.browser.conftest import settle
from tests.browser.test_shell import fresh
from tests.browser.test_subsequences import click_point

LINK = "/orders?set=digits-levels%3A8&C=100"


def test_a_clicked_dot_shows_its_order_and_a_colleague_sees_the_same(page: Page) -> None:
    page.goto(LINK)
    settle(page)
    orders = every_order(catalogue.load("digits-levels:8"), C=100.0)
    assert orders.test_errors is not None
    expect(page.get_by_text("All 120 orders", exact=True)).to_be_visible()
    row = int(orders.bounds.argmax())
    click_point(page, "bound-against-error", 0, row)
    expect(page).to_have_url(re.compile("picked="))
    order = " → ".join(orders.named(row))
    expect(page.get_by_text(order)).to_be_visible()
    expect(page.get_by_text(f"Mean test error {orders.test_errors[row]:.1%}")).to_be_visible()
    settle(page)
    other = fresh(page)
    expect(other.get_by_text(order)).to_be_visible()
    other.context.close()


def test_an_order_arranged_by_keyboard_lands_in_the_figures(page: Page) -> None:
    page.goto(LINK)
    settle(page)
    task_set = catalogue.load("digits-levels:8")
    expect(page.get_by_text("Move “8 easiest”")).to_be_visible()
    page.get_by_role("button", name="To the end").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"mine=2\.3\.4\.5\.1"))
    mine = learn(task_set, "order", C=100.0, order=(*task_set.names[1:], task_set.names[0]))
    expect(page.get_by_text(f"Your order has a mean test error of {mine.mean_test_error:.1%}")).to_be_visible()
    settle(page)
    drawn = page.evaluate(
        """() => document.querySelector('.st-key-chart-orders .js-plotly-plot').data
                 .filter(trace => trace.name === 'Yours').map(trace => trace.x[0])"""
    )
    assert drawn == [100 * (mine.mean_test_error or 0)]


def test_a_long_walk_can_be_cancelled_and_the_page_goes_on(page: Page) -> None:
    page.goto("/orders?limit=5040&ordersC=own")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("cancelled")).to_be_visible()
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    page.goto(LINK)
    expect(page.get_by_text("All 120 orders", exact=True)).to_be_visible()
    settle(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
