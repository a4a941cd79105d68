"""The paper's tables: complete, and consistent with each other and with what the paper says of them."""

from __future__ import annotations

import pytest

from data.published import AWA, AWA_CLASSES, AWA_TRADE_OFF, SHOES, SHOES_RANKS, TABLES, published_for


def test_every_cell_of_every_table_is_there():
    shapes = {key: (len(table.rows), len(table.columns)) for key, table in TABLES.items()}
    assert shapes == {"awa-trade-off": (3, 8), "shoes": (8, 1), "awa": (11, 8)}
    for table in TABLES.values():
        assert all(len(table.cells[row]) == len(table.columns) for row in table.rows)
        assert all(0 < cell.standard_error < cell.mean for row in table.rows for cell in table.cells[row])


def test_the_two_awa_tables_agree_where_they_overlap():
    for short, long in (("Error+Compl", "SeqMT(ours)"), ("Error", "Error"), ("Compl", "Reg")):
        assert AWA_TRADE_OFF.cells[short] == AWA.cells[long]


def test_what_the_paper_says_of_its_figures_holds():
    for column in AWA_CLASSES:
        methods = AWA.by_method(column)
        assert methods["SeqMT"].mean < min(methods["MT"].mean, methods["IndSVM"].mean, methods["Random"].mean)
        assert methods["Best"].mean <= methods["Worst"].mean
    shoes = SHOES.by_method("Average error")
    assert min(shoes, key=lambda name: shoes[name].mean) == "MultiSeqMT"
    assert max(shoes, key=lambda name: shoes[name].mean) == "MergedSVM"


def test_ranks_are_orderings_and_name_the_positive_and_negative_classes():
    for attribute in SHOES_RANKS.attributes:
        ranks = dict(zip(SHOES_RANKS.classes, SHOES_RANKS.ranks[attribute], strict=True))
        assert sorted(ranks.values()) == list(range(1, 11))
        assert {ranks[name] for name in SHOES_RANKS.positive[attribute]} == {9, 10}
        assert {ranks[name] for name in SHOES_RANKS.negative[attribute]} == {1, 2}
    assert SHOES_RANKS.positive["Pointy at the front"] == ("Heels", "Pumps")


@pytest.mark.parametrize(
    ("source", "mean"),
    [("awa:rat", 36.34), ("awa:giant+panda", 19.33), ("awa:seal?train=10", 27.04), ("attributes:Shoes.npz", 10.96)],
)
def test_published_figures_stand_beside_the_experiment_that_they_are_of(source, mean):
    assert published_for(source)["SeqMT"].mean == mean


@pytest.mark.parametrize("source", ["awa-like", "shoes-like", "digits-levels", "attributes:pubfig.npz", "awa:tiger"])
def test_nothing_is_published_for_other_sets(source):
    assert published_for(source) == {}
