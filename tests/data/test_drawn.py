"""Drawings: what goes into a link comes out of it, and nothing else gets in."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from core import learn
from core.errors import CurriculabError
from data.sources import sketch
from data.sources.plane import PLANE
from data.sources.sketch import MOST_AT_START, MOST_IN_LINK, SIDE, Drawing, DrawnTask, checked, decode, encode, plain


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(content)).decode().rstrip("=")


@pytest.mark.parametrize("source", PLANE, ids=lambda source: source.name)
def test_a_drawing_starts_from_every_set_in_the_plane_and_survives_the_link(source) -> None:
    drawing = sketch.from_source(source)
    assert drawing.n_points <= MOST_AT_START
    assert [task.name for task in drawing.tasks] == list(source.sample(0, (2, 1)).names)
    assert decode(encode(drawing)) == drawing
    assert checked(plain(drawing)) == drawing
    task_set = drawing.sample()
    assert task_set.names == tuple(task.name for task in drawing.tasks)
    assert len(learn(task_set, "treemt", C=100.0).order) == len(task_set)


def test_the_largest_drawing_of_a_link_is_short() -> None:
    rng = np.random.default_rng(0)
    points = [tuple(map(int, point)) for point in rng.integers(0, SIDE + 1, (MOST_IN_LINK, 2))]
    drawing = Drawing((DrawnTask("größe → 8", tuple(points[:90]), tuple(points[90:])), DrawnTask("leer")))
    assert decode(encode(drawing)) == drawing
    assert len(encode(drawing)) < 700
    assert [task.name for task in drawing.ready] == ["größe → 8"]
    X = drawing.sample().tasks[0].X
    assert sketch.on_grid(np.asarray(X)) == tuple(points)
    assert np.abs(X).max() <= sketch.REACH


GOOD = bytes([1, 1, 1]) + b"a" + bytes([0, 1, 3, 4, 0, 0])


def test_the_smallest_drawing_is_what_the_format_says() -> None:
    assert decode(packed(GOOD)) == Drawing((DrawnTask("a", ((3, 4),)),))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "<script>",
        "a" * 5000,
        "AAAA",
        packed(b""),
        packed(bytes([2]) + GOOD[1:]),
        packed(GOOD + b"\0"),
        packed(GOOD[:-1]),
        packed(bytes([1, 0])),
        packed(bytes([1, 2]) + GOOD[2:] + GOOD[2:]),
        packed(bytes([1, 1, 1]) + b"\n" + GOOD[4:]),
        packed(bytes([1, 1, 2]) + b"\xff\xff" + GOOD[4:]),
        packed(bytes([1, 1, 0]) + GOOD[4:]),
        packed(b"\x01" * 1_000_000),
        packed(GOOD) + packed(GOOD),
        packed(GOOD)[:-3],
    ],
)
def test_whatever_else_a_link_holds_is_no_drawing(text: str) -> None:
    assert decode(text) is None


def test_one_changed_letter_is_noticed_or_harmless() -> None:
    code = encode(sketch.from_source(PLANE[0]))
    for at in range(0, len(code), 7):
        for letter in "A_z":
            found = decode(code[:at] + letter + code[at + 1 :])
            assert found is None or isinstance(found, Drawing)


@pytest.mark.parametrize(
    "tasks",
    [
        None,
        [],
        {},
        ["a"],
        [{"name": "", "positive": [], "negative": []}],
        [{"name": "a" * 31, "positive": [], "negative": []}],
        [{"name": 5, "positive": [], "negative": []}],
        [{"name": "a\u202e", "positive": [], "negative": []}],
        [{"name": "a", "positive": [[0, 256]], "negative": []}],
        [{"name": "a", "positive": [[0, 1.5]], "negative": []}],
        [{"name": "a", "positive": [[0, True]], "negative": []}],
        [{"name": "a", "positive": [[0, 1, 2]], "negative": []}],
        [{"name": "a", "positive": "00", "negative": []}],
        [{"name": "a", "positive": []}],
        [{"name": "a", "positive": [], "negative": []}] * 2,
        [{"name": str(k), "positive": [], "negative": []} for k in range(13)],
        [{"name": "a", "positive": [[0, 0]] * 501, "negative": []}],
    ],
)
def test_a_browser_cannot_send_what_is_no_drawing(tasks: object) -> None:
    with pytest.raises(CurriculabError):
        checked(tasks)
