"""Text can be read: a contrast of 4.5 or more (WCAG AA) with what it stands on."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import becomes, settle

FAINT = """() => {
  const parts = colour => { const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const over = (top, under) => top.slice(0, 3).map((v, i) => v * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = colour => colour.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const chain = element => { const found = []; for (; element; element = element.parentElement) found.push(element); return found; };
  const faint = [];
  for (const element of document.querySelectorAll('[data-testid="stMain"] *, [data-testid="stSidebar"] *')) {
    const says = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    const outside = 'svg, .katex-mathml, [data-testid="stIconMaterial"], [disabled], [aria-disabled="true"]';
    if (!says || !element.getClientRects().length || element.closest(outside)) continue;
    const around = chain(element), style = getComputedStyle(element);
    const paper = around.map(one => parts(getComputedStyle(one).backgroundColor)).reduceRight((under, top) => over(top, under), [255, 255, 255, 1]);
    const ink = parts(style.color);
    ink[3] *= around.reduce((share, one) => share * parseFloat(getComputedStyle(one).opacity), 1);
    if (ink[3] === 0) continue; // shown only while the mouse is over it
    const [low, high] = [light(over(ink, paper)), light(paper)].sort((a, b) => a - b);
    if ((high + 0.05) / (low + 0.05) < 4.5) faint.push(`${element.textContent.trim().slice(0, 30)} ${style.color}`);
  }
  return faint;
}"""  # noqa: E501


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_of_the_busiest_pages_stands_out(page: Page, theme: str) -> None:
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    for address, heading, shown in (
        ("/step?set=digits-levels%3A8&step=2", "Step through", ".st-key-figure-bound .main-svg"),
        ("/runs", "Runs", ".st-key-run-example"),
    ):
        page.goto(address)
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        expect(page.locator(shown).first).to_be_visible()
        settle(page)
        becomes(page, lambda: page.evaluate(FAINT), [])  # colours fade in
