"""A screen as one file: set, settings and what-if come back, and nothing else gets in."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import CurriculabError
from data.archives.formats import dump
from data.archives.screen_file import dump_bundle, is_bundle, read_bundle
from data.sources.catalogue import find
from tests.data.badfiles import zipped

SET = find("digits-levels:8").sample(0, (10, 5))
LINK = {"C": "100", "whatif": "4.0_1.4", "step": "3", "key": "secret", "table": "secret", "set": "u"}
GOOD = dump_bundle(SET, LINK, "step")


def test_set_settings_and_what_if_come_back_and_no_key_does():
    assert is_bundle(GOOD)
    screen = read_bundle(GOOD, "screen.curriculab")
    assert screen.reading.task_set.digest == SET.digest
    assert screen.link == {"C": "100", "whatif": "4.0_1.4", "step": "3"}
    assert screen.page == "step"
    assert b"secret" not in GOOD


def test_other_files_are_no_bundles():
    assert not is_bundle(dump(SET, "npz"))
    assert not is_bundle(dump(SET, "zip"))
    assert not is_bundle(b"task,label\n")


@pytest.mark.parametrize(
    "link", ["no json", "[]", '{"name": 3}', '{"name": "a", "link": 7}', "[" * 100_000], ids=lambda text: text[:20]
)
def test_settings_of_another_kind_are_refused(link):
    with pytest.raises(CurriculabError, match=r"^b: its settings cannot be read"):
        read_bundle(zipped({"set.npz": dump(SET, "npz"), "link.json": link}), "b")


def test_a_bundle_that_cannot_be_opened_is_named():
    with pytest.raises(CurriculabError, match=r"^mine\.curriculab: the path of 'set.npz' leads out"):
        read_bundle(zipped({"../set.npz": b"", "link.json": "{}"}), "mine.curriculab")


def test_values_that_are_no_plain_text_are_left_out():
    link = {"C": "1", "key": "stolen", "bad name": "x", "list": [1], "long": "x" * 5000, "hide": "set"}
    data = zipped({"set.npz": dump(SET, "npz"), "link.json": json.dumps({"name": "../../etc", "link": link})})
    screen = read_bundle(data, "b")
    assert screen.link == {"C": "1"}
    assert screen.page == ""
    assert "/" not in screen.reading.task_set.name


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(40, 10**6), st.integers(0, 255)), min_size=1, max_size=5))
def test_any_damage_ends_in_a_set_or_a_sentence(changes):
    data = bytearray(GOOD)
    for place, value in changes:
        data[place % len(data)] = value
    try:
        read_bundle(bytes(data), "b")
    except CurriculabError as error:
        assert "\n" not in str(error)  # noqa: PT017 - it may be read, too
