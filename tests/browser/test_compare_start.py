"""From a table to its own comparison: Compare starts a run, and shows no other set's numbers as this one's."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import becomes, settle
from tests.data import strangers
from tests.data.runhelp import write_tasks


def bring(page: Page, table: Path, use: str = "Use this task set") -> None:
    """Upload a file, put its tasks on screen and turn to Compare."""
    page.goto("/?C=10")
    settle(page)
    page.get_by_text("Your own tasks", exact=True).click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(table)
    page.get_by_role("button", name=use).click()
    expect(page).to_have_url(re.compile("set=upload"))
    settle(page)
    page.get_by_role("link", name="Compare").click()


def test_an_upload_is_compared_without_leaving_compare(page: Page, tmp_path: Path) -> None:
    bring(page, write_tasks(tmp_path / "stations.csv"))
    shown = page.get_by_role("heading", level=3)
    expect(shown).to_have_text(re.compile("^Example: mnist-levels:.?2, not your set stations.csv$"))
    expect(page.get_by_text("There is no run of stations.csv yet.")).to_be_visible()

    page.get_by_role("spinbutton", name="Repeats").fill("3")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(shown).to_have_text(re.compile(r"^Run \d+: stations.csv$"))
    expect(page).to_have_url(re.compile(r"run=\d+"))
    expect(page.get_by_text("3 repeats from seed 0")).to_be_visible()
    expect(page.get_by_text(re.compile("of .* pieces are shown"))).to_have_count(0)  # it is finished
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    bars = page.locator(".st-key-figure-methods .js-plotly-plot .bars .point")
    expect(bars).to_have_count(13)
    expect(page.locator(".st-key-figure-paired h4")).to_contain_text("SeqMT")
    with page.expect_download() as download:
        page.locator(".st-key-figure-methods").get_by_role("button", name="HTML").click()
    assert "stations.csv, C 10, seed 0" in download.value.path().read_text()

    page.get_by_role("link", name="Orders").click()
    expect(page.get_by_role("radio", name=re.compile(r"^run \d+: 3, C 10$"))).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(shown).to_have_text(re.compile(r"^Run \d+: stations.csv$"))


def test_a_run_that_goes_on_is_stopped_and_resumed_where_its_results_arrive(page: Page, tmp_path: Path) -> None:
    bring(page, write_tasks(tmp_path / "many.csv", tasks=6))
    page.get_by_role("spinbutton", name="Repeats").fill("900")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator(".st-key-figure-methods h4")).to_contain_text("lowest mean test error")
    page.get_by_role("button", name="Stop").click()
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_visible()
    pieces = page.get_by_text(re.compile(r"^\d+ of 9900 pieces"))
    before = int(pieces.inner_text().split()[0])
    resume.click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    becomes(page, lambda: int(pieces.inner_text().split()[0]) > before, True)
    page.get_by_role("button", name="Stop").click()
    expect(resume).to_be_visible()


def test_a_run_of_a_table_is_named_by_file_and_recipe_and_another_seed_splits_its_rows_anew(
    page: Page, tmp_path: Path
) -> None:
    table = tmp_path / "emotions.csv"
    strangers.emotions().to_csv(table, index=False)
    bring(page, table, "Use these tasks")
    page.get_by_role("spinbutton", name="Repeats").fill("2")
    page.get_by_role("button", name="Start", exact=True).click()
    shown = page.get_by_role("heading", level=3)
    expect(shown).to_have_text(re.compile(r"^Run \d+: emotions.csv$"))
    expect(page.get_by_text("every repeat applies the recipe anew")).to_be_visible()
    expect(page.get_by_text(re.compile("of .* pieces are shown"))).to_have_count(0)  # it is finished
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_text("emotions.csv: recipe columns, label amazed happy relaxing")).to_be_visible()

    page.get_by_role("link", name="Subsequences").click()
    lanes = page.locator(".st-key-figure-lanes h4")
    expect(lanes).to_be_visible()
    page.goto(f"{page.url}&seed=1")  # the same table: the run stays that of this set
    expect(lanes).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(shown).to_have_text(re.compile(r"^Run \d+: emotions.csv$"))
