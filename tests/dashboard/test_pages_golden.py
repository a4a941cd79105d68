"""Every page in words: all that is written on it, asked of a reader or explained, from top to bottom (tests/golden)."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest

from data.runs.store import Store
from data.sources import sketch as drawing
from tests.dashboard.screens import drawn, open_page, with_code
from tests.data.runhelp import finished_run, write_tasks
from tests.golden import same

LEFT_OUT = {
    "deferred_file_id", "element_type", "spec", "js_content", "html_content", "css_content", "js_source_path",
    "css_source_path", "isolate_styles", "set_value", "wrap", "hide_anchors", "url", "data", "arrow_data", "columns",
    "form_id", "allow_empty", "ignore_rerun", "accept_new_options", "filter_mode", "select_all", "label_visibility",
    "editing_mode", "has_min", "has_max",
}  # fmt: skip
"""What another version of Streamlit may say otherwise, and figures and tables, which have files of their own."""


def words(app: AppTest) -> str:
    """The main part of a page, an element a line, and the code of the sidebar."""
    assert not app.exception
    said = list(below(app._tree[0], 0))
    said += ["", *(element.value for element in with_code(app).sidebar.code)]
    whole = "\n".join(said)
    whole = re.sub(r"upload(:|%3A)[0-9a-f]{16}", "upload:DIGEST", whole)
    whole = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?", "DATE", whole)
    whole = re.sub(r', \{"content": "(piqp|daqp|clarabel)"\}', "", whole)  # solvers that may be installed
    whole = re.sub(r"iterations \d+|\d+ iterations", "N iterations", whole)  # fewer from a warm start
    for usual in ("SMALL", "XSMALL", "MEDIUM"):
        whole = whole.replace(f'"gap_config": {{"gap_size": "{usual}"}}', usual.lower())
    whole = whole.replace('"justify": "JUSTIFY_START", "align": "ALIGN_START"', "start")
    whole = whole.replace('; height_config={"use_content": true}; width_config={"use_stretch": true}', "")
    return re.sub(r"\b(0e\+00|\d+(\.\d+)?e-(1|2|3)\d)\b", "tiny", whole)


def below(block: Any, depth: int) -> Iterator[str]:
    for child in block.children.values():
        proto = getattr(child, "proto", None)
        told = told_of(MessageToDict(proto, preserving_proto_field_name=True)) if proto is not None else ""
        table = ""
        if child.type in ("arrow_data_frame", "dataframe", "table"):
            table = " | ".join(map(str, child.value.columns)) + f" × {len(child.value)}"
        yield f"{'  ' * depth}{child.type}: {told}{table}".rstrip(": ")
        if hasattr(child, "children"):
            yield from below(child, depth + 1)


def told_of(found: dict[str, Any]) -> str:
    said = []
    for name, value in found.items():
        if name == "id":
            said.append(re.sub(r"\$\$ID-[0-9a-f]+-", "#", str(value)))
        elif name not in LEFT_OUT:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            said.append(f"{name}={text}" if name not in ("body", "label") else text)
    return "; ".join(said).replace("\n", "⏎")


SET = replace(
    drawn(4, names=["one", "two", "<b>three</b>", "four"]), semantic_order=("two", "one", "four", "<b>three</b>")
)
PAGES = {
    "step": ("step", SET, {"C": "10", "step": "2", "pick": "3.1", "delta": "0.1"}),
    "step-whatif": ("step", SET, {"method": "treemt", "whatif": "4.0_1.4", "C": "10", "step": "3", "scales": "own"}),
    "step-best": ("step", SET, {"C": "10", "best": "1", "solver": "kernel", "normalize": "none", "bias": "0"}),
    "step-shared": ("step", SET, {"method": "multiseqmt", "step": "4", "seed": "3"}),
    "step-hidden": ("step", SET, {"C": "10", "hide": "1", "guesses": "1.2", "step": "2"}),
    "step-hidden-images": ("step", replace(drawn(3, features=4), image_shape=(2, 2)), {"C": "10", "hide": "1"}),
    "step-hidden-plane": ("step", drawn(3, features=2), {"C": "10", "hide": "1", "normalize": "none"}),
    "step-guessed": ("step", SET, {"C": "10", "hide": "1", "guesses": "1.2_2.1_3.3_4.4", "step": "4"}),
    "step-slides": ("step", SET, {"C": "10", "step": "2", "slides": "1"}),
    "step-images": ("step", replace(drawn(3, features=4), image_shape=(2, 2)), {"C": "10", "step": "2"}),
    "step-plane": ("step", drawn(3, features=2, test=False), {"C": "10", "step": "3", "normalize": "none"}),
    "tasks": ("tasks", SET, {"C": "10"}),
    "tasks-plane": ("tasks", drawn(3, features=2, test=False), {"C": "10"}),
    "orders": ("orders", SET, {"C": "10", "mine": "4.3.2.1", "picked": "1.2.3.4"}),
    "orders-shared": ("orders", drawn(3), {"mine": "3.1.2", "ordersC": "own"}),
    "orders-untested": ("orders", drawn(3, test=False), {"C": "10", "mine": "3.1.2", "picked": "2.1.3"}),
    "orders-draws": ("orders", drawn(3, points=12), {"C": "10", "draws": "5", "mine": "3.2.1", "picked": "2.1.3"}),
    "orders-many": ("orders", drawn(8), {"C": "10", "limit": "200", "best": "1", "mine": "8.7.6.5.4.3.2.1"}),
    "subsequences": ("subsequences", SET, {"C": "10", "task": "3"}),
    "subsequences-repeats": ("subsequences", drawn(3, points=12), {"C": "10", "repeats": "10", "method": "treemt"}),
}  # fmt: skip


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store of its own, at a short path, as long ones are cut."""
    with tempfile.TemporaryDirectory() as name:
        monkeypatch.setenv("CURRICULAB_HOME", name)
        yield Path(name)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_words(name: str) -> None:
    page, task_set, link = PAGES[name]
    same(f"page-{name}", words(open_page(page, task_set, **link)))


def test_a_drawing_in_words() -> None:
    sketch = drawing.Drawing(
        (
            drawing.DrawnTask("<b>east</b>", ((200, 120), (220, 140)), ((60, 120), (40, 140))),
            drawing.DrawnTask("north", ((120, 200), (140, 220)), ((120, 60), (140, 40))),
            drawing.DrawnTask("half", ((1, 1),)),
        )
    )
    same("page-draw", words(open_page("draw", drawing=drawing.encode(sketch), method="seqmt", C="10", step="2")))


def test_runs_in_words(home: Path) -> None:
    tasks = write_tasks(home / "three.csv")
    with Store() as store:
        finished_run(store, tasks, 3)
        finished_run(store, tasks, 2, ("indsvm", "seqmt", "best"), C=1.0)
    for page, link in {
        "compare": {"run": "0"},
        "compare-own": {"run": "1", "base": "mt"},
        "compare-beside": {"run": "1", "beside": "2"},
        "compare-three": {"run": "2", "beside": "1.0"},
        "runs": {},
    }.items():
        shown = words(open_page(page.split("-")[0], set="plane-unrelated", C="10", normalize="none", **link))
        shown = shown.replace(str(home.resolve()), "HOME").replace(str(home), "HOME")
        shown = re.sub(r"\d+(\.\d+)? (s|ms|seconds?|minutes?)\b", "N s", shown)
        same(f"page-{page}", shown)
