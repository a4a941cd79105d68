"""Orders: click a dot, arrange your own order by keyboard, share it by link, cancel a long walk."""

import re

import pytest
from playwright.sync_api import Page, expect

from core import Problem, learn
from core.orders.all_orders import every_order
from core.orders.orders_by_draw import orders_over_draws
from data.sources import catalogue
from tests.browser.conftest import becomes, settle
from tests.browser.test_shell import fresh
from tests.browser.test_subsequences import click_point

LINK = "/orders?set=digits-levels%3A8&C=100"


def test_a_clicked_dot_shows_its_order_and_a_colleague_sees_the_same(page: Page) -> None:
    page.goto(LINK)
    settle(page)
    orders = every_order(catalogue.load("digits-levels:8"), C=100.0)
    assert orders.test_errors is not None
    expect(page.get_by_text("All 120 orders", exact=True)).to_be_visible()
    expect(page.locator(".st-key-figure-orders h4")).to_contain_text("On this draw")
    expect(page.get_by_text("One test point more or less moves a mean test error by 1.00 points")).to_be_visible()
    row = int(orders.bounds.argmax())
    click_point(page, "bound-against-error", 0, row)
    expect(page).to_have_url(re.compile("picked="))
    order = " → ".join(orders.named(row))
    expect(page.get_by_text(order)).to_be_visible()
    expect(page.get_by_text(f"Mean test error {100 * orders.test_errors[row]:.1f}\u00a0%")).to_be_visible()
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
    expect(
        page.get_by_text(f"Your order has a mean test error of {100 * (mine.mean_test_error or 0):.1f}\u00a0%")
    ).to_be_visible()
    becomes(page, lambda: violin(page, "orders", "Yours"), pytest.approx([100 * (mine.mean_test_error or 0)]))


def test_a_long_walk_can_be_cancelled_and_the_page_goes_on(page: Page) -> None:
    page.goto("/orders?limit=5040&ordersC=own")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("cancelled")).to_be_visible()
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    page.goto(LINK)
    expect(page.get_by_text("All 120 orders", exact=True)).to_be_visible()
    settle(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def violin(page: Page, figure: str, name: str) -> list[float]:
    """The values of a trace, once it is drawn."""
    drawn = page.wait_for_function(
        """([figure, name]) => {
            const chart = document.querySelector(`.st-key-chart-${figure} .js-plotly-plot`);
            const trace = chart && (chart._fullData || []).find(trace => trace.name === name);
            return trace && Array.from(trace.x);
        }""",
        arg=[figure, name],
    )
    found: list[float] = drawn.json_value()
    return found


def test_orders_over_draws_are_those_of_the_core_and_yours_is_among_them(page: Page) -> None:
    page.goto(LINK)
    settle(page)
    page.get_by_role("radio", name="20", exact=True).click()
    expect(page).to_have_url(re.compile("draws=20"))
    expect(page.get_by_text("20 draws", exact=True)).to_be_visible()
    found = orders_over_draws(
        lambda seed: Problem(catalogue.load("digits-levels:8", seed), seed=seed), range(20), C=100.0
    )
    settle(page)
    becomes(page, lambda: violin(page, "orders", "orders"), pytest.approx(100 * found.errors.mean(axis=0)))
    becomes(page, lambda: violin(page, "draws", "SeqMT draws"), pytest.approx(100 * found.methods["SeqMT"][0]))
    expect(page.get_by_text("Yes, orders differ")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page).to_have_url(re.compile(r"mine=2\.3\.4\.5\.1"))
    row = found.means.row(tuple(found.means.names[k] for k in (1, 2, 3, 4, 0)))
    assert row is not None
    expect(page.get_by_text(f"mean test error of {100 * found.errors[:, row].mean():.1f}\u00a0%").first).to_be_visible()
    becomes(page, lambda: violin(page, "draws", "Yours draws"), pytest.approx(100 * found.errors[:, row]))


def test_draws_come_one_by_one_and_cancel_keeps_them(page: Page) -> None:
    page.goto("/orders?set=digits-levels&C=100&draws=20&limit=5040")
    expect(page.get_by_text(re.compile(r"So far \d+ draws?"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    said = page.get_by_text(re.compile(r"cancelled after \d+ of 20 draws\. What was finished is shown below\."))
    finished = re.search(r"after (\d+) of", said.inner_text())
    assert finished is not None
    expect(page.get_by_text(re.compile(f"^{finished[1]} draws?$"))).to_be_visible()
    expect(page.locator(".st-key-figure-orders")).to_be_visible()
    page.get_by_role("button", name="The example").click()
    expect(page).to_have_url(re.compile(r"set=mnist-levels%3A2.*draws=20"))
