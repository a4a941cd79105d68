"""Visitors with sets of their own, one after another, in a real browser: what does the server hold on to?"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import numpy as np
from playwright.sync_api import expect, sync_playwright

from core import Task, TaskSet
from data.archives import formats

SECONDS = 120
EVERY = 10


def task_set(number: int) -> bytes:
    """Ten tasks of 60 points and 784 features, other ones for every visitor: 3.8 MB."""
    rng = np.random.default_rng(number)
    tasks = []
    for k in range(10):
        y = np.tile([-1.0, 1.0], 30)
        tasks.append(Task(f"t{k}", rng.normal(size=(60, 784)) + 0.1 * y[:, None] * rng.normal(size=784), y))
    return formats.dump(TaskSet(f"visitor {number}", tuple(tasks)), "npz")


def visit(address: str, visitors: int, held: Callable[[], float]) -> Iterator[tuple[int, float]]:
    """Every visitor uploads, uses and steps through a set, and leaves; after every tenth, what the server holds."""
    expect.set_options(timeout=1000 * SECONDS)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for number in range(1, visitors + 1):
            page = browser.new_page()
            page.set_default_timeout(1000 * SECONDS)
            page.goto(f"http://{address}/runs?C=10")
            page.get_by_text("Your own tasks", exact=True).click()
            file = {"name": f"v{number}.npz", "mimeType": "application/octet-stream", "buffer": task_set(number)}
            page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)
            page.get_by_role("button", name="Use this task set").click()
            expect(page.get_by_role("button", name="Use this task set")).to_have_count(0)
            page.get_by_role("link", name="Step through").click()
            expect(page.get_by_text("Step 1 of 10.")).to_be_visible()
            page.close()
            if number % EVERY == 0:
                yield number, held()
        browser.close()
