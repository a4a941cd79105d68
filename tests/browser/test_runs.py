"""A run, from the form to the comparison: started, watched, opened, exported, deleted."""

import csv
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settle
from tests.browser.test_shell import choose


def test_a_run_is_started_compared_exported_and_deleted(page: Page) -> None:
    page.goto("/runs?set=plane-tree&C=10")
    settle(page)
    page.get_by_role("spinbutton", name="Repeats").fill("3")
    page.get_by_role("button", name="Start", exact=True).click()
    run = page.locator("[class*='st-key-run-']").filter(has_text="plane-tree").first
    expect(run).to_contain_text("finished")
    with page.expect_download() as download:
        run.get_by_role("button", name="Export").click()
        page.get_by_role("button", name="CSV").click()
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert {row["repeat"] for row in rows} == {"0", "1", "2"}

    run.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"run=\d+"))
    settle(page)
    expect(page.get_by_text("3 repeats from seed 0")).to_be_visible()
    bars = page.locator(".st-key-figure-methods .js-plotly-plot .bars .point")
    expect(bars.first).to_be_visible()
    assert bars.count() == len({row["method"] for row in rows})
    choose(page, "Baseline", "IndSVM")
    expect(page).to_have_url(re.compile("base=indsvm"))
    expect(page.locator(".st-key-figure-paired h4")).to_contain_text("IndSVM")

    page.get_by_role("link", name="Runs").click()
    run.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(run).to_have_count(0)
