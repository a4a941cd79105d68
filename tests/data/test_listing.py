"""What `sets`, `check` and `export` say."""

from __future__ import annotations

import json

import pytest

from core.errors import CurriculabError
from data.catalogue import find, sources
from data.formats import read, template
from data.listing import check, export, sets, sets_lines


def test_sets_are_plain_data_with_all_that_is_known(tmp_path):
    listed = json.loads(json.dumps(sets(tmp_path)))
    assert [entry["name"] for entry in listed] == [source.name for source in sources(tmp_path)]
    by_name = {entry["name"]: entry for entry in listed}
    assert by_name["digits-levels"]["image_shape"] == [8, 8]
    assert by_name["awa:CLASS"]["available"] is False
    assert [knob["name"] for knob in by_name["plane-rotation"]["knobs"]] == ["noise", "drift", "tasks", "train", "test"]


def test_the_list_names_the_default_and_what_is_missing(tmp_path):
    lines = sets_lines(tmp_path)
    assert lines[0].startswith("digits-levels ")
    assert lines[0].endswith("(the default)")
    assert "machine's, not a person's" in lines[1]
    assert any("Not there: " in line and str(tmp_path) in line for line in lines)


def test_check_tells_the_tasks_and_the_assumptions(tmp_path):
    (tmp_path / "mine.csv").write_bytes(template("csv"))
    assert check(tmp_path / "mine.csv").lines() == [
        "mine: 2 tasks, 3 features",
        "  first task: 2 + 2 training, 1 + 1 test points",
        "  second task: 2 + 2 training, 1 + 1 test points",
        "Assumed:",
        "  Labels are -1 and +1, as they are.",
        "  Rows are L2-normalised and a bias coordinate 1 is appended, unless you choose otherwise.",
    ]
    with pytest.raises(CurriculabError, match="there is no file or folder"):
        check(tmp_path / "yours.csv")


def test_export_writes_a_built_in_set_or_turns_one_format_into_another(tmp_path):
    assert export("plane-groups?train=3", tmp_path / "set.csv", seed=2) == ()
    assert export(str(tmp_path / "set.csv"), tmp_path / "set.parquet") == ()
    expected = find("plane-groups?train=3").sample(2)
    assert read(tmp_path / "set.parquet").task_set.digest == expected.digest
