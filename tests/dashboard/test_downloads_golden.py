"""What every download of a page is: its file, its kind and how its content begins (tests/golden)."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.dashboard.screens import open_page
from tests.dashboard.test_pages_golden import PAGES
from tests.golden import same, word

SCREENS = ("step", "step-whatif", "tasks", "orders", "orders-draws", "subsequences", "subsequences-repeats")
OFFERED = ("template", "example")  # in the sidebar of every page
MOST = 160


def content(data: Any) -> str:
    """The beginning of a text, the names in an archive, the title of a page, the keys of a JSON."""
    found = data() if callable(data) else data
    if isinstance(found, bytes) and found.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(found)) as archive:
            return "holds " + ", ".join(archive.namelist())
    text = found.decode(errors="replace") if isinstance(found, bytes) else str(found)
    if text.lower().startswith("<!doctype"):
        words = re.sub(r"<(script|style)\b.*?</\1>", "", text, flags=re.DOTALL)
        text = " ".join(re.sub(r"<[^>]+>", " ", words).split())
    if "\ufffd" in text:
        return f"no text, begins {found[:4]!r}"
    if text.startswith("{"):
        return "JSON of " + ", ".join(json.loads(text))
    text = re.sub(r"-?\d+\.\d{6,}", lambda number: word(float(number[0])), text)
    return text[:MOST].strip().replace("\n", "⏎")


@pytest.mark.parametrize("name", SCREENS)
def test_what_every_download_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, str] = {}

    def download(label: str, data: Any, *, file_name: str, mime: str, key: str, **how: Any) -> None:
        quiet = "" if how.get("on_click") == "ignore" else ", runs the page"
        found[key] = f"{label}: {file_name} ({mime}{quiet}) {content(data)}"

    page, task_set, values = PAGES[name]
    app = open_page(page, task_set, **values)
    tables = [element.id.partition("-show-table-")[2] for element in expanders(app)]
    for table in tables:
        app.session_state[f"show-table-{table}"] = True
    app.session_state["code-box"] = True
    monkeypatch.setattr(st, "download_button", download)
    app.run()
    assert not app.exception
    assert tables
    said = "\n".join(f"{key}: {found[key]}" for key in sorted(found) if name == "step" or not key.startswith(OFFERED))
    said = re.sub(r"upload(:|%3A)[0-9a-f]{16}", "upload:DIGEST", said)
    same(f"downloads-{name}", re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d)?", "DATE", said))


def expanders(app: AppTest) -> list[Any]:
    """The folded tables under figures."""
    return [block.proto for block in app.main.get("expander") if "-show-table-" in getattr(block.proto, "id", "")]
