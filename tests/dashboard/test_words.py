"""Names from strangers stay text; colours stay apart and readable; links and what-ifs survive the round trip."""

import pandas as pd
import pytest

from dashboard import text as words
from dashboard import theme
from dashboard.parts import framing, link_codes


def test_long_names_are_cut_in_the_middle_and_stay_distinct() -> None:
    names = ["x" * 200 + "1", "x" * 200 + "2", "x" * 150 + "y" * 50, "short"]
    found = words.shorts(names)
    assert found["short"] == "short"
    assert all(len(label) <= words.MOST for label in found.values())
    assert len(set(found.values())) == 4


def test_same_looking_names_get_numbers() -> None:
    names = ["a" * 20 + str(k) + "b" * 30 for k in range(12)]
    found = words.shorts(names)
    assert len(set(found.values())) == 12


@pytest.mark.parametrize("name", ["**b** `c` [l](u) $x$ :red[y] | # <b>", ":smile:", "a\nb\u202ec"])
def test_markdown_keeps_every_mark_escaped(name: str) -> None:
    escaped = words.md(name)
    bare = escaped.replace("\\\\", "")
    for mark in "*`[]$|#<>:":
        assert bare.count(mark) == bare.count("\\" + mark)
    assert "\n" not in escaped
    assert "\u202e" not in escaped


def test_chart_text_has_no_tag_and_no_template() -> None:
    assert words.chart("<b>%{x}</b> & $") == "&lt;b&gt;%&#123;x}&lt;/b&gt; &amp; &#36;"


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
    for text in (ink.text, ink.muted):
        assert theme.contrast(text, ink.paper) >= 4.5
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
    assert link_codes.decode(link_codes.encode(choices, names), names) == tuple(choices)
    for text in ("", "4.0", "1", "1.9", "x.y", "1.0__2.1"):
        assert link_codes.decode(text, names) == ()
    assert link_codes.fixed_C("100") == 100.0
    assert link_codes.fixed_C("nan") is None
    assert link_codes.fixed_C("-1") is None


def test_csv_keeps_names_from_becoming_formulas() -> None:
    frame = pd.DataFrame({"task": ["=1+1", "@x", "plain"], "error": [-0.5, 0.0, 1.0]})
    lines = framing.csv_bytes(frame).decode().splitlines()
    assert lines == ["task,error", "'=1+1,-0.5", "'@x,0.0", "plain,1.0"]
