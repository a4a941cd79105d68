"""The paper's tables: complete, and consistent with each other and with what the paper says of them."""

from __future__ import annotations

import pytest

from core.experiments.experiment import NAMES
from data.published import AWA, AWA_CLASSES, SHOES, SHOES_CLASSES, SHOES_RANKS, published_for, shoes_with_ranks


def test_every_cell_of_every_table_is_there():
    assert (len(AWA), {len(row) for row in AWA.values()}) == (11, {len(AWA_CLASSES)})
    assert (len(SHOES), {len(row) for row in SHOES.values()}) == (8, {1})
    for table in (AWA, SHOES):
        assert all(0 < cell.standard_error < cell.mean for row in table.values() for cell in row)
    assert set(AWA) | set(SHOES) <= set(NAMES.values())


def test_what_the_paper_says_of_its_figures_holds():
    for name in AWA_CLASSES:
        methods = published_for(f"awa:{name}")
        assert methods["SeqMT"].mean < min(methods["MT"].mean, methods["IndSVM"].mean, methods["Random"].mean)
        assert methods["Best"].mean <= methods["Worst"].mean
    assert min(SHOES, key=lambda name: SHOES[name][0].mean) == "MultiSeqMT"
    assert max(SHOES, key=lambda name: SHOES[name][0].mean) == "MergedSVM"


def test_ranks_are_orderings_and_name_the_positive_and_negative_classes():
    for attribute, row in SHOES_RANKS.items():
        ranks = dict(zip(SHOES_CLASSES, row, strict=True))
        assert sorted(ranks.values()) == list(range(1, 11))
        assert {ranks[name] for name in shoes_with_ranks(attribute, 9, 10)} == {9, 10}
        assert {ranks[name] for name in shoes_with_ranks(attribute, 1, 2)} == {1, 2}
    assert shoes_with_ranks("Pointy at the front", 9, 10) == ("Heels", "Pumps")


@pytest.mark.parametrize(
    ("source", "mean"),
    [("awa:rat", 36.34), ("awa:giant+panda", 19.33), ("awa:seal?train=10", 27.04), ("attributes:Shoes.npz", 10.96)],
)
def test_published_figures_stand_beside_the_experiment_that_they_are_of(source, mean):
    assert published_for(source)["SeqMT"].mean == mean


@pytest.mark.parametrize("source", ["awa-like", "shoes-like", "digits-levels", "attributes:pubfig.npz", "awa:tiger"])
def test_nothing_is_published_for_other_sets(source):
    assert published_for(source) == {}
