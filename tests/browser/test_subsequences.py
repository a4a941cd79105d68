"""Subsequences: click a task, choose one by keyboard, switch the method, look at repeats."""

import re

from playwright.sync_api import Page, expect

from core import learn
from data.sources import catalogue
from tests.browser.conftest import becomes, settle
from tests.browser.test_shell import choose

LINK = "/subsequences?set=digits-levels&C=100"


def click_point(page: Page, key: str, trace: int, point: int) -> None:
    """Click one point of a figure; a trace is counted from the end if negative."""
    chart = page.locator(f".st-key-chart-{key} .js-plotly-plot")
    where = """(plot, [trace, point]) => {
            plot.scrollIntoView({block: "center", behavior: "instant"});
            const data = plot._fullData.at(trace), axes = plot._fullLayout, box = plot.getBoundingClientRect();
            const value = (list, k) => Number(list[k]);
            return [box.left + axes.xaxis._offset + axes.xaxis.l2p(value(data.x, point)),
                    box.top + axes.yaxis._offset + axes.yaxis.l2p(value(data.y, point))];
        }"""
    places: list[list[float]] = []

    def stands_still() -> bool:
        """What is drawn above the figure moves it; a person clicks when it no longer moves."""
        places.append(chart.evaluate(where, [trace, point]))
        return len(places) > 2 and places[-1] == places[-2] == places[-3]

    becomes(page, stands_still, True)
    place = places[-1]
    page.mouse.move(place[0] + 3, place[1] + 3)
    page.mouse.move(*place)
    page.mouse.click(*place)


def ringed(page: Page, step: int) -> None:
    """Wait until the ring is around the task of that step."""
    page.wait_for_function(
        """step => document.querySelector('.st-key-chart-lanes .js-plotly-plot')?._fullData
            ?.find(trace => trace.name === 'picked')?.x[0] === step""",
        arg=step,
    )


def test_a_clicked_task_shows_its_details_and_so_does_a_chosen_one(page: Page) -> None:
    page.goto(LINK)
    settle(page)
    learned = learn(catalogue.load("digits-levels"), "multiseqmt", C=100.0)
    assert learned.test_error is not None
    click_point(page, "lanes", -1, 4)
    expect(page).to_have_url(re.compile("task=5"))
    expect(page.get_by_text(f"“{learned.order[4]}”").first).to_be_visible()
    error = page.get_by_test_id("stMetricValue").first
    expect(error).to_have_text(f"{100 * learned.test_error[learned.order[4]]:.1f}\u00a0%")
    ringed(page, 5)
    choose(page, "Details of a task", f"7. {learned.order[6]}")
    expect(page).to_have_url(re.compile("task=7"))
    expect(error).to_have_text(f"{100 * learned.test_error[learned.order[6]]:.1f}\u00a0%")
    ringed(page, 7)
    settle(page)
    click_point(page, "lanes", -1, 4)
    ringed(page, 5)


def test_another_method_and_repeats(page: Page) -> None:
    page.goto("/subsequences?set=plane-tree&C=100")
    settle(page)
    page.get_by_role("radio", name="TreeMT").click()
    tree = learn(catalogue.load("plane-tree"), "treemt", C=100.0)
    expect(page.get_by_role("heading", name=re.compile("^TreeMT "))).to_be_visible()
    page.wait_for_function(
        """edges => {
            const chart = document.querySelector(".st-key-chart-lanes .js-plotly-plot");
            const drawn = (chart?.data ?? []).map(trace => trace.name);
            return JSON.stringify(drawn.filter(name => name.includes("→"))) === JSON.stringify(edges);
        }""",
        arg=[f"{source or 'no source'} → {task}" for task, source in tree.sources.items()],
    )
    settle(page)
    page.get_by_role("radio", name="5", exact=True).click()
    expect(page.get_by_text("How stable is it?")).to_be_visible()
    for key in ("transfers", "companions", "ends"):
        expect(page.locator(f".st-key-chart-{key} .js-plotly-plot")).to_be_visible()
    settle(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
