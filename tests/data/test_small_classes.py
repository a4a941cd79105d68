"""Few points of a class: what is held out, cut and left, at every size and share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.recipes.builder import make
from data.recipes.labels import signs
from data.recipes.members import Members
from data.recipes.recipe import Recipe
from data.recipes.sampler import Sampler
from data.sources.file import with_test_split
from data.tables.reading import read_table
from tests.core import cases


def members(positive: int, negative: int) -> Members:
    y = np.random.default_rng([positive, negative]).permutation(np.repeat([1.0, -1.0], [positive, negative]))
    return Members("t", np.arange(100, 100 + len(y)), y)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.8, 0.9])
def test_a_share_of_each_class_is_held_out_at_least_one_and_never_all(share: float) -> None:
    for positive in range(7):
        for negative in (1, 2, 5, 40):
            some = members(positive, negative)
            test = Sampler(Recipe(test=share), 0).split(some).test
            for sign, n in ((1.0, positive), (-1.0, negative)):
                wanted = 0 if n < 2 else min(max(round(share * n), 1), n - 1)
                assert (0 if test is None else int(np.sum(test.y == sign))) == wanted


def test_the_same_of_a_task_set_file() -> None:
    for share in (0.05, 0.5, 0.95):
        task_set = cases.draw(2, n=4, m=6)
        for task, split in zip(task_set.tasks, with_test_split(task_set, share).tasks, strict=True):
            assert split.y_test is not None
            for sign in (1.0, -1.0):
                n = int(np.sum(task.y == sign))
                held = int(np.sum(split.y_test == sign))
                assert held == min(max(round(share * n), 1), n - 1)
                assert int(np.sum(split.y == sign)) == n - held


def test_a_task_is_cut_in_the_proportion_of_its_classes_with_two_of_each_where_there_are() -> None:
    for positive, negative, most, left in (
        (30, 10, 20, (15, 5)), (10, 30, 20, (5, 15)), (50, 2, 10, (8, 2)), (2, 50, 10, (2, 8)), (1, 99, 10, (1, 9)),
        (99, 1, 10, (9, 1)), (30, 10, 0, (30, 10)), (30, 10, 40, (30, 10)), (30, 10, 39, (29, 10)), (7, 7, 3, (2, 1)),
    ):  # fmt: skip
        some = members(positive, negative)
        cut = Sampler(Recipe(), 0).fewer(some, most)
        assert (cut.positive, len(cut.y) - cut.positive) == left
        of_row = dict(zip(some.rows.tolist(), some.y.tolist(), strict=True))
        assert [of_row[row] for row in cut.rows.tolist()] == cut.y.tolist()


def test_the_larger_class_is_cut_to_the_smaller_and_one_class_alone_stays() -> None:
    for positive, negative, left in ((5, 9, (5, 5)), (9, 5, (5, 5)), (4, 4, (4, 4)), (6, 0, (6, 0)), (0, 6, (0, 6))):
        some = members(positive, negative)
        cut = Sampler(Recipe(balance=True), 0).fewer(some, 0)
        assert (cut.positive, len(cut.y) - cut.positive) == left
        assert set(some.rows[some.y > 0]) >= set(cut.rows[cut.y > 0])


def test_of_several_values_the_most_common_is_positive_and_of_two_the_greater() -> None:
    for cells, positive in (("aabbbc", "b"), ("cccab", "c"), ("abacad", "a"), ("aaab", "b"), ("abbb", "b")):
        table = read_table(b"x,kind\n" + "".join(f"{k},{one}\n" for k, one in enumerate(cells)).encode(), "t.csv")
        found, said = signs(table["kind"], Recipe())
        assert found.tolist() == [1.0 if one == positive else -1.0 for one in cells]
        assert f"Positive is '{positive}' in 'kind'" in said
        for named in set(cells):
            assert signs(table["kind"], Recipe(positive=named))[0].tolist() == [1 if c == named else -1 for c in cells]


def test_a_row_of_several_tasks_counts_once_in_means_and_deviations() -> None:
    """Task b has the labels of the first rows only, which are larger; gaps and scales are those of all rows."""
    rng = np.random.default_rng(3)
    rows = [f"{10 - k / 2 + rng.normal():.4f},{'yn'[k % 2]},{'yn'[(k // 2) % 2] if k < 16 else ''}" for k in range(40)]
    table = read_table(("x,a,b\n" + "\n".join(rows) + "\n").encode(), "t.csv")
    x = np.array([float(row.split(",")[0]) for row in rows])
    made = make(table, Recipe("columns", labels=("a", "b"), standardize=True)).task_set
    assert [task.n_points for task in made.tasks] == [40, 16]
    wanted = (x - x.mean()) / x.std()
    for task in made.tasks:
        np.testing.assert_allclose(np.sort(np.asarray(task.X)[:, 0]), np.sort(wanted[: task.n_points]), atol=1e-12)
    rows[20] = "," + rows[20].partition(",")[2]
    holed = read_table(("x,a,b\n" + "\n".join(rows) + "\n").encode(), "t.csv")
    filled = make(holed, Recipe("columns", labels=("a", "b"), missing="mean")).task_set
    known = np.delete(x, 20)
    np.testing.assert_allclose(
        np.sort(np.asarray(filled.tasks[0].X)[:, 0]), np.sort([*known, known.mean()]), atol=1e-12
    )


def test_what_is_held_out_keeps_the_ids_of_its_rows() -> None:
    drawn = cases.draw(4, n=2, m=9)
    tasks = tuple(replace(task, ids=1000 * k + np.arange(task.n_points)) for k, task in enumerate(drawn.tasks, start=1))
    for task, split in zip(tasks, with_test_split(replace(drawn, tasks=tasks), 0.4, 3).tasks, strict=True):
        assert task.ids is not None
        assert split.ids is not None
        assert split.ids_test is not None
        assert sorted([*split.ids, *split.ids_test]) == task.ids.tolist()
        for ids, X in ((split.ids, split.X), (split.ids_test, split.X_test)):
            np.testing.assert_array_equal(np.asarray(X), np.asarray(task.X)[ids % 1000])
