"""The sidebar's small picture of a set."""

import numpy as np
import pytest

from dashboard import theme
from dashboard.components import thumbnail
from data.sources import catalogue
from tests.dashboard.screens import drawn


@pytest.mark.parametrize("dark", [False, True])
def test_images_are_drawn_from_paper_to_ink(dark: bool) -> None:
    task_set = catalogue.load("digits-levels:8")
    small = thumbnail.picture(task_set, dark)
    block = 48 // 8
    task = task_set.tasks[0]
    digit = task.X[np.flatnonzero(task.y > 0)[0]].reshape(8, 8)
    dots = small[::block, : 8 * block : block].astype(int).sum(axis=2)
    brightest, darkest = (digit.max(), digit.min()) if dark else (digit.min(), digit.max())
    assert (dots == dots.max()).sum() == (digit == brightest).sum()
    assert (dots == dots.min()).sum() == (digit == darkest).sum()


def test_points_in_the_plane_have_the_colours_of_their_labels() -> None:
    small = thumbnail.picture(drawn(2, features=2), dark=False)
    colours = {"#{:02x}{:02x}{:02x}".format(*pixel) for pixel in small.reshape(-1, 3)}
    assert colours == {theme.LIGHT.paper, theme.LIGHT.positive, theme.LIGHT.negative}


def test_other_sets_have_none() -> None:
    assert thumbnail.picture(drawn(3, features=5), dark=False) is None
