"""`curriculab --public`, as a stranger meets it: each thing that is forbidden is tried, from a browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.experiments.experiment import Settings
from data.runs.computation import compute_run, find_or_begin
from data.runs.store import Store
from data.sources.catalogue import open_source
from tests.browser.conftest import WAIT_MILLISECONDS, serve, settle
from tests.data.runhelp import write_tasks

NOBODY = 65534
SMALL = "plane-unrelated?train=4&test=2"


def without_rights() -> dict[str, Any]:
    """As whom root starts the server: nobody, if nobody may run this Python."""
    if os.geteuid() != 0:
        return {}
    nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([sys.executable, "-c", "import streamlit"], check=True, capture_output=True, **nobody)
    except (OSError, subprocess.CalledProcessError):
        return {}
    return nobody


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A home that is empty but for a store with two runs, one of them unfinished; a user without rights owns it."""
    folder = Path(tempfile.mkdtemp())
    with Store(folder / "curriculab") as store:
        sampler = open_source(SMALL)
        source = sampler.full_name
        for repeats in (1, 2):
            run = find_or_begin(store, Settings(source, ("indsvm",), repeats, 1.0), sampler, resume=False)
            if repeats == 1:
                compute_run(store, run, sampler, jobs=1)
    if without_rights():
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[str]:
    """The command line of the image, as a user without rights."""
    with serve(home, "--public", "--host", "0.0.0.0", env={"CURRICULAB_MEMORY_GB": "1"}, **without_rights()) as address:
        yield address


def body(page: Page) -> str:
    return page.locator("body").inner_text()


def test_there_is_no_way_to_the_servers_folders(page: Page, home: Path) -> None:
    page.goto("/")
    settle(page)
    expect(page.get_by_role("heading", name="Tasks", level=1)).to_be_visible()
    expect(page.get_by_text("The paper's data")).to_have_count(0)
    expect(page.get_by_label("Folder on the server with local copies")).to_have_count(0)
    for link in ("/etc/passwd", "attributes:/etc/passwd", "attributes:nothing", "awa:rat", "~nosuchuser"):
        page.goto(f"/?set={link}")
        settle(page)
        expect(page.get_by_text("cannot be shown")).to_be_visible()
        assert "root:" not in body(page)
        assert str(home) not in body(page)
        assert "/.local/" not in body(page)


def test_no_link_leaves_the_screen_blank(page: Page) -> None:
    for query in (
        f"set=attributes:{'a' * 300}",
        f"set={SMALL.replace('&', '%26')}&whatif={'1' * 5000}&step={'9' * 5000}",
    ):
        page.goto(f"/step?{query}")
        settle(page)
        expect(page.get_by_role("heading", name="Step through", level=1)).to_be_visible()
        assert "nobody foresaw" not in body(page)


def test_runs_are_looked_at_and_nothing_else(page: Page) -> None:
    page.goto(f"/runs?set={SMALL.replace('&', '%26')}")
    settle(page)
    expect(page.get_by_text("On this server runs are looked at")).to_be_visible()
    for run, state in ((1, "finished"), (2, "stopped")):
        expect(page.locator(f".st-key-run-{run}")).to_contain_text(state)
    for forbidden in ("Start", "Cancel", "Resume", "Delete", "Import", "Delete for good"):
        expect(page.get_by_role("button", name=forbidden, exact=True)).to_have_count(0)
    expect(page.get_by_text("Import a run")).to_have_count(0)
    page.locator(".st-key-run-1").get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()


def test_an_upload_stays_in_memory_is_bounded_and_in_no_log(page: Page, home: Path, tmp_path: Path) -> None:
    before = {path for path in home.rglob("*") if path.is_file()}
    secret = write_tasks(tmp_path / "secret-name.csv")
    page.goto("/?C=1")
    settle(page)
    page.get_by_text("Your own tasks").click()
    given = page.get_by_test_id("stFileUploaderDropzoneInput")
    large = tmp_path / "large.csv"
    large.write_bytes(b"task,label,x\n" + b"a,1,0.5\n" * (21 * 2**20 // 8))
    given.set_input_files(large)
    expect(page.get_by_text(re.compile("20.* or smaller"))).to_be_visible()
    given.set_input_files(secret)
    page.get_by_role("button", name="Use this task set").click()
    expect(page).to_have_url(re.compile("set=upload"))
    settle(page)
    expect(page.locator(".st-key-figure-difficulty h4")).to_be_visible()
    after = {path for path in home.rglob("*") if path.is_file()}
    assert {path.name for path in after - before} <= {"runs.sqlite-wal", "runs.sqlite-shm"}
    assert not any(b"secret-name" in path.read_bytes() for path in after)
    log = (home / "server.log").read_text()
    assert re.search(r"INFO curriculab.jobs learn-indsvm done after [\d.]+ s", log)


def test_too_many_points_are_refused_before_anything_is_computed(page: Page, tmp_path: Path) -> None:
    many = tmp_path / "many.csv"
    many.write_text("task,label,x\n" + "".join(f"a,{k % 2},{k / 10_000}\n" for k in range(10_000)))
    page.goto("/?C=1")
    settle(page)
    page.get_by_text("Your own tasks").click()
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(many)
    page.get_by_role("button", name="Use this task set").click()
    refusal = re.compile("10,000 training points .* would take about .* GB of memory.*take fewer points")
    expect(page.get_by_text(refusal).first).to_be_visible()


def test_with_allow_runs_a_run_is_its_visitors_own(chromium: Browser, tmp_path: Path) -> None:
    with serve(tmp_path, "--public", "--allow-runs", "--host", "0.0.0.0") as address:
        pages = []
        for _ in range(2):
            context = chromium.new_context(base_url=address)
            context.set_default_timeout(WAIT_MILLISECONDS)
            pages.append(context.new_page())
        mine, theirs = pages
        mine.goto(f"/runs?set={SMALL.replace('&', '%26')}&C=1")
        settle(mine)
        mine.get_by_role("spinbutton", name="Repeats").fill("1")
        mine.get_by_role("button", name="Start", exact=True).click()
        expect(mine.locator(".st-key-run-1")).to_contain_text("finished")
        theirs.goto("/runs")
        settle(theirs)
        expect(theirs.locator(".st-key-run-1")).to_contain_text("finished")
        expect(theirs.locator(".st-key-run-1").get_by_role("button", name="Open")).to_be_visible()
        expect(theirs.locator(".st-key-run-1").get_by_role("button", name="Delete")).to_have_count(0)
        mine.reload()
        settle(mine)
        mine.locator(".st-key-run-1").get_by_role("button", name="Delete").click()
        mine.get_by_role("button", name="Delete for good").click()
        expect(mine.locator(".st-key-run-1")).to_have_count(0)
        for page in pages:
            page.context.close()
