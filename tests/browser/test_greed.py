"""What greed costs: the switch on Step through, side by side, and on into the other curriculum."""

import re

from playwright.sync_api import Page, expect

from core import Problem, best_order
from dashboard.session import links
from data.sources import catalogue
from tests.browser.conftest import settle


def test_the_lowest_bound_stands_beside_the_greedy_choice_and_can_be_stepped_through(page: Page) -> None:
    task_set = catalogue.load("digits-levels:8")
    found = best_order(Problem(task_set), 100.0)
    assert not found.greedy_is_best
    page.goto("/step?set=digits-levels%3A8&C=100")
    expect(page.get_by_text("Step 1 of 5.")).to_be_visible()
    page.get_by_text("Compare with the lowest bound").click()
    expect(page.get_by_text(f"greed costs {found.gap:.3f}")).to_be_visible()
    expect(page).to_have_url(re.compile(r"best=1"))
    expect(page.get_by_role("heading", name="What greed costs")).to_be_visible()
    expect(page.get_by_text(f"{found.bound:.3f}", exact=True)).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Step through the lowest bound").click()
    expect(page.get_by_text("What if:", exact=True)).to_be_visible()
    expect(page).not_to_have_url(re.compile(r"best=1"))
    expect(page).to_have_url(re.compile(f"whatif={links.encode_choices(found.choices, task_set.names)}"))
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page.get_by_text("What if:", exact=True)).to_have_count(0)
