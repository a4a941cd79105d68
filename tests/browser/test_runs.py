"""A run, from the form to the comparison: started, watched, opened, exported, deleted."""

import csv
import re

import pytest
from playwright.sync_api import Page, expect

from data.runs import bundle
from tests.browser.conftest import becomes, settle
from tests.browser.test_orders import violin
from tests.browser.test_shell import choose


def watch_for(page: Page, of: str) -> None:
    """Note from now on whether the card of a run of that set that is not finished ever says it stopped, or offers to
    resume it: by the run's own button, as a new card has for a moment those of the card that stood in its place.
    """
    page.evaluate(
        """(of) => {
            window.seenWords = new Set();
            new MutationObserver(() => {
                for (const card of document.querySelectorAll("[class*='st-key-run-']:not(.st-key-run-example)")) {
                    if (!card.innerText.includes(of) || card.innerText.includes("finished")) continue;
                    const [, id] = card.className.match(/st-key-run-(\\d+)/);
                    if (card.innerText.includes("stopped")) window.seenWords.add("stopped");
                    if (card.querySelector(`.st-key-resume-${id}`)) window.seenWords.add("Resume");
                }
            }).observe(document.body, {subtree: true, childList: true, characterData: true});
        }""",
        of,
    )


def seen(page: Page) -> list[str]:
    """The words that `watch_for` noted."""
    found: list[str] = page.evaluate("() => [...window.seenWords]")
    return found


def test_a_run_is_started_compared_exported_and_deleted(page: Page) -> None:
    page.goto("/runs?set=plane-tree&C=10")
    settle(page)
    page.get_by_role("spinbutton", name="Repeats").fill("3")
    watch_for(page, "plane-tree")
    page.get_by_role("button", name="Start", exact=True).click()
    run = page.locator("[class*='st-key-run-']").filter(has_text="plane-tree").first
    expect(run).to_contain_text("running")
    expect(run.get_by_role("button", name="Stop")).to_be_visible()
    assert seen(page) == []
    expect(run).to_contain_text("finished")
    with page.expect_download() as download:
        run.get_by_role("button", name="Export").click()
        page.get_by_role("button", name="CSV").click()
    assert re.fullmatch(r"curriculab-run-\d+-plane-tree.csv", download.value.suggested_filename)
    rows = list(csv.DictReader(download.value.path().read_text().splitlines()))
    assert {row["repeat"] for row in rows} == {"0", "1", "2"}

    run.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"run=\d+"))
    settle(page)
    expect(page.get_by_text("3 repeats from seed 0")).to_be_visible()
    bars = page.locator(".st-key-figure-methods .js-plotly-plot .bars .point")
    expect(bars).to_have_count(len({row["method"] for row in rows}))
    choose(page, "Baseline", "IndSVM")
    expect(page).to_have_url(re.compile("base=indsvm"))
    expect(page.locator(".st-key-figure-paired h4")).to_contain_text("IndSVM")

    page.get_by_role("link", name="Runs").click()
    run.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(run).to_have_count(0)


def test_a_first_visit_finds_an_example_to_open_beside_nothing_to_change(page: Page) -> None:
    page.goto("/runs?set=mnist-levels%3A2&C=1000")
    settle(page)
    shipped = page.locator(".st-key-run-example")
    expect(shipped).to_contain_text(bundle.EXAMPLE_COMMAND)
    expect(shipped.get_by_role("button", name="Delete")).to_have_count(0)
    shipped.get_by_role("button", name="Open").click()
    expect(page).to_have_url(re.compile("run=0"))
    expect(page.get_by_text("An example that comes with Curriculab")).to_be_visible()
    over = bundle.example()[1].over_draws
    assert over is not None
    becomes(page, lambda: violin(page, "fixed-orders", "orders"), pytest.approx(100 * over.errors.mean(axis=0)))
    page.get_by_role("link", name="Orders").click()
    page.get_by_role("radio", name="example: 20, C 1000").click()
    expect(page).to_have_url(re.compile("draws=run0"))
    becomes(page, lambda: violin(page, "draws", "SeqMT draws"), pytest.approx(100 * over.methods["SeqMT"][0]))
