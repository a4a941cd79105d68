"""The page Draw without a browser: its links, what it learns, and where a line meets the square."""

from __future__ import annotations

import numpy as np
import pytest

from core import learn
from dashboard.figures import scatter
from data.sources import sketch
from tests.dashboard.screens import charts, open_page, texts

SMALL = sketch.Drawing(
    (
        sketch.DrawnTask("<b>east</b>", ((200, 120), (220, 140)), ((60, 120), (40, 140))),
        sketch.DrawnTask("north", ((120, 200), (140, 220)), ((120, 60), (140, 40))),
        sketch.DrawnTask("half", ((1, 1),)),
    )
)


def test_a_link_shows_its_drawing_and_what_is_learned_from_it() -> None:
    app = open_page("draw", drawing=sketch.encode(SMALL), method="seqmt", C="10")
    assert not app.exception
    assert not app.error
    assert charts(app) == 2
    order = learn(SMALL.sample(), "seqmt", C=10.0).order
    plain = texts(app).replace("\\", "")
    assert f"SeqMT: {' → '.join(order)}" in plain
    assert "<b>east" not in texts(app)
    assert "half" in app.info[0].value


def test_nonsense_in_the_link_is_told_and_an_empty_sheet_learns_nothing() -> None:
    app = open_page("draw", drawing="nonsense", at="99", step="99")
    assert not app.exception
    assert "cannot be read" in app.warning[0].value
    assert charts(app) == 2
    empty = open_page("draw", drawing=sketch.encode(sketch.Drawing((sketch.DrawnTask("task 1"),))))
    assert not empty.exception
    assert charts(empty) == 0


@pytest.mark.parametrize(
    ("weights", "ends"),
    [
        ((1.0, 0.0, 0.0), ((0.0, -1.0), (0.0, 1.0))),
        ((0.0, 2.0, -1.0), ((-1.0, 0.5), (1.0, 0.5))),
        ((1.0, 1.0, 0.0), ((-1.0, 1.0), (1.0, -1.0))),
        ((1.0, 0.0, -5.0), None),
        ((0.0, 0.0, 1.0), None),
        ((1.0, 1.0, -2.0), None),
    ],
)
def test_a_line_is_cut_at_the_sides_of_the_square(weights, ends) -> None:
    found = scatter.in_square(np.array(weights), 1.0)
    assert (found is None) == (ends is None)
    if found is not None:
        np.testing.assert_allclose(np.reshape(found, (2, 2)), ends)
