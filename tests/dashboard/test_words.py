"""Names from strangers stay text; colours stay apart and readable; links and what-ifs survive the round trip."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dashboard
from core import learn
from dashboard import text, theme
from dashboard.components import figure_card, step_text
from dashboard.figures import by_draw
from dashboard.session import links
from data.sources import catalogue
from tests.dashboard.screens import open_page


def test_long_names_are_cut_in_the_middle_and_stay_distinct() -> None:
    names = ["x" * 200 + "1", "x" * 200 + "2", "x" * 150 + "y" * 50, "short"]
    found = text.shorts(names)
    assert found["short"] == "short"
    assert all(len(label) <= text.MOST for label in found.values())
    assert len(set(found.values())) == 4


def test_same_looking_names_get_numbers() -> None:
    names = ["a" * 20 + str(k) + "b" * 30 for k in range(12)]
    found = text.shorts(names)
    assert len(set(found.values())) == 12


@pytest.mark.parametrize("name", ["**b** `c` [l](u) $x$ :red[y] | # <b>", ":smile:", "a\nb\u202ec"])
def test_markdown_keeps_every_mark_escaped(name: str) -> None:
    escaped = text.md(name)
    bare = escaped.replace("\\\\", "")
    for mark in "*`[]$|#<>:":
        assert bare.count(mark) == bare.count("\\" + mark)
    assert "\n" not in escaped
    assert "\u202e" not in escaped


def test_chart_text_has_no_tag_and_no_template() -> None:
    assert text.chart("<b>%{x}</b> & $") == "&lt;b&gt;%&#123;x}&lt;/b&gt; &amp; &#36;"


def test_a_task_keeps_its_colour_and_groups_share_a_hue() -> None:
    names = [f"t{k}" for k in range(60)]
    colours = theme.task_colours(names)
    assert theme.task_colours(names) == colours
    assert len(set(theme.task_colours(names[:8]).values())) == 8
    groups = {name: "even" if k % 2 == 0 else "odd" for k, name in enumerate(names[:6])}
    grouped = theme.task_colours(names[:6], groups)
    assert len(set(grouped.values())) == 6


@pytest.mark.parametrize("dark", [False, True])
def test_text_meets_aa_and_marks_stand_out(dark: bool) -> None:
    ink = theme.ink(dark)
    for colour in (ink.text, ink.muted):
        assert theme.contrast(colour, ink.paper) >= 4.5
    for mark in (ink.error, ink.complexity, ink.positive, ink.negative, ink.helps, ink.hurts, ink.constant):
        assert theme.contrast(mark, ink.paper) >= 3.0
    names = [f"t{k}" for k in range(60)]
    grouped = theme.task_colours(names, {name: f"group {k % 4}" for k, name in enumerate(names)})
    for colour in (*theme.HUES, *theme.task_colours(names).values(), *grouped.values()):
        assert theme.contrast(colour, ink.paper) >= 3.0
    for hue in theme.HUES:
        assert theme.contrast(theme.text_on(hue), hue) >= 4.5


def test_what_ifs_survive_the_link_and_nonsense_is_none() -> None:
    names = ["a.b", "c_d", "e"]
    choices = [("c_d", None), ("e", "c_d"), ("a.b", "e")]
    assert links.decode_choices(links.encode_choices(choices, names), names) == tuple(choices)
    for code in ("", "4.0", "1", "1.9", "x.y", "1.0__2.1"):
        assert links.decode_choices(code, names) == ()


def test_csv_keeps_names_from_becoming_formulas() -> None:
    frame = pd.DataFrame({"task": ["=1+1", "@x", "plain"], "error": [-0.5, 0.0, 1.0]})
    lines = figure_card.csv_bytes(frame).decode().splitlines()
    assert lines == ["task,error", "'=1+1,-0.5", "'@x,0.0", "plain,1.0"]


def test_the_wordmark_needs_no_font() -> None:
    for name in ("wordmark.svg", "wordmark-dark.svg"):
        drawing = (Path(dashboard.__file__).parent / name).read_text(encoding="utf-8")
        assert "<text" not in drawing
        assert drawing.count("<path") >= 3


def test_percent_and_numbers_are_written_one_way() -> None:
    assert text.percent(0.0573) == "5.7\u00a0%"
    assert text.percent(1.0, 0) == "100\u00a0%"
    assert text.number(-0.04, 1) == "0.0"
    assert text.number(-1.25, 1, sign=True) == "−1.2"
    assert text.number(1234.5, 1, sign=True) == "+1,234.5"


def test_no_heading_and_no_cell_of_a_table_is_a_formula() -> None:
    table = pd.DataFrame({"=1+1": ["@task", "plain"], "value": [-1.5, 2.0]})
    assert figure_card.csv_bytes(table).decode() == "'=1+1,value\n'@task,-1.5\nplain,2.0\n"


@pytest.mark.parametrize("page", ["tasks", "step", "subsequences"])
def test_no_page_writes_percent_or_minus_another_way(page: str) -> None:
    app = open_page(page, set="plane-equal", C="10")
    said = [element.value for kind in (app.markdown, app.caption, app.metric) for element in kind]
    assert not [words for words in said if re.search(r"\d%(?!3A)", words)]
    assert not [words for words in said if re.search(r"(?<=[\s(])-\d", words)]


def test_percent_is_formatted_by_one_helper() -> None:
    room = Path(dashboard.__file__).parent
    formats = [path.name for path in room.rglob("*.py") if re.search(r":[+,]?\.?\d?%\}", path.read_text("utf-8"))]
    assert formats == []


def breakable(source: str) -> Iterator[str]:
    """Texts in which a plain blank stands between a number and its %; what says how code works is left out."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for value, after in pairwise(node.values):
                if isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant):
                    yield from re.findall(r"^ %(?!\{)", str(after.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield from re.findall(r"[\d}] %(?!\{| from| to).*", node.value)  # "95 % from" heads a column of a CSV


def test_no_line_ends_between_a_number_and_its_percent() -> None:
    assert sorted(breakable('say("95 % of", "%{y} %", f"{x} %", f"{x}\\u00a0%", "%{x} %{y}")')) == [
        " %",
        "5 % of",
        "} %",
    ]
    room = Path(dashboard.__file__).parent
    shown = (path for path in room.rglob("*.py") if path.parent.name != "commands")  # a terminal shows those
    found = {str(path.relative_to(room)): list(breakable(path.read_text("utf-8"))) for path in shown}
    assert {name: texts for name, texts in found.items() if texts} == {}


def test_a_sentence_on_a_step_names_the_winner() -> None:
    learned = learn(catalogue.load("plane-rotation"), "seqmt", C=100.0)
    for step in learned.steps[:-1]:
        assert text.quoted(step.chosen.task) in step_text.why(step)


def test_a_difference_shows_in_the_numbers_beside_it() -> None:
    assert step_text.instead(0.1087, 0.1093) == "10.87\u00a0% instead of 10.93\u00a0%"
    assert step_text.instead(0.1, 0.2) == "10.0\u00a0% instead of 20.0\u00a0%"
    assert step_text.instead(0.1, 0.1) == "10.0\u00a0% in both"
    means = by_draw.written(by_draw.Draws({"a": np.array([4.2]), "b": np.array([1.93])}, ""))
    assert means == {"a": "4.2", "b": "1.9"}
    assert [text.counted(count, "task") for count in (0, 1, 2)] == ["0 tasks", "1 task", "2 tasks"]
